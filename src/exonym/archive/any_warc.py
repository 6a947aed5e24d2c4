"""WARC files of any crawler: every answer to a request as a record, a revisit, or a reason why it is none."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from exonym.archive.ranges import TORN, WHOLE, RangeStream, Stretch, is_whole
from exonym.archive.recovery import next_record
from exonym.errors import UrlError
from exonym.system.files import disk_errors
from exonym.system.limits import NOWHERE, WATCH
from exonym.urls import normal_form, path_of
from exonym.webgraph.importing.countries import country_at
from exonym.webgraph.importing.from_crawl import Parents
from exonym.webgraph.importing.from_warc import GraphPageReader
from exonym.webgraph.importing.record import Copy, PageRecord, SkippedRecord

with warnings.catch_warnings():
    # fastwarc warns, while it is imported, of old classes of its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

_LONGEST_HEAD = 1 << 20
_LONGEST_BLOCK = 64 << 20  # as received; longer ones are films and disk images
_DAMAGE = (RuntimeError, ValueError, EOFError, OSError)  # what fastwarc raises for it
_MOST_DAMAGES = 1_000  # in one file
_NO_ORIGINAL = SkippedRecord("revisit whose original cannot be read")
_DEADLY = "record that ended the process reading it"
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_ANSWERS = WarcRecordType.response | WarcRecordType.revisit
DESCRIPTIONS = WarcRecordType.metadata


ArchiveRecord = PageRecord | Copy | SkippedRecord


def records_of(
    stream: BinaryIO, kinds: WarcRecordType, stretch: Stretch = WHOLE
) -> Iterator[WarcRecord | SkippedRecord]:
    """The records of a stretch of a WARC file, or from where the stream stands on; damaged parts are passed over."""
    position, number, is_any, is_new = stream.seek(stretch.first or stream.tell()), NOWHERE, False, True
    part = cast("BinaryIO", RangeStream(stream, stretch.last)) if stretch.last else stream
    for _ in range(_MOST_DAMAGES):
        try:
            stream.seek(position)
            for record in ArchiveIterator(part, parse_http=False, max_header_len=_LONGEST_HEAD):
                position, number, is_new = max(position, record.stream_pos), number + 1, True
                if record.record_type & kinds:
                    is_any = True
                    WATCH.at_record(number)
                    yield record if number not in stretch.passed_over else SkippedRecord(_DEADLY)
            break
        except _DAMAGE:
            if is_new:
                yield SkippedRecord("damaged part of a file")
            is_new = False
            position = next_record(stream, position)
            if position < 0 or position >= stretch.last > 0:
                break
    WATCH.at_record(NOWHERE)
    if stretch.last and not is_whole(stream, position, stretch.last):
        yield TORN
    if not is_any and not stretch.first:
        yield SkippedRecord("file without an answer in it")


def read_warc(
    path: Path, reader: GraphPageReader, parents: Parents | None = None, stretch: Stretch = WHOLE
) -> Iterator[ArchiveRecord]:
    """What a WARC file has, in its order."""
    with disk_errors(path), path.open("rb") as stream:
        for record in records_of(stream, _ANSWERS, stretch):
            yield record if isinstance(record, SkippedRecord) else _found(record, reader, parents)


def block_of(record: WarcRecord) -> bytes | SkippedRecord:
    """The bytes of a record, whole."""
    length = record.headers.get("Content-Length", "") or ""
    if length.isdecimal() and len(length) < 19 and int(length) > _LONGEST_BLOCK:
        return SkippedRecord("record too long")
    try:
        block: bytes = record.reader.read()
    except _DAMAGE:
        return SkippedRecord("record cut short")
    # fastwarc hands out the first part of a torn record without a word.
    return block if str(len(block)) == length else SkippedRecord("record cut short")


def url_of(record: WarcRecord) -> str:
    """The URL of a record in normal form, "" if it is no http(s) URL; wget writes it in angle brackets."""
    try:
        return normal_form((record.headers.get("WARC-Target-URI", "") or "").strip("<> "))
    except UrlError:
        return ""


def _found(record: WarcRecord, reader: GraphPageReader, parents: Parents | None) -> ArchiveRecord:
    url = url_of(record)
    if not url:
        return SkippedRecord("no http(s) URL")
    if path_of(url) == "/robots.txt":
        return SkippedRecord("robots.txt")
    block = block_of(record)
    if isinstance(block, SkippedRecord):
        return block
    head, body = parted(block)
    parent_language = parents.language_of(url) if parents else ""
    if record.record_type == WarcRecordType.revisit:
        return _copy(record, url, head, parent_language)
    found = reader.read(url, head, body, parent_language)
    if isinstance(found, SkippedRecord):
        return found
    address = record.headers.get("WARC-IP-Address", "") or ""
    return found._replace(offset=record.stream_pos, country=country_at(address))


def _copy(record: WarcRecord, url: str, head: bytes, parent_language: str) -> Copy | SkippedRecord:
    text = (record.headers.get("WARC-Refers-To-Target-URI", "") or "").strip("<> ")
    try:
        original = normal_form(text) if text else url
    except UrlError:
        return SkippedRecord("revisit that names no original")
    if original == url:  # crawls that come back every day have as many of these as pages
        return SkippedRecord("another record of the same URL")
    return Copy(url, head.decode("latin-1"), original, parent_language)


def parted(block: bytes) -> tuple[bytes, bytes]:
    """Head and body of an answer."""
    found = _EMPTY_LINE.search(block)
    return (block[: found.end()], block[found.end() :]) if found else (block, b"")


def read_copy(copy: Copy, path: Path, offset: int, reader: GraphPageReader) -> PageRecord | SkippedRecord:
    """The page of a revisit, with the body of its original, which stands in `path` at `offset`."""
    with disk_errors(path), path.open("rb") as stream:
        stream.seek(offset)
        record = next(records_of(stream, _ANSWERS), _NO_ORIGINAL)
        # Where many records are packed together, the place of one is not known well enough.
        if isinstance(record, SkippedRecord) or url_of(record) != copy.original:
            return _NO_ORIGINAL
        block = block_of(record)
    if isinstance(block, SkippedRecord):
        return block
    head, body = parted(block)
    # A revisit may have no head of its own, and one of 304 says nothing of the page.
    own = copy.head.encode("latin-1")
    is_own = own.startswith(b"HTTP/") and b" 304" not in own[:13]
    return reader.read(copy.url, own if is_own else head, body, copy.parent_language)
