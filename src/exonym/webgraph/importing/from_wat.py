"""Reads Common Crawl's WAT files: the links of pages without the pages.

A WAT file has no text. Languages are identified by title, description and the anchors of links.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from exonym.archive.any_warc import DESCRIPTIONS, SkippedRecord, records_of
from exonym.archive.ranges import WHOLE, Stretch
from exonym.batches import Outcome
from exonym.errors import UrlError
from exonym.extract.document import Document, LinkColumns
from exonym.extract.url_joining import Joiner, base_of
from exonym.fetch.messages import outcome_of_reply
from exonym.system.files import disk_errors
from exonym.urls import normal_form
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.importing.from_warc import GraphPageReader
from exonym.webgraph.importing.record import PageRecord
from exonym.webgraph.importing.server_countries import country_at

_LINK_TAGS = ("A@/href", "AREA@/href", "FRAME@/src", "IFRAME@/src")
_MOST_LINKS = 10_000


def read_wat(path: Path, reader: GraphPageReader, stretch: Stretch = WHOLE) -> Iterator[PageRecord | SkippedRecord]:
    """The pages that a WAT file describes, in its order."""
    with disk_errors(path):
        for record in records_of(path, DESCRIPTIONS, stretch):
            page = record if isinstance(record, SkippedRecord) else _read(record.block, reader)
            if page is not None:
                yield page


def _read(block: bytes, reader: GraphPageReader) -> PageRecord | SkippedRecord | None:
    try:
        envelope = _at(msgspec.json.decode(block), "Envelope")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return SkippedRecord("metadata that is no JSON")
    if _at(envelope, "WARC-Header-Metadata", "WARC-Type") != "response":
        return None  # a WAT file describes requests and the file itself as well
    try:
        url = normal_form(_text(_at(envelope, "WARC-Header-Metadata", "WARC-Target-URI")).strip("<> "))
    except UrlError:
        return SkippedRecord("no http(s) URL")
    answer = _at(envelope, "Payload-Metadata", "HTTP-Response-Metadata")
    status = _text(_at(answer, "Response-Message", "Status"))
    if not (status.isascii() and status.isdecimal() and len(status) == 3):
        return SkippedRecord("no HTTP status line")
    location = _header(_at(answer, "Headers"), "location").encode("utf-8", "replace")
    country = country_at(_text(_at(envelope, "WARC-Header-Metadata", "WARC-IP-Address")))
    outcome, target = outcome_of_reply(int(status), location, url)
    if outcome != Outcome.PAGE:
        return PageRecord(url, outcome, targets=[target] if target else [], country=country)
    try:
        return _page(url, _at(answer, "HTML-Metadata"), reader)._replace(country=country)
    except Exception as error:  # no page may end the import
        return SkippedRecord(f"page cannot be read: {type(error).__name__}")


def _page(url: str, html: Any, reader: GraphPageReader) -> PageRecord:
    title = _text(_at(html, "Head", "Title"))
    metas = [meta for meta in _items(_at(html, "Head", "Metas")) if isinstance(meta, dict)]
    named = {_text(meta.get("name")).lower(): _text(meta.get("content")) for meta in metas}
    links, flags = _links(url, html)
    blocks = "\n".join(filter(None, [title, named.get("description", ""), *links.anchors]))
    nofollow = "nofollow" in named.get("robots", "").lower() or "none" in named.get("robots", "").lower()
    document = Document(url, title, blocks, links=links, nofollow=nofollow)
    record = reader.record_of(document, nofollow)
    return record if nofollow else record._replace(nofollow=flags)


def _links(url: str, html: Any) -> tuple[LinkColumns, list[int]]:
    """Each target once, as `extract` has it, and the flags of links that ask not to be followed."""
    raw = [link for link in _items(_at(html, "Links")) if isinstance(link, dict)]
    raw = [link for link in raw if _text(link.get("path")) in _LINK_TAGS][:_MOST_LINKS]
    joined = Joiner(base_of(url, _text(_at(html, "Head", "Base")))).joined([_text(link.get("url")) for link in raw])
    found: dict[str, tuple[str, int]] = {}
    for target, link in zip(joined, raw, strict=True):
        if target and target != url and not found.get(target, ("", 0))[0]:
            flag = NOFOLLOW if "nofollow" in _text(link.get("rel")).lower() else 0
            found[target] = (" ".join(_text(link.get("text")).split()), flag)
    anchors, nothing = [anchor for anchor, _ in found.values()], [""] * len(found)
    links = LinkColumns(list(found), anchors, nothing, nothing, nothing, ["a"] * len(found))
    return links, [flag for _, flag in found.values()]


def _at(value: Any, *names: str) -> Any:
    """The value at a path of names; None if one of the names is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _header(headers: Any, name: str) -> str:
    items = headers.items() if isinstance(headers, dict) else ()
    return next((_text(value) for key, value in items if key.lower() == name), "")
