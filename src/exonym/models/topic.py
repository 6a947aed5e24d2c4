"""A trained topic model: how likely a page is of the topic, and which of its terms decide.

Prediction is a sum over the terms that the model knows: no learning library is needed to judge.
"""

import math
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats
from exonym.errors import ModelError
from exonym.models.terms import Fields, TermOptions, TermReader
from exonym.models.terms_by_number import UNKNOWN, TokenPlaces, counted

ModelKind = Literal["naive-bayes", "linear"]
TermWeights = list[tuple[str, float]]  # terms, and what each adds to the log-odds

_LARGEST = 1e6  # of any number in a model: sums of such stay finite
_FURTHEST = 700.0  # exp() of more does not fit


@dataclass(frozen=True, slots=True, eq=False)
class TopicModel:
    """Weights of terms; all that is needed to judge a page."""

    name: str
    kind: ModelKind
    options: TermOptions
    terms: tuple[str, ...]
    weights: Floats  # of each term
    bias: float
    rarities: Floats  # linear: inverse document frequency of each term; naive Bayes: none (empty)
    slope: float = 1.0  # calibration: probability = sigmoid(slope * score + offset)
    offset: float = 0.0
    threshold: float = 0.5  # a page is of the topic from this probability on
    needs: dict[str, str] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    digest: str = ""  # of the file it was loaded from
    _places: TokenPlaces = field(init=False, repr=False)
    _reader: TermReader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _check(self)
        reader, places = TermReader(self.options), {term: place for place, term in enumerate(self.terms)}
        object.__setattr__(self, "_reader", reader)
        object.__setattr__(self, "_places", TokenPlaces(lambda token: places.get(reader.term_of(token), UNKNOWN)))

    def __reduce__(self) -> tuple[Any, ...]:
        return TopicModel, tuple(getattr(self, entry.name) for entry in dataclass_fields(self) if entry.init)

    def probability(self, fields: Fields) -> float:
        """How likely the page is of the topic, 0 to 1."""
        places, values = self._values(fields)
        return self.calibrated(self.bias + float(self.weights[places] @ values))

    def telling(self, fields: Fields, most: int = 5) -> TermWeights:
        """The terms that decided, and how much each adds to the log-odds of the topic (negative: takes away)."""
        return self.explained(fields, most)[1]

    def explained(self, fields: Fields, most: int = 5) -> tuple[float, TermWeights]:
        """`probability` and `telling` of a page, which is read once."""
        places, values = self._values(fields)
        added = self.weights[places] * values
        score = self.bias + float(self.weights[places] @ values)
        strongest = np.argsort(-np.abs(added), kind="stable")[:most]
        terms = [(self.terms[places[row]], float(added[row]) * self.slope) for row in strongest if added[row]]
        return self.calibrated(score), terms

    def calibrated(self, score: float) -> float:
        """The probability of a score."""
        return sigmoid(self.slope * score + self.offset)

    def _values(self, fields: Fields) -> tuple[NDArray[np.intp], Floats]:
        """Places of the page's terms in the model, and their frequencies as the model takes them."""
        places, values = counted(self._reader, fields, self._places)
        if self.kind == "linear":
            values = np.log1p(values) * self.rarities[places]
            values /= math.sqrt(float(values @ values)) or 1.0
        return places, values


def sigmoid(score: float) -> float:
    """The probability whose log-odds are `score`."""
    return 1.0 / (1.0 + math.exp(min(-score, _FURTHEST)))


def most_telling(model: TopicModel, count: int = 20) -> tuple[TermWeights, TermWeights]:
    """The terms with the largest weights for the topic, and those with the largest weights against it."""
    weights = model.weights * model.rarities if model.kind == "linear" else model.weights
    order = np.argsort(-weights, kind="stable")
    ranked = [(model.terms[place], float(weights[place])) for place in order]
    return [pair for pair in ranked[:count] if pair[1] > 0], [pair for pair in ranked[::-1][:count] if pair[1] < 0]


def _check(model: TopicModel) -> None:
    """Raise ModelError for numbers that cannot be a model's."""
    if model.kind not in get_args(ModelKind):
        raise ModelError(f"a topic model is naive-bayes or linear, not {model.kind!r}.")
    rarities = len(model.terms) if model.kind == "linear" else 0
    if model.weights.shape != (len(model.terms),) or model.rarities.shape != (rarities,):
        raise ModelError("a topic model has a weight for each of its terms; this one has not.")
    if len(set(model.terms)) != len(model.terms):
        raise ModelError("a term is in the topic model twice.")
    numbers = np.concatenate([model.weights, model.rarities, [model.bias, model.slope, model.offset]])
    # Written so that NaN, which compares as false, is refused too.
    if not (np.abs(numbers) <= _LARGEST).all() or not 0 <= model.threshold <= 1 or not (model.rarities >= 0).all():
        raise ModelError("a number in the topic model is out of bounds.")
