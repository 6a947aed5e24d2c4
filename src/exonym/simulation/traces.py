"""How a simulation went: harvest and coverage at some two thousand moments, as Parquet and as values for figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from exonym.batches import Flags, Floats, Integers
from exonym.system.files import disk_errors

EVENLY, DENSER = 1_000, 1_000  # points over all pages, and points whose distance grows
_COLUMNS = ["strategy", "pages", "relevant", "harvest", "coverage", "hours"]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Of each moment: pages fetched so far, relevant ones of them, and the hour if time was simulated."""

    strategy: str
    is_oracle: bool
    relevant_pages: int  # in the graph
    pages: Integers
    relevant: Integers
    hours: Floats | None

    @property
    def harvest(self) -> Floats:
        """The harvest rate so far."""
        return self.relevant / np.maximum(self.pages, 1)

    @property
    def coverage(self) -> Floats:
        """The coverage so far; 1 where no relevant pages exist."""
        return self.relevant / self.relevant_pages if self.relevant_pages else np.ones(len(self.pages))


def moments(pages: int) -> Integers:
    """The numbers of pages at which a trace of `pages` is kept: evenly, and denser at the beginning."""
    if not pages:
        return np.empty(0, dtype=np.int64)
    evenly, denser = np.linspace(1, pages, EVENLY), np.geomspace(1, pages, DENSER)
    return np.unique(np.rint(np.concatenate([evenly, denser])).astype(np.int64))


def counts_at(relevant: Flags, at: Integers) -> Integers:
    """How many of the first pages were relevant, for each number of pages."""
    found: Integers = np.searchsorted(np.flatnonzero(relevant), at, side="left")
    return found


def write_traces(path: Path, traces: Sequence[Trace]) -> None:
    """Write all traces as one Parquet table."""
    import pyarrow
    import pyarrow.parquet

    parts = [pyarrow.table([_column(trace, name) for name in _COLUMNS], names=_COLUMNS) for trace in traces]
    with disk_errors(path):
        pyarrow.parquet.write_table(pyarrow.concat_tables(parts), path)


def _column(trace: Trace, name: str) -> object:
    import pyarrow

    if name == "strategy":
        return pyarrow.repeat(pyarrow.scalar(trace.strategy, pyarrow.string()), len(trace.pages))
    if name == "hours" and trace.hours is None:
        return pyarrow.nulls(len(trace.pages), pyarrow.float64())
    return pyarrow.array(getattr(trace, name))
