"""Hints that lead on: what commands say to somebody who mistyped a name, or forgot a step."""

from pathlib import Path

import pytest
from commands import json_here, printed_here, refused_here
from ports import reserved_port

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.testing.live import crawl_from, rows_of
from exonym.testing.scripted import ScriptedWeb, page, status


@pytest.fixture
def crawl_directory(tmp_path: Path) -> Path:
    said = printed_here("new", tmp_path / "thai-web", "--language", "th", "--seed", "http://a.th/", "--practice")
    assert "Then: exonym practice-web -- exonym crawl" in said
    return tmp_path / "thai-web"


def test_crawl_that_is_taken_for_a_graph_can_be_made_one(crawl_directory: Path) -> None:
    said = refused_here("graph", "show", crawl_directory)
    assert f"is a crawl, not a graph. Make a graph of it: exonym graph import {crawl_directory} -o " in said
    assert "generate" not in said


def test_folder_that_is_no_graph_is_not_filled_with_a_generated_web(tmp_path: Path) -> None:
    assert "generate" not in refused_here("graph", "show", tmp_path)


@pytest.mark.parametrize(
    "words",
    [["status"], ["crawl"], ["scope"], ["audit"], ["repartition", "--partitions=2"]],
    ids=lambda words: words[0],
)
def test_mistyped_directory_leads_to_the_crawl_beside_it(crawl_directory: Path, words: list[str]) -> None:
    said = refused_here(words[0], crawl_directory.with_name("thai-wbe"), *words[1:])
    assert f"Did you mean {crawl_directory}?" in said
    assert "exonym new" not in said


def test_folder_of_one_crawl_leads_to_it(crawl_directory: Path) -> None:
    assert f"Did you mean {crawl_directory}?" in refused_here("status", crawl_directory.parent)


def test_directory_that_is_like_no_other_leads_to_no_new_crawl_there(tmp_path: Path) -> None:
    said = refused_here("crawl", tmp_path / "nowhere")
    assert "nowhere does not exist. Name a crawl directory" in said
    assert "--language" not in said


def test_mistyped_strategy_leads_to_one_that_a_crawl_can_use(tmp_path: Path) -> None:
    said = refused_here("new", tmp_path / "new", "--language", "th", "--strategy", "lsw")
    assert "Did you mean lswc?" in said
    assert "perfect" not in said
    assert "relevant-only" not in said


def test_practice_crawl_without_its_server_says_so_before_it_begins(crawl_directory: Path) -> None:
    with reserved_port() as port:
        said = refused_here("crawl", crawl_directory, "--set", f"network.connect_to=127.0.0.1:{port}")
    assert f"Nothing answers at 127.0.0.1:{port}" in said
    assert f"exonym practice-web --port {port} -- exonym crawl {crawl_directory}" in said
    assert not (crawl_directory / "state").exists()


def test_practice_crawl_has_what_such_crawls_need_and_single_settings_may_differ(tmp_path: Path) -> None:
    words = ["--language=th", "--seed=http://a.th/", "--practice", "--set=network.connect_to=127.0.0.1:9999"]
    assert "Then: exonym practice-web --port 9999 -- exonym crawl" in printed_here("new", tmp_path / "new", *words)
    settings = load(tmp_path / "new" / CONFIG_NAME)
    settings.check_live()
    assert (settings.network.connect_to, settings.politeness.address_delay_seconds) == ("127.0.0.1:9999", 0.0)
    assert settings.politeness.delay_seconds < 1


def test_every_failure_in_the_journal_has_a_reason(tmp_path: Path) -> None:
    home = "".join(f"<a href=/{name}>x</a>" for name in ("gone", "broken", "astray", "fine"))
    answers = {
        "http://a.th/": page(home),
        "/gone": status(404),
        "/broken": status(500),
        "/astray": status(302, Location="nowhere:"),
        "/fine": page("words"),
    }
    with ScriptedWeb(answers) as web:
        crawl_from(["http://a.th/"], tmp_path, web.address, {"politeness": {"retries": 0}})
    failures = {row.url.removeprefix("http://a.th/"): row.failure for row in rows_of(tmp_path)}
    assert failures == {"": "", "fine": "", "gone": "http: 404", "broken": "http: 500", "astray": "http: 302"}
    failed = [row for row in rows_of(tmp_path) if row.outcome == Outcome.FAILED]
    assert len(failed) == json_here("status", tmp_path)["failures"] == 3


def test_crawl_is_finished_only_when_nothing_waits(tmp_path: Path) -> None:
    with ScriptedWeb(
        {"http://a.th/": page("<a href=/1>x</a><a href=/2>x</a>"), "/1": page("a"), "/2": page("b")}
    ) as web:
        crawl_from(["http://a.th/"], tmp_path, web.address, {"limits": {"pages": 2}})
        found = json_here("status", tmp_path)
        assert (found["finished"], found["reason"], found["frontier"]) == (False, "pages", 1)
        found = json_here("crawl", tmp_path, "--set", "limits.pages=0")
        assert (found["finished"], found["reason"], found["frontier"]) == (True, "empty frontier", 0)
