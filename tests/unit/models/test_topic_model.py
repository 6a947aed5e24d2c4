"""What a topic model says of a page, by arithmetic done by hand."""

import math
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ModelError
from exonym.models.terms import Fields, TermOptions
from exonym.models.topic import TopicModel, most_telling, sigmoid

BAYES = TopicModel(
    "tourism", "naive-bayes", TermOptions(), ("beach", "hotel", "tax"), np.array([0.5, 1.0, -2.0]), 0.25, np.zeros(0)
)
LINEAR = TopicModel(
    name="tourism",
    kind="linear",
    options=TermOptions(),
    terms=("beach", "hotel", "tax"),
    weights=np.array([3.0, 4.0, -5.0]),
    bias=-1.0,
    rarities=np.array([1.0, 2.0, 3.0]),
)
PAGE = Fields("Hotels", "The hotel has a beach and a bar", "")


def logit(probability: float) -> float:
    return math.log(probability / (1 - probability))


def test_naive_bayes_adds_up_the_words() -> None:
    assert logit(BAYES.probability(PAGE)) == pytest.approx(0.25 + 2 * 1.0 + 0.5)


def test_linear_model_damps_frequencies_weighs_rarity_and_takes_length_away() -> None:
    beach, hotel = math.log(2) * 1.0, math.log(3) * 2.0
    expected = -1.0 + (3 * beach + 4 * hotel) / math.hypot(beach, hotel)
    assert logit(LINEAR.probability(PAGE)) == pytest.approx(expected)


def test_calibration_stretches_and_shifts() -> None:
    model = replace(BAYES, slope=0.1, offset=-2.0)
    assert logit(model.probability(PAGE)) == pytest.approx(0.1 * 2.75 - 2.0)


def test_fields_are_weighed() -> None:
    model = replace(BAYES, options=TermOptions(title_weight=4, body_weight=1, anchor_weight=0.5))
    page = Fields("hotel", "tax", "beach\nhotel")
    assert logit(model.probability(page)) == pytest.approx(0.25 + 4.5 * 1.0 - 2.0 + 0.5 * 0.5)


@pytest.mark.parametrize("model", [BAYES, LINEAR])
@pytest.mark.parametrize("page", [Fields(), Fields("the", "and", "2020"), Fields(body="unheard of")])
def test_page_without_known_words_has_the_probability_of_the_bias(model: TopicModel, page: Fields) -> None:
    assert model.probability(page) == pytest.approx(sigmoid(model.bias))
    assert model.telling(page) == []
    weighed = replace(model, options=TermOptions(title_weight=2))
    assert weighed.probability(page) == pytest.approx(sigmoid(model.bias))


def test_terms_that_decided_come_with_what_they_said() -> None:
    page = Fields("Hotels", "beach tax hotel", "")
    assert BAYES.telling(page, most=2) == [("hotel", 2.0), ("tax", -2.0)]
    assert dict(BAYES.telling(page)) == {"hotel": 2.0, "tax": -2.0, "beach": 0.5}


@pytest.mark.parametrize("model", [replace(BAYES, slope=0.5), replace(LINEAR, offset=3.0)])
def test_what_the_terms_said_adds_up_to_the_judgement(model: TopicModel) -> None:
    said = sum(weight for _, weight in model.telling(PAGE))
    assert logit(model.probability(PAGE)) == pytest.approx(said + model.slope * model.bias + model.offset)


@pytest.mark.parametrize("model", [BAYES, LINEAR])
def test_page_is_judged_and_explained_in_one_reading(model: TopicModel) -> None:
    assert model.explained(PAGE, 1) == (model.probability(PAGE), model.telling(PAGE, 1))


def test_most_telling_terms_of_both_sides() -> None:
    assert most_telling(BAYES, 1) == ([("hotel", 1.0)], [("tax", -2.0)])
    assert most_telling(LINEAR) == ([("hotel", 8.0), ("beach", 3.0)], [("tax", -15.0)])


def test_groups_of_letters_are_judged_too() -> None:
    model = TopicModel(
        "sea", "naive-bayes", TermOptions("zh"), ("海", "海岸", "海岸酒"), np.array([9.0, 1.0, 2.0]), 0.0, np.zeros(0)
    )
    assert logit(model.probability(Fields(body="海岸酒 海岸"))) == pytest.approx(1.0 + 1.0 + 2.0)


def test_pickled_model_judges_the_same() -> None:
    assert pickle.loads(pickle.dumps(LINEAR)).probability(PAGE) == LINEAR.probability(PAGE)


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": np.array([1.0, float("nan"), 0.0])},
        {"weights": np.array([1.0, float("inf"), 0.0])},
        {"weights": np.array([1.0, 1e300, 0.0])},
        {"weights": np.zeros(2)},
        {"rarities": np.zeros(2)},
        {"rarities": np.array([1.0, -1.0, 1.0])},
        {"terms": ("beach", "beach", "tax")},
        {"bias": float("nan")},
        {"threshold": 1.5},
        {"threshold": float("nan")},
        {"kind": "oracle"},
        {"kind": "naive-bayes"},  # which has no rarities
    ],
)
def test_numbers_that_are_no_models_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        replace(LINEAR, **wrong)  # type: ignore[arg-type]


@given(st.text(), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.booleans())
def test_any_page_has_a_probability(text: str, weight: float, slope: float, is_linear: bool) -> None:
    model = replace(LINEAR if is_linear else BAYES, weights=np.array([weight, -weight, 0.0]), slope=slope)
    assert 0 <= model.probability(Fields("hotel " * 1_000, text, "beach")) <= 1


def test_judging_loads_no_learning_library() -> None:
    code = (
        "import sys; from exonym.models.topic_file import load_model; "
        "from exonym.models.topic import TopicModel; from exonym.models.terms import *; import numpy; "
        "TopicModel('t', 'naive-bayes', TermOptions(), ('a',), numpy.ones(1), 0.0, numpy.ones(0))"
        ".probability(Fields('a')); sys.exit('sklearn' in sys.modules or 'scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
