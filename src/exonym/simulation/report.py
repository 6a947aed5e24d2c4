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
from exonym.simulation.page import html_of
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


def document_of(report: Report) -> dict[str, Any]:
    """The report for JSON. Scripts rely on these names; more may be added, none may go."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Exonym {__version__}",
        "command": report.command,
        "graph": graph_facts(Graph.open(report.request.graph)),
        "plan": {**asdict(report.request.plan), "seeds": list(report.request.plan.seeds)},
        "results": [one.result.values() for one in report.finished],
    }


def graph_facts(graph: Graph) -> dict[str, Any]:
    """The facts about a graph that results on it state."""
    manifest = graph.manifest
    return {
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
    }


def check_target(directory: Path, force: bool = False) -> None:
    """Raise if results must not be written to `directory`: something else is there, or results without `force`."""
    with disk_errors(directory):
        _check_place(directory.absolute().parent)
        if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
            return
    if not _is_ours(directory):
        raise DirectoryError(f"{directory} is there already and holds no results of ours. Name another directory.")
    if not force:
        raise DirectoryError(f"{directory} holds results already. Name another directory, or replace them by --force.")


def _check_place(parent: Path) -> None:
    """Raise if no directory can be made in `parent`: before time is spent on simulations."""
    existing = next(path for path in (parent, *parent.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise DirectoryError(
            f"{existing} is no directory that can be written to. Name another directory for the results."
        )


def _is_ours(directory: Path) -> bool:
    try:
        found = json.loads((directory / RESULTS).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def save_report(directory: Path, report: Report, force: bool = False) -> Path:
    """Write everything into `directory`, which gets its name when it is complete; the path of the page."""
    check_target(directory, force)
    results, document = report.results, document_of(report)
    files: dict[str, str | bytes] = {TRACES: traces_parquet([one.trace for one in report.finished])}
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
