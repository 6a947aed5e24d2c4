"""Link models: the thesis' arithmetic by hand and against scikit-learn, and the laws that all of them keep."""

import pickle
from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link_examples import READING, made_examples, pooled

from exonym.errors import ModelError
from exonym.models.calibration import Calibration
from exonym.models.links.base import LinkModel, NeutralModel
from exonym.models.links.features import FEATURES, STEPS, Feature, LinkTexts
from exonym.models.links.trained import LinkModelKind, LinkWeights, TrainedLinkModel, bayes_probability
from exonym.training.links.fit_links import fit_bayes, fit_logistic, log_odds, value_weights
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import fitted, train_link_model
from exonym.training.train_options import LinkTrainOptions

STEP_WEIGHTS = np.zeros((3, STEPS))
STEP_WEIGHTS[0, 5], STEP_WEIGHTS[0, 9] = log(2), log(3)
STEP_WEIGHTS[1, 0], STEP_WEIGHTS[1, 5] = log(1 / 2), log(4)
STEP_WEIGHTS[2, 9] = log(5)
WEIGHTS = LinkWeights(
    features=FEATURES,
    bias=log(1 / 4),
    steps=STEP_WEIGHTS,
    places=({"TH": log(2), "": log(1 / 2)}, {"TH": log(3)}, {"com": log(1 / 3)}, {"th": log(6)}),
    word_bias=log(1 / 2),
    terms=("dive", "thailand", "recip"),
    words=np.array([log(3), log(2), log(1 / 5)]),
    rarities=np.zeros(0),
)
BAYES = TrainedLinkModel("by hand", "bayes", READING, WEIGHTS)
LINEAR = TrainedLinkModel(
    "by hand",
    "linear",
    READING,
    replace(WEIGHTS, word_bias=0.0, rarities=np.array([1.0, 2.0, 1.0]), calibration=Calibration(0.5, -1.0, 0.3)),
)
LINKS = LinkTexts(
    urls=["http://a.co.th/Thailand/", "http://b.org/"],
    anchors=["Diving, diving", ""],
    around=["in Thailand: Thailand", ""],
    source_domains=["com", "net"],
    source_countries=["TH", ""],
    countries=["TH", "JP"],
)


def odds(probabilities: np.ndarray) -> list[float]:
    return [float(one) for one in probabilities / (1 - probabilities)]


# By hand


def test_readings_of_naive_bayes_are_sums_of_what_values_and_words_say() -> None:
    # First link: share of names 2 of 4, and 1 of 1 in the path. 1/4 * 4 * 5 * 2 * 3 * 1/3 * 6; words 1/2 * 9 * 8.
    # Second: share 0, twice; 1/4 * 1/2 of the share in texts * 1/2 of the unknown country; JP, net, org say nothing.
    readings = BAYES.read(LINKS)
    assert readings.dtype == np.float32
    assert np.exp(readings.astype(float)) == pytest.approx(np.array([[60, 36], [1 / 16, 1 / 2]]))


def test_naive_bayes_is_the_mean_of_two_probabilities() -> None:
    readings = np.log(np.array([[1, 3], [1, 3], [2, 1]], np.float32))
    found = BAYES.probability(readings, np.array([0.55, 1.0, 0.0]))
    # Odds 1*2, 1*3, 2 of links; 3, 3, 1 of words.
    assert found == pytest.approx([(2 / 3 + 3 / 4) / 2, (3 / 4 + 3 / 4) / 2, (2 / 3 + 1 / 2) / 2])


def test_model_without_words_or_of_words_alone_has_no_mean() -> None:
    readings = np.log(np.array([[1, 4]], np.float32))
    linked = replace(BAYES, weights=replace(WEIGHTS, features=("degree", "names")))
    said = replace(BAYES, weights=replace(WEIGHTS, features=("words",)))
    assert odds(linked.probability(readings, np.array([1.0]))) == pytest.approx([3])
    assert odds(said.probability(readings, np.array([1.0]))) == pytest.approx([4])


def test_reading_of_the_linear_model_is_one_sum_over_words_of_length_one() -> None:
    # dive twice: log 3; thailand three times, rarity 2: 2 log 4.
    dive, thailand = log(3), 2 * log(4)
    said = (dive * log(3) + thailand * log(2)) / (dive**2 + thailand**2) ** 0.5
    assert LINEAR.read(LINKS) == pytest.approx(np.array([[log(60) + said, 0], [log(1 / 16), 0]]), rel=1e-6)


def test_linear_model_is_calibrated() -> None:
    found = LINEAR.probability(np.array([[log(4), 0]], np.float32), np.array([0.99]))
    assert odds(found) == pytest.approx([12**0.5 / np.e])  # half of log 12, less 1


def test_neutral_model_says_the_same_of_all() -> None:
    neutral: LinkModel = NeutralModel()
    readings = neutral.read(LINKS)
    assert readings.dtype == np.float32
    assert readings.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert neutral.probability(readings, np.array([0.0, 1.0])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("model", [BAYES, LINEAR])
def test_country_or_domain_that_was_never_met_says_nothing(model: TrainedLinkModel) -> None:
    def read(country: str, domain: str) -> list[float]:
        link = LinkTexts([f"http://x.{domain}/"], [""], [""], [domain], ["XX"], [country])
        return [float(value) for value in model.read(link)[0]]

    assert read("ZZ", "museum") == read("", "org") == read("?", "xn--o3cw4h")


# Against scikit-learn


@pytest.mark.parametrize("seed", range(3))
def test_discrete_naive_bayes_is_that_of_scikit_learn(seed: int) -> None:
    from sklearn.naive_bayes import CategoricalNB  # a second to import

    material = link_matrix(made_examples(300, seed), READING)
    rows = np.arange(250)
    model = fit_bayes(material, rows, LinkTrainOptions(features=("degree", "names", "countries", "domains")))
    values = np.concatenate([material.steps, material.places], axis=1)
    least = [STEPS] * 3 + [len(levels) for levels in material.levels]
    known = CategoricalNB(alpha=1.0, min_categories=least).fit(values[rows], material.positives[rows])
    logs = known.predict_joint_log_proba(values)
    assert log_odds(model, material, np.arange(300))[0] == pytest.approx(logs[:, 1] - logs[:, 0])


@pytest.mark.parametrize("seed", range(3))
def test_naive_bayes_of_words_is_that_of_scikit_learn(seed: int) -> None:
    from sklearn.naive_bayes import MultinomialNB

    material = link_matrix(made_examples(300, seed), READING)
    rows = np.arange(250)
    model = fit_bayes(material, rows, LinkTrainOptions(least_examples=1))
    known = MultinomialNB(alpha=1.0).fit(material.counts[rows][:, model.columns], material.positives[rows])
    logs = known.predict_joint_log_proba(material.counts[:, model.columns])
    assert log_odds(model, material, np.arange(300))[1] == pytest.approx(logs[:, 1] - logs[:, 0])


def test_logistic_model_is_that_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    material = link_matrix(made_examples(300), READING)
    features: tuple[Feature, ...] = ("degree", "names", "countries", "domains")
    model = fit_logistic(material, np.arange(300), LinkTrainOptions("linear", features=features))
    values = np.concatenate([material.steps, material.places], axis=1)
    one_hot = np.concatenate([np.eye(int(column.max()) + 1)[column] for column in values.T], axis=1)
    # A bias that is a weight of a column of ones, as the fast solver has it.
    design = np.concatenate([one_hot, np.ones((300, 1))], axis=1)
    known = LogisticRegression(C=1.0, class_weight="balanced", fit_intercept=False, tol=1e-10, max_iter=10_000)
    expected = known.fit(design, material.positives).decision_function(design)
    assert log_odds(model, material, np.arange(300))[0] == pytest.approx(expected, abs=0.01)


# Pooled: a pair of segments with several links


@pytest.mark.parametrize("kind", ["bayes", "linear"])
def test_sum_of_readings_is_predicted_as_the_pair_was_trained_on(kind: LinkModelKind) -> None:
    examples = pooled(made_examples(300))
    options = LinkTrainOptions(kind, READING, folds=3, repeats=1, jobs=1)
    material = link_matrix(examples, READING)
    model = train_link_model(material, options)
    assert model.pool == "pair"
    sums = np.add.reduceat(model.read(examples.texts).astype(np.float64), examples.first_links, axis=0)
    rows = np.arange(len(examples))
    of_places, of_words = log_odds(fitted(material, rows, options, (options.seed,)), material, rows)
    if kind == "bayes":
        expected = bayes_probability(np.stack([of_places, of_words], axis=1), np.zeros(len(rows)), FEATURES)
    else:
        expected = model.weights.calibration.probabilities(of_places + of_words)
    assert model.probability(sums, examples.degrees) == pytest.approx(expected, abs=1e-5)


def test_pair_has_the_words_of_all_its_links_and_the_shares_of_all_their_names() -> None:
    # Names: 1 of 2 words and 0 of 3, so 1/5; in URLs 0 of 1 and 1 of 1. "reef" 3 times, "beach" twice.
    weights = replace(WEIGHTS, terms=("beach", "reef"), words=np.array([2.0, -1.0]))
    model = TrainedLinkModel("by hand", "bayes", READING, weights, pool="pair")
    texts = LinkTexts(
        ["http://a.th/reef/", "http://a.th/pattaya/"], ["Pattaya beach", "reef"], ["", "reef beach"], *([[""] * 2] * 3)
    )
    sums = model.read(texts).astype(np.float64).sum(axis=0)
    assert sums[1:].tolist() == [2 * 2.0 - 3 * 1.0, 1, 5, 1, 2, 2]
    single = replace(model, pool="link")
    assert model.log_odds(model.read(texts)) == pytest.approx(single.read(texts), abs=1e-5)


def test_value_that_was_not_met_has_no_weight() -> None:
    material = link_matrix(made_examples(300), READING)
    rows = np.flatnonzero(material.places[:, 1] != 0)  # without one of the two countries
    model = fit_bayes(material, rows, LinkTrainOptions())
    assert model.places[1][0] == 0.0
    assert model.places[1][1] == 0.0  # the other one is then all that there is


def test_weights_of_values_are_logs_of_smoothed_shares() -> None:
    codes, relevant = np.array([0, 0, 1, 1, 1]), np.array([True, True, True, False, False])
    # (2+1)/6 against 1/5; (1+1)/6 against 3/5; 1/6 against 1/5.
    assert np.exp(value_weights(codes, relevant, 3)) == pytest.approx([5 / 2, 5 / 9, 5 / 6])


# Laws


@pytest.mark.parametrize("model", [BAYES, LINEAR, NeutralModel()])
def test_links_are_read_alike_alone_and_together(model: LinkModel) -> None:
    texts = made_examples(30).texts
    whole = model.read(texts)
    parts = [model.read(texts.rows(first, first + 7)) for first in range(0, 30, 7)]
    assert (whole == np.concatenate(parts)).all()
    assert model.read(texts.rows(0, 0)).shape == (0, 2)


@pytest.mark.parametrize("model", [BAYES, LINEAR])
def test_pickled_model_says_the_same(model: TrainedLinkModel) -> None:
    texts, degrees = made_examples(20).texts, np.linspace(0, 1, 20)
    readings = model.read(texts)
    other = pickle.loads(pickle.dumps(model))
    assert (other.read(texts) == readings).all()
    assert (other.probability(readings, degrees) == model.probability(readings, degrees)).all()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1e30, 1e30), st.floats(-1e30, 1e30), st.floats()), max_size=5),
    st.sampled_from([BAYES, LINEAR]),
)
def test_probabilities_are_from_0_to_1_whatever_the_readings(
    rows: list[tuple[float, float, float]], model: TrainedLinkModel
) -> None:
    columns = np.array(rows, np.float64).reshape(len(rows), 3)
    found = model.probability(columns[:, :2].astype(np.float32), columns[:, 2])
    assert found.shape == (len(rows),)
    assert ((found >= 0) & (found <= 1)).all()


@settings(deadline=None)
@given(st.text(), st.text(), st.text(), st.text(max_size=3), st.sampled_from([BAYES, LINEAR]))
def test_whatever_a_link_says_is_read(url: str, anchor: str, around: str, place: str, model: TrainedLinkModel) -> None:
    readings = model.read(LinkTexts([url], [anchor], [around], [place], [place], [place]))
    assert np.isfinite(readings).all()


# What is no model


@pytest.mark.parametrize(
    "change",
    [
        {"features": ()},
        {"features": ("colour",)},
        {"bias": float("nan")},
        {"word_bias": 1e300},
        {"steps": np.zeros((2, STEPS))},
        {"places": ({}, {}, {})},
        {"places": ({"TH": float("inf")}, {}, {}, {})},
        {"words": np.zeros(2)},
        {"terms": ("a", "a", "b")},
        {"rarities": np.zeros(2)},
        {"rarities": np.array([1.0, -1.0, 1.0])},
        {"calibration": Calibration(1.0, 0.0, 2.0)},
        {"calibration": Calibration(float("nan"), 0.0, 0.5)},
    ],
)
def test_weights_that_cannot_be_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        replace(WEIGHTS, **change)


@pytest.mark.parametrize(("kind", "model"), [("linear", BAYES), ("bayes", LINEAR), ("oracle", BAYES)])
def test_kind_that_does_not_fit_is_refused(kind: LinkModelKind, model: TrainedLinkModel) -> None:
    with pytest.raises(ModelError):
        replace(model, kind=kind)
