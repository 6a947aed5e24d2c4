"""Cuts sources into pieces of a few seconds' work at most, and reads the pieces, in one process or in several."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import NamedTuple

from exonym.progress import Progress, no_progress
from exonym.system.limits import limit_data
from exonym.system.processes import cores, done_in_processes
from exonym.training.material.graphs import NodesPiece, graph_pieces
from exonym.training.material.labelled import LabelsPiece
from exonym.training.material.material_sources import MaterialKind, MaterialSource, kind_of
from exonym.training.material.page_examples import LeftOut, MaterialReader, ReadPage
from exonym.training.material.page_files import FilesPiece, file_pieces, files_below
from exonym.training.material.warcs import CUT_WRONGLY, ArchivePiece, WarcPiece, crawl_pieces, warc_pieces

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
    return [Piece(number, positive, part) for part in work]


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
    for page in piece.work.read(reader):
        if isinstance(page, ReadPage):
            pages.append(page)
        else:
            left_out[page] += 1
    return PieceRead(pages, left_out, left_out.pop(CUT_WRONGLY, 0) > 0)


def joined(piece: Piece, following: Piece) -> Piece | None:
    """Two parts of a file as one; None if the second does not begin where the first ends."""
    work, rest = piece.work, following.work
    if not isinstance(work, WarcPiece) or not isinstance(rest, WarcPiece) or piece.source != following.source:
        return None
    is_next = work.path == rest.path and 0 < work.last == rest.first
    return piece._replace(work=work._replace(last=rest.last)) if is_next else None


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
    for number, (piece, read) in enumerate(zip(pieces, results, strict=True), 1):
        pages += len(read.pages)
        # A piece that ended inside a record is read again, together with this one.
        whole = joined(done[-1][0], piece) if done and done[-1][1].is_torn else None
        if whole:
            done[-1] = whole, read_piece(MaterialReader(language), whole)
        else:
            done.append((piece, read))
        progress(f"{pages:,} pages read, part", number, len(pieces))
    return done


def _bounded_reader(language: str) -> MaterialReader:
    """A reader in a process whose memory is limited: a page that needs gigabytes fails, not the machine."""
    limit_data(_MOST_MEMORY_BYTES)  # mapped graphs do not count
    return MaterialReader(language)
