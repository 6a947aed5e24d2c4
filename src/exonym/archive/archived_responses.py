"""Responses read back from our own archive, with their digests checked."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from exonym.archive.any_warc import RESPONSES_AND_REVISITS, REVISITS, ArchiveRecord, head_and_body, whole_records
from exonym.archive.unpacking import DamageError
from exonym.errors import DirectoryError
from exonym.system.files import disk_errors


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """A response record, or a revisit record (no body) in its place."""

    url: str
    head: bytes
    body: bytes
    digest: bytes
    is_verified: bool  # the body is there and has the digest that the record claims
    is_revisit: bool
    refers_to: str  # the URL whose payload a revisit repeats
    truncated: str
    offset: int


def read_response(directory: Path, file: str, offset: int) -> ArchivedResponse:
    """The response at an offset of a file of the archive in `directory`."""
    path = directory / file
    with disk_errors(path), path.open("rb") as stream:
        stream.seek(offset)
        for response in _responses(path, stream):
            return response
    raise _unreadable(path, offset)


def read_responses(path: Path) -> Iterator[ArchivedResponse]:
    """Every response and revisit of one file, in its order."""
    with disk_errors(path), path.open("rb") as stream:
        yield from _responses(path, stream)


def _responses(path: Path, stream: BinaryIO) -> Iterator[ArchivedResponse]:
    start = stream.tell()
    try:
        for record in whole_records(stream, RESPONSES_AND_REVISITS):
            yield _response(record)
    except DamageError as error:
        raise _unreadable(path, start) from error


def _response(record: ArchiveRecord) -> ArchivedResponse:
    fields, (head, body) = record.head, head_and_body(record.block)
    claimed = _digest_of(fields.field("warc-payload-digest"))
    is_revisit = fields.kind in REVISITS
    return ArchivedResponse(
        url=fields.field("warc-target-uri"),
        head=head,
        body=body,
        digest=claimed,
        is_verified=not is_revisit and hashlib.sha1(body, usedforsecurity=False).digest() == claimed,
        is_revisit=is_revisit,
        refers_to=fields.field("warc-refers-to-target-uri"),
        truncated=fields.field("warc-truncated"),
        offset=fields.offset,
    )


def _digest_of(text: str) -> bytes:
    try:
        return base64.b32decode(text.rpartition(":")[2])
    except ValueError:
        return b""


def _unreadable(path: Path, offset: int) -> DirectoryError:
    return DirectoryError(f"{path} has no readable response at byte {offset}. Restore the file from a copy.")
