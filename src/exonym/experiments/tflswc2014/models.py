"""Link models of the segment experiment: both kinds, trained and validated on a web that is not crawled."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from exonym.models.links.trained import LinkModelKind
from exonym.progress import Tell
from exonym.system.files import disk_errors
from exonym.training.links.examples import Gathering, gather_links
from exonym.version import __version__
from exonym.webgraph import Graph

KINDS: tuple[LinkModelKind, ...] = ("bayes", "linear")
REPEATS = 10  # of ten folds, as in the thesis
_FACTS = "training.json"
_FEW = 20_000  # examples that are sooner done than processes begin


@dataclass(frozen=True, slots=True)
class Training:
    """What models were trained from, and how well they do on sites that were held out."""

    relevant: int  # examples: links to relevant segments
    irrelevant: int
    pages: int
    segments: int
    relevant_segments: int
    g_means: dict[str, float]  # by kind of model
    deviations: dict[str, float]
    version: str = __version__

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return asdict(self)


def model_file(directory: Path, kind: str) -> Path:
    """Where a model of a kind is."""
    return directory / f"{kind}.model"


def train_models(graph: Graph, directory: Path, tell: Tell) -> Training:
    """Models of both kinds, saved in `directory`; those that are there are used again."""
    found = _kept(directory)
    if found is None:
        with disk_errors(directory):
            directory.mkdir(parents=True, exist_ok=True)
        found = _trained(graph, directory, tell)
        with disk_errors(directory):
            draft = directory / f"{_FACTS}.partial"
            draft.write_bytes(msgspec.json.encode(found))
            draft.replace(directory / _FACTS)
    return found


def _kept(directory: Path) -> Training | None:
    try:
        found = msgspec.json.decode((directory / _FACTS).read_bytes(), type=Training)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    is_whole = all(model_file(directory, kind).exists() for kind in KINDS)
    return found if found.version == __version__ and is_whole else None


def _trained(graph: Graph, directory: Path, tell: Tell) -> Training:
    from exonym.models.links.file import save_link_model
    from exonym.models.links.reading import read_options_of
    from exonym.nations import load_nation
    from exonym.training.links.train import link_matrix, train_link_model, validated
    from exonym.training.options import LinkTrainOptions

    def show(doing: str, done: int, every: int) -> None:
        tell(f"training for {directory.name}: {doing.lower()}, {done:,} of {every:,}")

    gathered = gather_links(graph, Gathering())
    reading = read_options_of(load_nation("TH"))
    material = link_matrix(gathered.examples, reading, show)
    validations = {}
    for kind in KINDS:
        options = LinkTrainOptions(kind, reading, repeats=REPEATS, jobs=int(len(material) < _FEW))
        save_link_model(train_link_model(material, options, show), model_file(directory, kind))
        validations[kind] = validated(material, options, show)
    relevant = int(gathered.examples.relevant.sum())
    return Training(
        relevant=relevant,
        irrelevant=len(gathered.examples.relevant) - relevant,
        pages=gathered.pages,
        segments=gathered.segments,
        relevant_segments=gathered.relevant_segments,
        g_means={kind: one.g_mean for kind, one in validations.items()},
        deviations={kind: one.g_mean_deviation for kind, one in validations.items()},
    )
