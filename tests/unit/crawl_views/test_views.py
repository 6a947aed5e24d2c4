"""Every view, compared with counts over the rows of the journal; and requests that cannot be answered."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from crawls_to_look_at import DEAD_SEED, DROPPED, divided_crawl, whole_crawl

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_views import view as view_module
from exonym.crawl_views.server_counts import BLOCKING
from exonym.crawl_views.view import FARTHEST_ROW, ViewRequest, page_of
from exonym.crawl_views.view_files import write_csv
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ConfigError
from exonym.journal import JournalRow
from exonym.testing.live import rows_of
from exonym.urls import segment_of, server_of, top_level_domain_of

ALL = 1_000


@pytest.fixture(params=["whole", "divided"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VisitIndex]:
    make = {"whole": whole_crawl, "divided": divided_crawl}[request.param]
    with VisitIndex(make(tmp_path_factory), in_directory=False) as index:
        index.refresh()
        index.count_large_tables(at_once=True)
        yield index


def shown(index: VisitIndex, name: str, **wanted: Any) -> list[dict[str, Any]]:
    found = page_of(index.cursor(), VIEWS[name], ViewRequest(**{"rows": ALL, **wanted}))
    json.dumps(found.document(), allow_nan=False)
    assert found.total >= len(found.rows)
    names = [column.name for column in VIEWS[name].columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def pages_in(rows: list[JournalRow]) -> list[JournalRow]:
    return [row for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)]


def by_server(rows: list[JournalRow]) -> dict[str, list[JournalRow]]:
    found = defaultdict(list)
    for row in rows:
        found[server_of(row.url)].append(row)
    return found


def test_servers_and_their_status_codes_are_counted(index: VisitIndex) -> None:
    servers = by_server(rows_of(index.directory))
    found = {row["server"]: row for row in shown(index, "servers")}
    statuses = {row["server"]: row for row in shown(index, "statuses-by-server")}
    assert found.keys() == statuses.keys() == servers.keys()
    for name, rows in servers.items():
        row = found[name]
        assert row["pages"] == len(pages_in(rows))
        assert row["relevant"] == sum(one.relevant for one in rows)
        assert row["bytes"] == sum(one.length for one in rows)
        assert row["blocked"] == sum(one.status in BLOCKING for one in rows)
        answered = [one for one in rows if one.outcome != Outcome.FORBIDDEN]
        counted = {key: count for key, count in statuses[name].items() if key.startswith("status_") and count}
        assert sum(counted.values()) + sum(not one.status for one in answered) == len(answered)
        for code in (200, 301, 302, 404, 500, 503):
            assert counted.get(f"status_{code}", 0) == sum(one.status == code for one in answered)


def test_segments_languages_domains_and_statuses_are_counted(index: VisitIndex) -> None:
    rows = rows_of(index.directory)
    segments = Counter(segment_of(row.url) for row in pages_in(rows))
    assert {row["segment"]: row["pages"] for row in shown(index, "segments")} == segments
    languages = Counter(row.language or "unknown" for row in rows if row.outcome == Outcome.PAGE)
    assert {row["language"]: row["pages"] for row in shown(index, "languages")} == languages
    domains = Counter(top_level_domain_of(server_of(row.url)) for row in pages_in(rows))
    assert {row["domain"]: row["pages"] for row in shown(index, "domains") if row["pages"]} == domains
    statuses = Counter(row.status for row in rows if row.outcome != Outcome.FORBIDDEN)
    assert {row["status"]: row["visits"] for row in shown(index, "statuses")} == statuses
    assert sum(row["pages"] for row in shown(index, "countries")) == len(pages_in(rows))
    failures = [row for row in rows if row.outcome == Outcome.FAILED]
    assert sum(row["visits"] for row in shown(index, "failures")) == len(failures)
    assert sum(row["share"] for row in shown(index, "languages")) == pytest.approx(1)


def test_seeds_are_dead_or_alive(index: VisitIndex) -> None:
    assert [row["seed"] for row in shown(index, "seeds", only="dead")] == [DEAD_SEED]
    assert len(shown(index, "seeds")) == 4


def test_visits_are_sorted_filtered_and_paged(index: VisitIndex) -> None:
    rows = {row.url: row for row in rows_of(index.directory) if not row.failure.startswith("scope:")}
    relevant = shown(index, "visits", only="relevant")
    assert {row["url"] for row in relevant} == {url for url, row in rows.items() if row.relevant}
    by_length = shown(index, "visits", sort="-bytes")
    assert [row["bytes"] for row in by_length] == sorted((row["bytes"] for row in by_length), reverse=True)
    paged = [
        row
        for first in range(0, len(by_length), 40)
        for row in shown(index, "visits", sort="-bytes", first=first, rows=40)
    ]
    assert paged == by_length
    server = by_length[0]["server"]
    assert {row["server"] for row in shown(index, "visits", where={"server": server})} == {server}
    wanted = {url for url, row in rows.items() if row.status == 404}
    assert {row["url"] for row in shown(index, "visits", where={"status": "404"})} == wanted
    assert shown(index, "visits", where={"status": "no number"}) == []


def test_search_is_for_any_part_in_small_or_capital_letters(index: VisitIndex) -> None:
    rows = rows_of(index.directory)
    titled = next(row for row in rows if row.relevant and row.title)
    part = titled.title[1:-1]
    found = {row["url"] for row in shown(index, "visits", search=part.upper())}
    assert found == {row.url for row in rows if part.lower() in f"{row.url} {row.title}".lower()}
    assert titled.url in found
    assert shown(index, "visits", search="' or 1 = 1 --") == []
    assert shown(index, "servers", search="%") == []


def test_every_filter_and_column_can_be_asked_for(index: VisitIndex) -> None:
    for name, view in VIEWS.items():
        whole = len(shown(index, name))
        for column in view.columns:
            for sort in (column.name, f"-{column.name}"):
                assert len(shown(index, name, sort=sort)) == whole
            shown(index, name, where={column.name: "x'; drop table visits; --"})
        for only in view.filters:
            assert len(shown(index, name, only=only)) <= whole
        assert len(shown(index, name, first=whole + 1)) == 0


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"sort": 'url"; drop table visits; --'}, "has no column"),
        ({"where": {"1=1": "1"}}, "has no column"),
        ({"only": "everything"}, "has no filter"),
        ({"rows": 0}, "rows must be"),
        ({"first": -1}, "first must be"),
        ({"first": FARTHEST_ROW + 1}, "first must be"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    tmp_path_factory: pytest.TempPathFactory, wanted: dict[str, Any], said: str
) -> None:
    with VisitIndex(whole_crawl(tmp_path_factory), in_directory=False) as index:
        with pytest.raises(ConfigError, match=said):
            shown(index, "visits", **wanted)
        with pytest.raises(ConfigError, match="no column in which"):
            shown(index, "statuses", search="x")


def test_many_matches_are_counted_up_to_a_limit(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_module, "MOST_COUNTED", 10)
    with VisitIndex(whole_crawl(tmp_path_factory), in_directory=False) as index:
        index.refresh()
        found = page_of(index.cursor(), VIEWS["visits"], ViewRequest(only="relevant", rows=20, sort="-id"))
        ids = [row.row for row in rows_of(index.directory) if row.relevant]
        assert (found.total, found.is_total_exact) == (10, False)
        assert [row[0] for row in found.rows] == sorted(ids, reverse=True)[:20]


def test_file_of_a_view_has_all_its_rows(index: VisitIndex, tmp_path: Path) -> None:
    import csv

    for name, view in VIEWS.items():
        write_csv(index.cursor(), view, tmp_path / f"{name}.csv")
        with (tmp_path / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert rows[0] == [column.name for column in view.columns]
        assert len(rows) - 1 == len(shown(index, name))


def test_frontier_has_the_links_that_wait_and_those_left_out(index: VisitIndex) -> None:
    totals = CrawlDirectory(index.directory).status.totals
    servers = {row["server"]: row for row in shown(index, "frontier")}
    waiting = sum(row["waiting"] for row in servers.values())
    dropped = {name: row["left_out"] for name, row in servers.items() if row["left_out"]}
    # A crawl that was just divided has not yet looked at its rules.
    assert waiting + sum(dropped.values()) == totals.frontier + totals.aside
    assert dropped
    assert all(name.endswith(DROPPED.removeprefix("*")) for name in dropped)
    assert {row["server"] for row in shown(index, "frontier", only="left out")} == set(dropped)
    visited = by_server(rows_of(index.directory))
    assert {name: row["pages"] for name, row in servers.items()} == {
        name: len(pages_in(visited.get(name, []))) for name in servers
    }
