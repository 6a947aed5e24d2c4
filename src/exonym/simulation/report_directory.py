"""The directory of a report on simulations: figures, table, traces, page. It gets its name when it is complete."""

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from exonym.errors import DirectoryError
from exonym.report.findings import json_text, write_files
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.report_page import html_of
from exonym.simulation.results import Finished, Results
from exonym.simulation.side_by_side import SimulationRequest
from exonym.simulation.traces import traces_parquet
from exonym.system.files import disk_errors
from exonym.version import __version__
from exonym.webgraph import Graph

FORMAT, VERSION = "exonym-results", 1
RESULTS, TABLE, TRACES, PAGE = "results.json", "results.csv", "traces.parquet", "report.html"


@dataclass(frozen=True, slots=True)
class Report:
    """Finished simulations, with all that is needed to run them again."""

    request: SimulationRequest
    finished: tuple[Finished, ...]
    command: str = ""
    title: str = ""

    @property
    def results(self) -> Results:
        """The simulations as results."""
        return Results(self.finished)

    @property
    def conditions(self) -> str:
        """Under which conditions a live crawl keeps what the simulations promise."""
        plan = self.request.plan
        if plan.partitions > 1:
            return (
                f"Time is not simulated: {plan.partitions} partitions fetch {plan.k // plan.partitions} pages each in "
                f"every round, and links to another one are under way for {plan.lag} rounds. "
                + (f"They exchange models every {plan.model_lag} rounds." if plan.model_lag else "They learn as one.")
            )
        if not plan.is_timed:
            return (
                "Time is not simulated: these are crawls with one connection. With many connections a crawl comes near "
                "them if limits.pages is set, or strategy.eagerness is low; --time --connections 100 shows how near."
            )
        if not plan.look_ahead:
            return (
                f"All {plan.connections} connections are kept busy, at the cost of the order: --max-pages, or an "
                "--eagerness below 1, keeps the order instead."
            )
        return (
            f"{plan.connections} connections at most; {plan.look_ahead:,} better links at most are passed over while "
            "their servers are busy (--eagerness)."
        )


def document_of(report: Report) -> dict[str, Any]:
    """The report for JSON. Scripts rely on these names; more may be added, none may be removed."""
    graph = Graph.open(report.request.graph)
    manifest = graph.manifest
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Exonym {__version__}",
        "command": report.command,
        "graph": {
            "directory": str(graph.directory),
            "nodes": manifest.nodes,
            "fetched": manifest.fetched,
            "relevant": relevant_pages_of(graph),
            "links": manifest.links,
            "servers": manifest.servers,
            "languages": manifest.languages,
            "seeds": len(np.unique(graph.seeds)),
            "licence": manifest.licence,
            "provenance": manifest.provenance,
        },
        "conditions": report.conditions,
        "plan": {**asdict(report.request.plan), "seeds": list(report.request.plan.seeds)},
        "results": [result.values() for result in report.results],
    }


def check_target(directory: Path, force: bool = False) -> None:
    """Raise if results must not be written to `directory`: something else is there, or results without `force`."""
    with disk_errors(directory):
        # Simulations take time: check first whether the directory can be made.
        existing = next(path for path in directory.absolute().parents if path.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
            raise DirectoryError(
                f"{existing} is no directory that can be written to. Name another directory for the results."
            )
        if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
            return
    try:
        document = json.loads((directory / RESULTS).read_bytes())
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DirectoryError(f"{directory} exists and holds no results of simulations. Name another directory.")
    if not force:
        raise DirectoryError(f"{directory} holds results already. Name another directory, or replace them by --force.")


def save_report(directory: Path, report: Report, force: bool = False) -> Path:
    """Write everything into `directory`, which gets its name when it is complete; the path of the page."""
    check_target(directory, force)
    results, document = report.results, document_of(report)
    files: dict[str, str | bytes] = {TRACES: traces_parquet([trace for _, trace in report.finished])}
    for name, figure in results.figures.items():
        files |= {f"{name}.svg": figure.svg, f"{name}.png": figure.png}
    files |= {
        TABLE: results.table.csv(),
        PAGE: html_of(report.title, document, results),
        RESULTS: json_text(document),
    }
    directory = directory.absolute()
    draft, old = (directory.with_name(directory.name + ending) for ending in (".partial", ".old"))
    with disk_errors(directory):
        shutil.rmtree(draft, ignore_errors=True)
        try:
            write_files(draft, files)
            # An old report is renamed first: a directory cannot replace another one.
            shutil.rmtree(old, ignore_errors=True)
            if directory.exists():
                os.replace(directory, old)
            os.replace(draft, directory)
            shutil.rmtree(old, ignore_errors=True)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return directory / PAGE
