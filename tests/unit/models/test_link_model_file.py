"""Link models in files: what is written is read, and nothing else is believed."""

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
from exonym.models.calibration import Calibration
from exonym.models.links.base import NeutralModel
from exonym.models.links.features import FEATURES, STEPS, LinkTexts
from exonym.models.links.link_model_file import load_link_model, parsed, save_link_model, serialised
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkWeights, TrainedLinkModel
from exonym.models.terms import TermOptions, term_needs

OPTIONS = ReadOptions(("Koh Samui", "Þingvellir"), "exact", ("in", "the"), TermOptions("en", stop_words=False))
MODEL = TrainedLinkModel(
    name="Thai tourism",
    kind="linear",
    options=OPTIONS,
    weights=LinkWeights(
        features=FEATURES[1:],
        bias=-0.25,
        steps=np.linspace(-1, 1, 3 * STEPS).reshape(3, STEPS),
        places=({"TH": 1 / 3, "": -0.1}, {}, {"th": 2.0}, {"com": 5e-324}),
        word_bias=0.0,
        terms=("beach", "hôtel", "海岸"),
        words=np.array([3.0, 0.1 + 0.2, -5e-324]),
        rarities=np.array([1.0, 2.0, 1 / 3]),
        calibration=Calibration(0.9, -2.0, 0.37),
    ),
    needs=term_needs(OPTIONS.terms),
    provenance={"seed": 7, "sources": ["a.graph"], "g_mean": 0.873},
)
FILE = serialised(MODEL)
PLAIN = TrainedLinkModel(
    "t",
    "bayes",
    ReadOptions(("Yo",), stop_words=()),
    LinkWeights(
        features=("words",),
        bias=0.0,
        steps=np.zeros((3, STEPS)),
        places=({}, {}, {}, {}),
        word_bias=0.0,
        terms=("a", "b"),
        words=np.array([1.0, -1.0]),
        rarities=np.zeros(0),
    ),
)
NUMBERS = np.zeros(3 * STEPS + 2)
LINK = LinkTexts(["http://a.th/b/"], ["beach"], ["海岸 of Koh Samui"], ["th"], [""], ["TH"])


def facts(model: TrainedLinkModel) -> dict[str, Any]:
    weights = model.weights
    arrays = [weights.steps.tobytes(), weights.words.tobytes(), weights.rarities.tobytes()]
    others = ("features", "bias", "places", "word_bias", "terms", "calibration")
    own = {name: getattr(model, name) for name in ("name", "kind", "options", "needs", "provenance")}
    return {**own, "arrays": arrays, **{name: getattr(weights, name) for name in others}}


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
    save_link_model(MODEL, tmp_path / "model")
    loaded = load_link_model(tmp_path / "model")
    assert facts(loaded) == facts(MODEL)
    assert (loaded.read(LINK) == MODEL.read(LINK)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_model_without_names_or_terms_is_loaded_too() -> None:
    weights = LinkWeights(("degree",), 0.0, np.zeros((3, STEPS)), ({},) * 4, 0.0, (), np.zeros(0), np.zeros(0))
    empty = TrainedLinkModel("", "bayes", ReadOptions(stop_words=()), weights)
    loaded = parsed(serialised(empty), "m")
    assert facts(loaded) == facts(empty)
    assert loaded.probability(loaded.read(LINK), np.array([1.0])).tolist() == [0.5]


def test_loaded_model_knows_the_digest_that_its_file_shows() -> None:
    first, digest, rest = FILE.split(b"\n", 2)
    assert first == b"exonym link model 1"
    assert parsed(FILE, "m").digest == digest.decode() == hashlib.sha256(rest).hexdigest()


def test_saving_again_replaces_the_file(tmp_path: Path) -> None:
    save_link_model(MODEL, tmp_path / "model")
    save_link_model(PLAIN, tmp_path / "model")
    assert load_link_model(tmp_path / "model").name == "t"


def test_model_that_was_not_trained_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="neutral"):
        save_link_model(NeutralModel(), tmp_path / "model")


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="none"):
        load_link_model(tmp_path / "none")
    with pytest.raises(DirectoryError):
        load_link_model(tmp_path)
    with pytest.raises(DirectoryError):
        save_link_model(MODEL, tmp_path / "no" / "folder")
    with pytest.raises(DirectoryError):
        save_link_model(MODEL, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "model").open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(ModelError, match="larger"):
        load_link_model(tmp_path / "model")


@settings(deadline=None)
@given(st.binary())
@example(b"")
@example(b"exonym topic model 1\n")
@example(b"\x80\x04cos\nsystem\n")
def test_any_bytes_are_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(ModelError) as told:
        parsed(data, "some.model")
    assert "some.model" in str(told.value)
    assert "\n" not in str(told.value)


@settings(deadline=None)
@given(st.integers(0, len(FILE) - 1))
def test_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(ModelError):
        parsed(FILE[:length], "m")


@settings(deadline=None)
@given(st.integers(0, len(FILE) - 1), st.integers(0, 7))
def test_flipped_bit_is_refused(place: int, bit: int) -> None:
    damaged = bytearray(FILE)
    damaged[place] ^= 1 << bit
    with pytest.raises(ModelError):
        parsed(bytes(damaged), "m")


def test_file_of_a_newer_version_says_so() -> None:
    with pytest.raises(ModelError, match="version 2; this Exonym reads version 1"):
        parsed(FILE.replace(b"model 1", b"model 2", 1), "m")


@pytest.mark.parametrize(
    "hostile",
    [
        forged(lambda header: header.update(term_count=-2)),
        forged(lambda header: header.update(term_count=10**18, term_bytes=-8 * 10**18)),
        forged(lambda header: header.update(term_count=10**30)),
        forged(lambda header: header.update(name_bytes=10**12)),
        forged(lambda header: header.update(name_count=0)),
        forged(lambda header: header.update(name_count=2)),
        forged(lambda header: header.update(name_bytes=4, term_bytes=1)),
        forged(lambda header: header.update(term_count=2.5)),
        forged(lambda header: header.update(kind="linear")),
        forged(lambda header: header.update(kind="pickle")),
        forged(lambda header: header.update(matcher="soundex")),
        forged(lambda header: header.update(features=[])),
        forged(lambda header: header.update(features=["colour"])),
        forged(lambda header: header.update(places=[{}, {}, {}])),
        forged(lambda header: header.update(places=[{"TH": None}, {}, {}, {}])),
        forged(lambda header: header.update(places=[{"TH": 1e300}, {}, {}, {}])),
        forged(lambda header: header.update(stop_words="the")),
        forged(lambda header: header.update(bias=None)),
        forged(lambda header: header.update(slope=1e300)),
        forged(lambda header: header.update(threshold=2)),
        forged(lambda header: header.update(extra=1)),
        forged(lambda header: header.pop("offset")),
        forged(lambda header: header.update(term_options={"language": "en", "body_weight": -1})),
        forged(lambda header: header.update(term_options={"kind": "letters"})),
        forged(lambda header: header.update(provenance=[])),
        forged(lambda header: header.update(needs={"PyStemmer": "9"}, term_options={"language": "lo"})),
        forged(body=b"Yoa\nb" + np.where(np.arange(32) == 31, np.nan, NUMBERS).tobytes()),
        forged(body=b"Yoa\nb" + np.where(np.arange(32) == 0, np.inf, NUMBERS).tobytes()),
        forged(body=b"Yoa\na" + NUMBERS.tobytes()),
        forged(body=b"Y\xffa\nb" + NUMBERS.tobytes()),
        forged(body=b"Yoabc" + NUMBERS.tobytes()),
        forged(body=b"Yoa\nb" + NUMBERS.tobytes() + b"more"),
        forged(body=b""),
    ],
)
def test_file_that_was_forged_is_refused_in_one_line(hostile: bytes) -> None:
    with pytest.raises(ModelError) as told:
        parsed(hostile, "m")
    assert "\n" not in str(told.value)


def test_header_nested_without_end_is_refused() -> None:
    made = b'{"provenance":' + b"[" * 100_000 + b"\n"
    data = b"exonym link model 1\n" + hashlib.sha256(made).hexdigest().encode() + b"\n" + made
    with pytest.raises(ModelError):
        parsed(data, "m")


def test_unchanged_forgery_is_the_model() -> None:
    assert facts(parsed(forged(), "m")) == facts(PLAIN)


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(json.loads(FILE.split(b"\n")[2]))), JSON)
def test_any_value_in_the_header_gives_a_model_or_one_line(key: str, value: object) -> None:
    try:
        model = parsed(forged(lambda header: header.update({key: value})), "m")
    except ExonymError as error:
        told = str(error)
    else:
        told = f"{model.probability(model.read(LINK), np.array([0.5]))[0]:.3f}"
    assert "\n" not in told
    assert told != "nan"
