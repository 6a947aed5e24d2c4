"""`exonym practice-web --topics` as users run it, and a crawl of such a web beside its truth."""

import json
import os
from functools import partial
from pathlib import Path

import pytest
from commands import run_here

from exonym.batches import Outcome
from exonym.crawl import Bounds
from exonym.journal import JournalRow
from exonym.practice import PracticeOptions, PracticeWeb, relevant_to
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import crawl_practice_web, rows_of
from exonym.testing.simulation import ReferenceSimulation
from exonym.training.labels import read_labels

# Nothing that takes time: a simulation has no clock.
TIMELESS = PracticeOptions(topics=True, retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)

run = partial(run_here, "practice-web")


def test_labels_are_written_without_serving_and_say_the_truth(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    code, output, _ = run("--topics", "--size", 600, "--random-seed", 3, "--labels", path, "--sample", 80, "--json")
    labels, web = read_labels(path), PracticeWeb(3, 600, PracticeOptions(topics=True))
    assert code == 0
    assert len(labels) == 80
    assert all(label.text and label.labelled_by == "practice web (oracle)" for label in labels)
    truths = [web.truth(label.url) for label in labels]
    assert [label.positive for label in labels] == [bool(t) and relevant_to(t, "thai-tourism") for t in truths if t]
    told = json.loads(output)
    assert (told["pages"], told["relevant"]) == (80, sum(label.positive for label in labels))
    assert (told["target"], told["seed"], told["web_pages"]) == ("thai-tourism", 3, 600)
    assert os.listdir(tmp_path) == ["labels.jsonl"]


def test_more_labels_than_pages_are_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    code, output, _ = run("--topics", "--size", 200, "--labels", path, "--sample", 5000, "--profile", "thai-diving")
    assert code == 0
    assert "relevant to thai-diving" in output
    assert "no more English pages" in output


def test_labels_that_are_there_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("mine\n")
    code, _, error = run("--topics", "--size", 200, "--labels", path)
    assert code == 2
    assert "exists" in error
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--labels", "{}/l.jsonl"], "--topics"),
        (["--topics", "--sample", "3"], "--labels"),
        (["--topics", "--profile", "thai-tourism"], "--labels"),
        (["--topics", "--graph", "{}"], "--topics"),
        (["--topics", "--labels", "{}/l.jsonl", "--profile", "thai-cooking"], "thai-estate"),
        (["--topics", "--labels", "{}/none/l.jsonl"], "cannot be used"),
    ],
)
def test_wrong_options_are_told_in_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    code, output, error = run(*(argument.replace("{}", str(tmp_path)) for argument in arguments))
    assert (code, output, error.count("\n")) == (2, "", 1)
    assert said in error
    assert os.listdir(tmp_path) == []


def test_a_crawl_is_compared_with_the_truth(tmp_path: Path) -> None:
    web = PracticeWeb(5, 900, TIMELESS)
    asked: dict[str, dict[str, object]] = {
        "target": {"languages": ["en"]},
        "limits": {"pages": 600},
        "readers": {"count": 0},
        "strategy": {"name": "lswc"},
    }
    crawl_practice_web(tmp_path, web, asked)
    fetched = [row for row in rows_of(tmp_path) if row.outcome == Outcome.PAGE]
    on_topic = {row.url for row in fetched if (truth := web.truth(row.url)) and relevant_to(truth, "thai-tourism")}
    # The judge calls every English page relevant: it misses no page on the topic, and accepts pages on others too.
    said = {row.url for row in fetched if row.relevant}
    assert on_topic
    assert on_topic < said


def test_live_crawl_visits_what_the_simulation_of_the_graph_visits_in_its_order(tmp_path: Path) -> None:
    web = PracticeWeb(2, 400, TIMELESS)
    asked: dict[str, dict[str, object]] = {
        "seeds": {"sitemaps": False},
        "limits": {"pages_per_server": 30},
        "network": {"connections": 1},
        "strategy": {"name": "bfs"},
        "readers": {"count": 0},
    }
    live = crawl_practice_web(tmp_path, web, asked)
    simulated = ReferenceSimulation(web.graph(), make_strategy("bfs", {}), Bounds(0, 30)).run()
    assert [facts_of(row) for row in live.rows] == [facts_of(row) for row in simulated]


def facts_of(row: JournalRow) -> tuple[object, ...]:
    return row.row, row.url, row.outcome, row.relevant, row.language, row.distance, row.source
