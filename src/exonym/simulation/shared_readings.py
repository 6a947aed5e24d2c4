"""Link readings that several simulations share: for strategies with the same link model, links are read once.

The readings are in a temporary file while the simulations run; the process of each simulation maps it.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from exonym.progress import Progress, no_progress
from exonym.simulation.engine.graph_batches import check_needs
from exonym.simulation.engine.judge import judged_relevant
from exonym.simulation.link_readings import link_readings
from exonym.simulation.plan import Plan
from exonym.strategies.base import Strategy, reads_links
from exonym.system.files import disk_errors
from exonym.webgraph.graph import Graph


@contextmanager
def shared_readings(
    graph: Graph, strategies: Mapping[str, Strategy], plan: Plan, progress: Progress = no_progress
) -> Iterator[dict[str, Path]]:
    """Files of readings by names of strategies; a strategy without a file reads links itself, while it runs.

    A strategy gets no file if its model has no digest, or if its simulation will see only a small part of the links.
    """
    with tempfile.TemporaryDirectory(prefix="exonym-") as place:
        files: dict[str, Path] = {}
        for name, strategy in strategies.items():
            if "reading" not in strategy.needs:
                continue
            reader = reads_links(strategy)
            digest: str = getattr(reader.link_model, "digest", "")
            if not digest.isalnum():
                continue
            path = Path(place) / f"{digest}-{reader.least_relevance}.npy"  # readings depend on nothing else
            if not path.exists():
                graph.check_numbers()
                check_needs(strategy, graph)
                readings = link_readings(graph, strategy, judged_relevant(graph, plan))
                if not readings.are_mostly_seen(plan.budget):
                    continue
                with disk_errors(path):
                    np.save(path, readings.read_all(progress), allow_pickle=False)
            files[name] = path
        yield files
