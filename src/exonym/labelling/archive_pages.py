"""The pages in archives of any origin, to be labelled: what each is about, and the words on it."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.archive.any_warc import SkippedRecord, WarcResponse, response_at, responses_in
from exonym.archive.archive_files import archives_at
from exonym.batches import Flags, Floats, Rows
from exonym.crawl_directory.visited_pages import PAGE_WANTS, PageFacts, PageWords, words_of
from exonym.fetch.messages import header_value, status_of
from exonym.judges.language import AnyLanguage
from exonym.models.terms import Fields
from exonym.readers.parsing import document_in_reply
from exonym.system.files import disk_errors

_GONE = PageWords(Fields("", "", ""), "the archive has changed")


class _Place(NamedTuple):
    path: Path
    offset: int


class ArchivePages:
    """The HTML pages in a file, or in the archives of a folder, by their number. No judge has seen them."""

    has_verdicts = False

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        self.directory = path
        self._judge = AnyLanguage()
        self._facts: list[PageFacts] = []
        self._digests: list[str] = []
        self._places: list[_Place] = []
        for file in archives_at(path):
            for response in _responses(file, warn):
                self._add(file, response)
        self.relevant: Flags = np.zeros(len(self._facts), np.bool_)
        self.relevance: Floats = np.zeros(len(self._facts))

    def _add(self, path: Path, response: WarcResponse) -> None:
        try:
            document = document_in_reply(response.url, response.head, response.body, PAGE_WANTS)
            language = self._judge.judge(document).language if document else ""
        except Exception:  # no page may end the session, whatever it does to a parser
            return
        if document is None:
            return
        content_type = (header_value(response.head, "content-type") or b"").decode("latin-1")
        row, title, length = len(self._facts), document.title, len(response.body)
        self._facts.append(PageFacts(row, response.url, title, language, 0.0, False, "", content_type, length))
        self._digests.append(hashlib.sha1(response.body, usedforsecurity=False).hexdigest())
        self._places.append(_Place(path, response.offset))

    @property
    def pages(self) -> Rows:
        """The numbers of all pages."""
        return np.arange(len(self._facts), dtype=np.int64)

    def column(self, name: str) -> list[str]:
        """URLs, languages, titles or digests of all pages."""
        return self._digests if name == "digest" else [getattr(facts, name) for facts in self._facts]

    def facts(self, row: int) -> PageFacts:
        """What is known about a page."""
        return self._facts[row]

    def words(self, row: int) -> PageWords:
        """The words on a page, read from its archive again."""
        url, (path, offset) = self._facts[row].url, self._places[row]
        with disk_errors(path):
            found = response_at(path, offset) if offset >= 0 else None
            if not isinstance(found, WarcResponse) or found.url != url:  # it shares its place with others
                same = (one for one in responses_in(path) if isinstance(one, WarcResponse) and one.url == url)
                found = next(same, None)
        return words_of(url, found.head, found.body) if found else _GONE


def _responses(path: Path, warn: Callable[[str], None]) -> Iterator[WarcResponse]:
    with disk_errors(path):
        for response in responses_in(path):
            if isinstance(response, SkippedRecord):
                if response.warning:
                    warn(response.warning)
            elif 200 <= status_of(response.head) < 300:
                yield response
