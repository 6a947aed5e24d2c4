"""What the strategy of a crawl had learned at the last commit, for those who only look: without frontier or requests.

Of a divided crawl, each partition has a strategy of its own. As on a cluster, it also knows what the others told it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

from exonym.config import Settings
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_parts import CrawlPart
from exonym.crawl_directory.crawl_writer import read_link_updates, read_snapshot
from exonym.errors import DirectoryError
from exonym.frontier.base import Frontier
from exonym.journal import Journal, JournalRow
from exonym.journal.journal import rows_in
from exonym.link_types import LinkTypes
from exonym.live.assembly import link_types_of, strategy_of, strategy_with_options
from exonym.live.restart import Learned, NoFrontier
from exonym.politeness.delays import Politeness
from exonym.strategies.base import State, Strategy

_ROWS_AT_A_TIME = 10_000


class Mind(NamedTuple):
    """A strategy, and what is known of links to files, as a crawl learned them."""

    strategy: Strategy
    types: LinkTypes | None  # None: links are followed whatever they seem to lead to


class _Saved:
    """What a part of a crawl had saved by its last commit."""

    def __init__(self, part: CrawlPart) -> None:
        self._part = part
        with part.store() as store:
            # First the snapshot: a running crawl that makes the next one meanwhile would have its rows learned twice.
            self._snapshot = read_snapshot(store)
            self._updates = list[dict[str, State]]()
            with suppress(DirectoryError):  # no link ever taught anything
                self._updates = list(read_link_updates(store))
            journal = Journal(store, part.path / "journal")
            with store.reading() as txn:
                self._rows = journal.tail(txn)

    def snapshot(self) -> dict[str, State] | None:
        return self._snapshot

    def link_updates(self) -> list[dict[str, State]]:
        return self._updates

    def rows_since_snapshot(self) -> list[JournalRow]:
        return self._rows

    def all_rows(self) -> Iterator[list[JournalRow]]:
        with self._part.journal() as journal:
            tables = journal.tables()
        for table in tables:
            rows = rows_in(table)
            while batch := list(itertools.islice(rows, _ROWS_AT_A_TIME)):
                yield batch


def mind_of(directory: Path, settings: Settings, parts: Sequence[CrawlPart], number: int) -> Mind:
    """What the partition of this number had learned at its last commit, among the parts of a crawl in `directory`."""
    strategy, own = strategy_of(directory, settings), next(part for part in parts if part.number == number)
    crawl = _learned(strategy, settings, own)
    if crawl.shares_learning:
        for part in parts:
            if part.number != number:
                other = _learned(strategy_of(directory, settings), settings, part)
                crawl.add_differences(other.differences(everything=True))
    return Mind(strategy, crawl.types)


def _learned(strategy: Strategy, settings: Settings, part: CrawlPart) -> Crawl:
    """A crawl that fetches nothing, whose strategy has learned what a part of a crawl has."""
    crawl = Crawl(cast("Frontier", NoFrontier()), strategy, Politeness(), Bounds(), link_types_of(settings))
    try:
        Learned(crawl, _Saved(part), strategy_with_options(settings)).restore()
    except ValueError as error:  # its arrays have other sizes
        raise DirectoryError(
            f"What the strategy of {part.path} had learned is of another version ({error})."
        ) from error
    return crawl
