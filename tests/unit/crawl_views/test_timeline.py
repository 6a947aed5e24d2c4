"""Curves of a crawl, compared with sums over the rows of its journal."""

import math
from pathlib import Path

import pytest
from crawls_to_look_at import divided_crawl, whole_crawl

from exonym.batches import Outcome
from exonym.crawl_views import timeline
from exonym.crawl_views.timeline import Timeline, timeline_of
from exonym.crawl_views.timeline_charts import charts_of, compared_charts, harvest_figure
from exonym.crawl_views.visit_index import VisitIndex
from exonym.journal import JournalRow
from exonym.testing.live import rows_of

IS_PAGE = (Outcome.PAGE, Outcome.FAILED)


def curve_of(directory: Path, points: int) -> Timeline:
    with VisitIndex(directory, in_directory=False) as index:
        index.refresh()
        return timeline_of(index, points)


def rows_until(rows: list[JournalRow], pages: int) -> list[JournalRow]:
    """The rows up to and including the page of this number, counted from 1."""
    places = [place for place, row in enumerate(rows, 1) if row.outcome in IS_PAGE]
    return rows[: places[pages - 1]]


def test_moments_are_sums_over_the_rows_until_then(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = whole_crawl(tmp_path_factory)
    rows = rows_of(directory)
    curve = curve_of(directory, 7)
    assert len(curve.pages) == 7
    for place, pages in enumerate(curve.pages):
        until = rows if place == 6 else rows_until(rows, pages)
        assert curve.relevant[place] == sum(row.relevant for row in until)
        assert curve.failures[place] == sum(row.outcome == Outcome.FAILED for row in until)
        assert curve.bytes[place] == sum(row.length for row in until)
        assert curve.when[place] == max(row.when for row in until)
        assert curve.harvest[place] == curve.relevant[place] / pages
    assert curve.pages[-1] == sum(row.outcome in IS_PAGE for row in rows)
    steps = [after - before for before, after in zip([0, *curve.pages], curve.pages, strict=False)]
    assert max(steps) - min(steps) <= 1


def test_pace_is_pages_of_the_step_by_its_seconds(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = whole_crawl(tmp_path_factory)
    curve = curve_of(directory, 4)
    first = min(row.when for row in rows_of(directory))
    for place, pace in enumerate(curve.pages_per_second):
        pages, when = (curve.pages[place - 1], curve.when[place - 1]) if place else (0, first)
        assert pace == pytest.approx((curve.pages[place] - pages) / (curve.when[place] - when))


def test_recent_harvest_is_that_of_the_last_pages(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline, "RECENT_PAGES", 30)
    directory = whole_crawl(tmp_path_factory)
    flags = [row.relevant for row in rows_of(directory) if row.outcome in IS_PAGE]
    curve = curve_of(directory, 10)
    step = curve.pages[0]
    assert step < 30
    assert curve.recent_harvest == [sum(flags[max(n - 30, 0) : n]) / min(n, 30) for n in curve.pages]
    coarse = curve_of(directory, 2)  # a step is longer than 30 pages
    before = [0, coarse.pages[0]]
    expected = [sum(flags[a:b]) / (b - a) for a, b in zip(before, coarse.pages, strict=True)]
    assert coarse.recent_harvest == expected


def test_blocks_of_visits_end_with_the_same_totals(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = whole_crawl(tmp_path_factory)
    exact = curve_of(directory, 1)
    monkeypatch.setattr(timeline, "_FEWEST_BLOCKS", 0)
    assert curve_of(directory, 1) == exact


def test_partitions_are_merged_by_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = divided_crawl(tmp_path_factory)
    curve, whole = curve_of(directory, 300), curve_of(whole_crawl(tmp_path_factory), 300)
    ends = [curve.pages[-1], curve.relevant[-1], curve.failures[-1], curve.bytes[-1], curve.when[-1]]
    assert ends == [whole.pages[-1], whole.relevant[-1], whole.failures[-1], whole.bytes[-1], whole.when[-1]]
    assert curve.when == sorted(curve.when)


def test_json_has_null_for_what_is_no_number() -> None:
    empty = Timeline(pages=[1], pages_per_second=[math.nan], harvest=[math.inf])
    document = empty.document()
    assert (document["pages"], document["pages_per_second"], document["harvest"]) == ([1], [None], [None])


@pytest.mark.parametrize(
    ("seconds", "unit", "end"),
    [(179.0, "seconds", 179.0), (180.0, "minutes", 3.0), (36_000.0, "hours", 10.0), (864_000.0, "days", 10.0)],
)
def test_compared_crawls_begin_at_0_in_a_unit_that_suits_the_longest(seconds: float, unit: str, end: float) -> None:
    long = Timeline(pages=[1, 2], relevant=[1, 1], when=[1e9, 1e9 + seconds], harvest=[1.0, 0.5])
    short = Timeline(pages=[1], relevant=[1], when=[2e9], harvest=[1.0])
    chart = compared_charts({"long": long, "short": short})[-1]
    assert chart.x_label == unit
    assert [list(line.x) for line in chart.lines] == [[0.0, end], [0.0]]


def test_crawls_have_the_looks_of_their_strategies() -> None:
    curve = Timeline(pages=[1], relevant=[1], when=[1e9], harvest=[1.0])
    crawls, looks = {"spring": curve, "autumn": curve}, {"spring": "lswc", "autumn": "bfs"}
    for chart in compared_charts(crawls, looks):
        assert [line["colour"] for line in chart.document()["lines"]] == ["#0067b0", "#111111"]
    assert [line.look for line in harvest_figure(crawls, looks).lines] == ["lswc", "bfs"]


def test_crawl_that_took_no_time_is_not_drawn_over_time() -> None:
    one = Timeline(pages=[1], relevant=[1], when=[1e9], harvest=[1.0], recent_harvest=[1.0], failures=[0])
    assert [chart.name for chart in charts_of(one)] == ["harvest"]
    assert charts_of(Timeline()) == []
