"""How a crawl went: pages, relevant pages, bytes and failures over the visits, and what follows from them.

Visits are in the order of the journal; those of several partitions are merged by time. A crawl of many visits is read
in blocks of `BLOCK_ROWS` rows, so a curve costs the same however long the crawl is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from exonym.batches import Floats, Integers
from exonym.crawl_progress import RECENT_PAGES
from exonym.crawl_views.index_tables import BLOCK_ROWS, PARTITION_ROWS
from exonym.crawl_views.view import plain_value
from exonym.crawl_views.visit_index import VisitIndex
from exonym.metrics import harvest_after

if TYPE_CHECKING:
    import duckdb

_FEWEST_BLOCKS = 300  # with fewer, visits are read one by one
_OF_VISITS = f"""select id // {PARTITION_ROWS} as part, "when" as ended, (outcome <= 1)::bigint as pages,
    relevant::bigint as relevant, (outcome = 1)::bigint as failures, length as bytes from visits order by id"""
_OF_BLOCKS = f"""select block // {PARTITION_ROWS // BLOCK_ROWS} as part, max(ended) as ended,
    sum(pages)::bigint as pages, sum(relevant)::bigint as relevant, sum(failures)::bigint as failures,
    sum(bytes)::bigint as bytes from blocks group by block order by block"""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Moments of a crawl: lists of equal length."""

    pages: list[int] = field(default_factory=list)  # fetched until then, failed requests included
    relevant: list[int] = field(default_factory=list)
    when: list[float] = field(default_factory=list)  # seconds since 1970
    harvest: list[float] = field(default_factory=list)  # relevant pages / pages, since the beginning
    recent_harvest: list[float] = field(default_factory=list)  # over the last 1,000 pages, or since the last moment
    pages_per_second: list[float] = field(default_factory=list)  # since the last moment
    bytes: list[int] = field(default_factory=list)  # received until then
    failures: list[int] = field(default_factory=list)

    def document(self) -> dict[str, list[Any]]:
        """The moments for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {name: [plain_value(value) for value in values] for name, values in asdict(self).items()}


def timeline_of(index: VisitIndex, points: int = 300) -> Timeline:
    """At most `points` moments of a crawl, after about equally many pages each; the last one is the end."""
    steps = _steps(index.cursor(), index.rows)
    pages, relevant, failures, size = (np.cumsum(steps[name]) for name in ("pages", "relevant", "failures", "bytes"))
    if not len(pages) or not pages[-1]:
        return Timeline()
    ends = _ends(pages, points)
    ends[-1] = len(pages) - 1  # redirects after the last page: their bytes count, too
    seconds = np.diff(steps["ended"][ends], prepend=steps["first"])
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.diff(pages[ends], prepend=0) / seconds
    return Timeline(
        pages=pages[ends].tolist(),
        relevant=relevant[ends].tolist(),
        when=steps["ended"][ends].tolist(),
        harvest=harvest_after(relevant[ends], pages[ends]).tolist(),
        recent_harvest=_recent_harvest(pages, relevant, ends).tolist(),
        pages_per_second=np.where(seconds > 0, speed, np.nan).tolist(),
        bytes=size[ends].tolist(),
        failures=failures[ends].tolist(),
    )


def _steps(cursor: duckdb.DuckDBPyConnection, visits: int) -> dict[str, Any]:
    """Visits, or blocks of them, in order; `ended` never falls, `first` is the time of the first visit."""
    found = cursor.execute(_OF_BLOCKS if visits > _FEWEST_BLOCKS * BLOCK_ROWS else _OF_VISITS).fetchnumpy()
    steps = {name: np.asarray(values) for name, values in found.items()}
    (first,) = cursor.execute('select min("when") from visits').fetchone() or (0.0,)
    ended = steps["ended"]
    # A slow answer is journaled after faster ones that were asked later.
    for part in np.unique(steps["part"]):
        own = steps["part"] == part
        ended[own] = np.maximum.accumulate(ended[own])
    order = np.argsort(ended, kind="stable")
    return {**{name: values[order] for name, values in steps.items()}, "first": first}


def _ends(pages: Integers, points: int) -> Integers:
    """The places at which about equally many pages have been fetched since the last one."""
    wanted = pages[-1] * np.arange(1, points + 1) / points
    return np.unique(np.searchsorted(pages, np.ceil(wanted)))


def _recent_harvest(pages: Integers, relevant: Integers, ends: Integers) -> Floats:
    """The harvest rate of the last RECENT_PAGES pages before each end, or since the end before it if that is longer."""
    since_pages = np.minimum(pages[ends] - RECENT_PAGES, np.concatenate([[0], pages[ends][:-1]]))
    before = np.searchsorted(pages, np.maximum(since_pages, 0), side="right") - 1
    pages_before = np.where(before >= 0, pages[np.maximum(before, 0)], 0)
    relevant_before = np.where(before >= 0, relevant[np.maximum(before, 0)], 0)
    return (relevant[ends] - relevant_before) / np.maximum(pages[ends] - pages_before, 1)
