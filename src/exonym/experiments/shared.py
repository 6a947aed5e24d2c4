"""Simulations of an experiment: each is kept as soon as it is finished, and used again."""

import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exonym.errors import DirectoryError
from exonym.progress import Tell
from exonym.simulation.measuring import Cost, Setting, finished
from exonym.simulation.results import Finished, StrategyResult
from exonym.simulation.side_by_side import SimulationProgress, SimulationRequest, simulate_all, strategy_of
from exonym.simulation.traces import Trace
from exonym.strategies import is_oracle
from exonym.system.files import disk_errors
from exonym.version import __version__
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import MADE_BY, Order, generate
from exonym.webgraph.manifest import MANIFEST

# The directory of an experiment: what was asked for stands in it, so that the same command goes on and no other does.
#
# experiment.json is written first; a directory with other things in it is never touched.

FORMAT = "exonym-experiment"
FACTS = "experiment.json"
_DRAFT = FACTS + ".partial"


def take_directory(directory: Path, name: str, settings: dict[str, Any]) -> None:
    """Make `directory` the place of this experiment, or go on with it there; refuse what is not ours or differs."""
    facts = {"format": FORMAT, "experiment": name, "settings": settings, "version": __version__}
    with disk_errors(directory):
        if not directory.exists() or (directory.is_dir() and {path.name for path in directory.iterdir()} <= {_DRAFT}):
            directory.mkdir(parents=True, exist_ok=True)
            _write(directory / FACTS, facts)
            return
    found = _facts_in(directory)
    if found.get("format") != FORMAT:
        raise DirectoryError(f"{directory} holds something else. Name another directory with -o; nothing was written.")
    if found != facts:
        asked = ", ".join(f"{key} {value}" for key, value in _changes(found, facts).items())
        raise DirectoryError(f"{directory} holds another experiment: {asked}. Name another directory with -o.")


def _facts_in(directory: Path) -> dict[str, Any]:
    try:
        found = json.loads((directory / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _changes(found: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """What it holds that differs from what is asked for."""
    flat = [{**facts, **_settings(facts)} for facts in (found, asked)]
    names = [key for key in flat[1] if key != "settings" and flat[0].get(key) != flat[1][key]]
    return {key: str(flat[0].get(key))[:60] for key in names} or {"settings": str(found.get("settings"))[:60]}


def _settings(facts: dict[str, Any]) -> dict[str, Any]:
    settings = facts.get("settings")
    return settings if isinstance(settings, dict) else {}


def _write(path: Path, facts: dict[str, Any]) -> None:
    draft = path.with_name(_DRAFT)
    draft.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)


# Finished simulations on disk, so that an experiment that was stopped does not begin anew.


class _Kept(msgspec.Struct, frozen=True):
    version: str
    web: str
    result: StrategyResult
    relevant_pages: int
    pages: list[int]
    relevant: list[int]


def keep(directory: Path, web: str, one: Finished) -> None:
    """Write a finished simulation of the web with this mark; it has its name when it is whole."""
    trace = one.trace
    pages, relevant = trace.pages.tolist(), trace.relevant.tolist()
    kept = _Kept(__version__, web, one.result, trace.relevant_pages, pages, relevant)
    path = _path(directory, one.result.strategy)
    draft = path.with_suffix(".partial")
    with disk_errors(directory):
        directory.mkdir(exist_ok=True)
        draft.write_bytes(msgspec.json.encode(kept))
        draft.replace(path)


def kept(directory: Path, web: str, strategy: str) -> Finished | None:
    """The finished simulation of a strategy; None if there is none, or of another web, or it cannot be read."""
    try:
        found = msgspec.json.decode(_path(directory, strategy).read_bytes(), type=_Kept)
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


# The webs of experiments: made once, then used again.


def web_at(directory: Path, order: Order, tell: Tell) -> Graph:
    """The web that was ordered: the one in `directory` if it is that, else a new one."""
    if not (directory / MANIFEST).exists():
        generate(directory, order, lambda doing: tell(f"{order.profile_name} web: {doing}"))
    graph = Graph.open(directory)
    if graph.manifest.provenance.get("made_by") != MADE_BY or not _is_as_ordered(graph.manifest.provenance, order):
        raise DirectoryError(f"{directory} is not the web that is asked for. Remove it, and it is made anew.")
    return graph


def _is_as_ordered(provenance: dict[str, Any], order: Order) -> bool:
    asked = (order.profile_name, order.seed, order.pages, msgspec.json.decode(msgspec.json.encode(order.profile)))
    return tuple(provenance.get(key) for key in ("profile", "seed", "pages", "parameters")) == asked


FEW = 1_000_000  # nodes: below that, starting a process takes longer than simulating
_DIGESTED = ("targets", "relevant", "seeds")


def simulated(directory: Path, graph: Graph, request: SimulationRequest, tell: Tell) -> list[Finished]:
    """Every strategy's result in the order asked for; each is kept in `directory` as soon as it is there."""
    mark = mark_of(graph, request)
    found = {text: kept(directory, mark, text) for text in request.strategies}
    missing = [text for text, one in found.items() if one is None]
    run = simulated_here if len(graph) < FEW else simulated_apart
    for one in run(graph, replace(request, strategies=tuple(missing)), tell):
        keep(directory, mark, one)
        found[one.result.strategy] = one
    return [one for one in found.values() if one is not None]


def simulated_apart(graph: Graph, request: SimulationRequest, tell: Tell) -> Iterator[Finished]:
    """Each in a process of its own, some at a time."""
    texts, at_a_time = request.strategies, request.jobs or os.cpu_count() or 1
    for begin in range(0, len(texts), at_a_time):
        part = replace(request, strategies=texts[begin : begin + at_a_time])
        yield from simulate_all(part, _shown(tell, begin, texts))


def simulated_here(graph: Graph, request: SimulationRequest, tell: Tell) -> Iterator[Finished]:
    """One after the other in this process."""
    from exonym.simulation.engine.loop import simulate
    from exonym.simulation.engine.warm_up import warm_up

    if request.strategies:
        tell("getting ready (the first time it is compiled)")
        warm_up()
    for done, text in enumerate(request.strategies):
        tell(f"simulated {done} of {len(request.strategies)}; now {text}")
        strategy = strategy_of(text, graph)
        begun = time.perf_counter()
        run = simulate(graph, strategy, request.plan)
        cost = Cost(time.perf_counter() - begun, _peak_mb())
        yield finished(run, Setting(text, is_oracle(strategy), graph, request.plan), cost)


def mark_of(graph: Graph, request: SimulationRequest) -> str:
    """Tells a web, and the way it is simulated, from others."""
    digests = [graph.manifest.columns[name].digest for name in _DIGESTED]
    return " ".join([*digests, str(request.plan)])


def _shown(tell: Tell, done: int, texts: Sequence[str]) -> Callable[[SimulationProgress], None]:
    def show(come: SimulationProgress) -> None:
        running = ", ".join(f"{text} {visits:,}" for text, visits in come.running.items())
        tell(f"simulated {done + come.done} of {len(texts)}; visits so far: {running}")

    return show


def _peak_mb() -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
