"""Simulations of an experiment: each is kept as soon as it is finished, and used again."""

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from exonym.experiments.kept import keep, kept
from exonym.experiments.webs import Tell
from exonym.simulation.results import Cost, Finished, Setting, finished
from exonym.simulation.side_by_side import Come, Request, simulate_all, strategy_of
from exonym.strategies import is_oracle
from exonym.webgraph import Graph

FEW = 1_000_000  # nodes: below that, starting a process takes longer than simulating
_DIGESTED = ("targets", "relevant", "seeds")


def simulated(directory: Path, graph: Graph, request: Request, tell: Tell) -> list[Finished]:
    """Every strategy's result in the order asked for; each is kept in `directory` as soon as it is there."""
    mark = mark_of(graph, request)
    found = {text: kept(directory, mark, text) for text in request.strategies}
    missing = [text for text, one in found.items() if one is None]
    run = simulated_here if len(graph) < FEW else simulated_apart
    for one in run(graph, replace(request, strategies=tuple(missing)), tell):
        keep(directory, mark, one)
        found[one.result.strategy] = one
    return [one for one in found.values() if one is not None]


def simulated_apart(graph: Graph, request: Request, tell: Tell) -> Iterator[Finished]:
    """Each in a process of its own, some at a time."""
    texts, at_a_time = request.strategies, request.jobs or os.cpu_count() or 1
    for begin in range(0, len(texts), at_a_time):
        part = replace(request, strategies=texts[begin : begin + at_a_time])
        yield from simulate_all(part, _shown(tell, begin, texts))


def simulated_here(graph: Graph, request: Request, tell: Tell) -> Iterator[Finished]:
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


def mark_of(graph: Graph, request: Request) -> str:
    """Tells a web, and the way it is simulated, from others."""
    digests = [graph.manifest.columns[name].digest for name in _DIGESTED]
    return " ".join([*digests, str(request.plan)])


def _shown(tell: Tell, done: int, texts: Sequence[str]) -> Callable[[Come], None]:
    def show(come: Come) -> None:
        running = ", ".join(f"{text} {visits:,}" for text, visits in come.running.items())
        tell(f"simulated {done + come.done} of {len(texts)}; visits so far: {running}")

    return show


def _peak_mb() -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
