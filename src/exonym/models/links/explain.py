"""Why a link model decides as it does: its strongest values, and what each feature of one link adds."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from exonym.batches import Floats, Readings
from exonym.models.links.features import PLACES, STEPS, Feature, LinkTexts, places_of, steps_of
from exonym.models.links.reading import LinkReader, ReadLinks
from exonym.models.links.trained import TrainedLinkModel, bayes_probability, normalised
from exonym.models.terms_by_number import UNKNOWN

STEP_NAMES = ("degree", "text_names", "url_names")
# The columns that models have weights of, each with the feature of the thesis that it is part of.
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
    linked: float | None  # naive Bayes: of all but words; None where it plays no part
    worded: float | None  # naive Bayes: of words
    shares: tuple[float, float]  # of nation names: in the texts, in the URL
    values: dict[str, ValueWeight]  # of each of COLUMNS but words
    words: list[ValueWeight]  # that the model knows, the strongest first


def step_name(step: int) -> str:
    """A step as people read it.

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
    ranked = sorted(values, key=lambda one: (-one.weight, one.value))
    against = sorted((one for one in ranked if one.weight < 0), key=lambda one: (one.weight, one.value))
    return StrongestValues([one for one in ranked if one.weight > 0][:count], against[:count])


def report_link(model: TrainedLinkModel, link: LinkTexts, degree: float) -> LinkReport:
    """The model's probability of one link from a segment with this relevance degree, and why."""
    numbers = {term: number for number, term in enumerate(model.weights.terms)}
    links = LinkReader(model.options, lambda term: numbers.get(term, UNKNOWN)).read(link)
    degrees = np.array([degree], np.float64)
    readings = model.read(link)
    probability = float(model.probability(readings, degrees)[0])
    linked, worded = _bayes_halves(model, readings, degrees)
    shares = (float(links.shares[0, 0]), float(links.shares[0, 1]))
    return LinkReport(
        probability,
        linked,
        worded,
        shares,
        _weights_of_values(model, link, (degree, *shares)),
        _weights_of_words(model, links),
    )


def _bayes_halves(model: TrainedLinkModel, readings: Readings, degrees: Floats) -> tuple[float | None, float | None]:
    """The two probabilities whose mean naive Bayes takes."""
    features = model.weights.features
    if model.kind != "bayes":
        return None, None
    degree = model.weights.steps[0][steps_of(degrees)]
    has_places = features != ("words",)
    linked = float(bayes_probability(readings, degree, ("degree",))[0]) if has_places else None
    worded = float(bayes_probability(readings, degree, ("words",))[0]) if "words" in features else None
    return linked, worded


def _weights_of_values(
    model: TrainedLinkModel, link: LinkTexts, numbers: tuple[float, float, float]
) -> dict[str, ValueWeight]:
    steps = steps_of(np.array(numbers, np.float64)).tolist()
    rows = zip(STEP_NAMES, numbers, steps, model.weights.steps, strict=True)
    values = {name: ValueWeight(f"{number:.2f}", float(row[step])) for name, number, step, row in rows}
    for name, known, (value,) in zip(PLACES, model.weights.places, places_of(link), strict=True):
        values[name] = ValueWeight(value, float(known.get(value, 0.0)))
    return values


def _weights_of_words(model: TrainedLinkModel, links: ReadLinks) -> list[ValueWeight]:
    weights = model.weights
    rows, columns, counts = links.word_counts(len(weights.words))
    values = counts if model.kind == "bayes" else normalised(rows, counts, weights.rarities[columns])
    pairs = zip(columns.tolist(), (values * weights.words[columns]).tolist(), strict=True)
    words = [ValueWeight(weights.terms[column], weight) for column, weight in pairs]
    return sorted(words, key=lambda one: (-abs(one.weight), one.value))
