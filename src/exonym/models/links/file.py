"""Link models in files: a line that says what it is, the digest, a line of JSON, then names, terms and weights.

Safe to load: nothing in a file is run, sizes are checked against the file's length before they are used, and numbers
must be finite. The nation's names are in it, so that it needs nothing else. `head -3` shows where a model comes from.
"""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exonym.batches import Floats
from exonym.errors import ConfigError
from exonym.models.calibration import Calibration
from exonym.models.file_frame import Frame, framed, made_from, read_whole, write_whole
from exonym.models.links.base import LinkModel
from exonym.models.links.features import STEPS, Feature
from exonym.models.links.reading import ReadOptions
from exonym.models.links.trained import LinkModelKind, TrainedLinkModel
from exonym.models.links.weights import LinkWeights
from exonym.models.terms import TermOptions, check_needs
from exonym.nations.matching.matcher import MatcherKind

VERSION = 1
_FRAME = Frame("link model", VERSION, "Make one with `exonym model links train`.")
_NUMBER = np.dtype("<f8")
_STEP_WEIGHTS = 3 * STEPS


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: LinkModelKind
    features: tuple[Feature, ...]
    matcher: MatcherKind
    stop_words: tuple[str, ...]
    term_options: TermOptions
    bias: float
    word_bias: float
    slope: float
    offset: float
    threshold: float
    places: tuple[dict[str, float], ...]
    needs: dict[str, str]
    provenance: dict[str, Any]
    name_count: int
    name_bytes: int
    term_count: int
    term_bytes: int


def save_link_model(model: LinkModel, path: Path) -> None:
    """Write the model; nothing half written is left."""
    if not isinstance(model, TrainedLinkModel):
        raise ConfigError(f"the link model {model.name!r} was not trained: there is nothing to save.")
    write_whole(serialised(model), path)


def load_link_model(path: Path) -> TrainedLinkModel:
    """The model in a file; ConfigError for anything that is not one, DirectoryError where there is no file."""
    return parsed(read_whole(path, _FRAME.what), str(path))


def serialised(model: TrainedLinkModel) -> bytes:
    """The bytes of the file."""
    options, weights = model.options, model.weights
    names, terms = "\n".join(options.names).encode(), "\n".join(weights.terms).encode()
    header = _Header(
        name=model.name,
        kind=model.kind,
        features=weights.features,
        matcher=options.matcher,
        stop_words=options.stop_words,
        term_options=options.terms,
        bias=weights.bias,
        word_bias=weights.word_bias,
        **weights.calibration._asdict(),
        places=tuple(dict(place) for place in weights.places),
        needs=model.needs,
        provenance=model.provenance,
        name_count=len(options.names),
        name_bytes=len(names),
        term_count=len(weights.terms),
        term_bytes=len(terms),
    )
    arrays = np.concatenate([weights.steps.ravel(), weights.words, weights.rarities]).astype(_NUMBER).tobytes()
    return framed(_FRAME, msgspec.json.encode(header) + b"\n" + names + terms + arrays)


def parsed(data: bytes, name: str) -> TrainedLinkModel:
    """The model in the bytes of a file called `name`."""
    model = made_from(_FRAME, data, name, _made)
    check_needs(model.needs, model.options.terms, name)
    return model


def _made(line: bytes, body: bytes, digest: str) -> TrainedLinkModel:
    return _model(msgspec.json.decode(line, type=_Header), body, digest)


def _model(header: _Header, body: bytes, digest: str) -> TrainedLinkModel:
    names, terms, numbers = _parts(header, body)
    words_end = _STEP_WEIGHTS + len(terms)
    weights = LinkWeights(
        features=header.features,
        bias=header.bias,
        steps=numbers[:_STEP_WEIGHTS].reshape(3, STEPS),
        places=header.places,
        word_bias=header.word_bias,
        terms=terms,
        words=numbers[_STEP_WEIGHTS:words_end],
        rarities=numbers[words_end:],
        calibration=Calibration(header.slope, header.offset, header.threshold),
    )
    options = ReadOptions(names, header.matcher, header.stop_words, header.term_options)
    return TrainedLinkModel(header.name, header.kind, options, weights, header.needs, header.provenance, digest)


def _parts(header: _Header, body: bytes) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Names, terms and numbers, once their sizes are known to be the file's."""
    sizes = (header.name_count, header.name_bytes, header.term_count, header.term_bytes)
    numbers = _STEP_WEIGHTS + header.term_count * (2 if header.kind == "linear" else 1)
    texts = header.name_bytes + header.term_bytes
    if min(sizes) < 0 or len(body) != texts + numbers * _NUMBER.itemsize:
        raise ConfigError("its parts do not have the sizes that it says.")
    names = _lines(body[: header.name_bytes], header.name_count)
    terms = _lines(body[header.name_bytes : texts], header.term_count)
    return names, terms, np.frombuffer(body, _NUMBER, offset=texts).astype(np.float64)


def _lines(data: bytes, count: int) -> tuple[str, ...]:
    lines = tuple(data.decode().split("\n")) if count else ()
    if len(lines) != count or (data and not count):
        raise ConfigError("its names or terms are not as many as it says.")
    return lines
