"""All pieces read: here, or in several processes where there is enough to do; what they give keeps their order."""

import resource
from collections.abc import Callable, Iterator
from functools import partial

from exonym.system.processes import cores, done_in_processes
from exonym.training.material.pages import MaterialReader
from exonym.training.material.pieces import Piece, PieceRead, joined, read_piece

_WORTH_PROCESSES = 4  # pieces: fewer are read before processes have started
_MOST_MEMORY = 4 << 30  # of a process, in bytes

ShowFiles = Callable[[int, int, int], None]  # pages read, pieces done, pieces


def read_pieces(pieces: list[Piece], language: str, jobs: int, tell: ShowFiles) -> list[tuple[Piece, PieceRead]]:
    """Each piece with what it gave; parts of a file that were cut in the wrong place come as one."""
    done: list[tuple[Piece, PieceRead]] = []
    pages = 0
    for piece, read in zip(pieces, _read(pieces, language, jobs), strict=True):
        pages += len(read.pages)
        done.append((piece, read))
        tell(pages, len(done), len(pieces))
    return _mended(done, language)


def _read(pieces: list[Piece], language: str, jobs: int) -> Iterator[PieceRead]:
    jobs = min(cores(jobs), len(pieces))
    if jobs > 1 and len(pieces) >= _WORTH_PROCESSES:
        return _in_processes(pieces, language, jobs)
    reader = MaterialReader(language)
    return (read_piece(piece, reader) for piece in pieces)


def _mended(done: list[tuple[Piece, PieceRead]], language: str) -> list[tuple[Piece, PieceRead]]:
    whole: list[tuple[Piece, PieceRead]] = []
    for piece, read in done:
        before = whole[-1] if whole else None
        together = joined(before[0], piece) if before and before[1].is_torn else None
        if together:
            whole[-1] = together, read_piece(together, MaterialReader(language))
        else:
            whole.append((piece, read))
    return whole


def _in_processes(pieces: list[Piece], language: str, jobs: int) -> Iterator[PieceRead]:
    return done_in_processes(_read_with, partial(_bounded_reader, language), pieces, jobs, in_order=True)


def _bounded_reader(language: str) -> MaterialReader:
    """A reader in a process of its own: a page that drives a parser to gigabytes costs itself, not the machine."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY if hard < 0 else min(_MOST_MEMORY, hard), hard))
    return MaterialReader(language)


def _read_with(reader: MaterialReader, piece: Piece) -> PieceRead:
    return read_piece(piece, reader)
