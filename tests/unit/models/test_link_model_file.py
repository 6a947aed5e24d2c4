"""Link models in files: what only they have (`test_model_files` has the rest)."""

from pathlib import Path

import numpy as np
import pytest
from hand_made import hand_made
from model_formats import LINK, LINK_FORMAT

from exonym.errors import ModelError
from exonym.models.links.base import LinkUnit, NeutralModel
from exonym.models.links.features import STEPS
from exonym.models.links.link_model_file import parsed, save_link_model, serialised
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkWeights, TrainedLinkModel

forged, facts = LINK_FORMAT.forged, LINK_FORMAT.facts
NUMBERS = np.zeros(3 * STEPS + 2)


def test_model_without_names_or_terms_is_loaded_too() -> None:
    weights = LinkWeights(("degree",), 0.0, np.zeros((3, STEPS)), ({},) * 4, 0.0, (), np.zeros(0), np.zeros(0))
    empty = TrainedLinkModel("", "bayes", ReadOptions(stop_words=()), weights)
    loaded = parsed(serialised(empty), "m")
    assert facts(loaded) == facts(empty)
    assert loaded.probability(loaded.read(LINK), np.array([1.0])).tolist() == [0.5]


@pytest.mark.parametrize("unit", ["site", "page"])
def test_file_keeps_the_unit(unit: LinkUnit) -> None:
    assert parsed(serialised(hand_made(unit)), "m").unit == unit


def test_file_of_segments_names_no_unit_as_in_0_1_0() -> None:
    data = serialised(hand_made())
    assert b'"unit"' not in data
    assert b'"unit":"site"' in serialised(hand_made("site")).replace(b" ", b"")
    assert parsed(data, "m").unit == "segment"


def test_model_that_was_not_trained_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="neutral"):
        save_link_model(NeutralModel(), tmp_path / "model")


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
        forged(lambda header: header.update(unit="web")),
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
