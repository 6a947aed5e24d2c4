"""Pages in WARC files: those of any crawler, read in parts if they are long, and the archives of Exonym's crawls."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from exonym.archive.any_warc import TORN, SkippedRecord, responses_in
from exonym.archive.archived_responses import read_response
from exonym.archive.ranges import Stretch, cuts_of
from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import DirectoryError
from exonym.training.material.material_sources import Condition
from exonym.training.material.page_examples import LeftOut, MaterialPage, MaterialReader

CUT_WRONGLY = LeftOut(TORN.reason)


class WarcPiece(NamedTuple):
    """A part of a WARC file."""

    path: Path
    first: int = 0
    last: int = 0  # 0: the end of the file

    def read(self, reader: MaterialReader) -> Iterator[MaterialPage]:
        """The pages of the part; CUT_WRONGLY at its end if the part should be read together with the next one."""
        try:
            for response in responses_in(self.path, Stretch(self.first, self.last)):
                if isinstance(response, SkippedRecord):
                    yield CUT_WRONGLY if response is TORN else LeftOut(response.reason, warning=response.warning)
                else:
                    yield reader.response(response.url, response.head, response.body)
        except OSError as error:
            yield LeftOut(f"file cannot be read: {error.strerror}")


def warc_pieces(path: Path) -> list[WarcPiece]:
    """A file, or the parts that make it up if it is long."""
    try:
        cuts = cuts_of(path)
    except DirectoryError:  # reported when it is read
        return [WarcPiece(path)]
    return [WarcPiece(path)] if len(cuts) == 2 else [WarcPiece(path, first, last) for first, last in pairwise(cuts)]


# Pages of a crawl's own archive, which its journal lists.

_PIECE_PAGES = 500
_COLUMNS = ["url", "outcome", "relevant", "language", "warc_file", "warc_offset"]


class ArchivePiece(NamedTuple):
    """Pages in an archive that are read together."""

    pages: tuple[tuple[str, Path, str, int], ...]  # URL, folder, file, and the offset in the file

    def read(self, reader: MaterialReader) -> Iterator[MaterialPage]:
        """The pages, read from the archive."""
        for url, folder, file, offset in self.pages:
            yield _read_record(url, folder, file, offset, reader)


def crawl_pieces(directory: Path, condition: Condition) -> list[ArchivePiece]:
    """The pages of a crawl that meet a condition, as pieces of work."""
    pages, crawl = list[tuple[str, Path, str, int]](), CrawlDirectory(directory)
    for table in crawl.tables(_COLUMNS):
        columns = [table[name].to_pylist() for name in _COLUMNS]
        for url, outcome, relevant, language, file, offset in zip(*columns, strict=True):
            is_meant = condition.relevant in (None, relevant) and condition.language in ("", language)
            if outcome == Outcome.PAGE and file and is_meant:
                pages.append((url, crawl.archive_folder(file), file, offset))
    return [ArchivePiece(tuple(pages[at : at + _PIECE_PAGES])) for at in range(0, len(pages), _PIECE_PAGES)]


def _read_record(url: str, folder: Path, file: str, offset: int, reader: MaterialReader) -> MaterialPage:
    if "/" in file:
        return LeftOut("journal names a file outside of the archive")
    try:
        response = read_response(folder, file, offset)
    except DirectoryError:
        return LeftOut("record that cannot be read")
    if response.is_revisit:  # the same bytes as those of another page
        return LeftOut("exact copy of another page")
    return reader.response(url, response.head, response.body)
