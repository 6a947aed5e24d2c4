"""What a crawl knows after a restart: from a snapshot, or from the whole journal where that is of no use."""

from pathlib import Path

import numpy as np
import pytest

from exonym.archive import ArchiveOptions
from exonym.batches import Floats, Group, Ids, LinkBatch, Outcome, PageBatch
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.live.restart import Learned
from exonym.politeness.delays import Politeness
from exonym.strategies.base import Strategy
from exonym.strategies.lswc import LanguageSpecific
from exonym.urls import id_of

ROWS = [
    JournalRow(0, "http://a.com/1", 0.0, Outcome.PAGE, relevant=True),
    JournalRow(1, "http://b.com/1", 0.0, Outcome.PAGE),
    JournalRow(2, "http://b.com/2", 0.0, Outcome.PAGE),
]
SERVERS = np.array([id_of("a.com"), id_of("b.com")], dtype=np.uint64)


class CountsPages:
    """Ranks servers by the pages fetched of them, and keeps no state."""

    group = Group.SERVER
    needs: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))

    def learn(self, pages: PageBatch) -> Ids:
        for server in pages.server.tolist():
            self._pages[server] = self._pages.get(server, 0) + 1
        return np.unique(pages.server)

    def rank(self, groups: Ids) -> Floats:
        return np.array([self._pages.get(group, 0) for group in groups.tolist()], dtype=np.float64)


def learned(
    directory: Path, strategy: Strategy, name: str, rows: list[JournalRow], finished: str | None
) -> list[float]:
    """Restart a crawl, commit some more rows; the ranks after the restart."""
    writer = CrawlWriter(directory, ArchiveOptions())
    frontier = DiskFrontier(writer.store, directory / "state" / "seen", Group.SERVER)
    crawl = Crawl(frontier, strategy, Politeness(), Bounds())
    whole = Learned(crawl, writer, name)
    whole.restore()
    assert crawl.pages == writer.next_row
    ranks = strategy.rank(SERVERS).tolist()
    for row in rows:
        writer.add(row)
    writer.commit(frontier, whole.snapshot, writer.totals, finished, whole.link_updates())
    writer.close()
    return ranks


@pytest.mark.parametrize("finished", ["", None])  # with a snapshot and without
def test_strategy_without_state_learns_from_all_rows_again(tmp_path: Path, finished: str | None) -> None:
    learned(tmp_path, CountsPages(), "counts", ROWS, finished)
    assert learned(tmp_path, CountsPages(), "counts", [], None) == [1.0, 2.0]
    assert learned(tmp_path, CountsPages(), "counts", [], None) == [1.0, 2.0]


@pytest.mark.parametrize("finished", ["", None])
def test_another_strategy_learns_from_all_rows(tmp_path: Path, finished: str | None) -> None:
    learned(tmp_path, CountsPages(), "counts", ROWS, finished)
    ranks = learned(tmp_path, LanguageSpecific(S=2), "lswc S=2", [], None)
    assert ranks == pytest.approx([1.0, np.nan], nan_ok=True)
