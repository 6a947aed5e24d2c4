"""Why a link model decides as it does: its strongest values, and what each feature of one link adds."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from exonym.batches import Floats, Readings
from exonym.models.links.features import PLACES, STEPS, Feature, LinkTexts, places_of, steps_of
from exonym.models.links.link_reader import LinkReader
from exonym.models.links.trained import TrainedLinkModel, bayes_probability, normalised
from exonym.models.terms_by_number import UNKNOWN

STEP_NAMES = ("degree", "text_names", "url_names")
# The columns that models have weights for, each with the feature of the thesis that it is part of.
COLUMNS: dict[str, Feature] = {
    "degree": "degree",
    "text_names": "names",
    "url_names": "names",
    "source_country": "countries",
    "country": "countries",
    "source_domain": "domains",
    "domain": "domains",
    "words": "words",
}


class ValueWeight(NamedTuple):
    """A value, and how much it adds to the log-odds that the target segment is relevant."""

    value: str
    weight: float


class StrongestValues(NamedTuple):
    """The strongest values of a column on each side."""

    for_it: list[ValueWeight]
    against: list[ValueWeight]


class LinkReport(NamedTuple):
    """The probability of one link, and why."""

    probability: float
    linked: float | None  # naive Bayes: by all features but words; None if the model has no such feature
    worded: float | None  # naive Bayes: by words
    shares: tuple[float, float]  # of nation names: in the texts, in the URL
    values: dict[str, ValueWeight]  # of each of COLUMNS but words
    words: list[ValueWeight]  # those that the model knows, the strongest first


def step_name(step: int) -> str:
    """The range of a step, as text.

    >>> [step_name(step) for step in (0, 6, 9)]
    ['0.0 to 0.1', '0.6 to 0.7', '0.9 to 1.0']
    """
    return f"{step / STEPS:.1f} to {(step + 1) / STEPS:.1f}"


def telling_values(model: TrainedLinkModel, count: int = 10) -> dict[str, StrongestValues]:
    """The strongest values of each column that the model has learned from."""
    weights = model.weights
    of_steps = {
        name: [ValueWeight(step_name(step), weight) for step, weight in enumerate(row)]
        for name, row in zip(STEP_NAMES, weights.steps.tolist(), strict=True)
    }
    of_places = {
        name: [ValueWeight(value, weight) for value, weight in place.items()]
        for name, place in zip(PLACES, weights.places, strict=True)
    }
    strengths = weights.words * weights.rarities if model.kind == "linear" else weights.words
    of_words = {"words": [ValueWeight(*pair) for pair in zip(weights.terms, strengths.tolist(), strict=True)]}
    columns = {**of_steps, **of_places, **of_words}
    return {name: _strongest(columns[name], count) for name, feature in COLUMNS.items() if feature in weights.features}


def _strongest(values: Iterable[ValueWeight], count: int) -> StrongestValues:
    """The values with the largest and with the smallest weights, ties in alphabetical order."""
    ranked = sorted(values, key=lambda value: (-abs(value.weight), value.value))
    for_it, against = ([value for value in ranked if value.weight * sign > 0][:count] for sign in (1, -1))
    return StrongestValues(for_it, against)


def report_link(model: TrainedLinkModel, link: LinkTexts, degree: float) -> LinkReport:
    """The model's probability of one link from a segment with this relevance degree, and why."""
    weights = model.weights
    numbers = {term: number for number, term in enumerate(weights.terms)}
    links = LinkReader(model.options, lambda term: numbers.get(term, UNKNOWN)).read(link)
    readings, degrees = model.read(link), np.array([degree], np.float64)
    shares = (float(links.shares[0, 0]), float(links.shares[0, 1]))
    step_values = (degree, *shares)
    steps = steps_of(np.array(step_values, np.float64)).tolist()
    step_rows = zip(STEP_NAMES, step_values, steps, weights.steps, strict=True)
    values = {name: ValueWeight(f"{value:.2f}", float(row[step])) for name, value, step, row in step_rows}
    for name, known, (value,) in zip(PLACES, weights.places, places_of(link), strict=True):
        values[name] = ValueWeight(value, float(known.get(value, 0.0)))
    rows, columns, counts = links.word_counts(len(weights.words))
    frequencies = counts if model.kind == "bayes" else normalised(rows, counts, weights.rarities[columns])
    pairs = zip(columns.tolist(), (frequencies * weights.words[columns]).tolist(), strict=True)
    words = [ValueWeight(weights.terms[column], weight) for column, weight in pairs]
    return LinkReport(
        float(model.probability(readings, degrees)[0]),
        *_bayes_halves(model, readings, degrees),
        shares,
        values,
        sorted(words, key=lambda word: (-abs(word.weight), word.value)),
    )


def _bayes_halves(model: TrainedLinkModel, readings: Readings, degrees: Floats) -> tuple[float | None, float | None]:
    """The two probabilities whose mean naive Bayes takes."""
    features = model.weights.features
    if model.kind != "bayes":
        return None, None
    odds, degree = model.log_odds(readings), model.weights.steps[0][steps_of(degrees)]
    has_places = features != ("words",)
    linked = float(bayes_probability(odds, degree, ("degree",))[0]) if has_places else None
    worded = float(bayes_probability(odds, degree, ("words",))[0]) if "words" in features else None
    return linked, worded
