"""Reads WARC files of any crawler, record by record. Damaged parts of a file are skipped and reported.

The only module that imports fastwarc.
"""

import re
import warnings
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from exonym.archive.ranges import NOWHERE, WHOLE, RangeStream, Stretch, is_whole
from exonym.archive.recovery import next_record
from exonym.errors import UrlError
from exonym.urls import normal_form, path_of

with warnings.catch_warnings():
    # fastwarc warns of its own deprecated classes while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from fastwarc.warc import WarcRecord as WarcRecord

RESPONSES = WarcRecordType.response
REVISITS = WarcRecordType.revisit
RESPONSES_AND_REVISITS = RESPONSES | REVISITS
DESCRIPTIONS = WarcRecordType.metadata

_LONGEST_HEAD_BYTES = 1 << 20
_LONGEST_BLOCK_BYTES = 64 << 20  # as received; longer ones are films and disk images
_DAMAGE = (RuntimeError, ValueError, EOFError, OSError)  # what fastwarc raises for a damaged file
_MOST_DAMAGES = 1_000  # in one file
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


class SkippedRecord(NamedTuple):
    """A part of a source that holds no page, and why."""

    reason: str


TORN = SkippedRecord("part of a file that ends in the middle of a record")  # the last item of such a part


class WarcResponse(NamedTuple):
    """A server's response, or a revisit record in its place, as any crawler archived it."""

    url: str  # in normal form
    head: bytes
    body: bytes
    offset: int  # of the record in its file
    address: str  # of the server; "" if the archive does not have it
    is_revisit: bool  # the body is that of `refers_to`
    refers_to: str  # as written; "" if nothing is


def responses_in(
    stream: BinaryIO, stretch: Stretch = WHOLE, kinds: WarcRecordType = RESPONSES
) -> Iterator[WarcResponse | SkippedRecord]:
    """The responses in a stretch of a WARC file, robots.txt files left out."""
    for record in records_of(stream, kinds, stretch):
        yield record if isinstance(record, SkippedRecord) else response_of(record)


def response_of(record: WarcRecord) -> WarcResponse | SkippedRecord:
    """The response in a record."""
    headers = record.headers
    try:  # wget writes URLs in angle brackets
        url = normal_form((headers.get("WARC-Target-URI", "") or "").strip("<> "))
    except UrlError:
        return SkippedRecord("no http(s) URL")
    if path_of(url) == "/robots.txt":
        return SkippedRecord("robots.txt")
    block = block_of(record)
    if isinstance(block, SkippedRecord):
        return block
    return WarcResponse(
        url,
        *head_and_body(block),
        offset=record.stream_pos,
        address=headers.get("WARC-IP-Address", "") or "",
        is_revisit=record.record_type == REVISITS,
        refers_to=(headers.get("WARC-Refers-To-Target-URI", "") or "").strip("<> "),
    )


def records_of(
    stream: BinaryIO, kinds: WarcRecordType, stretch: Stretch = WHOLE
) -> Iterator[WarcRecord | SkippedRecord]:
    """The records of a stretch of a WARC file; of a whole file, those after the stream's position."""
    # `is_new`: a record was read since the last damage, so the next damage is reported as another one.
    position, number, is_any, is_new = stream.seek(stretch.first or stream.tell()), NOWHERE, False, True
    part = cast("BinaryIO", RangeStream(stream, stretch.last)) if stretch.last else stream
    for _ in range(_MOST_DAMAGES):
        try:
            stream.seek(position)
            for record in whole_records(part):
                position, number, is_new = max(position, record.stream_pos), number + 1, True
                if record.record_type & kinds:
                    is_any = True
                    stretch.at_record(number)
                    is_deadly = number in stretch.passed_over
                    yield SkippedRecord("record that ended the process reading it") if is_deadly else record
            break
        except _DAMAGE:
            if is_new:
                yield SkippedRecord("damaged part of a file")
            is_new = False
            position = next_record(stream, position)
            if position < 0 or position >= stretch.last > 0:
                break
    stretch.at_record(NOWHERE)
    if stretch.last and not is_whole(stream, position, stretch.last):
        yield TORN
    if not is_any and not stretch.first:
        yield SkippedRecord("file without an answer in it")


def whole_records(stream: BinaryIO, kinds: WarcRecordType = WarcRecordType.any_type) -> Iterator[WarcRecord]:
    """The records from the stream's position up to the first damage, for which fastwarc raises."""
    records: Iterator[WarcRecord] = ArchiveIterator(stream, kinds, parse_http=False, max_header_len=_LONGEST_HEAD_BYTES)
    return records


def block_of(record: WarcRecord) -> bytes | SkippedRecord:
    """All bytes of a record."""
    length = record.headers.get("Content-Length", "") or ""
    if length.isdecimal() and len(length) < 19 and int(length) > _LONGEST_BLOCK_BYTES:
        return SkippedRecord("record too long")
    try:
        block: bytes = record.reader.read()
    except _DAMAGE:
        return SkippedRecord("record cut short")
    # fastwarc returns the first part of a torn record without an error.
    return block if str(len(block)) == length else SkippedRecord("record cut short")


def head_and_body(block: bytes) -> tuple[bytes, bytes]:
    """Head and body of a response."""
    found = _EMPTY_LINE.search(block)
    return (block[: found.end()], block[found.end() :]) if found else (block, b"")
