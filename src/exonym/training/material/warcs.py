"""Pages in WARC files: those of any crawler, read in parts if they are long, and the archives of Exonym's crawls."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from exonym.archive.any_warc import TORN, SkippedRecord, responses_in
from exonym.archive.exchange import ArchivePlace
from exonym.archive.ranges import Stretch, cuts_of
from exonym.archive.reading import read_response
from exonym.batches import Outcome
from exonym.crawl_directory.reading import CrawlDirectory
from exonym.errors import DirectoryError
from exonym.fetch.messages import status_of
from exonym.training.material.pages import LeftOut, MaterialPage, MaterialReader
from exonym.training.material.sources import Condition
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


# Pages of a crawl's own archive: the journal says which.

_PIECE_PAGES = 500
_COLUMNS = ["url", "outcome", "relevant", "language", "warc_file", "warc_offset"]


class ArchivePiece(NamedTuple):
    """Pages in an archive that are read together."""

    archive: Path
    pages: tuple[tuple[str, str, int], ...]  # URL, file and where in it


def crawl_pieces(directory: Path, condition: Condition) -> list[ArchivePiece]:
    """The pages of a crawl that meet a condition, as pieces of work."""
    pages = list(_places_of_pages(directory, condition))
    archive = directory / "warc"
    return [ArchivePiece(archive, tuple(pages[at : at + _PIECE_PAGES])) for at in range(0, len(pages), _PIECE_PAGES)]


def _places_of_pages(directory: Path, condition: Condition) -> Iterator[tuple[str, str, int]]:
    for table in CrawlDirectory(directory).tables(_COLUMNS):
        columns = [table[name].to_pylist() for name in _COLUMNS]
        for url, outcome, relevant, language, file, offset in zip(*columns, strict=True):
            is_meant = condition.relevant in (None, relevant) and condition.language in ("", language)
            if outcome == Outcome.PAGE and file and is_meant:
                yield url, file, offset


def read_archived(piece: ArchivePiece, reader: MaterialReader) -> Iterator[MaterialPage]:
    """The pages of a piece."""
    for url, file, offset in piece.pages:
        yield _read_record(piece.archive, url, ArchivePlace(file, offset, 0, b"", False), reader)


def _read_record(archive: Path, url: str, place: ArchivePlace, reader: MaterialReader) -> MaterialPage:
    if "/" in place.file:
        return LeftOut("journal names a file outside of the archive")
    try:
        response = read_response(archive, place)
    except DirectoryError:
        return LeftOut("record that cannot be read")
    if response.is_revisit:  # the same bytes as those of another page
        return LeftOut("exact copy of another page")
    return page_of_answer(url, response.head, response.body, reader)
