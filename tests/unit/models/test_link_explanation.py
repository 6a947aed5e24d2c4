"""What a link model is said to go by is what it goes by."""

import math
from itertools import pairwise

import numpy as np
import pytest
from link_examples import READING, made_examples

from exonym.models.links.explain import COLUMNS, LinkReport, ValueWeight, report_link, step_name, telling_values
from exonym.models.links.features import STEPS, Feature, LinkTexts
from exonym.models.links.trained import LinkModelKind, LinkWeights, TrainedLinkModel
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import train_link_model
from exonym.training.train_options import LinkTrainOptions

EXAMPLES = made_examples()
KINDS: list[LinkModelKind] = ["bayes", "linear"]


def model_of(kind: LinkModelKind, *features: Feature) -> TrainedLinkModel:
    chosen = {"features": features} if features else {}
    return train_link_model(
        link_matrix(EXAMPLES, READING), LinkTrainOptions(kind, READING, folds=3, repeats=1, jobs=1, **chosen)
    )  # type: ignore[arg-type]


def link_number(place: int) -> LinkTexts:
    return EXAMPLES.texts.rows(place, place + 1)


def sums_of(report: LinkReport, weights: LinkWeights) -> tuple[float, float]:
    """The log-odds of all but words, and of words, from what is told."""
    placed = weights.bias + sum(one.weight for one in report.values.values())
    return placed, weights.word_bias + sum(one.weight for one in report.words)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 17, 203])
def test_what_each_value_says_adds_up_to_the_probability(kind: LinkModelKind, place: int) -> None:
    model = model_of(kind)
    report = report_link(model, link_number(place), 0.7)
    placed, said = sums_of(report, model.weights)
    if kind == "bayes":
        expected = (1 / (1 + math.exp(-placed)) + 1 / (1 + math.exp(-said))) / 2
        assert report.linked == pytest.approx(1 / (1 + math.exp(-placed)), abs=1e-5)
        assert report.worded == pytest.approx(1 / (1 + math.exp(-said)), abs=1e-5)
    else:
        slope, offset = model.weights.calibration.slope, model.weights.calibration.offset
        expected = 1 / (1 + math.exp(-(slope * (placed + said) + offset)))
        assert (report.linked, report.worded) == (None, None)
    assert report.probability == pytest.approx(expected, abs=1e-5)


def test_model_of_words_alone_has_no_other_half_and_one_without_words_too() -> None:
    of_words = report_link(model_of("bayes", "words"), link_number(3), 0.5)
    assert of_words.linked is None
    assert of_words.worded == pytest.approx(of_words.probability)
    of_degree = report_link(model_of("bayes", "degree"), link_number(3), 0.5)
    assert of_degree.worded is None
    assert of_degree.linked == pytest.approx(of_degree.probability)
    assert of_degree.words == []


@pytest.mark.parametrize("kind", KINDS)
def test_strongest_values_come_first_on_each_side(kind: LinkModelKind) -> None:
    found = telling_values(model_of(kind), 3)
    assert list(found) == list(COLUMNS)
    for telling in found.values():
        for side, sign in ((telling.for_it, 1), (telling.against, -1)):
            strengths = [sign * one.weight for one in side]
            assert strengths == sorted(strengths, reverse=True)
            assert all(strength > 0 for strength in strengths)
            assert len(side) <= 3


def test_only_learned_features_are_told_of() -> None:
    assert list(telling_values(model_of("bayes", "names", "domains"))) == [
        *("text_names", "url_names", "source_domain", "domain")
    ]


def test_steps_cover_all_from_nothing_to_one() -> None:
    names = [step_name(step) for step in range(STEPS)]
    assert names[0].startswith("0.0 ")
    assert names[-1].endswith(" 1.0")
    assert all(one.split(" to ")[1] == other.split(" to ")[0] for one, other in pairwise(names))


def test_values_are_told_as_they_are_and_unknown_ones_add_nothing() -> None:
    link = LinkTexts(["http://192.0.2.1/"], [""], [""], [""], ["XX"], [""])
    report = report_link(model_of("bayes"), link, 0.25)
    assert report.values["degree"].value == "0.25"
    assert report.values["source_country"] == ValueWeight("XX", 0.0)
    assert report.values["domain"] == ValueWeight("", 0.0)
    assert report.shares == (0.0, 0.0)
    assert report.words == []
    assert np.isfinite(report.probability)
