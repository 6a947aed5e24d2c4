"""Finished simulations on disk, so that an experiment that was stopped does not begin anew."""

import re
from pathlib import Path

import msgspec
import numpy as np

from exonym.simulation.results import Finished, Result
from exonym.simulation.traces import Trace
from exonym.system.files import disk_errors
from exonym.version import __version__


class _Kept(msgspec.Struct, frozen=True):
    version: str
    web: str
    result: Result
    relevant_pages: int
    pages: list[int]
    relevant: list[int]


def keep(directory: Path, web: str, one: Finished) -> None:
    """Write a finished simulation of the web with this mark; it has its name when it is whole."""
    trace = one.trace
    pages, relevant = trace.pages.tolist(), trace.relevant.tolist()
    kept = _Kept(__version__, web, one.result, trace.relevant_pages, pages, relevant)
    path = _path(directory, one.result.strategy)
    draft = path.with_suffix(".partial")
    with disk_errors(directory):
        directory.mkdir(exist_ok=True)
        draft.write_bytes(msgspec.json.encode(kept))
        draft.replace(path)


def kept(directory: Path, web: str, strategy: str) -> Finished | None:
    """The finished simulation of a strategy; None if there is none, or of another web, or it cannot be read."""
    try:
        found = msgspec.json.decode(_path(directory, strategy).read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if (found.version, found.web, found.result.strategy) != (__version__, web, strategy):
        return None
    if not found.pages or len(found.pages) != len(found.relevant):
        return None
    trace = Trace(
        strategy=strategy,
        is_oracle=found.result.is_oracle,
        relevant_pages=found.relevant_pages,
        pages=np.array(found.pages, dtype=np.int64),
        relevant=np.array(found.relevant, dtype=np.int64),
        hours=None,
    )
    return Finished(found.result, trace)


def _path(directory: Path, strategy: str) -> Path:
    return directory / f"{re.sub(r'[^A-Za-z0-9]+', '-', strategy).strip('-')}.json"
