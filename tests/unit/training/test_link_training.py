"""Link models from examples: nothing held out leaks, classes weigh the same, and each feature's worth is told."""

from dataclasses import replace

import numpy as np
import pytest
from link_examples import READING, made_examples

from exonym.errors import ConfigError
from exonym.models.links.features import FEATURES, Feature, LinkTexts
from exonym.models.links.link_model_file import serialised
from exonym.models.links.trained import LinkModelKind
from exonym.training.links.fit_links import log_odds
from exonym.training.links.link_examples import LinkExamples
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import ablation, fitted, train_link_model, validated
from exonym.training.provenance import with_provenance
from exonym.training.train_options import LinkTrainOptions, TrainRequest

KINDS: list[LinkModelKind] = ["bayes", "linear"]
EXAMPLES = made_examples()
MATERIAL = link_matrix(EXAMPLES, READING)


def options(kind: LinkModelKind, features: tuple[Feature, ...] = FEATURES) -> LinkTrainOptions:
    return LinkTrainOptions(kind, READING, features, folds=5, repeats=2, jobs=1)


@pytest.mark.parametrize("kind", KINDS)
def test_trained_model_reads_texts_as_it_was_trained_on_numbers(kind: LinkModelKind) -> None:
    model = train_link_model(MATERIAL, options(kind))
    twin = fitted(MATERIAL, np.arange(len(MATERIAL)), options(kind), (0,))
    placed, said = log_odds(twin, MATERIAL, np.arange(len(MATERIAL)))
    degree = twin.steps[0][MATERIAL.steps[:, 0]]
    readings = model.read(EXAMPLES.texts)
    expected = [placed - degree, said] if kind == "bayes" else [placed - degree + said, np.zeros(len(MATERIAL))]
    assert readings == pytest.approx(np.stack(expected, axis=1), abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_model_does_well_on_a_web_that_it_was_not_trained_on(kind: LinkModelKind) -> None:
    model, other = train_link_model(MATERIAL, options(kind)), made_examples(seed=99)
    found = model.probability(model.read(other.texts), other.degrees) >= model.weights.calibration.threshold
    recall = found[other.relevant].mean()
    specificity = (~found[~other.relevant]).mean()
    # Names, the strongest feature, are in one of the two places for 1 - 0.4 * 0.5 of the relevant links and for
    # 1 - 0.9 * 0.95 of the others: alone they reach the root of 0.8 * 0.855, 0.827.
    assert np.sqrt(recall * specificity) > 0.827


@pytest.mark.parametrize("kind", KINDS)
def test_validation_is_better_than_chance_and_told_for_each_repetition(kind: LinkModelKind) -> None:
    told: list[tuple[str, int, int]] = []
    validation = validated(MATERIAL, options(kind), lambda *step: told.append(step))
    assert (validation.kind, validation.folds, validation.repeats, validation.by_site) == (kind, 5, 2, True)
    assert len(validation.rounds) == 2
    assert validation.g_mean > 0.8
    assert ((validation.probabilities >= 0) & (validation.probabilities <= 1)).all()
    assert told[-1] == ("Validating", 10, 10)


@pytest.mark.parametrize("kind", KINDS)
def test_labels_drawn_by_chance_cannot_be_learned(kind: LinkModelKind) -> None:
    # With sites held out nothing of a link's label is in the others: about half right, give or take.
    shuffled = np.random.default_rng(5).permutation(EXAMPLES.relevant)
    assert validated(link_matrix(replace(EXAMPLES, relevant=shuffled), READING), options(kind)).g_mean == pytest.approx(
        0.5, abs=0.12
    )


def test_probabilities_of_the_linear_model_mean_what_they_say() -> None:
    # Calibrated: their mean is the share of relevant links, although both classes weighed the same in training.
    validation = validated(MATERIAL, options("linear"))
    assert validation.probabilities.mean() == pytest.approx(MATERIAL.positives.mean(), abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_makes_the_same_file(kind: LinkModelKind) -> None:
    once, again = (serialised(train_link_model(MATERIAL, options(kind))) for _ in range(2))
    assert once == again


def test_work_in_processes_gives_the_same() -> None:
    alone = validated(MATERIAL, options("bayes"))
    together = validated(MATERIAL, replace(options("bayes"), jobs=2))
    assert (alone.probabilities == together.probabilities).all()


def test_naive_bayes_learns_from_as_many_of_each_class() -> None:
    # Then the prior says nothing, whatever the shares of the classes are.
    model = train_link_model(MATERIAL, options("bayes"))
    assert 0.1 < EXAMPLES.relevant.mean() < 0.4
    assert (model.weights.bias, model.weights.word_bias) == (0.0, 0.0)


def test_provenance_says_what_was_learned_from() -> None:
    model = with_provenance(train_link_model(MATERIAL, options("bayes")), TrainRequest(name="dive"), (), {"graph": "g"})
    relevant = int(EXAMPLES.relevant.sum())
    assert model.name == "dive"
    assert model.provenance["graph"] == "g"
    assert model.provenance["relevant_links"] == relevant
    assert model.provenance["irrelevant_links"] == 400 - relevant
    assert model.options == READING


# Features


@pytest.mark.parametrize("kind", KINDS)
def test_ablation_has_all_features_then_each_left_out_then_each_alone(kind: LinkModelKind) -> None:
    told: list[tuple[str, int, int]] = []
    found = ablation(MATERIAL, options(kind), lambda *step: told.append(step))
    assert [(row.feature, row.alone) for row in found] == [
        (None, False),
        *((feature, False) for feature in FEATURES),
        *((feature, True) for feature in FEATURES),
    ]
    whole = found[0].validation.g_mean
    assert all(row.validation.repeats == 1 for row in found)
    assert all(0.5 < row.validation.g_mean < whole for row in found[6:])
    assert told[-1] == ("Leaving out features", 55, 55)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("feature", FEATURES)
def test_model_of_one_feature_does_not_look_at_the_others(kind: LinkModelKind, feature: Feature) -> None:
    model = train_link_model(MATERIAL, options(kind, (feature,)))
    texts, none = EXAMPLES.texts, [""] * len(EXAMPLES)
    blank = LinkTexts(none, none, none, none, none, none)
    servers = ["/".join(url.split("/")[:3]) + "/" for url in texts.urls]
    seen = {
        "degree": blank,
        "names": texts._replace(source_domains=none, source_countries=none, countries=none),
        "countries": blank._replace(source_countries=texts.source_countries, countries=texts.countries),
        "domains": blank._replace(source_domains=texts.source_domains, urls=servers),
        "words": texts._replace(source_domains=none, source_countries=none, countries=none),
    }[feature]
    first = model.probability(model.read(texts), EXAMPLES.degrees)
    degrees = EXAMPLES.degrees if feature == "degree" else np.zeros(len(EXAMPLES))
    assert (model.probability(model.read(seen), degrees) == first).all()
    assert len(np.unique(first)) > 1


# What cannot be learned from


def test_too_few_examples_are_told() -> None:
    none = replace(EXAMPLES, relevant=np.zeros(len(EXAMPLES), np.bool_))
    with pytest.raises(ConfigError, match="too few links to relevant segments to learn from: 0 of 400"):
        link_matrix(none, READING)
    with pytest.raises(ConfigError, match="at least 2"):
        link_matrix(
            LinkExamples(LinkTexts([], [], [], [], [], []), np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.int64)),
            READING,
        )


@pytest.mark.parametrize("kind", KINDS)
def test_examples_without_texts_are_learned_from_too(kind: LinkModelKind) -> None:
    none = [""] * len(EXAMPLES)
    bare = replace(EXAMPLES, texts=LinkTexts(none, none, none, none, none, none))
    model = train_link_model(link_matrix(bare, READING), options(kind))
    low, high = model.probability(model.read(bare.texts.rows(0, 2)), np.array([0.05, 0.95]))
    assert 0 <= low < high <= 1
    assert train_link_model(link_matrix(bare, READING), options(kind, ("words",))).weights.terms == ()


def test_single_site_is_validated_by_plain_folds_and_says_so() -> None:
    alike = replace(EXAMPLES, sites=np.where(EXAMPLES.relevant, 0, EXAMPLES.sites + 7))
    validation = validated(link_matrix(alike, READING), options("bayes"))
    assert not validation.by_site
    assert "plain folds: all relevant links are of one site" in validation.remark


@pytest.mark.parametrize(
    "change",
    [{"kind": "oracle"}, {"features": ()}, {"features": ("colour",)}, {"folds": 1}, {"repeats": 0}, {"seed": -1}],
)
def test_options_that_cannot_be_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        LinkTrainOptions(**change)  # type: ignore[arg-type]
