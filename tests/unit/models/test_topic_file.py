"""Topic models in files: what is written is read, and nothing else is believed."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from exonym.errors import DirectoryError, ExonymError, ModelError
from exonym.models.terms import Fields, TermOptions, term_needs
from exonym.models.topic import TopicModel
from exonym.models.topic_file import differing_versions, load_model, parsed, save_model, serialised

OPTIONS = TermOptions("en", title_weight=2.5, stop_words=False)
MODEL = TopicModel(
    name="Thai tourism",
    kind="linear",
    options=OPTIONS,
    terms=("beach", "hôtel", "海岸"),
    weights=np.array([3.0, 0.1 + 0.2, -5e-324]),
    bias=-1.25,
    rarities=np.array([1.0, 2.0, 1 / 3]),
    slope=0.9,
    offset=-2.0,
    threshold=0.37,
    needs=term_needs(OPTIONS),
    provenance={"seed": 7, "sources": ["a.jsonl"], "g_mean": 0.9578},
)
FILE = serialised(MODEL)
PLAIN = TopicModel("t", "naive-bayes", TermOptions(), ("a", "b"), np.array([1.0, -1.0]), 0.0, np.zeros(0))


def facts(model: TopicModel) -> dict[str, Any]:
    names = ("name", "kind", "options", "terms", "bias", "slope", "offset", "threshold", "needs", "provenance")
    arrays = {"weights": model.weights.tobytes(), "rarities": model.rarities.tobytes()}
    return {**{name: getattr(model, name) for name in names}, **arrays}


def forged(change: Callable[[dict[str, Any]], None] | None = None, body: bytes | None = None) -> bytes:
    """A file of PLAIN with another header or body, and the digest that fits it."""
    first, _, rest = serialised(PLAIN).split(b"\n", 2)
    line, _, own = rest.partition(b"\n")
    header = json.loads(line)
    if change:
        change(header)
    made = json.dumps(header).encode() + b"\n" + (own if body is None else body)
    return first + b"\n" + hashlib.sha256(made).hexdigest().encode() + b"\n" + made


def test_saved_model_is_loaded_to_the_last_bit(tmp_path: Path) -> None:
    save_model(MODEL, tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert facts(loaded) == facts(MODEL)
    page = Fields("beach", "hôtel de plage", "海岸")
    assert loaded.probability(page) == MODEL.probability(page)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("model", [PLAIN, TopicModel("", "linear", OPTIONS, (), np.zeros(0), 0.0, np.zeros(0))])
def test_models_without_rarities_or_terms_are_loaded_too(model: TopicModel) -> None:
    assert facts(parsed(serialised(model), "m")) == facts(model)


def test_loaded_model_knows_the_digest_that_its_file_shows() -> None:
    first, digest, rest = FILE.split(b"\n", 2)
    assert first == b"exonym topic model 1"
    assert parsed(FILE, "m").digest == digest.decode() == hashlib.sha256(rest).hexdigest()


def test_saving_again_replaces_the_file(tmp_path: Path) -> None:
    save_model(MODEL, tmp_path / "model")
    save_model(PLAIN, tmp_path / "model")
    assert load_model(tmp_path / "model").name == "t"


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="none"):
        load_model(tmp_path / "none")
    with pytest.raises(DirectoryError):
        load_model(tmp_path)
    with pytest.raises(DirectoryError):
        save_model(MODEL, tmp_path / "no" / "folder")
    with pytest.raises(DirectoryError):
        save_model(MODEL, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "model").open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(ModelError, match="larger"):
        load_model(tmp_path / "model")


@given(st.binary())
@example(b"")
@example(b"PK\x03\x04")
@example(b"\x80\x04cos\nsystem\n")
def test_any_bytes_are_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(ModelError) as told:
        parsed(data, "some.model")
    assert "some.model" in str(told.value)
    assert "\n" not in str(told.value)


@given(st.integers(0, len(FILE) - 1))
def test_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(ModelError):
        parsed(FILE[:length], "m")


@given(st.integers(0, len(FILE) - 1), st.integers(0, 7))
def test_flipped_bit_is_refused(place: int, bit: int) -> None:
    damaged = bytearray(FILE)
    damaged[place] ^= 1 << bit
    with pytest.raises(ModelError):
        parsed(bytes(damaged), "m")


def test_file_of_a_newer_version_says_so() -> None:
    with pytest.raises(ModelError, match="version 2; this Exonym reads version 1"):
        parsed(FILE.replace(b"model 1", b"model 2", 1), "m")


NUMBERS = np.array([1.0, -1.0])


@pytest.mark.parametrize(
    "hostile",
    [
        forged(lambda header: header.update(term_count=-2)),
        forged(lambda header: header.update(term_count=10**18, term_bytes=-8 * 10**18)),
        forged(lambda header: header.update(term_count=10**30)),
        forged(lambda header: header.update(term_bytes=10**12)),
        forged(lambda header: header.update(term_bytes=11, term_count=1)),
        forged(lambda header: header.update(term_count=2.5)),
        forged(lambda header: header.update(kind="linear")),
        forged(lambda header: header.update(kind="pickle")),
        forged(lambda header: header.update(bias=None)),
        forged(lambda header: header.update(bias=1e300)),
        forged(lambda header: header.update(threshold=2)),
        forged(lambda header: header.update(extra=1)),
        forged(lambda header: header.pop("slope")),
        forged(lambda header: header.update(options={"language": "en", "body_weight": -1})),
        forged(lambda header: header.update(options={"kind": "letters"})),
        forged(lambda header: header.update(options={"longest_gram": 10**9})),
        forged(lambda header: header.update(options=[])),
        forged(lambda header: header.update(provenance=[])),
        forged(lambda header: header.update(needs={"PyStemmer": 3})),
        forged(lambda header: header.update(needs={"PyStemmer": "9"}, options={"language": "lo"})),
        forged(body=b"a\nb" + np.array([1.0, np.nan]).tobytes()),
        forged(body=b"a\nb" + np.array([1.0, np.inf]).tobytes()),
        forged(body=b"a\na" + NUMBERS.tobytes()),
        forged(body=b"a\xff\xff" + NUMBERS.tobytes()),
        forged(body=b"abc" + NUMBERS.tobytes()),
        forged(body=b"a\nb" + NUMBERS.tobytes() + b"more"),
        forged(body=b""),
    ],
)
def test_file_that_was_forged_is_refused_in_one_line(hostile: bytes) -> None:
    with pytest.raises(ModelError) as told:
        parsed(hostile, "m")
    assert "\n" not in str(told.value)


def test_header_nested_without_end_is_refused() -> None:
    made = b'{"provenance":' + b"[" * 100_000 + b"\n"
    data = b"exonym topic model 1\n" + hashlib.sha256(made).hexdigest().encode() + b"\n" + made
    with pytest.raises(ModelError):
        parsed(data, "m")


def test_unchanged_forgery_is_the_model() -> None:
    assert facts(parsed(forged(), "m")) == facts(PLAIN)


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(json.loads(FILE.split(b"\n")[2]))), JSON)
def test_any_value_in_the_header_gives_a_model_or_one_line(key: str, value: object) -> None:
    try:
        model = parsed(forged(lambda header: header.update({key: value})), "m")
    except ExonymError as error:
        told = str(error)
    else:
        told = f"{model.probability(Fields('a b')):.3f}"
    assert "\n" not in told
    assert told != "nan"


def test_libraries_of_another_version_are_named() -> None:
    assert differing_versions(MODEL) == []
    older = parsed(forged(lambda header: header.update(needs={"PyStemmer": "0.1"})), "m")
    assert differing_versions(older) == [f"PyStemmer 0.1 (here {term_needs(TermOptions())['PyStemmer']})"]
