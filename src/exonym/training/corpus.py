"""Collections of texts in the format of HAPRC's corpus.txt, and query logs.

A line with only `# id` begins a document; what follows, up to the next such line, is its text. A query log has one
query a line.
"""

import re
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.system.files import disk_errors

_HEAD = re.compile(r"#\s*(\S{1,200})\s*")
_LONGEST_FILE = 1024 * 1024 * 1024


class CorpusDocument(NamedTuple):
    """One text of a collection."""

    identifier: str
    text: str


def read_corpus(path: Path) -> list[CorpusDocument]:
    """All documents of a corpus.txt, in its order."""
    return documents_in(_text_of(path), str(path))


def documents_in(text: str, source: str) -> list[CorpusDocument]:
    """The documents of a text in that format."""
    documents: dict[str, list[str]] = {}
    lines: list[str] | None = None  # of the last document that has begun
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.fullmatch(line):
            if head[1] in documents:
                raise ConfigError(f"{source} has two documents # {head[1]}. Give each a different id.")
            lines = documents[head[1]] = []
        elif lines is not None:
            lines.append(line.rstrip("\r"))
        elif line.strip():
            raise ConfigError(f"{source}, line {number}: text before the first document. Begin with a line `# id`.")
    if not documents:
        raise ConfigError(f"{source} has no document in it. Documents begin with a line `# id`.")
    return [CorpusDocument(identifier, "\n".join(lines).strip()) for identifier, lines in documents.items()]


def read_queries(path: Path) -> list[str]:
    """The queries of a log, one a line; empty lines are skipped."""
    return queries_in(_text_of(path))


def queries_in(text: str) -> list[str]:
    """The queries of a text, one a line."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _text_of(path: Path) -> str:
    with disk_errors(path):
        if path.is_file() and path.stat().st_size > _LONGEST_FILE:
            raise ConfigError(f"{path} is larger than 1 GB. Name a smaller file of texts.")
        data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text. Convert it first, as with iconv.") from None
