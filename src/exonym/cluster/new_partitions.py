"""Writes the new partitions of a crawl that is divided anew, and compares them with what the crawl had.

A partition gets its rows, the links that wait at its servers with their order, the URLs it owns, what was learned, and
what is known about contents and servers. Its partition.toml is written last: a directory without it is written anew.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from exonym.archive import ArchiveOptions
from exonym.archive.originals import Originals, original_in
from exonym.batches import Integers, LinkBatch
from exonym.cluster.new_journals import NewJournals, SeenOwners
from exonym.cluster.own_state import own_part
from exonym.cluster.undivided import OwnerOf, UndividedCrawl
from exonym.crawl_directory.cluster_layout import PARTITION_NAME, ClusterLayout
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import DirectoryError
from exonym.frontier.base import NOT_FOLLOWED, VISITED
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions, WaitingQueue
from exonym.frontier.link_rows import arrival_at, moved_row, source_of
from exonym.frontier.seen import SeenSet
from exonym.journal import Journal
from exonym.live.assembly import check_group
from exonym.metrics import Totals
from exonym.store import Store
from exonym.strategies.base import State, Strategy
from exonym.system.files import disk_errors

_COMMIT_LINKS = 200_000
_COMMIT_ENTRIES = 500_000
_OPTIONS = DiskFrontierOptions(tail_bytes=32_000_000)


@dataclass(frozen=True, slots=True)
class NewDivision:
    """What the new partitions are made from."""

    crawl: UndividedCrawl
    layout: ClusterLayout  # of the new partitions
    owner_of: OwnerOf
    journals: NewJournals
    seen: list[SeenOwners]  # of each old part
    waiting: list[int]  # by new partition: links
    learned: dict[str, State]
    under_way: list[LinkBatch]  # links that no part has taken yet
    strategy: Strategy
    contents: list[tuple[Originals, Integers]]  # payloads and texts of each old part, and the owner of each entry

    def is_owned_by(self, number: int) -> Callable[[str], bool]:
        """A function that says of a server whether a new partition owns it."""
        return lambda server: self.owner_of(f"http://{server}/") == number


@dataclass(frozen=True, slots=True)
class PartitionCounts:
    """What a partition must have."""

    rows: int
    waiting: int
    seen: int


def write_partition(division: NewDivision, number: int) -> None:
    """Write one partition, unless that was done before."""
    layout, path = division.layout, division.layout.partition_directory(number)
    if (path / PARTITION_NAME).exists():
        return
    with disk_errors(path):
        shutil.rmtree(path / "state", ignore_errors=True)
        shutil.rmtree(path / "warc", ignore_errors=True)
        (path / "state").mkdir(parents=True)
    _write_seen(division, path / "state" / "seen", number)
    writer = CrawlWriter(path, ArchiveOptions(prefix=layout.archive_prefix(number)))
    try:
        frontier = DiskFrontier(writer.store, path / "state" / "seen", division.strategy.group, _OPTIONS)
        check_group(writer.store, frontier, division.strategy, division.crawl.settings.strategy.name)
        with writer.store.writing() as txn:
            writer.journal.adopt_parts(txn, division.journals.lengths[number])
        _copy_contents(division, writer, number)
        held = 0
        for queue in _queues_of(division, number):
            frontier.adopt(queue)
            held += len(queue.rows)
            if held >= _COMMIT_LINKS:
                writer.commit(frontier, dict, Totals())
                held = 0
        for suspicion in (one for part in division.crawl.parts for one in part.writer.aliases.suspicions()):
            if division.owner_of(f"{suspicion.origin}/") == number:
                writer.aliases.adopt(suspicion)
        learned = _learned(division, number, frontier)
        writer.commit(frontier, lambda: learned, _totals(division, number, writer, frontier), division.crawl.reason)
    finally:
        writer.close()
    layout.write_partition_file(number)


def check_written(division: NewDivision, number: int) -> PartitionCounts:
    """What a new partition has, read anew from the disk; raises if that is not what it must have."""
    path, is_owned = division.layout.partition_directory(number), division.is_owned_by(number)
    with Store.open(path / "state", read_only=True) as store:
        journal = Journal(store, path / "journal")
        journal.check_parts()
        frontier = DiskFrontier(store, path / "state" / "seen", division.strategy.group)
        waiting = sum(len(queue.rows) for queue in frontier.waiting_queues(is_owned))
        found = PartitionCounts(journal.count(), waiting, len(frontier.seen_urls()[0]))
        strays = len(frontier) - waiting
    owned = np.concatenate([known.ids[known.of(number)] for known in division.seen])
    expected = PartitionCounts(sum(division.journals.lengths[number]), division.waiting[number], len(np.unique(owned)))
    # Links that were under way come on top.
    if found.rows != expected.rows or found.waiting < expected.waiting or found.seen < expected.seen or strays:
        raise DirectoryError(
            f"{path} has {found.rows} rows, {found.waiting} waiting links (and {strays} of other partitions) and "
            f"{found.seen} URLs, but must have {expected.rows}, {expected.waiting} (and none) and {expected.seen}. "
            "The crawl is as it was. Check the disk, then run the command again."
        )
    return found


def _queues_of(division: NewDivision, number: int) -> Iterator[WaitingQueue]:
    """The links that wait at a partition's servers; arrivals of several parts are interleaved."""
    parts, numbering = division.crawl.parts, division.crawl.numbering
    for place, part in enumerate(parts):
        for queue in part.frontier.waiting_queues(division.is_owned_by(number)):
            old = np.array([source_of(row) for row in queue.rows], dtype=np.int64)
            sources = division.journals.sources(numbering.in_whole(old, part.number), number).tolist()
            rows = [
                moved_row(row, arrival_at(row, 0) * len(parts) + place, source)
                for row, source in zip(queue.rows, sources, strict=True)
            ]
            yield queue._replace(rows=rows)


def _write_seen(division: NewDivision, path: Path, number: int) -> None:
    """Write the URLs that a partition owns, or may own. Those that wait count as not followed until they are queued."""
    seen = SeenSet(path)
    for known in division.seen:
        places = known.of(number)
        levels = known.levels[places]
        levels = np.where(levels == VISITED, levels, NOT_FOLLOWED).astype(np.int16)
        seen.put(known.ids[places], levels, known.marks[places])
    seen.flush()


def _copy_contents(division: NewDivision, writer: CrawlWriter, number: int) -> None:
    """Copy what is known about the contents of pages that a partition owns."""
    targets = (writer.payloads, writer.texts)
    for place, (source, owners) in enumerate(division.contents):
        chosen = [entry for entry, owner in zip(source.entries(), owners.tolist(), strict=True) if owner == number]
        for at in range(0, len(chosen), _COMMIT_ENTRIES):
            with writer.store.writing() as txn:
                targets[place % 2].add_entries(txn, chosen[at : at + _COMMIT_ENTRIES])


def contents_of(crawl: UndividedCrawl, owner_of: OwnerOf) -> "list[tuple[Originals, Integers]]":
    """Payloads and texts of each part, with the owner of each entry."""
    tables = [table for part in crawl.parts for table in (part.writer.payloads, part.writer.texts)]
    return [
        (table, np.array([owner_of(original_in(value).url) for _, value in table.entries()], dtype=np.int64))
        for table in tables
    ]


def _learned(division: NewDivision, number: int, frontier: DiskFrontier) -> dict[str, State]:
    """What was learned, with the counts of the partition's own servers; links under way are queued by it."""
    learned = own_part(division.learned, division.journals.group_owners, number)
    learned["crawl"] = {"pages": np.array([division.journals.totals[number].pages], dtype=np.int64)}
    links = [_owned(division, batch, number) for batch in division.under_way]
    if any(map(len, links)):
        crawl = division.crawl.crawl_with(frontier)
        crawl.restore(learned)
        for batch in links:
            crawl.add(batch)
        learned |= crawl.state()
    return learned


def _owned(division: NewDivision, links: LinkBatch, number: int) -> LinkBatch:
    own = links.pick(np.array([division.owner_of(text) == number for text in links.text or []], dtype=np.bool_))
    return replace(own, source=division.journals.sources(own.source, number))


def _totals(division: NewDivision, number: int, writer: CrawlWriter, frontier: DiskFrontier) -> Totals:
    """What the rows of a partition count; what is known of the whole alone is counted in the first partition."""
    whole = division.crawl.totals
    counts = own_part(division.learned, division.journals.group_owners, number)["servers"]["counts"].tolist()
    return replace(
        division.journals.totals[number],
        servers=len(counts),
        relevant_servers=sum(relevant > 0 for _, relevant in counts),
        frontier=len(frontier),
        seconds=whole.seconds,
        began=whole.began,
        ended=whole.ended,
        aliases=len(writer.aliases),
        unasked=whole.unasked if number == 0 else {},
    )
