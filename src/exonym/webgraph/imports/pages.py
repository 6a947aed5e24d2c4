"""From an answer's bytes to a PageRecord: what it was, what it says, where it leads."""

import re
from functools import lru_cache

from exonym.errors import UrlError
from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.fetch.base import header_value
from exonym.fetch.body import decoded_body
from exonym.judges.base import Judge
from exonym.judges.making import make_judge
from exonym.language.anchors import identify_anchors
from exonym.model import Outcome, language_code
from exonym.urls import normal_form
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.imports.record import PageRecord, Skipped
from exonym.webgraph.imports.sources import Options

_LONGEST_BODY = 16 << 20  # after decoding; what is longer is cut
_LONGEST_ANCHOR = 1_000
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")
_HTML_TYPES = re.compile(rb"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_VAGUE_TYPES = re.compile(rb"\s*(?:text/plain|application/octet-stream|unknown/unknown)?\s*(?:;|$)", re.IGNORECASE)
_LOOKS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|a|div|table|frameset)\b", re.IGNORECASE)
_ROBOTS_LINE = re.compile(rb"^x-robots-tag[ \t]*:[ \t]*(?:exonym[ \t]*:)?([^:\r\n]*)\r?$", re.IGNORECASE | re.MULTILINE)
_FOREIGN_PACKING = re.compile(rb"\b(?:br|zstd|compress)\b", re.IGNORECASE)
_WANTS = Wants(around=False, place=False)

code_of = lru_cache(maxsize=4_096)(language_code)


class PageReader:
    """Reads answers and judges pages; never raises for what they contain."""

    def __init__(self, options: Options) -> None:
        self._judge: Judge = make_judge({"kind": "language", "languages": list(options.languages)})
        self._keep_text = options.keep_text

    def read(self, url: str, head: bytes, body: bytes, parent_language: str = "") -> PageRecord | Skipped:
        """What the answer to a request for `url` (in normal form) makes of it."""
        status = _STATUS.match(head)
        if not status:
            return Skipped("no HTTP status line")
        outcome, target = outcome_of(int(status[1]), header_value(head, "location"), url)
        if outcome != Outcome.PAGE:
            return PageRecord(url, outcome, targets=[target] if target else [])
        try:
            return self._read_page(url, head, body, parent_language)
        except Exception as error:  # no page may end the import, whatever it finds in a parser
            return Skipped(f"page cannot be read: {type(error).__name__}")

    def _read_page(self, url: str, head: bytes, body: bytes, parent_language: str) -> PageRecord | Skipped:
        content = decoded_body(head, body, _LONGEST_BODY)
        content_type = header_value(head, "content-type") or b""
        if not _is_html(content_type, content):
            return PageRecord(url, Outcome.PAGE)
        if _FOREIGN_PACKING.search(header_value(head, "content-encoding") or b"") and not _looks_html(content):
            return Skipped("body packed by a method that Exonym cannot unpack")
        document = extract(content, url, content_type.decode("latin-1"), _WANTS, parent_language)
        return self.record_of(document, _asks_nofollow(head) or document.nofollow)

    def record_of(self, document: Document, nofollow: bool) -> PageRecord:
        """A page that was read, judged."""
        verdict = self._judge.judge(document)
        anchors = [link.anchor[:_LONGEST_ANCHOR] for link in document.links]
        return PageRecord(
            document.url,
            Outcome.PAGE,
            code_of(verdict.language),
            document.charset,
            verdict.relevant,
            verdict.relevance,
            len(document.blocks),
            document.text if self._keep_text else "",
            [link.url for link in document.links],
            anchors,
            list(map(code_of, identify_anchors(anchors))),
            [NOFOLLOW if nofollow else 0] * len(anchors),
        )


def outcome_of(status: int, location: bytes | None, url: str) -> tuple[Outcome, str]:
    """What a status makes of a visit, and where it leads if it is a redirect that leads anywhere."""
    if 300 <= status < 400 and location:
        try:
            return Outcome.REDIRECT, normal_form(_location_text(location), url)
        except UrlError:
            return Outcome.FAILED, ""
    return (Outcome.PAGE if 200 <= status < 300 else Outcome.FAILED), ""


def _location_text(value: bytes) -> str:
    try:  # servers write foreign letters unescaped, mostly in UTF-8
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _is_html(content_type: bytes, body: bytes) -> bool:
    """Whether a body is to be parsed: by its type, and by its looks where the type says nothing."""
    return bool(_HTML_TYPES.match(content_type) or (_VAGUE_TYPES.match(content_type) and _looks_html(body)))


def _looks_html(body: bytes) -> bool:
    return bool(_LOOKS_HTML.search(body, 0, 1_024))


def _asks_nofollow(head: bytes) -> bool:
    """Whether the server asks not to follow (X-Robots-Tag to all or to us)."""
    if b"obots" not in head and b"OBOTS" not in head:
        return False
    words = b" ".join(_ROBOTS_LINE.findall(head)).lower().replace(b",", b" ").split()
    return b"nofollow" in words or b"none" in words
