"""What a strategy has learned: saved with the crawl, and restored after a restart.

It is in three places: the last snapshot, the journal rows since then, and the changes that links have made since then
(link updates), which are in no row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from exonym.batches import Floats, Ids
from exonym.crawl import Crawl
from exonym.errors import DirectoryError
from exonym.journal import JournalRow
from exonym.live.found_links import pages_of
from exonym.strategies.base import State

_ABOUT, _LINK_UPDATES = "about", "lessons"  # as they are called on disk


class NoFrontier:
    """Stands for a frontier while a strategy learns again: ranks that change on the way must drop no links."""

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        return None

    def keep_sample(self, most: int) -> None:
        return None


class SavedLearning(Protocol):
    """What was saved of what a strategy learned: a `CrawlWriter` has it."""

    def snapshot(self) -> dict[str, State] | None:
        """What the crawl had learned when the journal was last sealed."""

    def link_updates(self) -> Iterable[dict[str, State]]:
        """The changes that links made to the strategy since the last snapshot."""

    def rows_since_snapshot(self) -> list[JournalRow]:
        """The rows since the last snapshot."""

    def all_rows(self) -> Iterable[list[JournalRow]]:
        """Every row, some at a time."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Restores a strategy after a restart.

    State saved by a different strategy, or by one with other options, is ignored: the new one is trained on the
    whole journal.
    """

    crawl: Crawl
    writer: SavedLearning
    strategy_name: str  # with its options

    def restore(self) -> None:
        """Go on from what was learned; from here on link updates are recorded."""
        snapshot = self.writer.snapshot()
        is_usable = snapshot is not None and _strategy_of(snapshot) == self.strategy_name and self.crawl.keeps_state
        if snapshot is not None and not is_usable:
            for rows in self.writer.all_rows():
                self.crawl.relearn(pages_of(rows))
        else:
            if snapshot is not None:
                self.crawl.restore(snapshot)
            if rows := self.writer.rows_since_snapshot():
                self.crawl.relearn(pages_of(rows))
        try:
            for kept in self.writer.link_updates():
                if _strategy_of(kept) == self.strategy_name:
                    self.crawl.apply_link_updates(kept[_LINK_UPDATES])
        except KeyError as error:
            raise DirectoryError(f"What links taught the crawl lacks {error}. Restore state/ from a copy.") from error
        self.crawl.link_updates()  # the first call switches recording on

    def snapshot(self) -> dict[str, State]:
        """What was learned so far, and by which strategy."""
        return {**self.crawl.state(), **self._about()}

    def link_updates(self) -> dict[str, State] | None:
        """The changes that links made since the last call, and in which strategy; None if there are none."""
        updates = self.crawl.link_updates()
        return {_LINK_UPDATES: updates, **self._about()} if updates else None

    def _about(self) -> dict[str, State]:
        return {_ABOUT: {"strategy": np.array([self.strategy_name])}}


def _strategy_of(kept: dict[str, State]) -> str:
    names = kept.get(_ABOUT, {}).get("strategy")
    return str(names[0]) if names is not None and names.size else ""
