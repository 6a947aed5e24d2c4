"""Topic models in files: a line that says what it is, a line with the digest, a line of JSON, then terms and weights.

Safe to load: nothing in a file is run, sizes are checked against the file's length before they are used, and numbers
must be finite. `head -3` shows where a model comes from.
"""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exonym.batches import Floats
from exonym.errors import ConfigError
from exonym.models.file_frame import Frame, framed, made_from, read_whole, write_whole
from exonym.models.terms import TermOptions, check_needs, term_needs
from exonym.models.topic import ModelKind, TopicModel

VERSION = 1
_FRAME = Frame("topic model", VERSION, "Make one with `exonym model topic train`.")
_NUMBER = np.dtype("<f8")


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: ModelKind
    options: TermOptions
    bias: float
    slope: float
    offset: float
    threshold: float
    needs: dict[str, str]
    provenance: dict[str, Any]
    term_count: int
    term_bytes: int


def save_model(model: TopicModel, path: Path) -> None:
    """Write the model; nothing half written is left."""
    write_whole(serialised(model), path)


def load_model(path: Path) -> TopicModel:
    """The model in a file; ConfigError for anything that is not one, DirectoryError where there is no file."""
    return parsed(read_whole(path, _FRAME.what), str(path))


def serialised(model: TopicModel) -> bytes:
    """The bytes of the file."""
    terms = "\n".join(model.terms).encode()
    values = {name: getattr(model, name) for name in _Header.__struct_fields__ if hasattr(model, name)}
    header = msgspec.json.encode(_Header(**values, term_count=len(model.terms), term_bytes=len(terms)))
    arrays = model.weights.astype(_NUMBER).tobytes() + model.rarities.astype(_NUMBER).tobytes()
    return framed(_FRAME, header + b"\n" + terms + arrays)


def parsed(data: bytes, name: str) -> TopicModel:
    """The model in the bytes of a file called `name`."""
    model = made_from(_FRAME, data, name, _made)
    check_needs(model.needs, model.options, name)
    return model


def _made(line: bytes, body: bytes, digest: str) -> TopicModel:
    return _model(msgspec.json.decode(line, type=_Header), body, digest)


def _model(header: _Header, body: bytes, digest: str) -> TopicModel:
    terms, weights, rarities = _arrays(header, body)
    return TopicModel(
        name=header.name,
        kind=header.kind,
        options=header.options,
        terms=terms,
        weights=weights,
        bias=header.bias,
        rarities=rarities,
        slope=header.slope,
        offset=header.offset,
        threshold=header.threshold,
        needs=header.needs,
        provenance=header.provenance,
        digest=digest,
    )


def _arrays(header: _Header, body: bytes) -> tuple[tuple[str, ...], Floats, Floats]:
    """Terms, weights and rarities, once their sizes are known to be the file's."""
    count, size = header.term_count, header.term_bytes
    rarities = count if header.kind == "linear" else 0
    if count < 0 or size < 0 or len(body) != size + (count + rarities) * _NUMBER.itemsize:
        raise ConfigError("its parts do not have the sizes that it says.")
    terms = tuple(body[:size].decode().split("\n")) if count else ()
    if len(terms) != count:
        raise ConfigError("its terms are not as many as it says.")
    numbers = np.frombuffer(body, _NUMBER, offset=size).astype(np.float64)
    return terms, numbers[:count], numbers[count:]


def differing_versions(model: TopicModel) -> list[str]:
    """Libraries that read terms here in another version than at training; judgements may differ a little."""
    here = term_needs(model.options)
    return [
        f"{need} {model.needs[need]} (here {here[need]})"
        for need in ("PyStemmer", "stopwordsiso")
        if need in model.needs and need in here and model.needs[need] != here[need]
    ]
