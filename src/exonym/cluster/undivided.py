"""A crawl that is to be divided anew, as a whole: all its parts open, locked, and numbered as one.

The parts are those of a single crawl (one) or the partitions of a cluster. Nothing here changes what was committed;
what was not is cut off, as it is when a crawl goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from exonym.archive import ArchiveOptions
from exonym.batches import Floats, Ids, LinkBatch
from exonym.cluster.own_state import GroupOwners, without_known
from exonym.config.settings import Settings
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.cluster_layout import ClusterLayout, is_cluster
from exonym.crawl_directory.crawl_parts import RowNumbering
from exonym.crawl_directory.crawl_writer import CrawlWriter, read_finished
from exonym.crawl_directory.link_bytes import unpacked_links
from exonym.errors import DirectoryError
from exonym.frontier.base import Frontier
from exonym.frontier.disk import DiskFrontier
from exonym.live.assembly import check_group, link_types_of, strategy_of, strategy_with_options
from exonym.live.restart import Learned, NoFrontier
from exonym.metrics import Totals, sum_of
from exonym.politeness.delays import Politeness
from exonym.store.lock import DirectoryLock
from exonym.strategies.base import State
from exonym.urls import partition_of, server_of

if TYPE_CHECKING:
    import pyarrow

OwnerOf = Callable[[str], int]  # of a URL in normal form


def owner_among(partitions: int) -> OwnerOf:
    """A function that gives the partition, of so many, that owns a URL."""

    @lru_cache(maxsize=1_000_000)
    def owner_of_server(server: str) -> int:
        return partition_of(server, partitions)

    return lambda url: owner_of_server(server_of(url))


@dataclass(frozen=True, slots=True)
class OldPart:
    """One part of the crawl: its directory, and what is in it."""

    number: int
    writer: CrawlWriter
    frontier: DiskFrontier

    @property
    def directory(self) -> Path:
        """Where it is."""
        return self.writer.directory


@dataclass(frozen=True, slots=True)
class UndividedCrawl:
    """All parts of a crawl, read as one."""

    directory: Path
    settings: Settings
    parts: list[OldPart]
    numbering: RowNumbering

    @property
    def rows(self) -> int:
        """How many rows the journal has."""
        return sum(self.numbering.counts.values())

    @property
    def waiting(self) -> int:
        """How many URLs wait."""
        return sum(len(part.frontier) for part in self.parts)

    @property
    def totals(self) -> Totals:
        """What the crawl has done so far."""
        return sum_of([part.writer.totals for part in self.parts])

    @property
    def reason(self) -> str:
        """Why the crawl ended; "" if it is to go on."""
        reasons = [read_finished(part.writer.store) for part in self.parts]
        return reasons[0] if all(reasons) else ""

    def fingerprint(self) -> list[list[int | str]]:
        """Differs from that of the same crawl before or after any visit."""
        return [
            [
                part.number,
                part.writer.next_row,
                len(part.frontier),
                part.writer.position.file,
                part.writer.position.length,
                part.writer.outbox.sent,
            ]
            for part in self.parts
        ]

    def tables(self, columns: Sequence[str]) -> Iterator[pyarrow.Table]:
        """The rows of all parts in the order of their times, numbered as in the whole; always in the same order."""
        names = list(dict.fromkeys([*columns, "row", "when"]))
        streams = [self._tables_of(part, names) for part in self.parts]
        return streams[0] if len(streams) == 1 else _in_order_of_time(streams)

    def _tables_of(self, part: OldPart, columns: Sequence[str]) -> Iterator[pyarrow.Table]:
        for table in part.writer.journal.tables(columns):
            yield self.numbering.renumbered(table, part.number)

    def links_under_way(self) -> Iterator[LinkBatch]:
        """Links in outboxes that their owners have not taken, their sources numbered as in the whole."""
        by_number = {part.number: part for part in self.parts}
        for part in self.parts:
            for receiver in part.writer.outbox.receivers:
                taken = by_number[receiver].writer.inbox.committed_number(part.number)
                for batch in part.writer.outbox.waiting(receiver, taken, most_bytes=1 << 62):
                    links = unpacked_links(batch.links)
                    yield replace(links, source=self.numbering.in_whole(links.source, part.number))

    def learned(self, owners: GroupOwners) -> dict[str, State]:
        """What the strategy has learned from the whole crawl, with what it has counted of servers."""
        known: dict[str, Ids] = {}
        learners = []
        for part in self.parts:
            crawl = self.crawl_with(cast("Frontier", NoFrontier()))
            learners.append(Learned(crawl, part.writer, strategy_with_options(self.settings)))
            learners[-1].restore()
            if len(self.parts) > 1:
                state = without_known(learners[-1].snapshot(), owners, known)
                if part is not self.parts[0]:
                    learners[0].crawl.merge(state)
        return learners[0].snapshot()

    def crawl_with(self, frontier: Frontier) -> Crawl:
        """A crawl that fetches nothing, but learns and queues links."""
        strategy = strategy_of(self.directory, self.settings)
        bounds = Bounds(pages_per_server=self.settings.limits.pages_per_server)
        return Crawl(frontier, strategy, Politeness(), bounds, link_types_of(self.settings))


@contextmanager
def open_undivided(directory: Path, settings: Settings) -> Iterator[UndividedCrawl]:
    """Open the crawl in `directory` and keep all others from changing it; raises if it runs or if a part is missing."""
    with ExitStack() as stack:
        if is_cluster(directory):
            lock = DirectoryLock(directory / "coordinator")
            stack.callback(lock.release)
            layout = ClusterLayout.open(directory, read_only=True)
            homes = [(number, layout.check_partition(number)) for number in range(layout.partitions)]
            prefixes = [layout.archive_prefix(number) for number, _ in homes]
        else:
            homes, prefixes = [(0, directory)], [ArchiveOptions().prefix]
        parts = []
        strategy = strategy_of(directory, settings)
        for (number, home), prefix in zip(homes, prefixes, strict=True):
            if not (home / "state" / "data.mdb").is_file():
                raise DirectoryError(
                    f"{home} has no crawl in it. Begin it in partitions: exonym crawl {directory} --cluster"
                )
            writer = CrawlWriter(home, ArchiveOptions(prefix=prefix))
            stack.callback(writer.close)
            frontier = DiskFrontier(writer.store, home / "state" / "seen", strategy.group)
            check_group(writer.store, frontier, strategy, settings.strategy.name)
            frontier.rescope(lambda group, server: False, lambda url: True)  # new partitions decide anew
            parts.append(OldPart(number, writer, frontier))
        yield UndividedCrawl(
            directory, settings, parts, RowNumbering({part.number: part.writer.next_row for part in parts})
        )


def _in_order_of_time(streams: list[Iterator[pyarrow.Table]]) -> Iterator[pyarrow.Table]:
    """The rows of several tables, each read once from its beginning, by the time of their requests.

    The order within a stream stays: there, a row counts as no earlier than the rows before it.
    """
    import pyarrow

    held: dict[int, tuple[pyarrow.Table, Floats]] = {}
    latest = [-np.inf] * len(streams)
    while True:
        for number, stream in enumerate(streams):
            while number not in held and (table := next(stream, None)) is not None:
                if len(table):
                    times = np.maximum.accumulate(np.maximum(table["when"].to_numpy(), latest[number]))
                    latest[number] = times[-1]
                    held[number] = table, times
        if not held:
            return
        until = min(times[-1] for _, times in held.values())
        parts, keys = [], []
        for number, (table, times) in list(held.items()):
            count = int(np.searchsorted(times, until, side="right"))
            parts.append(table.slice(0, count))
            keys.append(times[:count])
            if count == len(table):
                del held[number]
            else:
                held[number] = table.slice(count), times[count:]
        yield pyarrow.concat_tables(parts).take(np.argsort(np.concatenate(keys), kind="stable"))
