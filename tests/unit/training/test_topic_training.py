"""Training and validation of topic models, checked by hand and against scikit-learn."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from exonym.errors import ConfigError
from exonym.models.terms import Fields, TermOptions
from exonym.models.topic_file import parsed, serialised
from exonym.training.examples import Example
from exonym.training.fit_terms import (
    chosen_terms,
    document_frequencies,
    fit_naive_bayes,
    rarities,
    scaled,
    under_sampled,
)
from exonym.training.folds import Folds, dealt, possible_folds
from exonym.training.platt import fit_calibration
from exonym.training.provenance import validation_figures, with_provenance
from exonym.training.scores import Scores, best_threshold, pr_curve, scores_of
from exonym.training.term_matrix import TermMatrix, count_terms
from exonym.training.topic import TrainOptions, cross_validated, fitted, scores_by, train_topic
from exonym.training.train_options import TrainRequest
from exonym.training.validation import Validation, worst_mistakes

KINDS = ["naive-bayes", "linear"]
PLAIN = TermOptions(stem=False, stop_words=False)
SMALL = TrainOptions(terms=PLAIN, folds=5, repeats=2, jobs=1)


def page(number: int, text: str, positive: bool, site: str = "") -> Example:
    return Example(f"http://x/{number}", site or f"s{number}", Fields(body=text), positive)


def made_pages(count: int, share: float, telling: float, seed: int = 0) -> list[Example]:
    """Pages of 20 chance words; relevant ones, with chance `telling` a word, speak of the topic. Five to a site."""
    chance = np.random.default_rng(seed)
    found = []
    for number in range(count):
        positive = number % round(1 / share) == 0
        words = [f"word{place}" for place in chance.integers(0, 200, 20)]
        topical = [f"topic{place}" for place in chance.integers(0, 20, 20)]
        text = [topic if positive and chance.random() < telling else word for topic, word in zip(topical, words)]  # noqa: B905
        found.append(page(number, " ".join(text), positive, f"s{chance.integers(0, count // 5)}"))
    return found


def test_rates_are_those_of_the_counts() -> None:
    scores = Scores(true_positives=3, false_negatives=1, true_negatives=16, false_positives=4)
    assert (scores.recall, scores.specificity, scores.precision) == (3 / 4, 16 / 20, 3 / 7)
    assert scores.g_mean == pytest.approx(math.sqrt(0.75 * 0.8))
    assert scores + scores == Scores(6, 2, 32, 8)
    assert Scores().g_mean == Scores().precision == 0


def test_guesses_are_counted() -> None:
    guesses, labels = np.array([True, True, False, False, True]), np.array([True, False, True, False, True])
    assert scores_of(guesses, labels) == Scores(2, 1, 1, 1)


def test_best_threshold_is_halfway_below_the_best_cut() -> None:
    probabilities, labels = np.array([0.9, 0.8, 0.7, 0.3, 0.1]), np.array([True, True, True, False, False])
    assert best_threshold(probabilities, labels) == pytest.approx(0.5)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9, 1.0]), st.booleans()), min_size=1))
def test_curve_is_that_of_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    from sklearn.metrics import precision_recall_curve  # a second to import

    rows = [*rows, (0.5, True)]
    probabilities, labels = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    thresholds, precision, recall = pr_curve(probabilities, labels)
    expected = precision_recall_curve(labels, probabilities)
    assert thresholds[::-1] == pytest.approx(expected[2])
    assert precision[::-1] == pytest.approx(expected[0][:-1])
    assert recall[::-1] == pytest.approx(expected[1][:-1])


def test_naive_bayes_is_that_of_scikit_learn() -> None:
    from sklearn.naive_bayes import MultinomialNB

    chance = np.random.default_rng(1)
    counts = csr_array(chance.poisson(0.3, (60, 40)) * 1.5)
    labels = chance.random(60) < 0.3
    weights, bias = fit_naive_bayes(counts, labels)
    theirs = MultinomialNB(alpha=1.0).fit(counts, labels).predict_joint_log_proba(counts)
    assert counts @ weights + bias == pytest.approx(theirs[:, 1] - theirs[:, 0], abs=1e-9)


def test_terms_are_those_on_enough_pages_and_then_the_most_frequent() -> None:
    counts = csr_array(np.array([[1.0, 0, 5, 1], [1, 0, 0, 2], [1, 9, 0, 0]]))
    frequencies = document_frequencies(counts)
    assert frequencies.tolist() == [3, 1, 1, 2]
    assert chosen_terms(frequencies, 2, 10).tolist() == [0, 3]
    assert chosen_terms(frequencies, 1, 3).tolist() == [0, 1, 3]  # the first of equals
    assert chosen_terms(frequencies, 9, 3).tolist() == [0, 1, 3]  # rather than none


def test_scaled_rows_are_damped_weighed_and_of_length_one() -> None:
    rarity = rarities(np.array([3, 1]), 7)
    assert rarity == pytest.approx([1 + math.log(8 / 4), 1 + math.log(8 / 2)])
    found = scaled(csr_array(np.array([[3.0, 1.0], [0.0, 0.0]])), rarity).toarray()
    row = np.array([math.log(4) * rarity[0], math.log(2) * rarity[1]])
    assert found[0] == pytest.approx(row / math.hypot(*row))
    assert found[1].tolist() == [0, 0]


@pytest.mark.parametrize(("is_balanced", "times"), [(True, 1), (False, 10)])
@given(
    st.lists(st.sampled_from([True, False, False, False]), min_size=2, max_size=90), st.booleans(), st.integers(0, 9)
)
def test_under_sampling_keeps_the_smaller_class_and_so_many_times_it_of_the_larger(
    is_balanced: bool, times: int, labels: list[bool], turned: bool, seed: int
) -> None:
    positives = np.array(labels) ^ turned
    rows = under_sampled(np.arange(len(labels)), positives, is_balanced, (seed,))
    smaller, larger = sorted([sum(labels), len(labels) - sum(labels)])
    assert len(set(rows.tolist())) == len(rows)
    assert sorted([positives[rows].sum(), (~positives[rows]).sum()]) == [smaller, min(larger, times * smaller)]
    assert rows.tolist() == under_sampled(np.arange(len(labels)), positives, is_balanced, (seed,)).tolist()


def test_linear_model_of_many_pages_takes_no_more_than_it_has_time_for() -> None:
    positives = np.arange(80_000) < 6_112
    assert len(under_sampled(np.arange(80_000), positives, False, (0,))) == 30_000
    assert len(under_sampled(np.arange(80_000), positives, "naive-bayes", (0,))) == 2 * 6_112
    positives = np.arange(80_000) < 20_000
    assert len(under_sampled(np.arange(80_000), positives, False, (0,))) == 40_000


labelled = st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=4, max_size=80).filter(
    lambda rows: 2 <= sum(row[0] for row in rows) <= len(rows) - 2
)


@given(labelled, st.integers(2, 10), st.booleans(), st.integers(0, 5))
@example([(True, 0)] * 9 + [(True, 1), (False, 1), (True, 2), (False, 2)], 2, True, 0)
def test_every_fold_can_be_held_out(rows: list[tuple[bool, int]], asked: int, by_site: bool, seed: int) -> None:
    positives, sites = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    folds = possible_folds(positives, sites, asked, by_site)
    found = dealt(positives, sites, folds, (seed,))
    assert 2 <= folds.number <= asked
    assert (folds.remark == "") == (folds.number == asked and folds.by_site == by_site)
    assert set(found.tolist()) <= set(range(folds.number))
    if folds.by_site:
        assert all(len(set(found[sites == site].tolist())) == 1 for site in sites)
    for fold in range(folds.number):
        assert 0 < positives[found != fold].sum() < (found != fold).sum()


@given(labelled, st.integers(2, 10))
def test_plain_folds_share_out_both_classes_evenly(rows: list[tuple[bool, int]], asked: int) -> None:
    positives, sites = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    folds = possible_folds(positives, sites, asked, False)
    found = dealt(positives, sites, folds, (0,))
    for side in (positives, ~positives):
        sizes = np.bincount(found[side], minlength=folds.number)
        assert sizes.max() - sizes.min() <= 1


def test_pages_of_a_site_are_in_one_fold_and_classes_about_even() -> None:
    chance = np.random.default_rng(3)
    sites = np.repeat(np.arange(300), chance.integers(1, 20, 300))
    positives = chance.random(len(sites)) < np.repeat(chance.random(300) < 0.2, np.bincount(sites)) * 0.9
    found = dealt(positives, sites, Folds(10, True), (0,))
    assert all(len(set(found[sites == site].tolist())) == 1 for site in range(300))
    for side in (positives, ~positives):
        sizes = np.bincount(found[side], minlength=10)
        assert sizes.max() < 1.3 * sizes.mean()


def test_folds_of_another_repetition_are_others() -> None:
    positives, sites = np.arange(100) % 2 == 0, np.arange(100)
    for by_site in (True, False):
        first, second = (dealt(positives, sites, Folds(5, by_site), (0, repeat)) for repeat in (0, 1))
        assert first.tolist() != second.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_held_out_page_gets_into_the_model(kind: str) -> None:
    pages = made_pages(60, 0.5, 0.3)
    options = replace(SMALL, kind=kind)
    outside = pages[:40]
    others = [one._replace(fields=Fields(body="entirely different words words " * 9)) for one in pages[40:]]
    whole, part = count_terms(outside + others, PLAIN), count_terms(outside, PLAIN)
    one = fitted(whole, np.arange(40), options, (0,))
    two = fitted(part, np.arange(40), options, (0,))
    assert [whole.terms[place] for place in one.columns] == [part.terms[place] for place in two.columns]
    assert one.weights.tolist() == two.weights.tolist()
    assert one.bias == two.bias


def test_fold_without_pages_has_no_scores() -> None:
    material = count_terms(made_pages(20, 0.5, 0.4), PLAIN)
    model = fitted(material, np.arange(20), SMALL, (0,))
    assert scores_by(model, material, np.zeros(0, np.intp)).shape == (0,)


def test_calibration_is_the_fit_of_greatest_likelihood() -> None:
    chance = np.random.default_rng(2)
    labels = chance.random(500) < 0.1
    scores = chance.normal(0, 300, 500) + 400 * labels
    slope, offset, _ = fit_calibration(scores, labels, 0.5)
    count = int(labels.sum())
    targets = np.where(labels, (count + 1) / (count + 2), 1 / (500 - count + 2))
    errors = 1 / (1 + np.exp(-(slope * scores + offset))) - targets
    assert errors.sum() == pytest.approx(0, abs=1e-6)  # the derivatives of the likelihood
    assert (errors * scores).sum() == pytest.approx(0, abs=1e-3)


def test_scores_no_better_than_chance_are_not_turned_round() -> None:
    labels = np.arange(40) < 20
    assert fit_calibration(np.where(labels, -1.0, 1.0), labels, 0.5).slope == 1.0


def test_scores_that_are_all_alike_mean_the_share_of_relevant_pages() -> None:
    labels = np.arange(44) < 10
    for scores in (np.zeros(44), np.where(labels, 1e-12, 0.0)):
        reading = fit_calibration(scores, labels, 0.5)
        assert reading.probabilities(scores) == pytest.approx(np.full(44, 11 / 46), abs=0.02)


def test_perfect_scores_can_be_calibrated() -> None:
    labels = np.arange(40) < 20
    reading = fit_calibration(np.where(labels, 1e4, -1e4), labels, "g-mean")
    assert ((reading.probabilities(np.where(labels, 1e4, -1e4)) >= reading.threshold) == labels).all()


@pytest.mark.parametrize("kind", KINDS)
def test_clear_topic_is_told_from_the_rest(kind: str) -> None:
    pages = made_pages(300, 0.1, 0.5)
    validation = cross_validated(pages, replace(SMALL, kind=kind))
    assert validation.g_mean > 0.95
    assert len(validation.rounds) == 2
    assert all(sum([one.true_positives, one.false_negatives]) == 30 for one in validation.rounds)
    assert all(sum([one.true_negatives, one.false_positives]) == 270 for one in validation.rounds)
    assert (validation.folds, validation.by_site, validation.remark) == (5, True, "")


@pytest.mark.parametrize("kind", KINDS)
def test_labels_by_chance_cannot_be_learned(kind: str) -> None:
    assert 0.35 < cross_validated(made_pages(300, 0.5, 0.0), replace(SMALL, kind=kind)).g_mean < 0.65


@pytest.mark.parametrize("kind", KINDS)
def test_plain_folds_leak_what_a_site_says_on_all_its_pages(kind: str) -> None:
    chance = np.random.default_rng(5)
    pages = [
        page(number, f"menu{site} slogan{site} word{chance.integers(9)}", site % 2 == 0, f"s{site}")
        for number, site in enumerate(np.repeat(np.arange(40), 5).tolist())
    ]
    options = replace(SMALL, kind=kind)
    assert cross_validated(pages, replace(options, by_site=False)).g_mean > 0.95
    assert cross_validated(pages, options).g_mean < 0.7


@pytest.mark.parametrize("kind", KINDS)
def test_held_out_probabilities_have_the_share_of_the_pages_not_of_the_sample(kind: str) -> None:
    validation = cross_validated(made_pages(600, 0.1, 0.1), replace(SMALL, kind=kind))
    assert validation.probabilities.mean() == pytest.approx(0.1, abs=0.03)


def test_several_processes_find_what_one_finds() -> None:
    pages = made_pages(120, 0.25, 0.2)
    alone, together = (cross_validated(pages, replace(SMALL, kind="naive-bayes", jobs=jobs)) for jobs in (1, 2))
    assert alone.probabilities.tolist() == together.probabilities.tolist()
    assert alone.rounds == together.rounds


def test_another_seed_deals_otherwise_and_the_same_does_not() -> None:
    pages = made_pages(120, 0.25, 0.2)
    one, same, other = (cross_validated(pages, replace(SMALL, seed=seed)) for seed in (1, 1, 2))
    assert one.probabilities.tolist() == same.probabilities.tolist() != other.probabilities.tolist()
    assert serialised(train_topic(pages, SMALL)) == serialised(train_topic(pages, SMALL))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("terms", [PLAIN, TermOptions("th"), TermOptions(title_weight=3)])
def test_trained_model_says_of_pages_what_was_learned(kind: str, terms: TermOptions) -> None:
    pages = [one._replace(fields=Fields("topic1 เกาะ", one.fields.body, "")) for one in made_pages(100, 0.5, 0.2)]
    options = replace(SMALL, kind=kind, terms=terms)
    model = parsed(serialised(train_topic(pages, options)), "m")
    material = count_terms(pages, terms)
    rows = np.arange(100)
    scores = scores_by(fitted(material, rows, options, (0,)), material, rows)
    assert [model.probability(one.fields) for one in pages] == pytest.approx(
        [model.calibrated(score) for score in scores.tolist()], abs=1e-12
    )


def test_trained_model_judges_new_pages_and_says_where_it_comes_from() -> None:
    request = TrainRequest(name="topical", command="exonym train")
    model = with_provenance(train_topic(made_pages(200, 0.2, 0.4), SMALL), request, (), {})
    fresh = made_pages(200, 0.2, 0.4, seed=9)
    right = sum((model.probability(one.fields) >= model.threshold) == one.positive for one in fresh)
    assert right > 180
    assert model.name == "topical"
    assert model.provenance["command"] == "exonym train"
    assert (model.provenance["relevant_pages"], model.provenance["irrelevant_pages"]) == (40, 160)
    assert model.provenance["seed"] == 0
    assert set(model.provenance["libraries"]) == {"numpy", "scipy", "scikit-learn"}
    assert model.needs == {"language": "en", "terms": "words"}


def test_threshold_can_be_given() -> None:
    assert train_topic(made_pages(60, 0.5, 0.4), replace(SMALL, threshold=0.5)).threshold == 0.5


def test_few_terms_can_be_asked_for() -> None:
    assert len(train_topic(made_pages(60, 0.5, 0.4), replace(SMALL, most_terms=7)).terms) == 7


@pytest.mark.parametrize("kind", KINDS)
def test_a_handful_of_pages_is_learned_from_with_fewer_folds(kind: str) -> None:
    pages = [page(0, "hotel beach", True), page(1, "hotel island", True), page(2, "tax law", False)]
    pages += [page(3, "tax office", False), page(4, "law office", False)]
    options = replace(SMALL, kind=kind)
    validation = cross_validated(pages, options)
    assert (validation.folds, validation.by_site) == (2, True)
    assert validation.remark == "2 folds in place of 5: one class has only 2 sites."
    model = train_topic(pages, options)
    assert model.probability(Fields("tax office")) < model.threshold <= model.probability(Fields("hotel"))


def test_pages_of_one_site_are_validated_by_plain_folds_and_it_is_said() -> None:
    pages = [one._replace(site="one") if one.positive else one for one in made_pages(60, 0.5, 0.4)]
    validation = cross_validated(pages, SMALL)
    assert not validation.by_site
    assert validation.remark.startswith("plain folds: all relevant pages are of one site")


@pytest.mark.parametrize("positive", [True, False])
def test_one_class_alone_is_refused_with_what_is_missing(positive: bool) -> None:
    missing = "irrelevant" if positive else "relevant"
    for learn in (train_topic, cross_validated):
        with pytest.raises(ConfigError, match=f"too few {missing} pages.*: 0 of.*Give more {missing} pages"):
            learn([page(number, "word", positive) for number in range(9)], SMALL)
    with pytest.raises(ConfigError):
        train_topic([], SMALL)


def test_pages_without_text_are_refused_but_some_may_be_empty() -> None:
    with pytest.raises(ConfigError, match="text"):
        train_topic([page(number, "", number % 2 == 0) for number in range(9)], SMALL)
    pages = [*made_pages(60, 0.5, 0.4), page(99, "", True), page(98, "", False)]
    assert cross_validated(pages, SMALL).g_mean > 0.8


def test_wrong_label_is_the_worst_mistake() -> None:
    pages = made_pages(200, 0.5, 0.5)
    wrong = page(999, "topic1 topic2 topic3 topic4 topic5 topic6", False)
    mistakes = worst_mistakes([*pages, wrong], cross_validated([*pages, wrong], SMALL), 3)
    assert (mistakes[0].url, mistakes[0].positive) == ("http://x/999", False)
    assert mistakes[0].probability > 0.5


def test_only_pages_on_the_wrong_side_are_mistakes_worst_first() -> None:
    pages = [page(number, "", number < 2) for number in range(4)]
    validation = Validation("linear", 2, 1, True, (Scores(1, 1, 1, 1),), np.array([0.9, 0.1, 0.2, 0.6]), 0.5)
    assert [(one.url, one.probability) for one in worst_mistakes(pages, validation)] == [
        ("http://x/1", 0.1),
        ("http://x/3", 0.6),
    ]


def test_figures_are_means_over_the_repetitions() -> None:
    rounds = (Scores(1, 1, 2, 0), Scores(2, 0, 1, 1))
    validation = Validation("linear", 2, 2, True, rounds, np.zeros(4))
    assert validation.g_mean == pytest.approx(math.sqrt(0.5))
    assert validation.g_mean_deviation == pytest.approx(0)
    assert validation.mean_of("recall") == 0.75
    assert validation.mean_of("precision") == pytest.approx((1 + 2 / 3) / 2)
    assert validation_figures(validation)["recall"] == 0.75


def test_progress_goes_to_its_end_in_every_part_of_the_work() -> None:
    told: list[tuple[str, int, int]] = []
    train_topic(made_pages(60, 0.5, 0.4), SMALL, lambda what, done, total: told.append((what, done, total)))
    last = {what: (done, total) for what, done, total in told}
    assert last == {"Reading pages": (60, 60), "Validating": (5, 5)}
    assert told == sorted(told)


def test_material_serves_in_place_of_examples() -> None:
    pages = made_pages(60, 0.5, 0.4)
    material = count_terms(pages, PLAIN)
    assert isinstance(material, TermMatrix)
    assert serialised(train_topic(material, SMALL)) == serialised(train_topic(pages, SMALL))


@pytest.mark.parametrize(
    "wrong",
    [
        *({"folds": 1}, {"repeats": 0}, {"jobs": -1}, {"seed": -1}, {"most_terms": 0}, {"least_examples": 0}),
        *({"kind": "forest"}, {"threshold": "best"}, {"threshold": 1.5}, {"threshold": float("nan")}),
    ],
)
def test_wrong_options_are_told(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        TrainOptions(**wrong)  # type: ignore[arg-type]
