"""How commands tell their result: one line of JSON for scripts, or lines and two-column tables for people."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exonym.web_text import clean

Rows = Sequence[tuple[str, str]]  # label and value


def emit(document: Mapping[str, Any], shown: Iterable[str | Rows], as_json: bool) -> None:
    """Print `document` as JSON, or what is `shown` of it to people: lines and tables, made only if wanted.

    Scripts rely on the names in a document; more may be added, none may go.
    """
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
        return
    for block in shown:
        if isinstance(block, str):
            print(block)
        else:
            print_rows(block)


def print_rows(rows: Rows) -> None:
    """Labels and values in two columns, as plain text that a terminal and a file both take."""
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        print(f"  {label:<{width}}  {value}".rstrip())


def harmless_lines(text: str) -> Iterable[str]:
    """The lines of a text table without what could harm a terminal, the columns kept."""
    for line in text.splitlines():
        yield "".join(letter if letter == " " else clean(letter) for letter in line)


def note(text: str) -> None:
    """Say something beside the result, on the standard error."""
    print(clean(text), file=sys.stderr)
