"""The results of an analysis or experiment as a set of files: an HTML page with everything, text, JSON, CSV, images."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exonym.report.html_page import page
from exonym.report.table import Table
from exonym.system.files import disk_errors, replacing

PAGE, TEXT, VALUES = "report.html", "report.txt", "report.json"


@dataclass(frozen=True, slots=True)
class Findings:
    """Tables under a title."""

    title: str
    tables: tuple[Table, ...]
    document: Mapping[str, Any] = field(default_factory=dict)  # for JSON; without it there is no report.json
    texts: Mapping[str, str] = field(default_factory=dict)  # in place of tables too wide to be read as text, by name


def text_page(findings: Findings) -> str:
    """All tables as plain text."""
    texts = [findings.texts.get(table.name) or table.text() for table in findings.tables]
    return "\n".join([findings.title, "", *texts])


def write_findings(directory: Path, findings: Findings) -> Path:
    """Write the page, the text, the values and every table and figure; return the path of the page."""
    files: dict[str, str | bytes] = {f"{table.name}.csv": table.csv() for table in findings.tables}
    for table in findings.tables:
        if table.figure:
            files |= {f"{table.name}.svg": table.figure.svg, f"{table.name}.png": table.figure.png}
    files[TEXT] = text_page(findings)
    if findings.document:
        files[VALUES] = json_text(findings.document)
    files[PAGE] = page(findings.title, findings.tables, contents=True)
    write_files(directory, files)
    return directory / PAGE


def json_text(document: Mapping[str, Any]) -> str:
    """A document as a JSON file."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write_files(directory: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files, each atomically; what is not text (lone surrogates in names) is replaced."""
    with disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            with replacing(directory / name) as draft:
                draft.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
