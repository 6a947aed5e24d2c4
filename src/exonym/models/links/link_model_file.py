"""Link models in files, in the format of `model_file`: the nation's names, terms and weights.

The names are in the file, so that the model needs no nation file. `head -3` shows the provenance.
"""

from pathlib import Path
from typing import Any

import msgspec

from exonym.errors import ModelError
from exonym.models.calibration import Calibration
from exonym.models.links.base import LinkModel, LinkPool, LinkUnit
from exonym.models.links.features import STEPS, Feature
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkModelKind, LinkWeights, TrainedLinkModel
from exonym.models.model_file import Frame, joined, packed, read_whole, texts_and_numbers, unpacked, write_whole
from exonym.models.terms import TermOptions, check_needs
from exonym.nations.matching.matcher import MatcherKind

VERSION = 1
_FRAME = Frame("link model", VERSION, "Make one with `exonym model links train`.")
_STEP_WEIGHTS = 3 * STEPS


# Without defaults: files of 0.1.0 state neither `pool` nor `unit`.
class _Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
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
    pool: LinkPool = "link"
    unit: LinkUnit = "segment"


def save_link_model(model: LinkModel, path: Path) -> None:
    """Write the model atomically."""
    if not isinstance(model, TrainedLinkModel):
        raise ModelError(f"the link model {model.name!r} was not trained: there is nothing to save.")
    write_whole(serialised(model), path)


def load_link_model(path: Path) -> TrainedLinkModel:
    """The model in a file; ModelError for anything that is not one, DirectoryError where there is no file."""
    return parsed(read_whole(path, _FRAME.what), str(path))


def serialised(model: TrainedLinkModel) -> bytes:
    """The bytes of the file."""
    options, weights = model.options, model.weights
    names, terms = joined(options.names), joined(weights.terms)
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
        pool=model.pool,
        unit=model.unit,
    )
    return packed(_FRAME, header, [names, terms], [weights.steps.ravel(), weights.words, weights.rarities])


def parsed(data: bytes, name: str) -> TrainedLinkModel:
    """The model in the bytes of a file called `name`."""
    model = unpacked(_FRAME, data, name, _Header, _model)
    check_needs(model.needs, model.options.terms, name)
    return model


def _model(header: _Header, body: bytes, digest: str) -> TrainedLinkModel:
    sizes = [(header.name_count, header.name_bytes), (header.term_count, header.term_bytes)]
    count = _STEP_WEIGHTS + header.term_count * (2 if header.kind == "linear" else 1)
    (names, terms), numbers = texts_and_numbers(body, sizes, count)
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
    return TrainedLinkModel(
        header.name,
        header.kind,
        options,
        weights,
        header.needs,
        header.provenance,
        digest,
        header.pool,
        header.unit,
    )
