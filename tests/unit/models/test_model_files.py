"""Topic models and link models in files: what is written is read, and nothing else is believed."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model_formats import LINK_FORMAT, TOPIC_FORMAT, ModelFormat

from exonym.errors import DirectoryError, ExonymError, ModelError

# A header may have any value anywhere.
JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists)

each_format = pytest.mark.parametrize("kind", [TOPIC_FORMAT, LINK_FORMAT], ids=lambda kind: kind.name)


@each_format
def test_saved_model_is_loaded_to_the_last_bit(kind: ModelFormat, tmp_path: Path) -> None:
    kind.save(kind.full, tmp_path / "model")
    loaded = kind.load(tmp_path / "model")
    assert kind.facts(loaded) == kind.facts(kind.full)
    assert kind.probability(loaded) == kind.probability(kind.full)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@each_format
def test_loaded_model_knows_the_digest_that_its_file_shows(kind: ModelFormat) -> None:
    data = kind.serialised(kind.full)
    first, digest, rest = data.split(b"\n", 2)
    assert first.decode() == f"exonym {kind.name} 1"
    assert kind.parsed(data, "m").digest == digest.decode() == hashlib.sha256(rest).hexdigest()


@each_format
def test_saving_again_replaces_the_file(kind: ModelFormat, tmp_path: Path) -> None:
    kind.save(kind.full, tmp_path / "model")
    kind.save(kind.plain, tmp_path / "model")
    assert kind.load(tmp_path / "model").name == "t"


@each_format
def test_missing_files_and_folders_are_told(kind: ModelFormat, tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="none"):
        kind.load(tmp_path / "none")
    with pytest.raises(DirectoryError):
        kind.load(tmp_path)
    with pytest.raises(DirectoryError):
        kind.save(kind.full, tmp_path / "no" / "folder")
    with pytest.raises(DirectoryError):
        kind.save(kind.full, tmp_path)
    assert list(tmp_path.iterdir()) == []


@each_format
def test_file_that_is_far_too_large_is_not_read(kind: ModelFormat, tmp_path: Path) -> None:
    with (tmp_path / "model").open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(ModelError, match="larger"):
        kind.load(tmp_path / "model")


@each_format
@given(data=st.binary())
@example(data=b"")
@example(data=b"PK\x03\x04")
@example(data=b"exonym model 1\n")
@example(data=b"\x80\x04cos\nsystem\n")
def test_any_bytes_are_refused_in_one_line(kind: ModelFormat, data: bytes) -> None:
    with pytest.raises(ModelError) as told:
        kind.parsed(data, "some.model")
    assert "some.model" in str(told.value)
    assert "\n" not in str(told.value)


def test_a_format_refuses_files_of_the_other() -> None:
    for kind, other in ((TOPIC_FORMAT, LINK_FORMAT), (LINK_FORMAT, TOPIC_FORMAT)):
        with pytest.raises(ModelError):
            kind.parsed(other.serialised(other.full), "m")


@each_format
@given(data=st.data())
def test_file_cut_short_is_refused(kind: ModelFormat, data: st.DataObject) -> None:
    file = kind.serialised(kind.full)
    with pytest.raises(ModelError):
        kind.parsed(file[: data.draw(st.integers(0, len(file) - 1))], "m")


@each_format
@given(data=st.data())
def test_flipped_bit_is_refused(kind: ModelFormat, data: st.DataObject) -> None:
    damaged = bytearray(kind.serialised(kind.full))
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ModelError):
        kind.parsed(bytes(damaged), "m")


@each_format
def test_file_of_a_newer_version_says_so(kind: ModelFormat) -> None:
    with pytest.raises(ModelError, match="version 2; this Exonym reads version 1"):
        kind.parsed(kind.serialised(kind.full).replace(b"model 1", b"model 2", 1), "m")


@each_format
def test_header_nested_without_end_is_refused(kind: ModelFormat) -> None:
    made = b'{"provenance":' + b"[" * 100_000 + b"\n"
    digest = hashlib.sha256(made).hexdigest()
    with pytest.raises(ModelError):
        kind.parsed(f"exonym {kind.name} 1\n{digest}\n".encode() + made, "m")


@each_format
def test_unchanged_forgery_is_the_model(kind: ModelFormat) -> None:
    assert kind.facts(kind.parsed(kind.forged(), "m")) == kind.facts(kind.plain)


@each_format
@settings(max_examples=60)
@given(data=st.data())
def test_any_value_in_the_header_gives_a_model_or_one_line(kind: ModelFormat, data: st.DataObject) -> None:
    keys = sorted(json.loads(kind.serialised(kind.full).split(b"\n")[2]))
    change = {data.draw(st.sampled_from(keys)): data.draw(JSON)}
    try:
        model = kind.parsed(kind.forged(lambda header: header.update(change)), "m")
    except ExonymError as error:
        told = str(error)
    else:
        told = f"{kind.probability(model):.3f}"
    assert "\n" not in told
    assert told != "nan"
