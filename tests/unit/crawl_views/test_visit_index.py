"""The index of a crawl has the rows of its journal: as they grow, after losses, for several processes at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from crawls_to_look_at import divided_crawl, whole_crawl

from exonym.archive import ArchiveOptions
from exonym.batches import Group, Outcome
from exonym.config import CONFIG_NAME, template
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.crawl_views import visit_index
from exonym.crawl_views.index_file import INDEX_NAME
from exonym.crawl_views.view import ViewRequest, page_of
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.testing.live import rows_of

SETTINGS = {"target": {"languages": ["th"]}, "seeds": {"urls": ["http://a.example/0", "http://late.example/"]}}


class GrowingCrawl:
    """A crawl directory to which a test adds visits, page after page of two servers."""

    def __init__(self, directory: Path, prefix: str = "a") -> None:
        self.directory, self.prefix = directory, prefix
        directory.mkdir(exist_ok=True)
        (directory / CONFIG_NAME).write_text(template(SETTINGS), encoding="utf-8")

    def add(self, visits: int, seal: bool = False, url: str = "") -> None:
        writer = CrawlWriter(self.directory, ArchiveOptions())
        frontier = DiskFrontier(writer.store, self.directory / "state" / "seen", Group.SERVER)
        for number in range(writer.next_row, writer.next_row + visits):
            host = f"{self.prefix}.example" if number % 3 else f"{self.prefix}{number % 2}.example"
            row = JournalRow(number, url or f"http://{host}/{number}", 1e9 + number, Outcome.PAGE, 200, length=10)
            writer.add(row)
        writer.commit(frontier, dict, writer.totals, "pages" if seal else None)
        writer.close()


def counts_of(index: VisitIndex) -> dict[str, tuple[int, int]]:
    rows = page_of(index.cursor(), VIEWS["servers"], ViewRequest(rows=1_000)).rows
    return {row[0]: (row[1], row[8]) for row in rows}


def expected_counts(directory: Path) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for row in rows_of(directory):
        name = row.url.split("/")[2]
        pages, size = counts.get(name, (0, 0))
        counts[name] = pages + 1, size + row.length
    return counts


def test_index_grows_with_the_journal_across_seals_and_restarts(tmp_path: Path) -> None:
    crawl = GrowingCrawl(tmp_path)
    crawl.add(10)
    with VisitIndex(tmp_path) as index:
        assert (index.refresh(), index.refresh()) == (10, 0)
        crawl.add(7, seal=True)
        crawl.add(5)
        assert (index.refresh(), index.rows) == (12, 22)
        assert counts_of(index) == expected_counts(tmp_path)
    crawl.add(3)
    with VisitIndex(tmp_path) as index:
        assert (index.rows, index.refresh(), index.rows) == (22, 3, 25)
        assert counts_of(index) == expected_counts(tmp_path)


def test_counts_are_the_same_whether_merged_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_index, "_MOST_LOGGED", 4)
    monkeypatch.setattr(visit_index, "_MOST_RENEWED", 6)
    crawl = GrowingCrawl(tmp_path)
    with VisitIndex(_begun(crawl), in_directory=False) as index:
        for visits in (5, 9, 2, 30):
            crawl.add(visits)
            index.refresh()
            assert counts_of(index) == expected_counts(tmp_path)
        index.count_large_tables(at_once=True)
        segments = page_of(index.cursor(), VIEWS["segments"], ViewRequest()).rows
        assert {row[0]: row[1] for row in segments} == {
            f"http://{name}/": pages for name, (pages, _) in expected_counts(tmp_path).items()
        }


def _begun(crawl: GrowingCrawl) -> Path:
    crawl.add(1)
    return crawl.directory


def test_rows_that_the_journal_lost_are_lost_in_the_index(tmp_path: Path) -> None:
    crawl = GrowingCrawl(tmp_path / "crawl")
    crawl.add(10)
    shutil.copytree(tmp_path / "crawl", tmp_path / "before")
    crawl.add(5)
    with VisitIndex(tmp_path / "crawl") as index:
        index.refresh()
        # As after a power cut: the journal ends earlier, and goes on in another way.
        shutil.rmtree(tmp_path / "crawl" / "state")
        shutil.copytree(tmp_path / "before" / "state", tmp_path / "crawl" / "state")
        assert (index.refresh(), index.rows) == (10, 10)
        assert counts_of(index) == expected_counts(tmp_path / "crawl")
        crawl.add(4)
        index.refresh()
        shutil.rmtree(tmp_path / "crawl" / "state")
        shutil.copytree(tmp_path / "before" / "state", tmp_path / "crawl" / "state")
        other = GrowingCrawl(tmp_path / "crawl", prefix="b")
        other.add(9)  # longer than before, with other rows
        index.refresh()
        assert counts_of(index) == expected_counts(tmp_path / "crawl")


def test_crawl_begun_anew_in_the_same_directory_is_indexed_anew(tmp_path: Path) -> None:
    GrowingCrawl(tmp_path).add(10)
    with VisitIndex(tmp_path) as index:
        index.refresh()
    shutil.rmtree(tmp_path / "state")
    GrowingCrawl(tmp_path, prefix="c").add(12)
    with VisitIndex(tmp_path) as index:
        index.refresh()
        assert counts_of(index) == expected_counts(tmp_path)


def test_crawl_that_is_divided_is_indexed_anew(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = Path(shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl"))
    with VisitIndex(directory) as index:
        index.refresh()
        before = counts_of(index)
    divided = divided_crawl(tmp_path_factory)
    shutil.copytree(divided, tmp_path / "divided")
    shutil.copy(directory / INDEX_NAME, tmp_path / "divided" / INDEX_NAME)
    with VisitIndex(tmp_path / "divided") as index:
        assert index.rows == 0
        index.refresh()
        assert (counts_of(index), index.partitions) == (before, 3)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_damaged_file_is_made_again(tmp_path: Path, content: bytes) -> None:
    GrowingCrawl(tmp_path).add(4)
    (tmp_path / INDEX_NAME).write_bytes(content)
    with VisitIndex(tmp_path) as index:
        assert index.refresh() == 4
    with VisitIndex(tmp_path) as index:
        assert index.rows == 4


def test_second_process_uses_a_file_of_its_own(tmp_path: Path) -> None:
    GrowingCrawl(tmp_path).add(6)
    script = (
        "import sys; from pathlib import Path; from exonym.crawl_views.visit_index import VisitIndex\n"
        "with VisitIndex(Path(sys.argv[1])) as index: print(index.refresh(), index.rows)"
    )
    with VisitIndex(tmp_path) as index:
        index.refresh()
        ran = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
        assert ran.stdout.split() == ["6", "6"]
        assert index.refresh() == 0
    ran = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "6"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_directory_that_cannot_be_written_is_indexed_elsewhere(tmp_path: Path) -> None:
    GrowingCrawl(tmp_path).add(3)
    tmp_path.chmod(0o555)
    with VisitIndex(tmp_path) as index:
        assert index.refresh() == 3
    assert not (tmp_path / INDEX_NAME).exists()


def test_directory_without_a_crawl_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError), VisitIndex(tmp_path) as index:
        index.refresh()


def test_process_that_died_while_counting_loses_nothing(tmp_path: Path) -> None:
    GrowingCrawl(tmp_path).add(8)
    with VisitIndex(tmp_path) as index:
        index.refresh()
        index.cursor().execute("delete from server_counts")  # what a process leaves that dies before it has counted
    with VisitIndex(tmp_path) as index:
        assert index.refresh() == 0
        assert counts_of(index) == expected_counts(tmp_path)


def test_seeds_are_found_when_they_are_visited_and_when_they_are_added(tmp_path: Path) -> None:
    crawl = GrowingCrawl(tmp_path)

    def states() -> dict[str, str]:
        return {row[0]: row[1] for row in page_of(index.cursor(), VIEWS["seeds"], ViewRequest()).rows}

    crawl.add(1, url="http://a.example/0")
    with VisitIndex(tmp_path) as index:
        index.refresh()
        assert states() == {"http://a.example/0": "page", "http://late.example/": "not visited"}
        crawl.add(1, url="http://late.example/")
        index.refresh()
        assert states() == {"http://a.example/0": "page", "http://late.example/": "page"}
        crawl.add(1, url="http://new.example/")
        index.refresh()
        added = SETTINGS | {"seeds": {"urls": ["http://new.example/"]}}
        (tmp_path / CONFIG_NAME).write_text(template(added), encoding="utf-8")
        index.refresh()
        assert states() == {"http://new.example/": "page"}
