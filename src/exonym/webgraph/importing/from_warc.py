"""From an answer's bytes to a PageRecord: what it was, what it says, where it leads."""

import re
from functools import lru_cache

from exonym.batches import Outcome, language_code
from exonym.errors import UrlError
from exonym.extract.content_kind import LONGEST_BODY, asked_in_head, is_html, looks_html
from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.fetch.body import decoded_body
from exonym.fetch.messages import header_value, location_text
from exonym.judges.base import Judge
from exonym.judges.by_name import make_judge
from exonym.language.anchors import identify_anchors
from exonym.urls import normal_form
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.importing.record import PageRecord, SkippedRecord, clue_of
from exonym.webgraph.importing.sources import ImportOptions

_LONGEST_ANCHOR = 1_000
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")
_FOREIGN_PACKING = re.compile(rb"\b(?:compress|dcb|dcz)\b", re.IGNORECASE)

code_of = lru_cache(maxsize=4_096)(language_code)


class GraphPageReader:
    """Reads answers and judges pages; never raises for what they contain."""

    def __init__(self, options: ImportOptions, judge: Judge | None = None) -> None:
        self._judge: Judge = judge or make_judge(options.judge_settings())
        self._keep_text = options.keep_text
        self._wants = Wants(around=options.keep_around, place=False)

    def read(self, url: str, head: bytes, body: bytes, parent_language: str = "") -> PageRecord | SkippedRecord:
        """What the answer to a request for `url` (in normal form) makes of it."""
        status = _STATUS.match(head)
        if not status:
            return SkippedRecord("no HTTP status line")
        outcome, target = outcome_of(int(status[1]), header_value(head, "location"), url)
        if outcome != Outcome.PAGE:
            return PageRecord(url, outcome, targets=[target] if target else [])
        try:
            return self._read_page(url, head, body, parent_language)
        except Exception as error:  # no page may end the import, whatever it finds in a parser
            return SkippedRecord(f"page cannot be read: {type(error).__name__}")

    def _read_page(self, url: str, head: bytes, body: bytes, parent_language: str) -> PageRecord | SkippedRecord:
        content = decoded_body(head, body, LONGEST_BODY)
        content_type = header_value(head, "content-type") or b""
        if not is_html(content_type, content):
            return PageRecord(url, Outcome.PAGE)
        if _FOREIGN_PACKING.search(header_value(head, "content-encoding") or b"") and not looks_html(content):
            return SkippedRecord("body packed by a method that Exonym cannot unpack")
        document = extract(content, url, content_type.decode("latin-1"), self._wants, parent_language)
        return self.record_of(document, asked_in_head(head)[0] or document.nofollow)

    def record_of(self, document: Document, nofollow: bool) -> PageRecord:
        """A page that was read, judged."""
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
            list(map(code_of, identify_anchors(anchors))),
            [NOFOLLOW if nofollow else 0] * len(anchors),
            clue=clue_of(document) if self._keep_text else "",
            around=document.links.around if self._wants.around else (),
        )


def outcome_of(status: int, location: bytes | None, url: str) -> tuple[Outcome, str]:
    """What a status makes of a visit, and where it leads if it is a redirect that leads anywhere."""
    if 300 <= status < 400 and location:
        try:
            return Outcome.REDIRECT, normal_form(location_text(location), url)
        except UrlError:
            return Outcome.FAILED, ""
    return (Outcome.PAGE if 200 <= status < 300 else Outcome.FAILED), ""
