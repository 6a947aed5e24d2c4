"""All pieces read: here, or in several processes where there is enough to do; what they give keeps their order."""

import multiprocessing
import os
import resource
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from exonym.drivers.material.pages import PageReader
from exonym.drivers.material.pieces import Piece, PieceRead, joined, read_piece
from exonym.errors import DirectoryError
from exonym.processes import leave_with_parent, without_interrupts

_WORTH_PROCESSES = 4  # pieces: fewer are read before processes have started
_WAITING = 4  # pieces for each process, so that none is idle
_MOST_MEMORY = 4 << 30  # of a process, in bytes

Tell = Callable[[int, int, int], None]  # pages read, pieces done, pieces


def read_pieces(pieces: list[Piece], language: str, jobs: int, tell: Tell) -> list[tuple[Piece, PieceRead]]:
    """Each piece with what it gave; parts of a file that were cut in the wrong place come as one."""
    done: list[tuple[Piece, PieceRead]] = []
    pages = 0
    for piece, read in zip(pieces, _read(pieces, language, jobs), strict=True):
        pages += len(read.pages)
        done.append((piece, read))
        tell(pages, len(done), len(pieces))
    return _mended(done, language)


def _read(pieces: list[Piece], language: str, jobs: int) -> Iterator[PieceRead]:
    jobs = min(jobs or os.cpu_count() or 1, len(pieces))
    if jobs > 1 and len(pieces) >= _WORTH_PROCESSES:
        return _in_processes(pieces, language, jobs)
    reader = PageReader(language)
    return (read_piece(piece, reader) for piece in pieces)


def _mended(done: list[tuple[Piece, PieceRead]], language: str) -> list[tuple[Piece, PieceRead]]:
    whole: list[tuple[Piece, PieceRead]] = []
    for piece, read in done:
        before = whole[-1] if whole else None
        together = joined(before[0], piece) if before and before[1].is_torn else None
        if together:
            whole[-1] = together, read_piece(together, PageReader(language))
        else:
            whole.append((piece, read))
    return whole


def _in_processes(pieces: list[Piece], language: str, jobs: int) -> Iterator[PieceRead]:
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _prepare, (language,)) as pool:
        try:
            waiting: deque[Future[PieceRead]] = deque()
            for piece in pieces:
                with without_interrupts():  # half begun, processes would print where they were
                    waiting.append(pool.submit(_read_in_worker, piece))
                if len(waiting) >= _WAITING * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise DirectoryError(
                "a process that read pages was ended from outside. Run the same command again, with --jobs 1 if "
                "memory is short."
            ) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_own: list[PageReader] = []  # a worker's reader


def _prepare(language: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker without a word
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    leave_with_parent()
    # A page that drives a parser to gigabytes costs itself, not the machine.
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY if hard < 0 else min(_MOST_MEMORY, hard), hard))
    _own.append(PageReader(language))


def _read_in_worker(piece: Piece) -> PieceRead:
    return read_piece(piece, _own[0])
