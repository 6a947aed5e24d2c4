"""Pages in WARC files of any crawler; long files are read in parts, by several processes."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from exonym.archive.any_warc import TORN, SkippedRecord, responses_in
from exonym.archive.ranges import Stretch, cuts_of
from exonym.errors import DirectoryError
from exonym.fetch.messages import status_of
from exonym.training.material.pages import LeftOut, MaterialPage, MaterialReader
from exonym.urls import site_of

CUT_WRONGLY = LeftOut(TORN.reason)


class WarcPiece(NamedTuple):
    """A part of a WARC file."""

    path: Path
    first: int = 0
    last: int = 0  # 0: the end of the file


def warc_pieces(path: Path) -> list[WarcPiece]:
    """A file, or the parts that make it up if it is long."""
    try:
        cuts = cuts_of(path)
    except DirectoryError:  # reported when it is read
        return [WarcPiece(path)]
    return [WarcPiece(path)] if len(cuts) == 2 else [WarcPiece(path, first, last) for first, last in pairwise(cuts)]


def read_warc_pages(piece: WarcPiece, reader: MaterialReader) -> Iterator[MaterialPage]:
    """The pages of a part of a file; CUT_WRONGLY at its end if it should be read with the next one."""
    try:
        with piece.path.open("rb") as stream:
            for response in responses_in(stream, Stretch(piece.first, piece.last)):
                if isinstance(response, SkippedRecord):
                    yield CUT_WRONGLY if response is TORN else LeftOut(response.reason)
                else:
                    yield page_of_answer(response.url, response.head, response.body, reader)
    except OSError as error:
        yield LeftOut(f"file cannot be read: {error.strerror}")


def page_of_answer(url: str, head: bytes, body: bytes, reader: MaterialReader) -> MaterialPage:
    """The page in a server's response, if it is one."""
    if not 200 <= status_of(head) < 300:
        return LeftOut("no page: a redirect or an error")
    return reader.answer(url, site_of(url), head, body)
