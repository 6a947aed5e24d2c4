"""The second detector, py3langid. Its model is unpacked once for a user, and mapped into memory from then on.

To unpack it takes two thirds of a second and 68 MB in each process. So the unpacked arrays are stored in the user's
cache directory, under the version of the package, and all processes share their memory. Where nothing can be stored,
each process unpacks the model.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from exonym.errors import DirectoryError, DiskFullError
from exonym.system.files import cache_directory, replacing

_UNUSABLE = (OSError, ValueError, EOFError, KeyError, DirectoryError, DiskFullError)


def load_second_detector() -> Any:
    """py3langid's identifier of all its languages."""
    from py3langid import __version__  # many crawls never need it
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    place = cache_directory() / f"py3langid-{__version__}"
    try:
        detector = _stored(place)
    except _UNUSABLE:
        detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        with suppress(*_UNUSABLE):
            _store(detector, place)
    return detector


def _stored(place: Path) -> Any:
    """The identifier with arrays from the cache. Two are mapped, the others are small."""
    from py3langid.langid import LanguageIdentifier

    weights, moves = (np.load(f"{place}-{name}.npy", mmap_mode="r") for name in ("weights", "moves"))
    with np.load(f"{place}-rest.npz") as rest:
        return LanguageIdentifier(
            weights,
            rest["priors"],
            rest["classes"].tolist(),
            memoryview(moves),
            rest["output"].tolist(),
            norm_probs=True,
            tk_row=rest["rows"].tolist(),
        )


def _store(detector: Any, place: Path) -> None:
    """Write the arrays of an identifier; the small file is last, and none is used without it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    for name, array in (("weights", detector.nb_ptc), ("moves", np.asarray(detector.tk_nextmove))):
        with replacing(Path(f"{place}-{name}.npy")) as draft, draft.open("wb") as file:
            np.save(file, array)
    with replacing(Path(f"{place}-rest.npz")) as draft, draft.open("wb") as file:
        np.savez(
            file,
            priors=detector.nb_pc,
            classes=np.array(detector.nb_classes),
            output=np.array(detector.tk_output, dtype=np.int32),
            rows=np.array(detector.tk_row, dtype=np.uint32),
        )
