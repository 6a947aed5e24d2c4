"""Collections of texts in the format of HAPRC's corpus.txt, and query logs.

A line with only `# id` begins a document; what follows, up to the next such line, is its text. A query log has one
query a line.
"""

import re
from collections.abc import Iterator
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
    documents = list(_parsed(text, source))
    if not documents:
        raise ConfigError(f"{source} has no document in it. Documents begin with a line `# id`.")
    seen: set[str] = set()
    for document in documents:
        if document.identifier in seen:
            raise ConfigError(f"{source} has two documents # {document.identifier}. Give each an id of its own.")
        seen.add(document.identifier)
    return documents


def read_queries(path: Path) -> list[str]:
    """The queries of a log, one a line; empty lines are passed over."""
    return queries_in(_text_of(path))


def queries_in(text: str) -> list[str]:
    """The queries of a text, one a line."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _parsed(text: str, source: str) -> Iterator[CorpusDocument]:
    identifier, lines = "", list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        head = _HEAD.fullmatch(line)
        if head is None:
            lines.append(line.rstrip("\r"))
            if not identifier and line.strip():
                raise ConfigError(f"{source}, line {number}: text before the first document. Begin with a line `# id`.")
            continue
        if identifier:
            yield CorpusDocument(identifier, "\n".join(lines).strip())
        identifier, lines = head[1], []
    if identifier:
        yield CorpusDocument(identifier, "\n".join(lines).strip())


def _text_of(path: Path) -> str:
    with disk_errors(path):
        if path.is_file() and path.stat().st_size > _LONGEST_FILE:
            raise ConfigError(f"{path} is larger than 1 GB. Name a smaller file of texts.")
        data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text. Convert it first, as with iconv.") from None
