"""Reads WARC files of any crawler as pages of a graph: the outcome of each visit, its text and its links."""

import re
from collections.abc import Iterator
from pathlib import Path

from exonym.archive.any_warc import RESPONSES_AND_REVISITS, SkippedRecord, WarcResponse, response_at, responses_in
from exonym.archive.ranges import WHOLE, Stretch
from exonym.archive.warc_writer import payload_number
from exonym.batches import Outcome
from exonym.errors import UrlError
from exonym.extract.content_kind import asked_in_head, looks_html
from exonym.extract.document import Document, Wants
from exonym.fetch.body import decoded_body
from exonym.fetch.messages import header_value, outcome_of_reply, status_of
from exonym.judges.base import Judge
from exonym.judges.by_name import make_judge
from exonym.language.anchors import identify_links
from exonym.readers.parsing import document_in_reply
from exonym.system.files import disk_errors
from exonym.urls import normal_form
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.importing.from_crawl import Parents
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.record import Copy, PageRecord, clue_of, code_of
from exonym.webgraph.importing.server_countries import country_at

_LONGEST_ANCHOR = 1_000
_SNIFFED_BYTES = 1_024
_FOREIGN_ENCODING = re.compile(rb"\b(?:compress|dcb|dcz)\b", re.IGNORECASE)
_NO_ORIGINAL = SkippedRecord("revisit whose original cannot be read")


def read_warc(
    path: Path, reader: "GraphPageReader", parents: Parents | None = None, stretch: Stretch = WHOLE
) -> Iterator[PageRecord | Copy | SkippedRecord]:
    """The pages and revisits of a WARC file, in its order."""
    with disk_errors(path):
        for response in responses_in(path, stretch, RESPONSES_AND_REVISITS):
            if isinstance(response, SkippedRecord):
                yield response
                continue
            parent_language = parents.language_of(response.url) if parents else ""
            if response.is_revisit:
                yield _copy(response, parent_language)
                continue
            page = reader.read(response.url, response.head, response.body, parent_language)
            if isinstance(page, PageRecord):
                page = page._replace(offset=response.offset, country=country_at(response.address))
            yield page


def _copy(revisit: WarcResponse, parent_language: str) -> Copy | SkippedRecord:
    try:
        original = normal_form(revisit.refers_to) if revisit.refers_to else revisit.url
    except UrlError:
        return SkippedRecord("revisit that names no original")
    if original == revisit.url:  # a crawl that returns every day has as many of these as pages
        return SkippedRecord("another record of the same URL")
    return Copy(revisit.url, revisit.head.decode("latin-1"), original, parent_language)


def read_copy(copy: Copy, path: Path, offset: int, reader: "GraphPageReader") -> PageRecord | SkippedRecord:
    """The page of a revisit, with the body of its original, which is in `path` at `offset`."""
    with disk_errors(path):
        original = response_at(path, offset)
    # Where many records are compressed together, the offset of one may lead to another.
    if isinstance(original, SkippedRecord) or original.url != copy.original:
        return _NO_ORIGINAL
    # A revisit may have no HTTP head of its own, and a head with status 304 says nothing about the page.
    own = copy.head.encode("latin-1")
    is_own = own.startswith(b"HTTP/") and b" 304" not in own[:13]
    return reader.read(copy.url, own if is_own else original.head, original.body, copy.parent_language)


class GraphPageReader:
    """Reads responses and judges pages; never raises for what they contain."""

    def __init__(self, options: ImportOptions, judge: Judge | None = None) -> None:
        self._judge: Judge = judge or make_judge(options.judge_settings())
        self._keep_text = options.keep_text
        self._wants = Wants(around=options.keep_around, place=False, anchor_language=True)

    def read(self, url: str, head: bytes, body: bytes, parent_language: str = "") -> PageRecord | SkippedRecord:
        """The record of `url` (in normal form), whose server sent `head` and `body`."""
        status = status_of(head)
        if not status:
            return SkippedRecord("no HTTP status line")
        outcome, target = outcome_of_reply(status, header_value(head, "location"), url)
        if outcome != Outcome.PAGE:
            return PageRecord(url, outcome, targets=[target] if target else [])
        try:
            return self._read_page(url, head, body, parent_language)
        except Exception as error:  # no page may end the import, whichever bug of a parser it hits
            return SkippedRecord(f"page cannot be read: {type(error).__name__}")

    def _read_page(self, url: str, head: bytes, body: bytes, parent_language: str) -> PageRecord | SkippedRecord:
        document = document_in_reply(url, head, body, self._wants, parent_language)
        if document is None:
            return PageRecord(url, Outcome.PAGE)
        is_foreign = _FOREIGN_ENCODING.search(header_value(head, "content-encoding") or b"")
        if is_foreign and not looks_html(decoded_body(head, body, _SNIFFED_BYTES)):
            return SkippedRecord("body packed by a method that Exonym cannot unpack")
        record = self.record_of(document, asked_in_head(head)[0] or document.nofollow)
        # As in a live crawl: pages with too little text are compared by their bytes.
        return record._replace(payload=int.from_bytes(document.digest[:8]) or payload_number(body))

    def record_of(self, document: Document, nofollow: bool) -> PageRecord:
        """The record of a parsed page, with the judge's verdict."""
        verdict = self._judge.judge(document)
        anchors = [anchor[:_LONGEST_ANCHOR] for anchor in document.links.anchors]
        return PageRecord(
            document.url,
            Outcome.PAGE,
            code_of(verdict.language),
            document.charset,
            verdict.relevant,
            verdict.relevance,
            len(document.blocks),
            document.text if self._keep_text else "",
            document.links.urls,
            anchors,
            list(map(code_of, identify_links(anchors, document.links.hreflangs))),
            [NOFOLLOW if nofollow else 0] * len(anchors),
            inherited=verdict.inherited,
            clue=clue_of(document) if self._keep_text else "",
            around=document.links.around if self._wants.around else (),
        )
