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
from exonym.models.links.base import LinkPool, LinkUnit
from exonym.models.links.features import FEATURES, PLACES, STEPS, Feature, LinkTexts, places_of, steps_of
from exonym.models.links.link_reader import LinkReader, ReadOptions, name_shares
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
        if not self.features or not set(self.features) <= set(FEATURES):
            raise ModelError(f"a link model has some of the features {', '.join(FEATURES)}.")
        if self.steps.shape != (3, STEPS) or len(self.places) != len(PLACES):
            raise ModelError("a link model has a weight for each step and place; this one has not.")
        count = len(self.terms)
        if self.words.shape != (count,) or self.rarities.shape not in ((0,), (count,)):
            raise ModelError("a link model has a weight for each of its terms; this one has not.")
        if len(set(self.terms)) != count:
            raise ModelError("a term is in the link model twice.")
        single = [self.bias, self.word_bias, self.calibration.slope, self.calibration.offset]
        placed = [weight for place in self.places for weight in place.values()]
        numbers = np.concatenate([self.steps.ravel(), self.words, self.rarities, np.array(single + placed, np.float64)])
        # Written so that NaN, which compares as false, is refused too.
        is_bounded = (np.abs(numbers) <= _LARGEST).all() and (self.rarities >= 0).all()
        if not is_bounded or not 0 <= self.calibration.threshold <= 1:
            raise ModelError("a number in the link model is out of bounds.")


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
    pool: LinkPool = "link"  # what it was trained on, and predicts from
    unit: LinkUnit = "segment"  # what it predicts the relevance of
    _readers: list[LinkReader] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        if self.kind not in get_args(LinkModelKind):
            raise ModelError(f"a link model is bayes or linear, not {self.kind!r}.")
        if self.pool not in get_args(LinkPool):
            raise ModelError(f"a link model pools by pair or link, not {self.pool!r}.")
        if self.unit not in get_args(LinkUnit):
            raise ModelError(f"the unit of a link model is segment, site or page, not {self.unit!r}.")
        if len(self.weights.rarities) != (len(self.weights.terms) if self.kind == "linear" else 0):
            raise ModelError(f"the weights of words are not those of a {self.kind} link model.")

    def __reduce__(self) -> tuple[Any, ...]:
        return TrainedLinkModel, tuple(getattr(self, entry.name) for entry in dataclass_fields(self) if entry.init)

    def read(self, texts: LinkTexts) -> Readings:
        """Log-odds of places and names (column 0) and of words (column 1); linear: of all (column 0).

        With `pool` "pair", numbers whose sums over several links are the same numbers of all of them: log-odds of
        places, log-odds of words, four counts of names and words, and 1 for the link itself.
        """
        links, weights = self._reader().read(texts), self.weights
        number = len(links.lengths)
        of_places = np.zeros(number)
        for known, places in zip(weights.places, places_of(texts), strict=True):
            of_places += np.array([known.get(place, 0.0) for place in places], np.float64)
        if self.kind == "bayes":
            rows, values = np.repeat(np.arange(number), links.lengths), weights.words[links.words]
        else:
            rows, columns, counts = links.word_counts(len(weights.words))
            values = normalised(rows, counts, weights.rarities[columns]) * weights.words[columns]
        of_words = np.bincount(rows, values, number).astype(np.float64)
        sums = np.column_stack([of_places, of_words, links.names, np.ones(number)])
        return (sums if self.pool == "pair" else self._of_sums(sums)).astype(np.float32)

    def _of_sums(self, sums: Floats) -> Floats:
        """The log-odds (two columns) of pairs of segments, by the sums of their links' numbers."""
        weights, links = self.weights, np.maximum(sums[:, -1], 1)
        of_places, of_words = weights.bias + sums[:, 0] / links, sums[:, 1]
        for column, share in enumerate(steps_of(name_shares(sums[:, 2:6])).T):
            of_places += weights.steps[1 + column][share]
        if self.kind == "bayes":
            return np.column_stack([of_places, weights.word_bias + of_words])
        return np.column_stack([of_places + weights.word_bias + of_words / links, np.zeros(len(sums))])

    def log_odds(self, readings: Readings | Floats) -> Floats:
        """The two columns of `read`, of links or of pairs of segments, as this model predicts."""
        return (self._of_sums if self.pool == "pair" else np.asarray)(np.asarray(readings, np.float64))

    def probability(self, readings: Readings | Floats, degrees: Floats) -> Floats:
        """How likely the target segments are relevant; with `pool` "pair", by the sums of readings of each pair."""
        weights, degree = self.weights, self.weights.steps[0][steps_of(degrees)]
        odds = self.log_odds(readings)
        if self.kind == "bayes":
            return bayes_probability(odds, degree, weights.features)
        return weights.calibration.probabilities(odds[:, 0] + degree)

    def _reader(self) -> LinkReader:
        """Made at first use: a nation has thousands of names."""
        if not self._readers:
            numbers = {term: number for number, term in enumerate(self.weights.terms)}
            self._readers.append(LinkReader(self.options, lambda term: numbers.get(term, UNKNOWN)))
        return self._readers[0]


def bayes_probability(readings: Readings | Floats, degree: Floats, features: Sequence[Feature]) -> Floats:
    """The mean of two probabilities, by links and by words (equation 9); `degree` is what the source's degree adds.

    A model without words, or of words alone, has one of the two only.
    """
    linked = PLAIN.probabilities(readings[:, 0] + degree)
    worded = PLAIN.probabilities(readings[:, 1].astype(np.float64))
    if "words" not in features:
        return linked
    return worded if tuple(features) == ("words",) else (linked + worded) / 2


def normalised(rows: NDArray[np.int64], counts: Floats, rarities: Floats) -> Floats:
    """Frequencies damped, weighted by rarity, and each row scaled to length 1, as by `training.fit.scaled`."""
    values = np.log1p(counts) * rarities
    lengths = np.sqrt(np.bincount(rows, values**2))
    lengths[lengths == 0] = 1.0
    scaled: Floats = values / lengths[rows]
    return scaled
