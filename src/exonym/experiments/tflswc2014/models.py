"""The link models of the segment experiment, trained and validated on a web that is not crawled."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from exonym.models.links.base import LinkPool, LinkUnit
from exonym.models.links.trained import LinkModelKind
from exonym.progress import Tell
from exonym.system.files import disk_errors, replacing
from exonym.training.links.link_examples import Gathering, gather_links
from exonym.version import __version__
from exonym.webgraph import Graph


class ExperimentModel(NamedTuple):
    """A kind of link model, and the links that it learns from and predicts for."""

    kind: LinkModelKind
    unit: LinkUnit = "segment"
    pool: LinkPool = "pair"


# By name. The first is the thesis'; the last two are those of the crawlers that it cites, one link at a time.
MODELS = {
    "bayes": ExperimentModel("bayes"),
    "linear": ExperimentModel("linear"),
    "bayes-by-link": ExperimentModel("bayes", pool="link"),
    "site": ExperimentModel("linear", unit="site"),
    "page": ExperimentModel("bayes", unit="page"),
}
REPEATS = 10  # of ten folds, as in the thesis; once on a web with fewer than _SMALL pages, which is a first look
_SMALL = 20_000
_FACTS = "training.json"
_FEW = 20_000  # examples: with fewer, starting processes takes longer than training


@dataclass(frozen=True, slots=True)
class TrainedModels:
    """The examples that models were trained from, and how well the models do on held-out sites."""

    relevant: int  # examples: links to relevant segments
    irrelevant: int
    pages: int
    segments: int
    relevant_segments: int
    g_means: dict[str, float]  # by name of the model
    deviations: dict[str, float]
    version: str = __version__

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return asdict(self)


def model_file(directory: Path, name: str) -> Path:
    """The path of one of MODELS."""
    return directory / f"{name}.model"


def train_models(graph: Graph, directory: Path, tell: Tell) -> TrainedModels:
    """Train all MODELS and save them in `directory`; models that are there already are used again."""
    training = _load_training(directory)
    if training is None:
        with disk_errors(directory):
            directory.mkdir(parents=True, exist_ok=True)
        training = _train(graph, directory, tell)
        with disk_errors(directory), replacing(directory / _FACTS) as draft:
            draft.write_bytes(msgspec.json.encode(training))
    return training


def _load_training(directory: Path) -> TrainedModels | None:
    try:
        training = msgspec.json.decode((directory / _FACTS).read_bytes(), type=TrainedModels)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    is_whole = all(model_file(directory, name).exists() for name in MODELS)
    return training if training.version == __version__ and is_whole else None


def _train(graph: Graph, directory: Path, tell: Tell) -> TrainedModels:
    from exonym.models.links.link_model_file import save_link_model
    from exonym.models.links.link_reader import read_options_of
    from exonym.nations import load_nation
    from exonym.training.links.train import link_matrix, train_link_model, validated
    from exonym.training.train_options import LinkTrainOptions

    def show(doing: str, done: int, every: int) -> None:
        tell(f"training for {directory.name}: {doing.lower()}, {done:,} of {every:,}")

    reading = read_options_of(load_nation("TH"))
    repeats = REPEATS if len(graph) >= _SMALL else 1
    validations, all_gathered = {}, []
    for unit, pool in dict.fromkeys((model.unit, model.pool) for model in MODELS.values()):
        all_gathered.append(gather_links(graph, Gathering(unit=unit, pool=pool)))
        material = link_matrix(all_gathered[-1].examples, reading, show)
        for name, model in MODELS.items():
            if (model.unit, model.pool) == (unit, pool):
                options = LinkTrainOptions(model.kind, reading, repeats=repeats, jobs=int(len(material) < _FEW))
                save_link_model(train_link_model(material, options, show), model_file(directory, name))
                validations[name] = validated(material, options, show)
    gathered = all_gathered[0]  # of the thesis' model
    relevant = int(gathered.examples.relevant.sum())
    return TrainedModels(
        relevant=relevant,
        irrelevant=len(gathered.examples.relevant) - relevant,
        pages=gathered.pages,
        segments=gathered.segments,
        relevant_segments=gathered.relevant_segments,
        g_means={name: scores.g_mean for name, scores in validations.items()},
        deviations={name: scores.g_mean_deviation for name, scores in validations.items()},
    )
