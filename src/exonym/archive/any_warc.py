"""Reads the archives of any crawler, record by record: WARC, ARC and WACZ files, packed in any of the usual ways.

What a file is, its first bytes say, not its name. Damaged parts of a file are skipped and reported, with their place.
"""

import re
from collections import Counter
from collections.abc import Iterator
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO, NamedTuple

from exonym.archive.ranges import NOWHERE, WHOLE, Stretch, is_whole
from exonym.archive.record_heads import RecordHead, next_head
from exonym.archive.recovery import next_record
from exonym.archive.unpacking import CutOffError, DamageError, UnpackedStream
from exonym.archive.wacz import EmbeddedArchive, archives_in
from exonym.errors import UrlError
from exonym.urls import normal_form, path_of

RESPONSES = frozenset(["response"])
REVISITS = frozenset(["revisit"])
RESPONSES_AND_REVISITS = RESPONSES | REVISITS
DESCRIPTIONS = frozenset(["metadata"])

_LONGEST_BLOCK_BYTES = 64 << 20  # as received; longer ones are films and disk images
_MOST_DAMAGES = 1_000  # in one file
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


class SkippedRecord(NamedTuple):
    """A part of a source that holds no page, and why; if the file is at fault, `warning` says where, in one line."""

    reason: str
    warning: str = ""


TORN = SkippedRecord("part of a file that ends in the middle of a record")  # the last item of such a part


class ArchiveRecord(NamedTuple):
    """A record with its bytes."""

    head: RecordHead
    block: bytes


class WarcResponse(NamedTuple):
    """A server's response, or a revisit record in its place, as any crawler archived it."""

    url: str  # in normal form
    head: bytes
    body: bytes
    offset: int  # of the record in its file; NOWHERE if it cannot be read from there
    address: str  # of the server; "" if the archive does not have it
    is_revisit: bool  # the body is that of `refers_to`
    refers_to: str  # as written; "" if nothing is


def responses_in(
    path: Path, stretch: Stretch = WHOLE, kinds: frozenset[str] = RESPONSES
) -> Iterator[WarcResponse | SkippedRecord]:
    """The responses in a stretch of an archive, robots.txt files left out."""
    for record in records_of(path, kinds, stretch):
        yield record if isinstance(record, SkippedRecord) else _response_of(record)


def response_at(path: Path, offset: int) -> WarcResponse | SkippedRecord:
    """The response at an offset that `responses_in` gave."""
    for response in responses_in(path, Stretch(offset), RESPONSES_AND_REVISITS):
        return response
    return SkippedRecord("record that cannot be read")


def _response_of(record: ArchiveRecord) -> WarcResponse | SkippedRecord:
    head, block = record
    try:  # wget writes URLs in angle brackets
        url = normal_form(head.field("warc-target-uri").strip("<> "))
    except UrlError:
        return SkippedRecord("no http(s) URL")
    if path_of(url) == "/robots.txt":
        return SkippedRecord("robots.txt")
    return WarcResponse(
        url,
        *head_and_body(block),
        offset=head.offset,
        address=head.field("warc-ip-address"),
        is_revisit=head.kind in REVISITS,
        refers_to=head.field("warc-refers-to-target-uri").strip("<> "),
    )


def records_of(path: Path, kinds: frozenset[str], stretch: Stretch = WHOLE) -> Iterator[ArchiveRecord | SkippedRecord]:
    """The records of some kinds in a stretch of an archive."""
    reading = _Reading(path, kinds, stretch)
    with path.open("rb") as stream:
        for archive in archives_in(stream, stretch.first, stretch.last):
            if isinstance(archive, str):
                yield SkippedRecord("zip file that is damaged", f"{path}: {archive}")
            else:
                yield from reading.records(archive)
        stretch.at_record(NOWHERE)
        if stretch.last and not is_whole(stream, reading.position, stretch.last):
            yield TORN
        if not stretch.first:
            yield from reading.complaint(stream)


def whole_records(stream: BinaryIO, kinds: frozenset[str]) -> Iterator[ArchiveRecord]:
    """The records from the stream's position up to the first damage, for which DamageError is raised."""
    source = UnpackedStream(stream, stream.tell())
    while head := next_head(source):
        if head.kind in kinds:
            yield ArchiveRecord(head, source.read(head.length))
        else:
            source.skip(head.length)


class _Reading:
    """The state of reading a file: which record is next, and what was found."""

    def __init__(self, path: Path, kinds: frozenset[str], stretch: Stretch) -> None:
        self._path, self._kinds, self._stretch = path, kinds, stretch
        self._number = NOWHERE
        self._found: Counter[str] = Counter()  # records by kind
        self._is_new = True  # a record was read since the last damage, so the next damage is reported as another one
        self.position = stretch.first

    def records(self, archive: EmbeddedArchive) -> Iterator[ArchiveRecord | SkippedRecord]:
        """The records of the file, or of an archive in it."""
        stream, base, self.position, last = archive.stream, archive.base, archive.first, archive.last
        for _ in range(_MOST_DAMAGES):
            try:
                yield from self._undamaged(archive)
                return
            except DamageError as damage:
                is_cut = isinstance(damage, CutOffError)
                if is_cut and self._stretch.last and last < stream.seek(0, SEEK_END):
                    return  # the rest of the record is in the next part of the file
                at = damage.place if damage.place >= 0 else self.position
                # A damaged place may be inside of a record, because the one before it says a wrong length.
                found = next_record(stream, max(self.position, at) if is_cut else self.position, base)
                is_over = found < 0 or found >= last > 0
                if self._is_new:
                    yield self._told(at, archive.name, is_cut, is_over)
                self._is_new = False
                if found >= 0 and not (is_cut and is_over):
                    self.position = found
                if is_over:
                    return

    def _undamaged(self, archive: EmbeddedArchive) -> Iterator[ArchiveRecord | SkippedRecord]:
        """The records from the position up to the first damage, for which DamageError is raised."""
        source = UnpackedStream(archive.stream, self.position, archive.last, archive.base)
        while head := next_head(source):
            self.position, self._number, self._is_new = max(self.position, head.offset), self._number + 1, True
            self._found[head.kind] += 1
            if head.kind not in self._kinds:
                source.skip(head.length)
                continue
            self._stretch.at_record(self._number)
            if self._number in self._stretch.passed_over:
                source.skip(head.length)
                yield SkippedRecord("record that ended the process reading it")
            elif head.length > _LONGEST_BLOCK_BYTES:
                source.skip(head.length)
                yield SkippedRecord("record too long")
            else:
                has_place = source.has_places and not archive.is_copy
                yield ArchiveRecord(head if has_place else head._replace(offset=NOWHERE), source.read(head.length))

    def _told(self, at: int, name: str, is_cut: bool, is_over: bool) -> SkippedRecord:
        where = f"{self._path}{f', {name}' if name else ''}"
        if is_cut and is_over:
            told = f"{where} ends in the middle of the record at byte {at:,}. What comes before was read."
            return SkippedRecord("record cut short", told)
        read = "What comes before was read." if is_over else "Reading went on with the next whole record."
        return SkippedRecord("damaged part of a file", f"{where} is damaged at byte {at:,}. {read}")

    def complaint(self, stream: BinaryIO) -> Iterator[SkippedRecord]:
        """Why a file that has been read gave nothing, if so."""
        if any(self._found[kind] for kind in self._kinds):
            return
        stream.seek(0)
        start = stream.read(16)
        others = ", ".join(f"{count:,} × {kind[:20] or 'no type'}" for kind, count in self._found.most_common(6))
        wanted = " or ".join(sorted(self._kinds))
        if others:
            told = f"{self._path} has no {wanted} records, only others: {others}."
        elif start:
            told = f"{self._path} is no WARC, ARC or WACZ file: no record in it, its first bytes are {start!r}."
        else:
            told = f"{self._path} is empty."
        yield SkippedRecord("file without an answer in it", told)


def head_and_body(block: bytes) -> tuple[bytes, bytes]:
    """Head and body of a response."""
    found = _EMPTY_LINE.search(block)
    return (block[: found.end()], block[found.end() :]) if found else (block, b"")
