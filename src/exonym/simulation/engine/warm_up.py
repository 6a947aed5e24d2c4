"""Compiles the functions that simulations run, before their time is measured."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.event import Listener, install_listener

from exonym.batches import Floats, LinkBatch
from exonym.progress import Progress, no_progress
from exonym.simulation.engine.asking import end_round
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.base import Rule
from exonym.strategies.breadth_first import BreadthFirst
from exonym.webgraph.graph import OPTIONAL, REQUIRED, Graph
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.manifest import Manifest

_PAGES = 8  # of the graph


class _Asked(Rule):
    """A strategy without a table, so that the functions for those are compiled too."""

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))


class _Probing(Adaptive):
    """Draws a link at random after four pages, so that the functions for that are compiled too."""

    probe_every = 1


class CompilingSteps(Listener):
    """Reports each function that is compiled; nothing if all code is read from disk."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._begun = set[str]()
        self._functions = {
            value.py_func.__qualname__
            for name, module in sys.modules.items()
            if name.startswith(__package__)
            for value in vars(module).values()
            if isinstance(value, Dispatcher)
        }

    def on_start(self, event: Any) -> None:
        """Count a function whose compiling begins; one may be compiled again for other types."""
        name = event.data["dispatcher"].py_func.__qualname__
        if name in self._functions - self._begun:
            self._begun.add(name)
            self._progress("compiling the simulator, only this time", len(self._begun), len(self._functions))

    def on_end(self, event: Any) -> None:
        """Nothing: what is compiled next is told when it begins."""


def warm_up(progress: Progress = no_progress) -> None:
    """Compile, which takes a minute or more the first time; later processes read the code from disk."""
    with tempfile.TemporaryDirectory() as place, install_listener("numba:compile", CompilingSteps(progress)):
        graph = _smallest(Path(place) / "graph")
        simulate(graph, BreadthFirst(), Plan(k=1))
        simulate(graph, _Probing(), Plan(k=1))
        simulate(graph, _Asked(), Plan(k=1))


def is_cold() -> bool:
    """Whether the code is yet to be compiled and can be kept on disk; `warm_up` compiles `end_round` last."""
    last: Any = end_round
    directory = last.stats.cache_path
    return directory is not None and not any(Path(directory).glob(f"*.{last.__qualname__}-*.nbi"))


def _smallest(directory: Path) -> Graph:
    """A few pages, each of which links to the next."""
    columns = {name: np.zeros(_PAGES, kind) for name, kind in REQUIRED.items()}
    links = np.arange(_PAGES)
    columns |= {"offsets": np.append(links, links[-1]), "targets": links[1:], "seeds": links[:1]}
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, values)
        for name in ("anchor_language", "link_flags"):
            writer.put(name, np.zeros(_PAGES - 1, OPTIONAL[name]))
        writer.finish(Manifest(domains=["th"]))
    return Graph.open(directory)
