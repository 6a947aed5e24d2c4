"""Chunks: the records of an import as columns in files, up to a few hundred thousand links in each.

A chunk has its own table of URLs, each once and sorted by id; pages and links refer to URLs by their rows in that
table. So a chunk fits into memory, and chunks are joined without looking up texts.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.readers.link_ids import group_ids_of, ids_of
from exonym.system.files import disk_errors, replacing
from exonym.webgraph.importing.record import LooseLink, PageRecord
from exonym.webgraph.ragged import packed

_MOST_LINKS = 200_000
_MOST_PAGES = 20_000
_MOST_TEXT = 32 << 20
_PAGES = {
    "outcome": "u1", "language": "u2", "relevant": "?", "relevance": "f4", "text_length": "u4", "offset": "i8",
    "country": "u2", "inherited": "?", "payload": "u8",
}  # fmt: skip

KEPT_TEXTS = ("text", "clue")  # of pages, if texts are kept

Chunk = dict[str, NDArray[Any]]


class ChunkWriter:
    """Takes records and writes chunk files; `close` writes the last."""

    def __init__(
        self, directory: Path, key: str, keep_anchors: bool = True, keep_text: bool = False, keep_around: bool = False
    ) -> None:
        self._directory = directory
        self._key = key
        self._keep_anchors, self._keep_text, self._keep_around = keep_anchors, keep_text, keep_around
        self.chunks: list[str] = []
        self._clear()

    def _clear(self) -> None:
        self._urls: list[str] = []  # every mention of a URL
        self._pages: list[PageRecord] = []  # without their links
        self._page_at: list[int] = []  # the position of each page in _urls; sources and targets likewise
        self._sources: list[int] = []
        self._targets: list[int] = []
        self._records: list[int] = []  # the page of each link, its position in _pages; -1 for loose links
        self._anchors: list[str] = []
        self._around: list[str] = []
        self._anchor_languages: list[int] = []
        self._flags: list[int] = []
        self._text_length = 0

    def add(self, record: PageRecord) -> None:
        """Take a page and its links."""
        at, count = len(self._urls), len(record.targets)
        self._page_at.append(at)
        self._urls.append(record.url)
        self._urls += record.targets
        self._sources += [at] * count
        self._targets += range(at + 1, at + 1 + count)
        self._records += [len(self._pages)] * count
        self._anchors += record.anchors or [""] * count
        self._add_around(record.around or [""] * count)
        self._anchor_languages += record.anchor_languages or [0] * count
        self._flags += record.nofollow or [0] * count
        self._pages.append(record._replace(targets=(), anchors=(), anchor_languages=(), nofollow=(), around=()))
        self._text_length += len(record.text) + len(record.clue)
        self._write_if_full()

    def add_link(self, link: LooseLink) -> None:
        """Take a link without its page."""
        at = len(self._urls)
        self._urls += (link.source, link.target)
        self._sources.append(at)
        self._targets.append(at + 1)
        self._records.append(-1)
        self._anchors.append(link.anchor)
        self._add_around([link.around])
        self._anchor_languages.append(link.anchor_language)
        self._flags.append(0)
        self._write_if_full()

    def _add_around(self, texts: Sequence[str]) -> None:
        if self._keep_around:
            self._around += texts
            self._text_length += sum(map(len, texts))  # ten times as long as anchors, so they fill a chunk too

    def add_url(self, url: str) -> None:
        """Take a URL about which nothing else is known."""
        self._urls.append(url)

    def close(self) -> list[str]:
        """Write what is left; return the names of all chunks."""
        if self._urls:
            self._write()
        return self.chunks

    def _write_if_full(self) -> None:
        is_full = len(self._targets) >= _MOST_LINKS or len(self._pages) >= _MOST_PAGES
        if is_full or self._text_length >= _MOST_TEXT:
            self._write()

    def _write(self) -> None:
        name = f"{self._key}-{len(self.chunks):05d}.npz"
        path = self._directory / name
        with disk_errors(path), replacing(path) as draft, draft.open("wb") as file:
            np.savez(file, **self._columns())  # type: ignore[arg-type]  # its stub takes a name for an option
        self.chunks.append(name)
        self._clear()

    def _columns(self) -> Chunk:
        """The columns of a chunk; those of its table of URLs have each URL once, ordered by id."""
        ids, first, inverse = np.unique(ids_of(self._urls), return_index=True, return_inverse=True)
        inverse = inverse.astype(np.uint32)  # the row of each mention
        urls = [self._urls[place] for place in first.tolist()]
        columns: Chunk = {"url_id": ids, "page_url": inverse[self._page_at]}
        columns["url_lengths"], columns["url_bytes"] = packed(urls)
        columns["server_id"], columns["segment_id"] = group_ids_of(urls)
        for name, dtype in _PAGES.items():
            columns[name] = np.array([getattr(page, name) for page in self._pages], dtype)
        names = sorted({page.charset for page in self._pages})
        columns["charset"] = np.array([names.index(page.charset) for page in self._pages], "u4")
        columns["charset_lengths"], columns["charset_bytes"] = packed(names)
        columns["source"], columns["target"] = inverse[self._sources], inverse[self._targets]
        columns["record"] = np.array(self._records, "i4")
        columns["anchor_language"] = np.array(self._anchor_languages, "u2")
        columns["link_flags"] = np.array(self._flags, "u1")
        if self._keep_anchors:
            columns["anchor_lengths"], columns["anchor_bytes"] = packed(self._anchors)
        if self._keep_around:
            columns["around_lengths"], columns["around_bytes"] = packed(self._around)
        if self._keep_text:
            for name in KEPT_TEXTS:
                columns[f"{name}_lengths"], columns[f"{name}_bytes"] = packed(
                    [getattr(page, name) for page in self._pages]
                )
        return columns


def load_chunk(path: Path, *names: str) -> Chunk:
    """Columns of a chunk."""
    with disk_errors(path), np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in names}
