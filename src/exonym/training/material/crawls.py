"""Pages of a crawl as examples: the journal says which, the archive has their text."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exonym.archive.exchange import ArchivePlace
from exonym.archive.reading import read_response
from exonym.batches import Outcome
from exonym.crawl_directory.reading import CrawlDirectory
from exonym.errors import DirectoryError
from exonym.training.material.pages import LeftOut, MaterialPage, MaterialReader
from exonym.training.material.sources import Condition
from exonym.training.material.warcs import page_of_answer

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
        yield _read(piece.archive, url, ArchivePlace(file, offset, 0, b"", False), reader)


def _read(archive: Path, url: str, place: ArchivePlace, reader: MaterialReader) -> MaterialPage:
    if "/" in place.file:
        return LeftOut("journal names a file outside of the archive")
    try:
        response = read_response(archive, place)
    except DirectoryError:
        return LeftOut("record that cannot be read")
    if response.is_revisit:  # the same bytes as those of another page
        return LeftOut("exact copy of another page")
    return page_of_answer(url, response.head, response.body, reader)
