"""Pages in WARC files, anybody's; long files are read in parts, by several processes."""

import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from exonym.archive.any_warc import block_of, parted, records_of, url_of
from exonym.archive.ranges import TORN, Stretch, cuts_of
from exonym.errors import DirectoryError
from exonym.training.material.pages import LeftOut, MaterialPage, MaterialReader
from exonym.urls import path_of, site_of
from exonym.webgraph.importing.record import SkippedRecord

with warnings.catch_warnings():
    # fastwarc warns, while it is imported, of old classes of its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import WarcRecord, WarcRecordType

CUT_WRONGLY = LeftOut(TORN.reason)

_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")


class WarcPiece(NamedTuple):
    """A part of a WARC file."""

    path: Path
    first: int = 0
    last: int = 0  # 0: the end of the file


def warc_pieces(path: Path) -> list[WarcPiece]:
    """A file, or the parts that make it up if it is long."""
    try:
        cuts = cuts_of(path)
    except DirectoryError:  # told when it is read
        return [WarcPiece(path)]
    return [WarcPiece(path)] if len(cuts) == 2 else [WarcPiece(path, first, last) for first, last in pairwise(cuts)]


def read_warc_pages(piece: WarcPiece, reader: MaterialReader) -> Iterator[MaterialPage]:
    """The pages of a part of a file; CUT_WRONGLY at its end if it should be read with the next one."""
    try:
        with piece.path.open("rb") as stream:
            for record in records_of(stream, WarcRecordType.response, Stretch(piece.first, piece.last)):
                if isinstance(record, SkippedRecord):
                    yield CUT_WRONGLY if record is TORN else LeftOut(record.reason)
                else:
                    yield _page(record, reader)
    except OSError as error:
        yield LeftOut(f"file cannot be read: {error.strerror}")


def _page(record: WarcRecord, reader: MaterialReader) -> MaterialPage:
    url, block = url_of(record), block_of(record)
    if isinstance(block, SkippedRecord):
        return LeftOut(block.reason)
    if not url or path_of(url) == "/robots.txt":
        return LeftOut("robots.txt" if url else "no http(s) URL")
    return page_of_answer(url, *parted(block), reader)


def page_of_answer(url: str, head: bytes, body: bytes, reader: MaterialReader) -> MaterialPage:
    """The page in a server's answer, if it is one."""
    status = _STATUS.match(head)
    if status is None or not 200 <= int(status[1]) < 300:
        return LeftOut("no page: a redirect or an error")
    return reader.answer(url, site_of(url), head, body)
