"""Learns what the strategy `adaptive` may know before the first page of a crawl, from crawls of several graphs.

The strategy is simulated on each graph. A weight of the prior is the mean of what the crawls learned, in which a crawl
counts for as much as it has seen of the cell, up to a limit: so large graphs do not outvote small ones. A second round
begins with the prior of the first. Weights of top-level domains are left out, as each nation has its own, and of words:
what their classes are worth depends on how much a crawl has read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.errors import ConfigError
from exonym.models.prior_file import Prior
from exonym.progress import Progress, no_progress
from exonym.simulation.engine.loop import simulate
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan
from exonym.strategies.adaptive.additive import pair_name
from exonym.strategies.adaptive.facts import facts_digest
from exonym.strategies.adaptive.odds import ONE
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.by_name import NO_PRIOR, strategy_from
from exonym.version import __version__
from exonym.webgraph import Graph

ROUNDS = 2
PAGES = 3  # a crawl fetches, as a multiple of the relevant pages there are
MOST_SEEN = 20.0  # errors, squared: a crawl that has seen more of a cell counts for no more
DOUBT = 2.0  # the same of an imaginary crawl that learned 0 for each cell
LARGEST_K = 64
_OWN_TO_NATIONS = "domain"

_Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Learned:
    weights: _Weights  # log-odds
    seen: _Weights


def train_prior(graphs: Sequence[Graph], command: str, progress: Progress = no_progress) -> Prior:
    """Weights learned on these graphs."""
    for graph in graphs:
        if not relevant_pages_of(graph):
            raise ConfigError(f"{graph.directory} has no relevant pages: nothing can be learned there. Leave it out.")
    prior = Prior(facts_digest(), {}, {})
    for number in range(ROUNDS):
        learned = []
        for place, graph in enumerate(graphs):
            progress(f"round {number + 1} of {ROUNDS}, {graph.directory.name}", place, len(graphs))
            learned.append(_learned_on(graph, prior))
        prior.weights = _mean(learned)
    prior.provenance = {
        "made_by": f"Exonym {__version__}",
        "command": command,
        "graphs": [_provenance_of(graph) for graph in graphs],
    }
    return prior


def rounds_of(relevant_pages: int) -> int:
    """How many pages a round of a simulation may have, so that its results are those of small rounds."""
    return max(1, min(LARGEST_K, relevant_pages // 1_000))


def _learned_on(graph: Graph, prior: Prior) -> _Learned:
    strategy = strategy_from(f"adaptive:prior={NO_PRIOR},text=false", " ".join(graph.manifest.languages))
    assert isinstance(strategy, Adaptive)
    strategy.begin_with(prior.weights)
    existing = relevant_pages_of(graph)
    simulate(graph, strategy, Plan(k=rounds_of(existing), budget=PAGES * existing))
    return _Learned(strategy.weights / ONE, strategy.seen / ONE)


def _mean(learned: Sequence[_Learned]) -> dict[str, dict[int, float]]:
    """The mean of weights, by pair of facts and cell; those that round to 0 are left out."""
    shares = np.array([np.minimum(each.seen, MOST_SEEN) for each in learned])
    weights = (np.array([each.weights for each in learned]) * shares).sum(axis=0) / (shares.sum(axis=0) + DOUBT)
    tables = Adaptive(text=False).tables
    parts = {pair: np.round(weights[tables.part(pair)], 3) for pair in tables.pairs if _OWN_TO_NATIONS not in pair}
    return {
        pair_name(pair): {int(cell): float(part[cell]) for cell in np.flatnonzero(part)} for pair, part in parts.items()
    }


def _provenance_of(graph: Graph) -> dict[str, Any]:
    """What a reader needs to get the same graph again."""
    names = {"made_by", "method", "profile", "seed", "pages", "note"}
    told = {name: value for name, value in graph.manifest.provenance.items() if name in names}
    return {"name": graph.directory.name, "languages": list(graph.manifest.languages), **told}
