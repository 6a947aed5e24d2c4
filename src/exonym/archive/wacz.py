"""Finds the archives in a file: the file itself, or those in a WACZ file, a zip file with WARC files in it.

Archives that the zip file stores as they are (as the WACZ specification wants) are read from where they are; those
that it packs are unpacked one by one, to a temporary file if they are long.
"""

import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from exonym.archive.recovery import next_member
from exonym.archive.unpacking import Packing, packing_of

ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4", ".arc", ".arc.gz", ".wat", ".wat.gz")
_IN_MEMORY_BYTES = 16 << 20
_LOCAL_HEAD_BYTES = 30  # of a member, before its name
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


class EmbeddedArchive(NamedTuple):
    """An archive, and where it is in a stream."""

    stream: BinaryIO
    name: str = ""  # in its zip file
    base: int = 0  # where it begins
    first: int = 0  # from where on it is read
    last: int = 0  # up to where; 0: the end of the stream
    is_copy: bool = False  # the stream is a copy: places in it are none in the file


def archives_in(stream: BinaryIO, first: int = 0, last: int = 0) -> Iterator[EmbeddedArchive | str]:
    """The archives in a file, those in a WACZ file one by one; in place of one that cannot be read, why.

    What begins at `first` of a WACZ file is read as an archive, so that a record can be read from its place.
    """
    if packing_of(stream) != Packing.ZIP:
        yield EmbeddedArchive(stream, base=0, first=first, last=last)
    elif first:
        yield EmbeddedArchive(stream, base=first, first=first)
    else:
        yield from _archives_in_zip(stream)


def _archives_in_zip(stream: BinaryIO) -> Iterator[EmbeddedArchive | str]:
    try:
        members = archive_members(stream)
    except _DAMAGE:
        yield "the zip file has no directory: it was cut off, or is damaged. The records that can be found were read."
        start = next_member(stream, 0)
        if start > 0:
            yield EmbeddedArchive(stream, base=start, first=start)
        return
    if not members:
        yield "a zip file without an archive in it."
    for member in members:
        if member.compress_type == zipfile.ZIP_STORED:
            start = _start_of(stream, member)
            yield EmbeddedArchive(stream, member.filename, start, start, start + member.file_size)
            continue
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as copy:
            try:
                with zipfile.ZipFile(stream) as packed, packed.open(member) as content:
                    shutil.copyfileobj(content, copy)
            except _DAMAGE as error:
                yield f"{member.filename} in it cannot be unpacked to its end ({error})."
            yield EmbeddedArchive(cast("BinaryIO", copy), member.filename, is_copy=True)


def archive_members(stream: BinaryIO) -> list[zipfile.ZipInfo]:
    """The archives in a zip file: those in its folder `archive`, as WACZ has it, or else all with names of archives."""
    with zipfile.ZipFile(stream) as packed:
        named = [member for member in packed.infolist() if member.filename.lower().endswith(ENDINGS)]
    return [member for member in named if member.filename.startswith("archive/")] or named


def _start_of(stream: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Where the bytes of a member begin: after its head, whose length the directory does not tell."""
    stream.seek(member.header_offset + _LOCAL_HEAD_BYTES - 4)
    lengths = stream.read(4)
    name, extra = int.from_bytes(lengths[:2], "little"), int.from_bytes(lengths[2:], "little")
    return member.header_offset + _LOCAL_HEAD_BYTES + name + extra
