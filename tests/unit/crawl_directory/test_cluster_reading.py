"""The directory of a divided crawl is read like that of a single one: status, journal, pages, archive."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import run_here

from exonym.archive import ArchiveOptions, Exchange
from exonym.archive.records import digest_text
from exonym.batches import FOREIGN_ROW, LOST_ROW, NO_ROW, Group, Outcome
from exonym.config import CONFIG_NAME, template
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.errors import DirectoryError, PartialCrawlWarning
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.metrics import Totals
from exonym.testing.live import check_directory
from exonym.training.material.material_sources import EVERY, MaterialKind, kind_of
from exonym.training.material.warcs import crawl_pieces
from exonym.webgraph.importing.from_crawl import journal_facts
from exonym.webgraph.importing.import_sources import SourceKind, is_crawl, sources_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


class Partition:
    """A partition that a test writes: `add` a page, then `close`."""

    def __init__(self, layout: ClusterLayout, number: int) -> None:
        path = layout.create_partition(number)
        self.writer = CrawlWriter(path, ArchiveOptions(prefix=layout.archive_prefix(number)))
        self.frontier = DiskFrontier(self.writer.store, path / "state" / "seen", Group.SERVER)

    def add(self, url: str, source: int, body: bytes = b"", language: str = "th") -> None:
        body = body or url.encode() * 40
        place = self.writer.archive(Exchange(url, 1e9, "", b"GET / HTTP/1.1\r\n\r\n", HEAD, body))
        kept = {"digest": digest_text(place.digest), "warc_file": place.file, "warc_offset": place.offset}
        row = self.writer.next_row
        self.writer.add(JournalRow(row, url, 1e9, Outcome.PAGE, 200, language=language, source=source, **kept))

    def commit(self, finished: str | None = None, **totals: Any) -> None:
        counted = self.writer.totals
        self.writer.commit(
            self.frontier, dict, Totals(pages=counted.pages, languages=counted.languages, **totals), finished
        )

    def close(self, finished: str, **totals: Any) -> None:
        self.commit(finished, **totals)
        self.writer.close()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Three partitions with 2, 0 and 3 rows.

    Row 1 of partition 0 was found by row 2 of partition 2, which was found by row 0 of partition 0. Row 1 of partition
    2 was found by row 0 of its own. The page of row 2 has the same bytes as row 1 of partition 0.
    """
    settings = {"target": {"languages": ["th"]}, "seeds": {"urls": ["http://a.example/"]}, "strategy": {"name": "bfs"}}
    (tmp_path / CONFIG_NAME).write_text(template(settings), encoding="utf-8")
    layout = ClusterLayout.create(tmp_path, 3)
    first = Partition(layout, 0)
    first.add("http://a.example/", NO_ROW)
    first.add("http://a.example/b", 3 * FOREIGN_ROW + 2, 100 * b"same bytes")
    first.close("pages", servers=1, frontier=5, seconds=7.0)
    Partition(layout, 1).close("empty frontier", seconds=9.0)
    last = Partition(layout, 2)
    last.add("http://c.example/", NO_ROW, language="en")
    last.commit()
    last.add("http://c.example/d", 0)
    last.add("http://e.example/", FOREIGN_ROW + 0, 100 * b"same bytes")
    last.close("pages", servers=2, frontier=6, seconds=8.0)
    return tmp_path


def test_totals_are_those_of_all_partitions_and_the_longest_time(directory: Path) -> None:
    status = CrawlDirectory.open(directory).status
    assert (status.totals.pages, status.totals.servers, status.totals.frontier) == (5, 3, 11)
    assert status.totals.languages == {"th": 4, "en": 1}
    assert status.totals.seconds == 9.0
    assert (status.strategy, status.partitions, status.missing_partitions) == ("bfs", 3, ())


def test_crawl_has_ended_when_all_partitions_have(directory: Path) -> None:
    status = CrawlDirectory.open(directory).status
    assert (status.finished, status.reason) == (False, "pages"), "links are left"
    Partition(ClusterLayout.open(directory), 1).close("")
    status = CrawlDirectory.open(directory).status
    assert (status.finished, status.reason) == (False, "")


def test_rows_and_sources_are_numbered_over_all_partitions(directory: Path) -> None:
    rows = list(CrawlDirectory.open(directory).rows())
    assert [(row.row, row.url, row.source) for row in rows] == [
        (0, "http://a.example/", NO_ROW),
        (1, "http://a.example/b", 4),
        (2, "http://c.example/", NO_ROW),
        (3, "http://c.example/d", 2),
        (4, "http://e.example/", 0),
    ]
    table = CrawlDirectory.open(directory).journal(["source", "row"])
    assert table.column_names == ["source", "row"]
    assert table["source"].to_pylist() == [row.source for row in rows]
    assert check_directory(directory) == rows


def test_rows_that_come_while_tables_are_read_are_left_out(directory: Path) -> None:
    tables = CrawlDirectory.open(directory).tables(["url", "row"])
    first = next(tables)
    partition = Partition(ClusterLayout.open(directory), 2)
    partition.add("http://e.example/new", 3 * FOREIGN_ROW + 2)
    partition.close("pages")
    rows = [row for table in [first, *tables] for row in table["row"].to_pylist()]
    assert rows == [0, 1, 2, 3, 4]


def test_page_is_found_in_its_partition_and_its_payload_in_another(directory: Path) -> None:
    crawl = CrawlDirectory.open(directory)
    page = crawl.page("http://c.example/d")
    assert (page.row.row, page.row.source, page.body) == (3, 2, 40 * b"http://c.example/d")
    assert [crawl.page(row).body for row in crawl.rows()][4] == 100 * b"same bytes"
    with pytest.raises(DirectoryError, match="has not visited"):
        crawl.page("http://nowhere.example/")


def test_partition_can_be_read_alone(directory: Path) -> None:
    crawl = CrawlDirectory.open(directory / "partitions" / "0002")
    assert crawl.settings.target.languages == ["th"]
    assert crawl.status.totals.pages == 3
    assert [(row.row, row.source) for row in crawl.rows()] == [(0, NO_ROW), (1, 0), (2, LOST_ROW)]
    assert crawl.page("http://c.example/").body == 40 * b"http://c.example/"


def test_crawl_is_read_without_the_partition_that_is_missing(directory: Path) -> None:
    shutil.rmtree(directory / "partitions" / "0002")
    with pytest.warns(PartialCrawlWarning, match=r"without partition 0002 \(of 3\): .*0002 is missing") as warned:
        status = CrawlDirectory.open(directory).status
    assert all("\n" not in str(warning.message) for warning in warned)
    assert (status.totals.pages, status.missing_partitions) == (2, (2,))
    assert not status.finished, "nobody knows whether the missing partition has ended"
    with pytest.warns(PartialCrawlWarning):
        rows = list(CrawlDirectory(directory).rows())
    assert [(row.row, row.source) for row in rows] == [(0, NO_ROW), (1, LOST_ROW)]
    with pytest.warns(PartialCrawlWarning):
        _, seeds = journal_facts(directory)
    assert seeds == ["http://a.example/"], "a page whose source is lost is no seed"


def test_partitions_that_are_damaged_are_left_out(directory: Path) -> None:
    shutil.rmtree(directory / "partitions" / "0000" / "state")
    (directory / "partitions" / "0001" / "partition.toml").write_text("id = ")
    with pytest.warns(PartialCrawlWarning, match="without partitions 0000, 0001"):
        assert CrawlDirectory.open(directory).status.totals.pages == 3


def test_partition_with_a_torn_journal_is_left_out(directory: Path) -> None:
    part = directory / "partitions" / "0000" / "journal" / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.warns(PartialCrawlWarning, match="part-000000.parquet is damaged"):
        table = CrawlDirectory.open(directory).journal(["row", "source"])
    assert table.to_pydict() == {"row": [0, 1, 2], "source": [NO_ROW, 0, LOST_ROW]}


def test_crawl_without_any_readable_partition_is_refused(directory: Path) -> None:
    shutil.rmtree(directory / "partitions")
    with pytest.raises(DirectoryError, match="partitions/0000 is missing"):
        CrawlDirectory.open(directory)


def test_crawl_that_has_not_begun_is_refused(tmp_path: Path) -> None:
    layout = ClusterLayout.create(tmp_path, 2)
    for number in (0, 1):
        layout.create_partition(number)
    with pytest.raises(DirectoryError, match=f"Run `exonym crawl {tmp_path} --cluster` first"):
        CrawlDirectory.open(tmp_path)


def test_pages_for_labelling_are_those_of_all_partitions(directory: Path) -> None:
    pages = CrawlPages(directory)
    assert pages.pages.tolist() == [0, 1, 2, 3, 4]
    assert [pages.facts(row).url for row in (1, 3)] == ["http://a.example/b", "http://c.example/d"]
    assert [pages.words(row).fields.body[:10] for row in (1, 4)] == ["same bytes", "same bytes"]


def test_training_takes_a_divided_crawl(directory: Path) -> None:
    assert kind_of(directory) == MaterialKind.CRAWL
    pages = [page for piece in crawl_pieces(directory, EVERY) for page in piece.pages]
    assert len(pages) == 5
    assert all((folder / file).is_file() for _, folder, file, _ in pages)


def test_import_takes_the_archives_of_all_partitions(directory: Path) -> None:
    assert is_crawl(directory)
    journal, *warcs = sources_of([directory])
    assert journal.kind == SourceKind.JOURNAL
    assert [warc.path.parent.parent.name for warc in warcs] == ["0000", "0002"]
    parents, seeds = journal_facts(directory)
    assert seeds == ["http://a.example/", "http://c.example/"]
    assert [parents.language_of(url) for url in ("http://e.example/", "http://c.example/d")] == ["th", "en"]


def test_status_command_warns_in_one_line(directory: Path) -> None:
    shutil.rmtree(directory / "partitions" / "0002")
    ran = run_here("status", str(directory), "--json")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"exonym: {directory} is read without partition 0002 (of 3): ")
    document = json.loads(ran.out)
    assert (document["pages"], document["partitions"], document["missing_partitions"]) == (2, 3, [2])
