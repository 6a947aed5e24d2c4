"""How commands print their result: one line of JSON for scripts, or lines of text and two-column tables."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from exonym.web_text import clean

OutputRows = Sequence[tuple[str, str]]  # label and value


def emit(document: Mapping[str, Any], shown: Iterable[str | OutputRows], as_json: bool) -> None:
    """Print `document` as JSON, or `shown`, the same facts as lines and tables, which are made only if needed.

    Scripts rely on the keys of a document: keys may be added, none may be removed.
    """
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
        return
    for block in shown:
        if isinstance(block, str):
            print(block)
        else:
            print_rows(block)


def print_rows(rows: OutputRows) -> None:
    """Print labels and values in two columns of plain text."""
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        print(f"  {label:<{width}}  {value}".rstrip())


def harmless_lines(text: str) -> Iterable[str]:
    """The lines of a text table without characters that could harm a terminal; columns stay aligned."""
    for line in text.splitlines():
        yield "".join(letter if letter == " " else clean(letter) for letter in line)


def note(text: str) -> None:
    """Print a remark on the standard error, apart from the result."""
    print(clean(text), file=sys.stderr)


def warn(text: str) -> None:
    """Print a warning or an error on the standard error, after the name of the program."""
    note(f"exonym: {text}")


def warn_each(texts: Iterable[str]) -> None:
    """Print the first twenty of many warnings."""
    for text in islice(texts, 20):
        warn(text)
