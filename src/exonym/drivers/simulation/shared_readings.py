"""Readings for several simulations at once: strategies with the same link model have a graph's links read once.

They lie in a file as long as simulations run, and are mapped by the process of each.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from exonym.disk import disk_errors
from exonym.drivers.simulation.columns import check_needs
from exonym.drivers.simulation.judging import judged_relevant
from exonym.drivers.simulation.link_readings import Tell, link_model_of, link_readings, pages_to_read
from exonym.drivers.simulation.plan import Plan
from exonym.model import Readings
from exonym.strategies.base import Strategy
from exonym.webgraph.graph import Graph

_MOST = 0.3  # of the pages whose links must be read: to read them all then takes no longer, in several processes


def reads_ahead(strategy: Strategy, graph: Graph, plan: Plan) -> bool:
    """Whether a crawl is to see so many links that all are best read before it begins."""
    if "reading" not in strategy.needs:
        return False
    pages = pages_to_read(graph, strategy, judged_relevant(graph, plan))
    return not plan.budget or plan.budget >= _MOST * int(np.count_nonzero(pages))


@contextmanager
def shared_readings(
    graph: Graph, strategies: Mapping[str, Strategy], plan: Plan, tell: Tell = lambda share: None
) -> Iterator[dict[str, Path]]:
    """Files of readings by the names of strategies; those whose model has no digest read links for themselves."""
    with tempfile.TemporaryDirectory(prefix="exonym-") as place:
        files: dict[str, Path] = {}
        for name, strategy in strategies.items():
            digest = _digest(strategy) if reads_ahead(strategy, graph, plan) else ""
            if digest:
                files[name] = Path(place) / f"{digest}.npy"
                if not files[name].exists():
                    _write(files[name], _read(graph, strategy, plan, tell))
        yield files


def _digest(strategy: Strategy) -> str:
    """Of all that readings depend on, "" if that cannot be told."""
    digest: str = getattr(link_model_of(strategy), "digest", "")
    return f"{digest}-{getattr(strategy, 'least_relevance', 0.0)}" if digest.isalnum() else ""


def _write(path: Path, readings: Readings) -> None:
    with disk_errors(path):
        np.save(path, readings, allow_pickle=False)


def _read(graph: Graph, strategy: Strategy, plan: Plan, tell: Callable[[float], None]) -> Readings:
    graph.check_numbers()
    check_needs(strategy, graph)
    return link_readings(graph, strategy, judged_relevant(graph, plan)).read_all(tell)
