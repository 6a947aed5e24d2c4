"""The stories of pages and servers, compared with the rows of the journal."""

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from crawls_to_look_at import DEAD_SEED, DROPPED, divided_crawl, whole_crawl

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.progress_file import PROGRESS_NAME, RunningCrawl
from exonym.crawl_progress import CrawlProgress, ServerRest
from exonym.crawl_views.visit_index import VisitIndex
from exonym.crawl_views.why import MOST_HOPS, MOST_ROWS_TOLD, archived_text, page_story, server_story
from exonym.journal import JournalRow
from exonym.metrics import Totals
from exonym.testing.live import rows_of
from exonym.urls import segment_of, server_of


@pytest.fixture
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VisitIndex]:
    with VisitIndex(whole_crawl(tmp_path_factory), in_directory=False) as index:
        index.refresh()
        yield index


@pytest.fixture
def divided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VisitIndex]:
    with VisitIndex(divided_crawl(tmp_path_factory), in_directory=False) as index:
        index.refresh()
        yield index


def sources_of(rows: list[JournalRow], row: JournalRow) -> list[str]:
    urls = list[str]()
    while row.source >= 0 and len(urls) < MOST_HOPS:
        row = rows[row.source]
        urls.append(row.url)
    return urls


def test_story_of_every_page_is_that_of_the_journal(whole: VisitIndex) -> None:
    rows = rows_of(whole.directory)
    for row in rows[:: max(len(rows) // 25, 1)]:
        story = page_story(whole, row.row)
        assert story is not None
        json.dumps(story, allow_nan=False)
        for name in ("url", "why", "shares", "language", "relevant", "status", "failure", "rule", "distance", "when"):
            assert story[name] == getattr(row, name)
        assert (story["place"], story["visits"]) == (row.row + 1, len(rows))
        assert [page["url"] for page in story["chain"]] == sources_of(rows, row)
        led_to = [other.url for other in rows if other.source == row.row]
        assert [page["url"] for page in story["led_to"]] == led_to[:MOST_ROWS_TOLD]
        assert story["led_to_count"] == len(led_to)


def test_partitions_tell_the_same_stories(whole: VisitIndex, divided: VisitIndex) -> None:
    rows = {row.url: row for row in rows_of(whole.directory) if not row.failure.startswith("scope:")}
    ids = divided.cursor().execute("select id, url from visits where not starts_with(failure, 'scope:')").fetchall()
    assert {url for _, url in ids} == rows.keys()
    ordered = sorted(rows.values(), key=lambda row: row.when)
    for number, url in ids[:: max(len(ids) // 25, 1)]:
        story, own = page_story(divided, number), page_story(whole, rows[url].row)
        assert story is not None
        assert own is not None
        assert [page["url"] for page in story["chain"]] == [page["url"] for page in own["chain"]]
        assert {page["url"] for page in story["led_to"]} == {page["url"] for page in own["led_to"]}
        assert (story["why"], story["archive"]["offset"] if story["archive"] else None) == (
            own["why"],
            own["archive"]["offset"] if own["archive"] else None,
        )
        assert story["visits"] == own["visits"]
    (last,) = [number for number, url in ids if url == ordered[-1].url]
    story = page_story(divided, last)
    assert story is not None
    assert story["place"] == story["visits"]


def test_ids_are_exact_in_javascript(divided: VisitIndex) -> None:
    ids = [number for (number,) in divided.cursor().execute("select id from visits").fetchall()]
    assert all(int(float(number)) == number < 2**53 for number in ids)
    assert len(set(ids)) == divided.rows


def test_what_nobody_visited_has_no_story(whole: VisitIndex) -> None:
    assert page_story(whole, whole.rows) is None
    assert page_story(whole, 2**60) is None
    assert server_story(whole, "nowhere.example") is None


def test_scope_says_what_it_would_say_now(whole: VisitIndex) -> None:
    dropped = [row for row in rows_of(whole.directory) if row.rule]
    assert dropped
    story = page_story(whole, dropped[0].row)
    assert story is not None
    assert story["scope"]["dropped"] is True
    assert story["scope"]["rule"]["rule"] == f"drop {DROPPED}"
    server = server_story(whole, server_of(dropped[0].url))
    assert server is not None
    assert server["is_dropped"] is True
    assert [rule["comment"] for rule in server["rules"]] == ["asked by letter"]


def test_servers_are_counted_as_in_the_journal(whole: VisitIndex) -> None:
    rows = rows_of(whole.directory)
    for name in {server_of(row.url) for row in rows}:
        own = [row for row in rows if server_of(row.url) == name]
        pages = [row for row in own if row.outcome in (Outcome.PAGE, Outcome.FAILED)]
        story = server_story(whole, name)
        assert story is not None
        json.dumps(story, allow_nan=False)
        assert (story["visits"], story["pages"]) == (len(own), len(pages))
        assert story["relevant"] == sum(row.relevant for row in own)
        assert (story["first"], story["last"]) == (min(row.when for row in own), max(row.when for row in own))
        statuses = Counter(row.status for row in own if row.outcome != Outcome.FORBIDDEN)
        assert {row["status"]: row["visits"] for row in story["statuses"]} == statuses
        languages = Counter(row.language for row in own if row.outcome == Outcome.PAGE)
        assert {row["language"]: row["visits"] for row in story["languages"]} == languages
        best = Counter(segment_of(row.url) for row in own if row.relevant)
        assert {row["segment"]: row["relevant"] for row in story["best_segments"]} == best
        linking = Counter(server_of(rows[row.source].url) for row in own if row.source >= 0)
        del linking[name]
        assert {row["server"]: row["links"] for row in story["linked_by"]} == linking
        assert [moment["id"] for moment in story["moments"]] == [row.row for row in pages]
        assert story["is_budget_reached"] == (len(pages) >= 25)


def test_server_where_links_wait_has_a_story_before_its_first_visit(tmp_path_factory: pytest.TempPathFactory) -> None:
    with VisitIndex(whole_crawl(tmp_path_factory), in_directory=False) as index:
        index.refresh()
        index.cursor().execute("insert into waiting values (hash('new.example'), 'new.example', 3, 1)")
        story = server_story(index, "new.example")
        assert story is not None
        assert (story["name"], story["visits"], story["waiting"], story["left_out"]) == ("new.example", 0, 3, 1)
        assert (story["harvest"], story["first"], story["moments"], story["is_dropped"]) == (None, None, [], False)


def test_server_rests_only_while_the_crawl_runs(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    name = server_of(DEAD_SEED)
    progress = CrawlProgress(Totals(), rests=(ServerRest(name, 1000.0, "crawl delay"),))
    with VisitIndex(tmp_path / "crawl") as index:
        index.refresh()
        for reason, is_known in (("", True), ("interrupted", False)):
            running = RunningCrawl(os.getpid(), time.time(), progress, reason)
            (tmp_path / "crawl" / PROGRESS_NAME).write_bytes(msgspec.json.encode(running))
            story = server_story(index, name)
            assert story is not None
            assert (story["rest"] is not None) == is_known


def test_archived_text_is_that_of_the_archive(whole: VisitIndex) -> None:
    rows = rows_of(whole.directory)
    row = next(row for row in rows if row.relevant)
    page = CrawlDirectory(whole.directory).page(row)
    found = archived_text(whole.directory, whole, row.row)
    assert (found["title"], found["text"], found["problem"]) == (row.title, page.text, "")
    short = archived_text(whole.directory, whole, row.row, most=10)
    assert (short["text"], short["is_cut"]) == (page.text[:10], True)
    robots = next(row for row in rows if not row.warc_file)
    assert archived_text(whole.directory, whole, robots.row)["problem"]
