"""Tables for people and programs: text, CSV, JSON values, figures, and one HTML page with everything in it."""

import csv
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exonym.report.figures import Drawing, drawing_of
from exonym.report.table import Cell, Table
from exonym.system.files import disk_errors

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: bottom; }
th:first-child, td:first-child, td.text { text-align: left; }
.note { color: #555; max-width: 45rem; }
svg { max-width: 100%; height: auto; }
"""


def shown(cell: Cell) -> str:
    """A cell as people read it: counts with separators, shares as per cent."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.1%}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def text_of(table: Table) -> str:
    """The table in plain text under its caption."""
    lines = [table.columns, *(tuple(map(shown, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = ["  ".join(_aligned(cells, widths, table)).rstrip() for cells in lines]
    paper = [f"({table.paper})"] if table.paper else []
    return "\n".join([table.caption, *paper, "", *aligned, *([f"\n{table.note}"] if table.note else []), ""])


def _aligned(cells: Sequence[str], widths: Sequence[int], table: Table) -> list[str]:
    numbers = [any(isinstance(row[place], int | float) for row in table.rows) for place in range(len(widths))]
    return [
        cell.rjust(width) if number and place else cell.ljust(width)
        for place, (cell, width, number) in enumerate(zip(cells, widths, numbers, strict=True))
    ]


def csv_of(table: Table) -> str:
    """The table's bare values as CSV; shares are of 1."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(table.columns)
    rows.writerows(table.rows)
    return written.getvalue()


def values_of(table: Table) -> dict[str, Any]:
    """The table for JSON. Scripts rely on these names; more may be added, none may go."""
    return {
        "name": table.name,
        "caption": table.caption,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "note": table.note,
        "paper": table.paper,
    }


def write_report(directory: Path, title: str, tables: Sequence[Table]) -> Path:
    """Writes all tables and figures into `directory`; the HTML page that has all of them."""
    drawings = {table.name: drawn for table in tables if (drawn := drawing_of(table))}
    page = directory / "report.html"
    with disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for table in tables:
            _write(directory / f"{table.name}.csv", csv_of(table))
        for name, drawing in drawings.items():
            _write(directory / f"{name}.svg", drawing.svg)
            (directory / f"{name}.png").write_bytes(drawing.png)
        _write(directory / "report.txt", "\n\n".join(map(text_of, tables)))
        _write(page, html_of(title, tables, drawings))
    return page


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def html_of(title: str, tables: Sequence[Table], drawings: dict[str, Drawing]) -> str:
    """One page that needs no other file."""
    sections = "\n".join(_section(table, drawings.get(table.name)) for table in tables)
    entries = "\n".join(f'<li><a href="#{table.name}">{html.escape(table.caption)}</a></li>' for table in tables)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head><body>\n<h1>{html.escape(title)}</h1>\n<ul>\n{entries}\n</ul>\n"
        f"{sections}\n</body></html>\n"
    )


def _section(table: Table, drawing: Drawing | None) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    note = f'<p class="note">{html.escape(table.note)}</p>' if table.note else ""
    paper = f'<p class="note">{html.escape(table.paper)}</p>' if table.paper else ""
    figure = drawing.inline if drawing else ""
    return (
        f'<h2 id="{table.name}">{html.escape(table.caption)}</h2>\n{paper}\n{figure}\n'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>\n{note}"
    )


def _cell(cell: Cell) -> str:
    kind = ' class="text"' if isinstance(cell, str) else ""
    return f"<td{kind}>{html.escape(shown(cell))}</td>"
