"""A crawl whose weight table learns from the pages that it finds relevant."""

from dataclasses import replace
from pathlib import Path

import pytest

from exonym.errors import ConfigError
from exonym.journal import JournalRow
from exonym.live.growing_table import GROWN_NAME, TableGrowth
from exonym.models.weight_table import TableSettings, WeightedTerm, WeightTable, grown
from exonym.models.weight_table_file import load_table, save_table
from exonym.models.weight_table_words import WordReader
from exonym.testing.live import crawl_from
from exonym.testing.scripted import ScriptedWeb, page

A = "http://a.example/"
SHIP = WeightedTerm(2.0, 1, 1, 2)
TABLE = WeightTable(
    TableSettings(documents=2, page_threshold=1.0), terms={"ship": SHIP}, last_query={"ship": 2, "sail": 1}
)
TEXTS = ["A ship with a sail.", "The ship sailed; no other ship came.", "A sail, and a ship.", "Ships and more ships."]


def target(grow: int) -> dict[str, dict[str, object]]:
    return {"target": {"languages": []}, "target.table": {"file": "ships.table", "grow": grow}}


def crawled(directory: Path, grow: int = 0) -> list[JournalRow]:
    home = page("ship " + "".join(f"<a href=/{number}>{number}</a> " for number in range(len(TEXTS))))
    pages = {f"/{number}": page(f"<p>{text}</p>") for number, text in enumerate(TEXTS)}
    directory.mkdir(exist_ok=True)
    save_table(TABLE, directory / "ships.table")
    with ScriptedWeb({A: home, **pages}) as web:
        return crawl_from([A], directory, web.address, target(grow))


def judge_of(directory: Path) -> dict[str, object]:
    return {"kind": "table", "file": str(directory / "ships.table"), "languages": []}


def test_table_grows_from_relevant_pages_by_the_rule(tmp_path: Path) -> None:
    rows = crawled(tmp_path)
    assert all(row.relevant for row in rows)
    growth = TableGrowth(tmp_path, judge_of(tmp_path), pages_at_a_time=4)
    growth.see(rows[1:])
    assert growth.is_due
    judge = growth.grow()
    assert judge["file"] == str(tmp_path / GROWN_NAME)
    reader = WordReader(TABLE.reading)
    expected = TABLE
    by_row = [reader.counts(TEXTS[int(row.url.removeprefix(A))]) for row in rows[1:]]
    for pair in (by_row[:2], by_row[2:]):
        expected = grown(expected, pair)
    assert load_table(tmp_path / GROWN_NAME).terms == expected.terms
    assert load_table(tmp_path / "ships.table") == TABLE
    assert "sail" in expected.terms
    assert not growth.is_due


def test_growth_goes_on_where_it_stopped_after_a_kill(tmp_path: Path) -> None:
    rows = crawled(tmp_path)
    (tmp_path / "once").mkdir()
    whole = TableGrowth(tmp_path, judge_of(tmp_path), pages_at_a_time=2)
    whole.see(rows[:4])
    whole.grow()
    whole.grow()
    at_once = load_table(tmp_path / GROWN_NAME)
    (tmp_path / GROWN_NAME).unlink()
    first = TableGrowth(tmp_path, judge_of(tmp_path), pages_at_a_time=2)
    first.see(rows[:3])
    first.grow()
    again = TableGrowth(tmp_path, judge_of(tmp_path), pages_at_a_time=2)
    assert again.judge["file"] == str(tmp_path / GROWN_NAME)
    again.see(rows[:4])  # a restart sees all rows
    again.grow()
    assert load_table(tmp_path / GROWN_NAME) == at_once
    assert not again.is_due


def test_pages_that_are_not_relevant_teach_nothing(tmp_path: Path) -> None:
    rows = crawled(tmp_path)
    for row in rows:
        row.relevant = False
    growth = TableGrowth(tmp_path, judge_of(tmp_path), pages_at_a_time=1)
    growth.see(rows)
    assert not growth.is_due


def test_live_crawl_changes_its_judge_when_the_table_has_grown(tmp_path: Path) -> None:
    crawled(tmp_path, grow=2)
    table = load_table(tmp_path / GROWN_NAME)
    assert table.documents_seen >= 2
    assert "sail" in table.terms
    with ScriptedWeb({A: page("A sail <a href=/new>new</a>"), "/new": page("One more sail.")}) as web:
        rows = crawl_from([A, f"{A}new"], tmp_path, web.address, target(2))
    assert "sail" in rows[-1].why  # which the first table does not know


def test_grown_table_with_a_wrong_count_is_told(tmp_path: Path) -> None:
    save_table(replace(TABLE, provenance={"relevant pages learned from": "many"}), tmp_path / GROWN_NAME)
    with pytest.raises(ConfigError, match=GROWN_NAME):
        TableGrowth(tmp_path, judge_of(tmp_path), 1)
