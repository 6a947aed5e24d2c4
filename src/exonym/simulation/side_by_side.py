"""Simulates several strategies over one graph, each in a process of its own.

So each has its own peak of memory, and a machine's cores are used as far as its memory goes. Ctrl-C is for the parent
alone, which ends the others.
"""

import copy
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError, ExonymError, ProcessError
from exonym.progress import Progress, no_progress
from exonym.simulation.measuring import Cost, Setting, finished
from exonym.simulation.own_strategy import check_parts, make_own, own_of, told
from exonym.simulation.plan import Plan
from exonym.simulation.results import Finished
from exonym.strategies import is_oracle
from exonym.strategies.base import Strategy
from exonym.system.processes import leave_with_parent, without_interrupts
from exonym.webgraph import Graph

EVERYTHING = Plan()

_TOLD_SECONDS = 0.3
_BYTES_A_NODE = 100  # of private memory, roughly: what the engine, the visits and the measuring take


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """What to simulate."""

    graph: Path
    strategies: tuple[str, ...]  # `lswc:S=1,T=1`, or `mine.py:Mine`
    plan: Plan = EVERYTHING
    jobs: int = 0  # simulations at a time; 0: as many as cores and memory allow


class SimulationProgress(NamedTuple):
    """How far simulations have come: how many are done, and the visits of those that run."""

    done: int
    running: dict[str, int]
    links_read: float = 0.0  # the share of them, before any simulation begins


ShowSimulations = Callable[[SimulationProgress], None]


def strategy_of(text: str, graph: Graph) -> Strategy:
    """The strategy that a text names: one of ours, or a class in a file."""
    own = own_of(text)
    if own:
        return make_own(own)
    from exonym.strategies.by_name import strategy_from

    return strategy_from(text, " ".join(graph.manifest.languages))


def checked(request: SimulationRequest) -> Graph:
    """The graph, after a look at all that could be wrong with the request before time is spent."""
    graph = Graph.open(request.graph)
    for text in request.strategies:
        strategy_of(text, graph)
    if not len(request.plan.seeds or graph.seeds):
        raise ConfigError(f"{request.graph} has no seeds. Name pages to begin with: --seeds URL")
    return graph


def simulate_all(request: SimulationRequest, show: ShowSimulations = lambda come: None) -> list[Finished]:
    """Each strategy's result and trace, in the order asked for."""
    from exonym.simulation.shared_readings import shared_readings

    graph = checked(request)
    texts = list(dict.fromkeys(request.strategies))
    jobs = min(request.jobs or _room(len(graph)), len(texts))
    strategies = {text: strategy_of(text, graph) for text in texts if own_of(text) is None}
    done: dict[str, Finished] = {}
    with shared_readings(
        graph, strategies, request.plan, lambda share: show(SimulationProgress(0, {}, share))
    ) as readings:
        for text, one in _Processes(request, texts, readings).finished(jobs, show):
            done[text] = one
    return [done[text] for text in texts]


def simulate_here(
    graph: Graph,
    given: Mapping[str, str | Strategy | type[Strategy]],
    plan: Plan = EVERYTHING,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> list[Finished]:
    """Strategies under labels, in their order: classes and objects in this process, those given by name too if `jobs`
    is 1, else in processes of their own.
    """
    named = {label: one for label, one in given.items() if isinstance(one, str)}
    for text in named.values():
        strategy_of(text, graph)  # a mistake in a name shows before time is spent
    done: dict[str, Finished] = {}
    if jobs != 1 and named:
        request = SimulationRequest(graph.directory, tuple(named.values()), plan, jobs)
        found = simulate_all(request, lambda now: progress("strategies simulated", now.done, len(given)))
        by_text = {one.result.strategy: one for one in found}
        done = {label: _labelled(by_text[text], label) for label, text in named.items()}
    for label, one in given.items():
        if label not in done:
            strategy = strategy_of(one, graph) if isinstance(one, str) else _own_copy(one, label)

            def tell(visits: int, label: str = label) -> None:
                progress(f"{label}: {visits:,} visits; strategies simulated", len(done), len(given))

            done[label] = simulate_one(graph, strategy, label, plan, tell)
    return [done[label] for label in given]


def _own_copy(given: Strategy | type[Strategy], label: str) -> Strategy:
    """A strategy of the caller's that has learned nothing yet, whatever the caller's own object is used for."""
    strategy = given() if isinstance(given, type) else copy.deepcopy(given)
    check_parts(strategy, label)
    return strategy


def _labelled(found: Finished, label: str) -> Finished:
    return Finished(replace(found.result, strategy=label), replace(found.trace, strategy=label))


def simulate_one(
    graph: Graph,
    strategy: Strategy,
    label: str,
    plan: Plan,
    tell: Callable[[int], None] = lambda visits: None,
    readings: Path | None = None,
) -> Finished:
    """Simulate one strategy in this process, and measure it; `readings` are links that were read before."""
    import numpy as np

    from exonym.simulation.engine.loop import Simulation
    from exonym.simulation.engine.warm_up import warm_up

    warm_up()
    _forget_peak()
    begun = time.perf_counter()
    simulation = Simulation(graph, strategy, plan)
    if readings is not None:
        simulation.use_readings(np.load(readings, mmap_mode="r"))
    run = simulation.run(tell)
    cost = Cost(time.perf_counter() - begun, _peak_bytes() / 1e6)
    return finished(run, Setting(label, is_oracle(strategy), graph, plan), cost)


def _room(nodes: int) -> int:
    """How many simulations the machine's cores and memory take at a time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _free_bytes() // max(1, nodes * _BYTES_A_NODE)))


def _free_bytes() -> int:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return 4 << 30


class _Process:
    """The process of one strategy."""

    def __init__(self, context: SpawnContext, request: SimulationRequest, text: str, readings: Path | None) -> None:
        self.text, self.visits = text, 0
        self.link, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(theirs, request, text, readings), daemon=True)
        with without_interrupts():
            self.process.start()
        theirs.close()

    def answer(self) -> Finished | None:
        """What it said last: that it is finished, or None if it only told how far it is."""
        try:
            said = self.link.recv()
        except (EOFError, OSError):
            self.process.join()
            raise ProcessError(
                f"the process that simulated {self.text} was ended from outside (exit code {self.process.exitcode}), "
                "perhaps for want of memory. Try again with --jobs 1."
            ) from None
        if isinstance(said, Exception):
            raise said
        if isinstance(said, int):
            self.visits = said
            return None
        return said if isinstance(said, Finished) else None

    def end(self) -> None:
        """End it if it is not gone."""
        self.process.kill()
        self.process.join()
        self.link.close()


class _Processes:
    """Some processes at a time, until every strategy was simulated."""

    def __init__(self, request: SimulationRequest, texts: list[str], readings: dict[str, Path]) -> None:
        self._request, self._readings = request, readings
        self._left = deque(texts)
        self._running: list[_Process] = []
        self._context = multiprocessing.get_context("spawn")
        self._done = 0

    def finished(self, jobs: int, show: ShowSimulations) -> Iterator[tuple[str, Finished]]:
        """Strategies with their results, as soon as they are there."""
        try:
            while self._left or self._running:
                while self._left and len(self._running) < jobs:
                    text = self._left.popleft()
                    self._running.append(_Process(self._context, self._request, text, self._readings.get(text)))
                yield from self._answers()
                show(SimulationProgress(self._done, {one.text: one.visits for one in self._running}))
        finally:
            for one in self._running:
                one.end()

    def _answers(self) -> Iterator[tuple[str, Finished]]:
        ready = wait([one.link for one in self._running], _TOLD_SECONDS)
        for one in [one for one in self._running if one.link in ready]:
            found = one.answer()
            if found is not None:
                one.end()
                self._running.remove(one)
                self._done += 1
                yield one.text, found


# In the process of a strategy


def _work(link: Connection, request: SimulationRequest, text: str, readings: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # libraries' threads may have let it in
    leave_with_parent()
    os.dup2(2, 1)  # what a strategy prints must not get among results
    with suppress(BrokenPipeError):
        link.send(_answer(link, request, text, readings))


def _answer(link: Connection, request: SimulationRequest, text: str, readings: Path | None) -> Finished | Exception:
    try:
        return _simulated(request, text, readings, _teller(link))
    except ExonymError as error:
        return error
    except MemoryError:
        return ConfigError(f"{text} does not fit into memory. Try again with --jobs 1, or on a smaller graph.")
    except Exception as error:
        if os.environ.get("EXONYM_DEBUG", "0") not in ("", "0"):
            traceback.print_exc()
        return RuntimeError(f"{text}: {type(error).__name__}: {error}")  # any exception can be sent so


def _teller(link: Connection) -> Callable[[int], None]:
    """Tells the parent how far it is, now and then."""
    last = time.monotonic()

    def tell(visits: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TOLD_SECONDS:
            last = now
            link.send(visits)

    return tell


def _simulated(request: SimulationRequest, text: str, readings: Path | None, tell: Callable[[int], None]) -> Finished:
    graph = Graph.open(request.graph)
    own = own_of(text)
    strategy = strategy_of(text, graph)
    with told(own) if own else nullcontext():
        return simulate_one(graph, strategy, text, request.plan, tell, readings)


def _forget_peak() -> None:
    """Compiling takes more memory than many a simulation, and is not what is asked."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_bytes() -> int:
    """The most memory this process has had, pages of the mapped graph included."""
    try:
        # Linux counts into ru_maxrss what the parent had when it began this process.
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
