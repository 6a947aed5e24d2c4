"""Simulates several strategies on one graph, each in a separate process.

So the peak memory of each can be measured, and all cores are used if memory allows. The pool of
`system.processes` does not fit: here a process reports visits while it runs, is never used twice, and is killed when
another one fails or Ctrl-C is pressed, which only the parent handles. On a small graph, strategies that ship with
Exonym are simulated in this process, before a separate one would have started.
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
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from pathlib import Path

from exonym.errors import ConfigError, ExonymError, ProcessError
from exonym.progress import Progress, no_progress
from exonym.simulation.measuring import Cost, Setting, finished
from exonym.simulation.own_strategy import check_parts, errors_of, make_own, own_of
from exonym.simulation.plan import Plan
from exonym.simulation.results import Finished
from exonym.strategies import is_oracle
from exonym.strategies.base import Strategy
from exonym.system.processes import TaskNeeds, TaskRunner, cores, leave_with_parent, without_interrupts
from exonym.webgraph import Graph

EVERYTHING = Plan()

_REPORT_SECONDS = 0.3
_BYTES_A_NODE = 100  # private memory of engine, visits and measuring, roughly
_FEW = 100_000  # nodes: with fewer, starting a process takes longer than simulating


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """What to simulate."""

    graph: Path
    strategies: tuple[str, ...]  # `lswc:S=1,T=1`, or `mine.py:Mine`
    plan: Plan = EVERYTHING
    jobs: int = 0  # simulations at a time; 0: as many as cores and memory allow, without processes where it is sooner


def strategy_of(text: str, graph: Graph) -> Strategy:
    """The strategy that a text names: one that ships with Exonym, or a class in a file."""
    own = own_of(text)
    if own:
        return make_own(own)
    from exonym.strategies.by_name import strategy_from

    return strategy_from(text, " ".join(graph.manifest.languages))


def checked(request: SimulationRequest) -> Graph:
    """The graph of a request; raises if the request is wrong, before time is spent on simulations."""
    graph = Graph.open(request.graph)
    for text in request.strategies:
        strategy_of(text, graph)
    if not len(request.plan.seeds or graph.seeds):
        raise ConfigError(f"{request.graph} has no seeds. Name pages to begin with: --seeds URL")
    return graph


def simulate_all(
    request: SimulationRequest, progress: Progress = no_progress, runner: TaskRunner | None = None
) -> list[Finished]:
    """The result and trace of each strategy, in their order; progress counts strategies, and names those running.

    A runner simulates each on some machine, which must have graph, models and own files at the same paths.
    """
    from exonym.simulation.engine.warm_up import is_cold, warm_up
    from exonym.simulation.shared_readings import shared_readings

    graph = checked(request)
    texts = list(dict.fromkeys(request.strategies))
    if runner:
        if is_cold():  # machines that share this directory need not compile
            warm_up(progress)
        return _by_runner(runner, request, texts, len(graph), progress)
    strategies = {text: strategy_of(text, graph) for text in texts if own_of(text) is None}
    apart = [text for text in texts if request.jobs or len(graph) >= _FEW or text not in strategies]
    jobs = min(request.jobs or _jobs_that_fit(len(graph)), len(apart))
    if is_cold():  # processes that start together would each compile for themselves, and tell nobody
        warm_up(progress)
    finished: dict[str, Finished] = {}
    with shared_readings(graph, strategies, request.plan, progress) as readings:
        for text in [text for text in texts if text not in apart]:
            progress(f"simulating {text}", len(finished), len(texts))
            finished[text] = simulate_one(graph, strategies[text], text, request.plan, readings=readings.get(text))
        finished |= _in_processes(request, apart, readings, jobs, progress)
    return [finished[text] for text in texts]


def simulate_here(
    graph: Graph,
    strategies: Mapping[str, str | Strategy | type[Strategy]],
    plan: Plan = EVERYTHING,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> list[Finished]:
    """The results of strategies by label, in their order.

    Classes and objects are simulated in this process; strategies given by name too if `jobs` is 1, else in one process
    each.
    """
    texts = {label: strategy for label, strategy in strategies.items() if isinstance(strategy, str)}
    for text in texts.values():
        strategy_of(text, graph)  # a mistake in a name shows before time is spent
    done: dict[str, Finished] = {}
    if jobs != 1 and texts:
        request = SimulationRequest(graph.directory, tuple(texts.values()), plan, jobs)
        by_text = {finished.result.strategy: finished for finished in simulate_all(request, progress)}
        for label, text in texts.items():
            result, trace = by_text[text]
            done[label] = Finished(replace(result, strategy=label), replace(trace, strategy=label))
    for label, given in strategies.items():
        if label in done:
            continue
        if isinstance(given, str):
            strategy = strategy_of(given, graph)
        else:  # a copy, so that learning does not change the caller's object
            strategy = given() if isinstance(given, type) else copy.deepcopy(given)
            check_parts(strategy, label)

        def show(what: str, visits: int, budget: int, label: str = label) -> None:
            progress(f"simulating {label} {visits:,} visits", len(done), len(strategies))

        done[label] = simulate_one(graph, strategy, label, plan, show)
    return [done[label] for label in strategies]


def simulate_one(
    graph: Graph,
    strategy: Strategy,
    label: str,
    plan: Plan,
    progress: Progress = no_progress,
    readings: Path | None = None,
) -> Finished:
    """Simulate one strategy in this process, and measure it; `readings` is a file of link readings."""
    import numpy as np

    from exonym.simulation.engine.loop import Simulation
    from exonym.simulation.engine.warm_up import warm_up

    warm_up(progress)
    # Reset the peak of memory: compiling takes more than many simulations, and must not count.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    begun = time.perf_counter()
    simulation = Simulation(graph, strategy, plan)
    if readings is not None:
        simulation.use_readings(np.load(readings, mmap_mode="r"))
    else:
        simulation.prepare(progress)
    run = simulation.run(progress)
    cost = Cost(time.perf_counter() - begun, _peak_bytes() / 1e6)
    return finished(run, Setting(label, is_oracle(strategy), graph, plan), cost)


def _peak_bytes() -> int:
    """The peak of this process's memory, mapped pages of the graph included."""
    # In ru_maxrss, Linux includes what the parent had when it started this process.
    unit = 1 if sys.platform == "darwin" else 1024
    return _bytes_in("/proc/self/status", "VmHWM:") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _jobs_that_fit(nodes: int) -> int:
    """How many simulations at a time the machine has cores and memory for."""
    free = _bytes_in("/proc/meminfo", "MemAvailable:") or 4 << 30
    return max(1, min(cores(), free // max(1, nodes * _BYTES_A_NODE)))


def _bytes_in(path: str, name: str) -> int:
    """The size that a file of /proc has after `name`; 0 where there is none, as on macOS."""
    with suppress(OSError):
        for line in Path(path).read_text(encoding="ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    return 0


class _Process:
    """The process of one strategy."""

    def __init__(self, context: SpawnContext, request: SimulationRequest, text: str, readings: Path | None) -> None:
        self.text, self.visits = text, 0
        self.pipe, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(theirs, request, text, readings), daemon=True)
        with without_interrupts():
            self.process.start()
        theirs.close()

    def receive(self) -> Finished | None:
        """Receive a message: the result, or None after a number of visits; raises the error of the simulation."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            raise ProcessError(
                f"the process that simulated {self.text} was ended from outside (exit code {self.process.exitcode}), "
                "perhaps because memory ran out. Try again with --jobs 1."
            ) from None
        if isinstance(message, Exception):
            raise message
        if isinstance(message, int):
            self.visits = message
        return message if isinstance(message, Finished) else None

    def end(self) -> None:
        """Kill the process, if it still runs."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _in_processes(
    request: SimulationRequest, texts: list[str], readings: dict[str, Path], jobs: int, progress: Progress
) -> Iterator[tuple[str, Finished]]:
    """Each strategy with its result when it finishes; at most `jobs` processes run at a time."""
    context, waiting = multiprocessing.get_context("spawn"), deque(texts)
    running: list[_Process] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                text = waiting.popleft()
                running.append(_Process(context, request, text, readings.get(text)))
            ready = wait([process.pipe for process in running], _REPORT_SECONDS)
            for process in [process for process in running if process.pipe in ready]:
                finished = process.receive()
                if finished is not None:
                    process.end()
                    running.remove(process)
                    yield process.text, finished
            visits = ", ".join(f"{each.text} {each.visits:,} visits" if each.visits else each.text for each in running)
            done = len(texts) - len(waiting) - len(running)
            progress(f"simulating {visits}" if visits else "simulating", done, len(texts))
    finally:
        for process in running:
            process.end()


def _by_runner(
    runner: TaskRunner, request: SimulationRequest, texts: list[str], nodes: int, progress: Progress
) -> list[Finished]:
    files = [own.file.absolute() for own in map(own_of, texts) if own]
    needs = TaskNeeds((request.graph.absolute(), *files), nodes * _BYTES_A_NODE, own_process=True)
    finished: dict[str, Finished] = {}
    progress(f"simulating {', '.join(texts)}", 0, len(texts))
    with closing(runner.done(_simulate_text, request, texts, needs)) as results:
        for text, result in results:
            finished[text] = result
            left = ", ".join(other for other in texts if other not in finished)
            progress(f"simulating {left}", len(finished), len(texts))
    return [finished[text] for text in texts]


# In the process of a strategy


def _simulate_text(
    request: SimulationRequest, text: str, progress: Progress = no_progress, readings: Path | None = None
) -> tuple[str, Finished]:
    graph, own = Graph.open(request.graph), own_of(text)
    strategy = strategy_of(text, graph)
    with errors_of(own) if own else nullcontext():
        return text, simulate_one(graph, strategy, text, request.plan, progress, readings)


def _work(pipe: Connection, request: SimulationRequest, text: str, readings: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # threads of libraries may have unblocked it
    leave_with_parent()
    os.dup2(2, 1)  # stdout is for results: what a strategy prints goes to stderr
    with suppress(BrokenPipeError):
        pipe.send(_result_or_error(pipe, request, text, readings))


def _result_or_error(
    pipe: Connection, request: SimulationRequest, text: str, readings: Path | None
) -> Finished | Exception:
    last = time.monotonic()

    def send_visits(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_SECONDS:
            last = now
            pipe.send(done)

    try:
        return _simulate_text(request, text, send_visits, readings)[1]
    except ExonymError as error:
        return error
    except MemoryError:
        return ConfigError(f"{text} does not fit into memory. Try again with --jobs 1, or on a smaller graph.")
    except Exception as error:
        if os.environ.get("EXONYM_DEBUG", "0") not in ("", "0"):
            traceback.print_exc()
        return RuntimeError(f"{text}: {type(error).__name__}: {error}")  # not every exception can be pickled
