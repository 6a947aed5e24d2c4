"""How commands print their result: one line of JSON for scripts, or lines of text and two-column tables."""

import json
import shutil
import sys
import textwrap
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
    """Print labels and values in two columns of plain text; on a terminal, long values go on below their beginning."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for line in lines_of(rows, columns):
        print(line)


def lines_of(rows: OutputRows, columns: int) -> Iterable[str]:
    """Rows as lines of at most so many columns, broken between words; 0: each row is one line, however long.

    >>> list(lines_of([("pages", "2,000 in 9 s"), ("at", "a.example 1, b.example 2")], 22))
    ['  pages  2,000 in 9 s', '  at     a.example 1,', '         b.example 2']
    """
    width = max(len(label) for label, _ in rows)
    indent = " " * (width + 4)
    for label, value in rows:
        line = f"  {label:<{width}}  {value}".rstrip()
        if len(line) <= (columns or len(line)) or columns < 2 * len(indent):
            yield line
            continue
        words = textwrap.wrap(value, columns - len(indent), break_long_words=False, break_on_hyphens=False)
        yield from (f"  {label:<{width}}  " + words[0], *(indent + word for word in words[1:]))


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
