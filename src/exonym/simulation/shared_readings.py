"""Readings for several simulations at once: strategies with the same link model have a graph's links read once.

They lie in a file as long as simulations run, and are mapped by the process of each.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from exonym.progress import Progress, no_progress
from exonym.simulation.engine.batches import check_needs
from exonym.simulation.engine.judge import judged_relevant
from exonym.simulation.link_readings import LinkReadings, link_readings
from exonym.simulation.plan import Plan
from exonym.strategies.base import Strategy, reads_links
from exonym.system.files import disk_errors
from exonym.webgraph.graph import Graph


@contextmanager
def shared_readings(
    graph: Graph, strategies: Mapping[str, Strategy], plan: Plan, progress: Progress = no_progress
) -> Iterator[dict[str, Path]]:
    """Files of readings by the names of strategies; those whose model has no digest read links for themselves."""
    with tempfile.TemporaryDirectory(prefix="exonym-") as place:
        files: dict[str, Path] = {}
        for name, strategy in strategies.items():
            digest = _digest(strategy) if "reading" in strategy.needs else ""
            path = Path(place) / f"{digest}.npy"
            if digest and (path.exists() or _written(path, _readings_of(graph, strategy, plan), plan, progress)):
                files[name] = path
        yield files


def _digest(strategy: Strategy) -> str:
    """Of all that readings depend on, "" if that cannot be told."""
    reader = reads_links(strategy)
    digest: str = getattr(reader.link_model, "digest", "")
    return f"{digest}-{reader.least_relevance}" if digest.isalnum() else ""


def _readings_of(graph: Graph, strategy: Strategy, plan: Plan) -> LinkReadings:
    graph.check_numbers()
    check_needs(strategy, graph)
    return link_readings(graph, strategy, judged_relevant(graph, plan))


def _written(path: Path, readings: LinkReadings, plan: Plan, progress: Progress) -> bool:
    """Read all links into a file, if most of them will be seen."""
    if not readings.are_mostly_seen(plan.budget):
        return False
    with disk_errors(path):
        np.save(path, readings.read_all(progress), allow_pickle=False)
    return True
