"""Topic models in files: a line that says what it is, a line with the digest, a line of JSON, then terms and weights.

Safe to load: nothing in a file is run, sizes are checked against the file's length before they are used, and numbers
must be finite. `head -3` shows where a model comes from.
"""

import hashlib
import os
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from exonym.disk import disk_errors
from exonym.errors import ConfigError
from exonym.learning.terms import TermOptions, term_needs
from exonym.learning.topic_model import Floats, ModelKind, TopicModel

VERSION = 1
_FIRST = b"exonym topic model "
_MOST_BYTES = 256 << 20
_NUMBER = np.dtype("<f8")
_DIGEST = 64  # hexadecimal digits


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
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    with disk_errors(path):
        try:
            with draft.open("wb") as file:
                file.write(serialised(model))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def load_model(path: Path) -> TopicModel:
    """The model in a file; ConfigError for anything that is not one, DirectoryError where there is no file."""
    with disk_errors(path), path.open("rb") as file:
        is_small = os.fstat(file.fileno()).st_size <= _MOST_BYTES
        data = file.read(_MOST_BYTES + 1) if is_small else b""
    if not is_small or len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} is larger than a topic model can be ({_MOST_BYTES >> 20} MB).")
    return parsed(data, str(path))


def serialised(model: TopicModel) -> bytes:
    """The bytes of the file."""
    terms = "\n".join(model.terms).encode()
    values = {name: getattr(model, name) for name in _Header.__struct_fields__ if hasattr(model, name)}
    header = msgspec.json.encode(_Header(**values, term_count=len(model.terms), term_bytes=len(terms)))
    arrays = model.weights.astype(_NUMBER).tobytes() + model.rarities.astype(_NUMBER).tobytes()
    rest = header + b"\n" + terms + arrays
    return b"%s%d\n%s\n%s" % (_FIRST, VERSION, hashlib.sha256(rest).hexdigest().encode(), rest)


def parsed(data: bytes, name: str) -> TopicModel:
    """The model in the bytes of a file called `name`."""
    rest, digest = _checked(data, name)
    line, _, body = rest.partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=_Header)
        model = _model(header, body, digest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, ConfigError) as error:
        raise ConfigError(f"{name} is not a topic model that can be used: {_one_line(error)}") from None
    _check_needs(model, name)
    return model


def _checked(data: bytes, name: str) -> tuple[bytes, str]:
    """What comes after the digest, which fits."""
    first, _, after = data.partition(b"\n")
    version = first.removeprefix(_FIRST)
    if version == first or not version.isdigit() or len(version) > 9:
        raise ConfigError(f"{name} is not a topic model. Make one with `exonym train topic`.")
    if int(version) != VERSION:
        _refuse_version(name, int(version))
    digest, rest = after[:_DIGEST], after[_DIGEST + 1 :]
    if after[_DIGEST : _DIGEST + 1] != b"\n" or hashlib.sha256(rest).hexdigest().encode() != digest:
        raise ConfigError(f"{name} is damaged: its digest does not fit. Copy it again, or train it anew.")
    return rest, digest.decode()


def _refuse_version(name: str, version: int) -> NoReturn:
    raise ConfigError(
        f"{name} is a topic model of version {version}; this Exonym reads version {VERSION}. "
        "Install the Exonym that made it, or train it anew."
    )


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


def _check_needs(model: TopicModel, name: str) -> None:
    """A model of stems is of no use where the stemmer is missing."""
    here = term_needs(model.options)
    missing = [need for need in model.needs if need in ("PyStemmer", "stopwordsiso") and need not in here]
    if missing:
        language = model.options.language
        raise ConfigError(f"{name} needs {missing[0]} for language {language!r}, which the one here does not know.")


def differing_versions(model: TopicModel) -> list[str]:
    """Libraries that read terms here in another version than at training; judgements may differ a little."""
    here = term_needs(model.options)
    return [
        f"{need} {model.needs[need]} (here {here[need]})"
        for need in ("PyStemmer", "stopwordsiso")
        if need in model.needs and need in here and model.needs[need] != here[need]
    ]


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if text.endswith(".") else f"{text or 'it is nested too deeply'}."
