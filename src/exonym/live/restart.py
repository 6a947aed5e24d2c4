"""What a crawl has learned: kept with its directory, and learned again after a restart.

The last snapshot, the journal rows since then, and the lessons of links since then, which no row tells.
"""

from dataclasses import dataclass

import numpy as np

from exonym.crawl import Crawl
from exonym.crawl_directory.writing import CrawlWriter
from exonym.errors import DirectoryError
from exonym.live.found_links import pages_of
from exonym.strategies.base import State

_ABOUT, _LESSONS = "about", "lessons"


@dataclass(frozen=True, slots=True)
class Learned:
    """Knows which strategy learned what is kept: another one learns from all rows, and from no other's lessons."""

    crawl: Crawl
    keeper: CrawlWriter
    strategy_name: str  # with its options

    def recall(self) -> None:
        """Learn again what was learned; from here on lessons are kept."""
        snapshot = self.keeper.snapshot()
        if snapshot is None or _strategy_of(snapshot) == self.strategy_name:
            self._go_on_from(snapshot)
        else:
            # Another strategy made the snapshot: this one learns from every row since the beginning.
            for rows in self.keeper.all_rows():
                self.crawl.relearn(pages_of(rows))
        self._recall_lessons()
        self.crawl.lessons()

    def _go_on_from(self, snapshot: dict[str, State] | None) -> None:
        if snapshot:
            self.crawl.restore(snapshot)
        rows = self.keeper.rows_since_snapshot()
        if rows:
            self.crawl.relearn(pages_of(rows))

    def _recall_lessons(self) -> None:
        try:
            for kept in self.keeper.lessons():
                if _strategy_of(kept) == self.strategy_name:
                    self.crawl.relearn_lessons(kept[_LESSONS])
        except KeyError as error:
            raise DirectoryError(f"What links taught the crawl lacks {error}. Restore state/ from a copy.") from error

    def snapshot(self) -> dict[str, State]:
        """All of it, and who learned it."""
        return {**self.crawl.state(), **self._about()}

    def lessons(self) -> dict[str, State] | None:
        """What links taught since the last call, and whom; None for nothing."""
        lessons = self.crawl.lessons()
        return {_LESSONS: lessons, **self._about()} if lessons else None

    def _about(self) -> dict[str, State]:
        return {_ABOUT: {"strategy": np.array([self.strategy_name])}}


def _strategy_of(kept: dict[str, State]) -> str:
    names = kept.get(_ABOUT, {}).get("strategy")
    return str(names[0]) if names is not None and names.size else ""
