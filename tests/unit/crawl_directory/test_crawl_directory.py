"""A crawl directory is read as it is: status, journal, pages; and what is none is refused in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from exonym.archive import ArchiveOptions, Exchange
from exonym.archive.records import digest_text
from exonym.batches import Group, Outcome
from exonym.config import CONFIG_NAME, template
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.store import Store

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
HTML = "<title>ตลาด</title><p>ตลาดน้ำ <a href='/b'>next</a>".encode()


def add(writer: CrawlWriter, url: str, body: bytes, head: bytes = HEAD) -> None:
    """One page, in the archive and in the journal."""
    place = writer.archive(Exchange(url, 1e9, "", b"GET / HTTP/1.1\r\n\r\n", head, body))
    kept = {"digest": digest_text(place.digest), "warc_file": place.file, "warc_offset": place.offset}
    facts = {"why": "Thai script", "relevant": True, "language": "th"}
    writer.add(JournalRow(writer.next_row, url, 1e9, Outcome.PAGE, 200, **facts, **kept))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Two pages and a copy of the first, a failed visit and a picture; the first two sealed, the others in the tail."""
    settings = {"target": {"languages": ["th"]}, "seeds": {"urls": ["http://a.example/"]}, "strategy": {"name": "bfs"}}
    (tmp_path / CONFIG_NAME).write_text(template(settings), encoding="utf-8")
    writer = CrawlWriter(tmp_path, ArchiveOptions())
    frontier = DiskFrontier(writer.store, tmp_path / "state" / "seen", Group.SERVER)
    add(writer, "http://a.example/", HTML)
    add(writer, "http://a.example/b", b"<p>another page")
    writer.commit(frontier, dict, writer.totals, finished="pages")
    add(writer, "http://copy.example/", HTML)
    writer.add(JournalRow(3, "http://a.example/gone", 1e9, Outcome.FAILED, failure="no answer"))
    add(writer, "http://a.example/p.png", b"\x89PNG\r\n\x1a\n", HEAD.replace(b"text/html", b"image/png"))
    writer.commit(frontier, dict, writer.totals)
    writer.close()
    return tmp_path


def test_status_has_totals_harvest_rate_and_why_the_crawl_ended(directory: Path) -> None:
    status = CrawlDirectory.open(directory).status
    assert (status.totals.pages, status.totals.relevant, status.harvest_rate) == (5, 4, 0.8)
    assert (status.strategy, status.finished, status.reason) == ("bfs", False, "")


def test_settings_are_those_of_the_crawl(directory: Path) -> None:
    assert CrawlDirectory.open(str(directory)).settings.target.languages == ["th"]


def test_journal_is_a_table_of_the_columns_named(directory: Path) -> None:
    table = CrawlDirectory.open(directory).journal(["url", "relevant"])
    assert table.column_names == ["url", "relevant"]
    assert table["relevant"].to_pylist() == [True, True, True, False, True]


def test_a_column_that_is_not_there_is_named_with_those_that_are(directory: Path) -> None:
    with pytest.raises(ValueError, match=r"no column 'lang'. It has row, url, "):
        CrawlDirectory.open(directory).journal(["lang"])


def test_a_page_has_head_body_document_text_and_why(directory: Path) -> None:
    page = CrawlDirectory.open(directory).page("http://A.example")
    assert (page.url, page.why, page.head, page.body) == ("http://a.example/", "Thai script", HEAD, HTML)
    assert page.text == "ตลาดน้ำ next"
    document = page.document()
    assert document is not None
    assert (document.title, [link.url for link in document.links]) == ("ตลาด", ["http://a.example/b"])


def test_a_copy_has_the_body_of_the_page_that_it_repeats(directory: Path) -> None:
    assert CrawlDirectory.open(directory).page("http://copy.example/").body == HTML


def test_a_visit_without_answer_and_a_picture_have_no_text(directory: Path) -> None:
    crawl = CrawlDirectory.open(directory)
    failed, picture = crawl.page("http://a.example/gone"), crawl.page("http://a.example/p.png")
    assert (failed.row.failure, failed.head, failed.body, failed.text) == ("no answer", b"", b"", "")
    assert (picture.body[:4], picture.document(), picture.text) == (b"\x89PNG", None, "")


def test_pages_are_read_while_rows_are_iterated_over(directory: Path) -> None:
    crawl = CrawlDirectory.open(directory)
    assert [len(crawl.page(row).body) for row in crawl.rows()] == [len(HTML), 15, len(HTML), 0, 8]


def test_an_address_that_was_not_visited_is_named(directory: Path) -> None:
    with pytest.raises(DirectoryError, match=r"has not visited http://b\.example"):
        CrawlDirectory.open(directory).page("http://b.example/")


def test_a_crawl_that_runs_elsewhere_is_read(directory: Path) -> None:
    code = "import pathlib, sys; from exonym.store import Store; "
    code += "store = Store.open(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(directory / "state")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "open\n"
        assert CrawlDirectory.open(directory).status.totals.pages == 5
        running.communicate()
    assert running.returncode == 0


def test_a_crawl_that_runs_in_this_process_is_refused_with_a_way_out(directory: Path) -> None:
    with Store.open(directory / "state"), pytest.raises(DirectoryError, match="open in this process already"):
        CrawlDirectory.open(directory)


def test_what_is_no_crawl_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="is no directory"):
        CrawlDirectory.open(tmp_path / "nothing")
    with pytest.raises(DirectoryError, match="is no crawl directory"):
        CrawlDirectory.open(tmp_path)


def test_a_crawl_that_has_not_begun_is_refused(tmp_path: Path) -> None:
    (tmp_path / CONFIG_NAME).write_text("", encoding="utf-8")
    with pytest.raises(DirectoryError, match="has no crawl in it"):
        CrawlDirectory.open(tmp_path)


def test_a_damaged_store_is_refused(directory: Path) -> None:
    (directory / "state" / "data.mdb").write_bytes(b"no database" * 1_000)
    with pytest.raises(DirectoryError, match="damaged"):
        CrawlDirectory.open(directory)


def test_a_store_of_another_version_is_refused(directory: Path) -> None:
    with Store.open(directory / "state") as store:
        meta = store.table("meta")
        with store.writing() as transaction:
            transaction.put(b"format", b"99", db=meta)
    with pytest.raises(DirectoryError, match="has format 99"):
        CrawlDirectory.open(directory)
