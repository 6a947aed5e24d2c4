"""What a frontier knew at its last commit, of one server and of any URL: read from its store without restoring it.

A crawl may be running: nothing is written, and the store is needed only while a `FrontierLook` is made. Links that were
in flight at the commit are among those that wait.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, FoundCounters, Ids, Visit
from exonym.errors import DirectoryError
from exonym.frontier.aside import AsideLinks
from exonym.frontier.base import ASIDE, NOT_FOLLOWED, VISITED, Levels
from exonym.frontier.blocks import FrontierTables, GroupSize
from exonym.frontier.link_rows import offsets, row_end, visit_at
from exonym.frontier.log import NO_CHANGES, Changes, Record
from exonym.frontier.seen import Marks, counters_in, marks_of, read_seen
from exonym.store import Store
from exonym.urls import id_of

_CHUNK = 1 << 20  # slots of the table of seen URLs that are looked at together


class KnownUrl(NamedTuple):
    """What a frontier knows of a URL that was met."""

    level: int  # at which it waits; or else one of the next three
    found: tuple[int, int, int, int]  # the counters of `FoundCounters`

    @property
    def waits(self) -> bool:
        """Whether it waits, or is in flight."""
        return NOT_FOLLOWED < self.level < ASIDE

    @property
    def is_aside(self) -> bool:
        """Whether the scope set it aside when its turn came."""
        return self.level == ASIDE

    @property
    def is_done(self) -> bool:
        """Whether its turn has come and gone."""
        return self.level == VISITED


class Around(NamedTuple):
    """How many links wait at higher levels than one, and at the same level; it is among the latter."""

    above: int
    beside: int


class FrontierLook:
    """One look at the store of a crawl or partition, and at its file of seen URLs."""

    def __init__(self, store: Store, seen_path: Path, server: str) -> None:
        # The file first: what the crawl writes into it meanwhile is in the log, which is read afterwards.
        self._seen = read_seen(seen_path)
        self._changes = NO_CHANGES
        self.sizes: dict[int, GroupSize] = {}  # of all groups
        self.waiting: dict[int, list[Visit]] = {}  # links to the server, by group, those that come first at the front
        self.aside: list[Visit] = []  # links to the server that the scope set aside
        try:
            tables = FrontierTables(store)
        except DirectoryError:  # no link was ever queued
            return
        records = list(tables.records())
        self._changes = _last_of_each(records)
        self.sizes = tables.sizes()
        place = id_of(server), server
        for group, size in self.sizes.items():
            if size.name == server:
                rows = [*tables.rows_in_blocks(group), *_logged_rows(records, group)]
                visits = [visit_at(row, 0, (*place, level, 0.0)) for level, row in rows]
                self.waiting[group] = self._current(visits, size.dropped_until)
        with suppress(DirectoryError):  # version 0.1.0 sets no links aside
            self.aside = [
                visit_at(link.row, 0, (*place, link.level, 0.0)) for link in AsideLinks(store).links_of(server)
            ]

    def _current(self, visits: Sequence[Visit], dropped_until: int) -> list[Visit]:
        """The links that still wait where their rows are, each of them once."""
        levels, _ = self._values(np.array([visit.url for visit in visits], dtype=np.uint64))
        found: dict[int, Visit] = {}
        for visit, level in zip(visits, levels.tolist(), strict=True):
            if visit.level == level and visit.arrival > dropped_until:
                found.setdefault(visit.url, visit)
        return sorted(found.values(), key=lambda visit: (-visit.level, visit.arrival))

    def known(self, url: str) -> KnownUrl | None:
        """What is known of a URL; None if no page that was fetched links to it."""
        ids = np.array([id_of(url)], dtype=np.uint64)
        if not (self._seen.find(ids)[0] >= 0 or np.isin(ids, self._changes.urls)[0]):
            return None
        levels, marks = self._values(ids)
        relevant, irrelevant, elsewhere, spoken = (int(column[0]) for column in counters_in(marks))
        return KnownUrl(int(levels[0]), (relevant, irrelevant, elsewhere, spoken))

    def counters_of(self, urls: Ids) -> FoundCounters:
        """On how many pages these URLs, which were met, were found so far."""
        return counters_in(self._values(urls)[1])

    def _values(self, urls: Ids) -> tuple[Levels, Marks]:
        """The level and counters of each URL: those of the log, if it has any, which may be newer than the file's."""
        slots = self._seen.find(urls)
        levels = np.where(slots >= 0, self._seen.levels[slots], np.int16(NOT_FOLLOWED))
        marks = np.where(slots >= 0, self._seen.marks[slots], np.uint16(0))
        if len(self._changes.urls):
            places = np.minimum(np.searchsorted(self._changes.urls, urls), len(self._changes.urls) - 1)
            logged = self._changes.urls[places] == urls
            levels = np.where(logged, self._changes.levels[places], levels)
            # Counters alone are not logged, so those of the file may be higher.
            higher = [
                np.maximum(*pair)
                for pair in zip(counters_in(marks), counters_in(self._changes.marks[places]), strict=True)
            ]
            marks = np.where(logged, marks_of(FoundCounters(*higher)), marks)
        return levels, marks

    def around(self, level: int) -> Around:
        """How many links wait before those of one level, and with them; those that the scope leaves out are counted."""
        above = beside = 0
        for start in range(0, self._seen.capacity, _CHUNK):
            part = slice(start, start + _CHUNK)
            counted = _around(self._seen.levels[part][self._seen.keys[part] != 0], level)
            above, beside = above + counted.above, beside + counted.beside
        slots = self._seen.find(self._changes.urls)
        before = _around(self._seen.levels[slots[slots >= 0]], level)
        after = _around(self._changes.levels, level)
        return Around(above - before.above + after.above, beside - before.beside + after.beside)


def _around(levels: Levels, level: int) -> Around:
    is_above: Flags = (levels > level) & (levels < ASIDE)
    return Around(int(np.count_nonzero(is_above)), int(np.count_nonzero(levels == level)))


def _last_of_each(records: Sequence[Record]) -> Changes:
    """The last change of each URL, ordered by URL."""
    if not records:
        return NO_CHANGES
    urls, levels, marks = (
        np.concatenate(columns) for columns in zip(*(record.changes for record in records), strict=True)
    )
    distinct, from_end = np.unique(urls[::-1], return_index=True)
    last: NDArray[np.intp] = len(urls) - 1 - from_end
    return Changes(distinct, levels[last], marks[last])


def _logged_rows(records: Sequence[Record], group: int) -> Iterator[tuple[int, bytes]]:
    """The rows of one group that are in the log, with their levels."""
    for record in records:
        ends = np.cumsum(record.runs.lengths, dtype=np.int64)
        for run in np.flatnonzero(record.runs.groups == np.uint64(group)).tolist():
            rows = record.rows[int(ends[run]) - int(record.runs.lengths[run]) : int(ends[run])]
            level = int(record.runs.levels[run])
            yield from ((level, rows[start : row_end(rows, start)]) for start in offsets(rows))
