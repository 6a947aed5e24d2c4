"""The experiment: every web is generated, crawled by all strategies, and removed; what was measured is kept."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from exonym.errors import ConfigError
from exonym.experiments.adaptive.crawls import STRATEGIES, WebFigures, crawls_of_graph, crawls_of_web
from exonym.experiments.adaptive.goals import goal_on_real, goals_on, goals_table, goals_text
from exonym.experiments.adaptive.tables import (
    ablation_table,
    areas_table,
    conditions_table,
    estimates_table,
    stops_table,
    strategies_table,
)
from exonym.experiments.adaptive.webs import DEVELOPMENT, FAMILIES, HELD_OUT, SEED_NUMBERS, WebName, check_apart
from exonym.experiments.directory import take_directory, web_at
from exonym.models.prior_file import load_prior
from exonym.progress import Tell
from exonym.report.findings import Findings, write_findings
from exonym.simulation.engine.warm_up import warm_up
from exonym.system.files import disk_errors, replacing
from exonym.system.processes import cores, done_with_shared_data
from exonym.version import __version__
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import MADE_BY

NAME = "adaptive"
PAGES = 200_000
REAL = "real"
_DIGESTED = ("targets", "relevant", "seeds")


@dataclass(frozen=True, slots=True)
class AdaptiveRequest:
    """Which webs to crawl, and the directory to write to."""

    directory: Path
    pages: int = PAGES  # of each web
    webs: int = 0  # seed numbers of each family, in each group; 0: all
    only: tuple[str, ...] = FAMILIES
    held_out: bool = True
    graphs: tuple[Path, ...] = ()  # real ones
    jobs: int = 0
    command: str = ""

    def __post_init__(self) -> None:
        for family in self.only:
            if family not in FAMILIES:
                raise ConfigError(f"--only must be one of {', '.join(FAMILIES)}, got {family[:60]!r}.")
        for web in self.webs_to_make:
            web.order(self.pages, self.command)  # raises if there is no such web
        if len({graph.name for graph in self.graphs}) < len(self.graphs):
            raise ConfigError("--graph must name directories whose last parts differ, as results are told apart by it.")

    @property
    def groups(self) -> dict[str, list[WebName]]:
        """The generated webs of each group."""
        chosen = {name: numbers for name, numbers in SEED_NUMBERS.items() if self.held_out or name != HELD_OUT}
        return {
            name: [WebName(family, seed) for family in self.only for seed in numbers[: self.webs or None]]
            for name, numbers in chosen.items()
        }

    @property
    def webs_to_make(self) -> list[WebName]:
        """The generated webs of all groups."""
        return [web for webs in self.groups.values() for web in webs]


class _Place(NamedTuple):
    """What processes share: where webs and results are, and the size of webs."""

    directory: Path
    pages: int
    command: str


class _SavedFigures(msgspec.Struct, frozen=True):
    mark: str  # identifies the web, and the version that crawled it
    figures: WebFigures


def run_adaptive(request: AdaptiveRequest, tell: Tell) -> Findings:
    """Crawl all webs, judge the goals on each group apart, and write the results."""
    check_apart(load_prior())
    for graph in request.graphs:
        Graph.open(graph).check_numbers()
    take_directory(request.directory, NAME, {"pages": request.pages})
    tell("compiling")
    warm_up()
    place = _Place(request.directory, request.pages, request.command)
    tasks: list[WebName | Path] = [*request.webs_to_make, *request.graphs]
    found: dict[WebName | Path, WebFigures] = {}
    jobs = min(cores(request.jobs), len(tasks))
    tell(f"crawling: 0 of {len(tasks)} webs done")
    for task, figures in done_with_shared_data(_crawled, place, tasks, jobs):
        found[task] = figures
        tell(f"crawling: {len(found)} of {len(tasks)} webs done")
    groups = {name: [found[web] for web in webs] for name, webs in request.groups.items()}
    real = [found[path] for path in request.graphs]
    tell("writing figures and pages")
    findings = _findings(request, groups, real)
    write_findings(request.directory, findings)
    return findings


def _crawled(place: _Place, task: WebName | Path) -> tuple[WebName | Path, WebFigures]:
    """The figures of a web: those that were saved, or new ones."""
    if isinstance(task, Path):
        graph = Graph.open(task)
        mark = " ".join([__version__, *(graph.manifest.columns[name].digest for name in _DIGESTED)])
        file = _file(place, f"{REAL}-{task.name}")
        return task, _saved(file, mark) or _save(file, mark, crawls_of_graph(graph, task.name, 0, _quiet))
    mark, file = f"{MADE_BY} {place.pages}", _file(place, f"{task.family}-{task.seed}")
    if (figures := _saved(file, mark)) is not None:
        return task, figures
    directory = place.directory / "webs" / file.stem
    with disk_errors(directory):
        directory.parent.mkdir(exist_ok=True)
    # A web takes seconds to make and much more room than what is measured on it.
    graph = web_at(directory, task.order(place.pages, place.command), _quiet)
    figures = _save(file, mark, crawls_of_web(graph, task.family, task.seed, _quiet))
    shutil.rmtree(directory)
    return task, figures


def _quiet(doing: str) -> None:
    """Processes tell nothing: one line shows them all."""


def _file(place: _Place, name: str) -> Path:
    return place.directory / "runs" / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.json"


def _saved(file: Path, mark: str) -> WebFigures | None:
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_SavedFigures)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found.figures if found.mark == mark else None


def _save(file: Path, mark: str, figures: WebFigures) -> WebFigures:
    with disk_errors(file):
        file.parent.mkdir(exist_ok=True)
        with replacing(file) as draft:
            draft.write_bytes(msgspec.json.encode(_SavedFigures(mark, figures)))
    return figures


def _findings(request: AdaptiveRequest, groups: dict[str, list[WebFigures]], real: list[WebFigures]) -> Findings:
    goals = {name: goals_on(webs) for name, webs in groups.items()}
    if real:
        goals[REAL] = [goal_on_real(real)]
    notes = {name: _note(request, name) for name in goals}
    captions = {name: f"Goals: {name}" for name in goals}
    names = {name: f"goals_{name.replace(' ', '_')}" for name in goals}
    tables = [goals_table(names[name], captions[name], goals[name], notes[name]) for name in reversed(goals)]
    texts = {names[name]: goals_text(captions[name], goals[name], notes[name]) for name in goals}
    for name in reversed(groups):  # held out first
        makers = (areas_table, conditions_table, stops_table, estimates_table, ablation_table, strategies_table)
        tables += [make(name, groups[name]) for make in makers]
    if real:
        tables += [areas_table(REAL, real), strategies_table(REAL, real)]
    webs = {**groups, **({REAL: real} if real else {})}
    document: dict[str, Any] = {
        "experiment": NAME,
        "pages": request.pages,
        "command": request.command,
        "strategies": list(STRATEGIES),
        "goals": {name: [goal.values() for goal in found] for name, found in goals.items()},
        "webs": {name: msgspec.to_builtins(each) for name, each in webs.items()},
    }
    title = f"{NAME}: the adaptive strategy against the rules, {request.pages:,} pages a web"
    return Findings(title, tuple(tables), document, texts)


def _note(request: AdaptiveRequest, group: str) -> str:
    numbers = SEED_NUMBERS.get(group, ())[: request.webs or None]
    told = f" Webs with the seed numbers {', '.join(map(str, numbers))}." if numbers else ""
    return f"{_NOTES[group]}{told} Made by: {request.command} (k at most R/1000)."


_NOTES = {
    DEVELOPMENT: "Choices were made on webs like these: reached here shows little.",
    HELD_OUT: "Nothing was chosen or learned on these webs; the prior has seen other webs of some of these families.",
    REAL: "R is what can be reached from the seeds.",
}
