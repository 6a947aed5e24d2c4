"""What an experiment leaves behind: one page with everything in it, the same as text, and each table as CSV."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exonym.report.figures import Drawing, drawing_of
from exonym.report.page import csv_of, html_of, text_of
from exonym.report.table import Table
from exonym.system.files import disk_errors

PAGE, TEXT, VALUES = "report.html", "report.txt", "report.json"


@dataclass(frozen=True, slots=True)
class Findings:
    """An experiment that was run."""

    title: str
    tables: tuple[Table, ...]
    document: dict[str, Any]  # for JSON
    drawings: Mapping[str, Drawing] = field(default_factory=dict)  # of tables that do not draw themselves, by name
    texts: Mapping[str, str] = field(default_factory=dict)  # in place of tables too wide to be read as text, by name


def text_page(findings: Findings) -> str:
    """All tables as plain text."""
    texts = [findings.texts.get(table.name) or text_of(table) for table in findings.tables]
    return "\n".join([findings.title, "", *texts])


def write_findings(directory: Path, findings: Findings) -> Path:
    """Write the page, the text, the values and every table and figure; the page's path."""
    drawings = {**_drawn(findings.tables), **findings.drawings}
    with disk_errors(directory):
        for table in findings.tables:
            _write(directory / f"{table.name}.csv", csv_of(table).encode())
        for name, drawing in drawings.items():
            _write(directory / f"{name}.svg", drawing.svg.encode())
            _write(directory / f"{name}.png", drawing.png)
        _write(directory / TEXT, text_page(findings).encode())
        _write(directory / VALUES, (json.dumps(findings.document, indent=1, ensure_ascii=False) + "\n").encode())
        _write(directory / PAGE, html_of(findings.title, findings.tables, drawings).encode())
    return directory / PAGE


def _drawn(tables: Sequence[Table]) -> dict[str, Drawing]:
    return {table.name: drawing for table in tables if (drawing := drawing_of(table))}


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(path.name + ".partial")
    draft.write_bytes(data)
    draft.replace(path)
