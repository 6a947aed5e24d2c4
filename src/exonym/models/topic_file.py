"""Topic models in files, in the format of `model_file`: terms and their weights. `head -3` shows the provenance."""

from pathlib import Path
from typing import Any

import msgspec

from exonym.models.model_file import Frame, joined, packed, read_whole, texts_and_numbers, unpacked, write_whole
from exonym.models.terms import TermOptions, check_needs, term_needs
from exonym.models.topic import ModelKind, TopicModel

VERSION = 1
_FRAME = Frame("topic model", VERSION, "Make one with `exonym model topic train`.")


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
    """Write the model atomically."""
    write_whole(serialised(model), path)


def load_model(path: Path) -> TopicModel:
    """The model in a file; ModelError for anything that is not one, DirectoryError where there is no file."""
    return parsed(read_whole(path, _FRAME.what), str(path))


def serialised(model: TopicModel) -> bytes:
    """The bytes of the file."""
    terms = joined(model.terms)
    values = {name: getattr(model, name) for name in _Header.__struct_fields__ if hasattr(model, name)}
    header = _Header(**values, term_count=len(model.terms), term_bytes=len(terms))
    return packed(_FRAME, header, [terms], [model.weights, model.rarities])


def parsed(data: bytes, name: str) -> TopicModel:
    """The model in the bytes of a file called `name`."""
    model = unpacked(_FRAME, data, name, _Header, _model)
    check_needs(model.needs, model.options, name)
    return model


def _model(header: _Header, body: bytes, digest: str) -> TopicModel:
    count = header.term_count
    number_count = count * (2 if header.kind == "linear" else 1)
    (terms,), numbers = texts_and_numbers(body, [(count, header.term_bytes)], number_count)
    values = {name: getattr(header, name) for name in _Header.__struct_fields__ if not name.startswith("term_")}
    return TopicModel(**values, terms=terms, weights=numbers[:count], rarities=numbers[count:], digest=digest)


def differing_versions(model: TopicModel) -> list[str]:
    """Libraries installed in another version than the model was trained with; judgements may differ a little."""
    here = term_needs(model.options)
    return [
        f"{need} {model.needs[need]} (here {here[need]})"
        for need in ("PyStemmer", "stopwordsiso")
        if need in model.needs and need in here and model.needs[need] != here[need]
    ]
