"""The two formats of framed model files, each with a model that uses all of it and the smallest one."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exonym.models import topic_file
from exonym.models.calibration import Calibration
from exonym.models.links import link_model_file
from exonym.models.links.features import FEATURES, STEPS, LinkTexts
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkWeights, TrainedLinkModel
from exonym.models.terms import Fields, TermOptions, term_needs
from exonym.models.topic import TopicModel


class ModelFormat(NamedTuple):
    """How models of one kind are written and read, and what a model is known by."""

    name: str  # in the first line of a file
    full: Any
    plain: Any
    save: Callable[[Any, Path], None]
    load: Callable[[Path], Any]
    serialised: Callable[[Any], bytes]
    parsed: Callable[[bytes, str], Any]
    facts: Callable[[Any], dict[str, Any]]  # all that must be the same after saving and loading
    probability: Callable[[Any], float]  # of some page or link

    def forged(self, change: Callable[[dict[str, Any]], None] | None = None, body: bytes | None = None) -> bytes:
        """A file of the plain model with another header or body, and the digest that fits it."""
        first, _, rest = self.serialised(self.plain).split(b"\n", 2)
        line, _, own = rest.partition(b"\n")
        header = json.loads(line)
        if change:
            change(header)
        made = json.dumps(header).encode() + b"\n" + (own if body is None else body)
        return first + b"\n" + hashlib.sha256(made).hexdigest().encode() + b"\n" + made


def _topic_facts(model: TopicModel) -> dict[str, Any]:
    names = ("name", "kind", "options", "terms", "bias", "slope", "offset", "threshold", "needs", "provenance")
    arrays = {"weights": model.weights.tobytes(), "rarities": model.rarities.tobytes()}
    return {**{name: getattr(model, name) for name in names}, **arrays}


def _link_facts(model: TrainedLinkModel) -> dict[str, Any]:
    weights = model.weights
    arrays = [weights.steps.tobytes(), weights.words.tobytes(), weights.rarities.tobytes()]
    others = ("features", "bias", "places", "word_bias", "terms", "calibration")
    own = {name: getattr(model, name) for name in ("name", "kind", "options", "needs", "provenance")}
    return {**own, "arrays": arrays, **{name: getattr(weights, name) for name in others}}


LINK = LinkTexts(["http://a.th/b/"], ["beach"], ["海岸 of Koh Samui"], ["th"], [""], ["TH"])
_TERMS = ("beach", "hôtel", "海岸")
_WEIGHTS = np.array([3.0, 0.1 + 0.2, -5e-324])
_RARITIES = np.array([1.0, 2.0, 1 / 3])
_TOPIC_TERMS = TermOptions("en", title_weight=2.5, stop_words=False)
_READING = ReadOptions(("Koh Samui", "Þingvellir"), "exact", ("in", "the"), TermOptions("en", stop_words=False))

TOPIC_FORMAT = ModelFormat(
    "topic model",
    TopicModel(
        name="Thai tourism",
        kind="linear",
        options=_TOPIC_TERMS,
        terms=_TERMS,
        weights=_WEIGHTS,
        bias=-1.25,
        rarities=_RARITIES,
        slope=0.9,
        offset=-2.0,
        threshold=0.37,
        needs=term_needs(_TOPIC_TERMS),
        provenance={"seed": 7, "sources": ["a.jsonl"], "g_mean": 0.9578},
    ),
    TopicModel("t", "naive-bayes", TermOptions(), ("a", "b"), np.array([1.0, -1.0]), 0.0, np.zeros(0)),
    topic_file.save_model,
    topic_file.load_model,
    topic_file.serialised,
    topic_file.parsed,
    _topic_facts,
    lambda model: model.probability(Fields("beach a", "hôtel de plage b", "海岸")),
)
LINK_FORMAT = ModelFormat(
    "link model",
    TrainedLinkModel(
        name="Thai tourism",
        kind="linear",
        options=_READING,
        weights=LinkWeights(
            features=FEATURES[1:],
            bias=-0.25,
            steps=np.linspace(-1, 1, 3 * STEPS).reshape(3, STEPS),
            places=({"TH": 1 / 3, "": -0.1}, {}, {"th": 2.0}, {"com": 5e-324}),
            word_bias=0.0,
            terms=_TERMS,
            words=_WEIGHTS,
            rarities=_RARITIES,
            calibration=Calibration(0.9, -2.0, 0.37),
        ),
        needs=term_needs(_READING.terms),
        provenance={"seed": 7, "sources": ["a.graph"], "g_mean": 0.873},
    ),
    TrainedLinkModel(
        "t",
        "bayes",
        ReadOptions(("Yo",), stop_words=()),
        LinkWeights(
            features=("words",),
            bias=0.0,
            steps=np.zeros((3, STEPS)),
            places=({}, {}, {}, {}),
            word_bias=0.0,
            terms=("a", "b"),
            words=np.array([1.0, -1.0]),
            rarities=np.zeros(0),
        ),
    ),
    link_model_file.save_link_model,
    link_model_file.load_link_model,
    link_model_file.serialised,
    link_model_file.parsed,
    _link_facts,
    lambda model: model.probability(model.read(LINK), np.array([0.5]))[0],
)
