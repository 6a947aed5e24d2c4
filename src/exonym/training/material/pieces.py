"""Cuts sources into pieces of a few seconds' work at most, and reads the pieces, in one process or in several."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from exonym.progress import Progress, no_progress
from exonym.system.limits import limit_data
from exonym.system.processes import cores, done_in_processes
from exonym.training.material.files import FilesPiece, file_pieces, files_below, read_files
from exonym.training.material.graphs import NodesPiece, graph_pieces, read_nodes
from exonym.training.material.labelled import LabelsPiece, read_labelled
from exonym.training.material.pages import LeftOut, MaterialPage, MaterialReader, ReadPage
from exonym.training.material.sources import MaterialKind, MaterialSource, kind_of
from exonym.training.material.warcs import (
    CUT_WRONGLY,
    ArchivePiece,
    WarcPiece,
    crawl_pieces,
    read_archived,
    read_warc_pages,
    warc_pieces,
)

_WORTH_PROCESSES = 4  # pieces: fewer are read before processes have started
_MOST_MEMORY_BYTES = 4 << 30  # of a process

Work = FilesPiece | WarcPiece | ArchivePiece | NodesPiece | LabelsPiece


class Piece(NamedTuple):
    """A piece of work, and whether its pages are examples of the topic."""

    source: int  # the number of the source that it is a part of
    positive: bool
    work: Work


class PieceRead(NamedTuple):
    """The pages of a piece."""

    pages: list[ReadPage]
    left_out: Counter[LeftOut]
    is_torn: bool = False  # it ends inside a record and must be read again, together with the next piece


def pieces_of(source: MaterialSource, number: int, positive: bool) -> list[Piece]:
    """A source as pieces of work."""
    match source.kind:
        case MaterialKind.CRAWL:
            work: list[Work] = [*crawl_pieces(source.path, source.condition)]
        case MaterialKind.GRAPH:
            work = [*graph_pieces(source.path, source.condition)]
        case MaterialKind.FOLDER:
            work = _work_in_folder(source.path, positive)
        case MaterialKind.WARC:
            work = [*warc_pieces(source.path)]
        case MaterialKind.LABELS:
            work = [LabelsPiece(source.path, positive)]
        case MaterialKind.PAGES:
            work = [*file_pieces(source.path.parent, [source.path.name])]
    return [Piece(number, positive, one) for one in work]


def _work_in_folder(folder: Path, positive: bool) -> list[Work]:
    """The files of a folder, by their names, as pieces of work."""
    pages: list[str] = []
    work: list[Work] = []
    for name in files_below(folder):
        kind = kind_of(folder / name)
        if kind == MaterialKind.PAGES:
            pages.append(name)
        elif kind == MaterialKind.LABELS:
            work.append(LabelsPiece(folder / name, positive, is_named=False))
        else:
            work += warc_pieces(folder / name)
    return [*file_pieces(folder, pages), *work]


def read_piece(reader: MaterialReader, piece: Piece) -> PieceRead:
    """Read a piece to its end."""
    pages: list[ReadPage] = []
    left_out: Counter[LeftOut] = Counter()
    for found in _pages_of(piece.work, reader):
        if isinstance(found, ReadPage):
            pages.append(found)
        else:
            left_out[found] += 1
    return PieceRead(pages, left_out, left_out.pop(CUT_WRONGLY, 0) > 0)


def _pages_of(work: Work, reader: MaterialReader) -> Iterator[MaterialPage]:
    match work:
        case FilesPiece():
            return read_files(work, reader)
        case WarcPiece():
            return read_warc_pages(work, reader)
        case ArchivePiece():
            return read_archived(work, reader)
        case NodesPiece():
            return read_nodes(work, reader)
        case LabelsPiece():
            return read_labelled(work, reader)


def joined(piece: Piece, following: Piece) -> Piece | None:
    """Two parts of a file as one, where the second goes on where the first ends."""
    work, rest = piece.work, following.work
    if not isinstance(work, WarcPiece) or not isinstance(rest, WarcPiece) or piece.source != following.source:
        return None
    goes_on = work.path == rest.path and 0 < work.last == rest.first
    return piece._replace(work=work._replace(last=rest.last)) if goes_on else None


# All pieces, in order.


def read_pieces(
    pieces: list[Piece], language: str, jobs: int, progress: Progress = no_progress
) -> list[tuple[Piece, PieceRead]]:
    """Each piece with its pages; parts of a file that was cut inside a record are joined."""
    jobs = min(cores(jobs), len(pieces))
    if jobs > 1 and len(pieces) >= _WORTH_PROCESSES:
        results = done_in_processes(read_piece, partial(_bounded_reader, language), pieces, jobs, in_order=True)
    else:
        reader = MaterialReader(language)
        results = (read_piece(reader, piece) for piece in pieces)
    done: list[tuple[Piece, PieceRead]] = []
    pages = 0
    for piece, read in zip(pieces, results, strict=True):
        pages += len(read.pages)
        done.append((piece, read))
        progress(f"{pages:,} pages read, part", len(done), len(pieces))
    return _rejoin_torn_pieces(done, language)


def _bounded_reader(language: str) -> MaterialReader:
    """A reader for a process with a limit of memory: a page that needs gigabytes fails, not the machine."""
    limit_data(_MOST_MEMORY_BYTES)  # mapped graphs do not count
    return MaterialReader(language)


def _rejoin_torn_pieces(done: list[tuple[Piece, PieceRead]], language: str) -> list[tuple[Piece, PieceRead]]:
    """The pieces, where a piece that ended in the middle of a record has been read again together with the next."""
    whole: list[tuple[Piece, PieceRead]] = []
    for piece, read in done:
        before = whole[-1] if whole else None
        together = joined(before[0], piece) if before and before[1].is_torn else None
        if together:
            whole[-1] = together, read_piece(MaterialReader(language), together)
        else:
            whole.append((piece, read))
    return whole
