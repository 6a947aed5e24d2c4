"""Pages in files: HTML and plain text, one by one or in folders of any depth.

The first folder below the named one is the site, as in the output of programs that mirror sites. The site of files in
the named folder itself is unknown: each counts as a separate site.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exonym.extract.content_kind import LONGEST_BODY, looks_html
from exonym.training.material.page_examples import LeftOut, MaterialPage, MaterialReader
from exonym.urls import site_of_host

_PIECE_FILES = 200
_HTML_ENDINGS = frozenset([".html", ".htm", ".xhtml", ".shtml"])
_TEXT_ENDINGS = frozenset([".txt", ".text"])
PAGE_ENDINGS = (*_HTML_ENDINGS, *_TEXT_ENDINGS)


class FilesPiece(NamedTuple):
    """Files that are read together."""

    root: Path  # the named folder, or that of the named file
    names: tuple[str, ...]  # paths from the root

    def read(self, reader: MaterialReader) -> Iterator[MaterialPage]:
        """The pages in the files."""
        for name in self.names:
            folder, is_inside, _ = name.partition(os.sep)  # without a folder, `folder` is the name
            is_host = is_inside and "." in folder
            yield _read(self.root / name, site_of_host(folder) if is_host else str(self.root / folder), reader)


def file_pieces(root: Path, names: list[str]) -> list[FilesPiece]:
    """Files as pieces of work."""
    return [FilesPiece(root, tuple(names[at : at + _PIECE_FILES])) for at in range(0, len(names), _PIECE_FILES)]


def files_below(folder: Path) -> Iterator[str]:
    """The files of a folder and of those in it, by name, without hidden ones. Links to folders, which may lead in
    circles, are not followed."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = os.path.relpath(at, folder)
        for name in sorted(names):
            if not name.startswith("."):
                yield name if inside == "." else os.path.join(inside, name)


def _read(path: Path, site: str, reader: MaterialReader) -> MaterialPage:
    if not path.is_file():  # reading a pipe would block
        return LeftOut("no file that can be read")
    try:
        with path.open("rb") as file:
            body = file.read(LONGEST_BODY)
    except OSError as error:
        return LeftOut(f"file cannot be read: {error.strerror}")
    ending = path.suffix.lower()
    if ending in _HTML_ENDINGS or (ending not in _TEXT_ENDINGS and looks_html(body)):
        return reader.html(str(path), site, body)
    if ending not in _TEXT_ENDINGS:
        return LeftOut("file that is neither HTML nor .txt")
    return LeftOut("file with bytes that are no text") if b"\0" in body[:1_024] else reader.text(str(path), site, body)
