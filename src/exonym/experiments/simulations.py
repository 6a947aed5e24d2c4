"""Simulations of an experiment: each is saved as soon as it is finished, and the same command uses it again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from exonym.progress import Tell
from exonym.simulation.results import Finished, StrategyResult
from exonym.simulation.side_by_side import SimulationRequest, simulate_all, simulate_one, strategy_of
from exonym.simulation.traces import Trace
from exonym.system.files import disk_errors, replacing
from exonym.system.processes import cores
from exonym.version import __version__
from exonym.webgraph import Graph

FEW = 1_000_000  # nodes: with fewer, starting a process takes longer than simulating
_DIGESTED = ("targets", "relevant", "seeds")


def simulated(directory: Path, graph: Graph, request: SimulationRequest, tell: Tell) -> list[Finished]:
    """The result of each strategy, in the order requested; saved in `directory` as soon as it is finished."""
    # Identifies the web, and the plan to simulate it by.
    mark = " ".join([*(graph.manifest.columns[name].digest for name in _DIGESTED), str(request.plan)])
    results = {text: saved(directory, mark, text) for text in request.strategies}
    missing = [text for text, finished in results.items() if finished is None]
    run = simulated_here if len(graph) < FEW else simulated_apart
    for finished in run(graph, replace(request, strategies=tuple(missing)), tell):
        save(directory, mark, finished)
        results[finished.result.strategy] = finished
    return [finished for finished in results.values() if finished is not None]


def simulated_apart(graph: Graph, request: SimulationRequest, tell: Tell) -> Iterator[Finished]:
    """Simulate each strategy in a process of its own, some at a time."""
    texts, at_a_time = request.strategies, cores(request.jobs)
    for begin in range(0, len(texts), at_a_time):
        part = replace(request, strategies=texts[begin : begin + at_a_time])

        def show(what: str, done: int, total: int, begin: int = begin) -> None:
            tell(f"{what}: {begin + done} of {len(texts)} done")

        yield from simulate_all(part, show)


def simulated_here(graph: Graph, request: SimulationRequest, tell: Tell) -> Iterator[Finished]:
    """Simulate the strategies one after the other in this process."""
    for done, text in enumerate(request.strategies):
        tell(f"simulating {text}: {done} of {len(request.strategies)} done")
        yield simulate_one(graph, strategy_of(text, graph), text, request.plan)


# Finished simulations on disk.


class _SavedSimulation(msgspec.Struct, frozen=True):
    version: str
    web: str
    result: StrategyResult
    relevant_pages: int
    pages: list[int]
    relevant: list[int]


def save(directory: Path, web: str, finished: Finished) -> None:
    """Write a finished simulation of the web with this mark; the file gets its name when it is complete."""
    trace = finished.trace
    pages, relevant = trace.pages.tolist(), trace.relevant.tolist()
    content = _SavedSimulation(__version__, web, finished.result, trace.relevant_pages, pages, relevant)
    with disk_errors(directory):
        directory.mkdir(exist_ok=True)
        with replacing(_path(directory, finished.result.strategy)) as draft:
            draft.write_bytes(msgspec.json.encode(content))


def saved(directory: Path, web: str, strategy: str) -> Finished | None:
    """The finished simulation of a strategy; None if there is no readable one of this web."""
    try:
        found = msgspec.json.decode(_path(directory, strategy).read_bytes(), type=_SavedSimulation)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if (found.version, found.web, found.result.strategy) != (__version__, web, strategy):
        return None
    if not found.pages or len(found.pages) != len(found.relevant):
        return None
    trace = Trace(
        strategy=strategy,
        is_oracle=found.result.is_oracle,
        relevant_pages=found.relevant_pages,
        pages=np.array(found.pages, dtype=np.int64),
        relevant=np.array(found.relevant, dtype=np.int64),
        hours=None,
    )
    return Finished(found.result, trace)


def _path(directory: Path, strategy: str) -> Path:
    return directory / f"{re.sub(r'[^A-Za-z0-9]+', '-', strategy).strip('-')}.json"
