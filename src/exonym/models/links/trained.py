"""A link model that was trained: naive Bayes as in the thesis, or one logistic model over all features."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, Readings
from exonym.errors import ModelError
from exonym.models.calibration import PLAIN, Calibration
from exonym.models.links.features import FEATURES, PLACES, STEPS, Feature, LinkTexts, places_of, steps_of
from exonym.models.links.reading import LinkReader, ReadLinks, ReadOptions
from exonym.models.terms_by_number import UNKNOWN

LinkModelKind = Literal["bayes", "linear"]

_LARGEST = 1e6  # of any number: sums of such stay finite


@dataclass(frozen=True, slots=True, eq=False)
class LinkWeights:
    """Log-odds that values add; a country, domain or word that was not met in training adds nothing."""

    features: tuple[Feature, ...]  # those that were learned from
    bias: float
    steps: Floats  # (3, STEPS): of the source's degree, of the names in texts, of the names in URLs
    places: tuple[Mapping[str, float], ...]  # as PLACES
    word_bias: float
    terms: tuple[str, ...]
    words: Floats  # of each term
    rarities: Floats  # linear: inverse document frequency of each term; naive Bayes: none (empty)
    calibration: Calibration = PLAIN

    def __post_init__(self) -> None:
        _check_shapes(self)
        single = [self.bias, self.word_bias, self.calibration.slope, self.calibration.offset]
        placed = [weight for place in self.places for weight in place.values()]
        numbers = np.concatenate([self.steps.ravel(), self.words, self.rarities, np.array(single + placed, np.float64)])
        # Written so that NaN, which compares as false, is refused too.
        is_bounded = (np.abs(numbers) <= _LARGEST).all() and (self.rarities >= 0).all()
        if not is_bounded or not 0 <= self.calibration.threshold <= 1:
            raise ModelError("a number in the link model is out of bounds.")


def _check_shapes(weights: LinkWeights) -> None:
    if not weights.features or not set(weights.features) <= set(FEATURES):
        raise ModelError(f"a link model has some of the features {', '.join(FEATURES)}.")
    if weights.steps.shape != (3, STEPS) or len(weights.places) != len(PLACES):
        raise ModelError("a link model has a weight for each step and place; this one has not.")
    count = len(weights.terms)
    if weights.words.shape != (count,) or weights.rarities.shape not in ((0,), (count,)):
        raise ModelError("a link model has a weight for each of its terms; this one has not.")
    if len(set(weights.terms)) != count:
        raise ModelError("a term is in the link model twice.")


@dataclass(frozen=True, slots=True, eq=False)
class TrainedLinkModel:
    """Weights, and how links are read: all that is needed to score a link."""

    name: str
    kind: LinkModelKind
    options: ReadOptions
    weights: LinkWeights
    needs: dict[str, str] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    digest: str = ""  # of the file it was loaded from
    _readers: list[LinkReader] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        if self.kind not in get_args(LinkModelKind):
            raise ModelError(f"a link model is bayes or linear, not {self.kind!r}.")
        if len(self.weights.rarities) != (len(self.weights.terms) if self.kind == "linear" else 0):
            raise ModelError(f"the weights of words are not those of a {self.kind} link model.")

    def __reduce__(self) -> tuple[Any, ...]:
        return TrainedLinkModel, tuple(getattr(self, one.name) for one in dataclass_fields(self) if one.init)

    def read(self, texts: LinkTexts) -> Readings:
        """Log-odds of places and names (column 0) and of words (column 1); linear: of all (column 0)."""
        links = self._reader().read(texts)
        of_places, of_words = self._score_places(texts, links), self._score_words(links)
        if self.kind == "linear":
            of_places, of_words = of_places + of_words, np.zeros(len(of_words))
        return np.stack([of_places, of_words], axis=1).astype(np.float32)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        """How likely the target segments are relevant."""
        weights, degree = self.weights, self.weights.steps[0][steps_of(degrees)]
        if self.kind == "bayes":
            return bayes_probability(readings, degree, weights.features)
        return linear_probability(readings, degree, weights.calibration)

    def _score_places(self, texts: LinkTexts, links: ReadLinks) -> Floats:
        steps, scores = self.weights.steps, np.full(len(links.lengths), self.weights.bias)
        for column in (0, 1):
            scores += steps[1 + column][steps_of(links.shares[:, column])]
        for known, values in zip(self.weights.places, places_of(texts), strict=True):
            scores += np.array([known.get(value, 0.0) for value in values], np.float64)
        return scores

    def _score_words(self, links: ReadLinks) -> Floats:
        number, words = len(links.lengths), self.weights.words
        if self.kind == "bayes":
            rows, values = np.repeat(np.arange(number), links.lengths), words[links.words]
        else:
            rows, columns, counts = links.word_counts(len(words))
            values = normalised(rows, counts, self.weights.rarities[columns]) * words[columns]
        scores: Floats = np.bincount(rows, values, number).astype(np.float64) + self.weights.word_bias
        return scores

    def _reader(self) -> LinkReader:
        """Made at first use: a nation has thousands of names."""
        if not self._readers:
            numbers = {term: number for number, term in enumerate(self.weights.terms)}
            self._readers.append(LinkReader(self.options, lambda term: numbers.get(term, UNKNOWN)))
        return self._readers[0]


# From readings to probabilities: equation 9 of the thesis, and the logistic model's.


def bayes_probability(readings: Readings | Floats, degree: Floats, features: Sequence[Feature]) -> Floats:
    """The mean of two probabilities, by links and by words (equation 9); `degree` is what the source's degree adds.

    A model without words, or of words alone, has one of the two only.
    """
    linked, worded = (
        PLAIN.probabilities(readings[:, 0] + degree),
        PLAIN.probabilities(readings[:, 1].astype(np.float64)),
    )
    if "words" not in features:
        return linked
    return worded if tuple(features) == ("words",) else (linked + worded) / 2


def linear_probability(readings: Readings | Floats, degree: Floats, calibration: Calibration) -> Floats:
    """The probabilities of calibrated log-odds."""
    return calibration.probabilities(readings[:, 0] + degree)


def normalised(rows: NDArray[np.int64], counts: Floats, rarities: Floats) -> Floats:
    """Frequencies damped, weighted by rarity, and each row brought to length 1: as `training.fit.scaled` does."""
    values = np.log1p(counts) * rarities
    lengths = np.sqrt(np.bincount(rows, values**2))
    lengths[lengths == 0] = 1.0
    scaled: Floats = values / lengths[rows]
    return scaled
