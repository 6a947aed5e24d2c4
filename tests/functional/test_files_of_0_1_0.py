"""What version 0.1.0 wrote opens today, and gives the figures that 0.1.0 gave.

tests/data/version-0.1.0.tar.xz was made with the commands of 0.1.0: a crawl of 12 pages of a practice web (200 pages,
seed 7), the graph imported from it, a topic model, a link model, a weight table and a nation file. expected.json in it
is what `status`, `graph show`, `simulate`, `topic judge`, `segments read`, `table judge` and `nation show` of 0.1.0
printed for them with --json.
"""

import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from commands import json_of

from exonym.batches import NO_ROW
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.practice import PracticeWeb, running_practice_web
from exonym.testing.live import check_directory, crawl

ARCHIVE = Path(__file__).parents[1] / "data" / "version-0.1.0.tar.xz"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.fixture
def expected(old: Path) -> Any:
    expected = json.loads((old / "expected.json").read_text(encoding="utf-8"))
    # To 0.1.0, a crawl had finished when it had reached a limit; now, only when nothing waits.
    expected["status"]["finished"] = expected["status"]["frontier"] == 0
    return expected


def _as_known(document: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """The keys of a document that version 0.1.0 had: later ones are added, none goes."""
    return {key: document[key] for key in old}


def test_crawl_shows_its_status(old: Path, expected: Any) -> None:
    assert _as_known(json_of("status", "crawl", cwd=old), expected["status"]) == expected["status"]


def test_crawl_tells_what_became_of_known_pages_and_stays_as_it_is(old: Path) -> None:
    web, seen = PracticeWeb(seed=7, pages=200), (old / "crawl/state/seen").read_bytes()
    (old / "known.txt").write_text("\n".join(map(web.url, range(200))), encoding="utf-8")
    pages = json_of("coverage", "crawl", "--list", "known.txt", cwd=old)["list"]["pages"]
    rows = list(CrawlDirectory(old / "crawl").rows())
    assert pages["relevant"] == sum(row.relevant and row.source != NO_ROW for row in rows)
    assert pages["waiting"] > 0
    assert pages["unknown"] > 0
    assert (old / "crawl/state/seen").read_bytes() == seen


def test_crawl_goes_on_without_losing_or_repeating_a_page(old: Path) -> None:
    before = [row.url for row in CrawlDirectory(old / "crawl").rows()]
    config = old / "crawl/crawl.toml"
    with running_practice_web(PracticeWeb(seed=7, pages=200)) as address:
        text = config.read_text(encoding="utf-8").replace("\npages = 12\n", "\npages = 40\n")
        config.write_text(re.sub(r"connect_to = .*", f'connect_to = "{address}"', text), encoding="utf-8")
        summary = crawl(old / "crawl")
    rows = check_directory(old / "crawl")
    assert [row.url for row in rows[: len(before)]] == before
    assert (summary.reason, summary.totals.pages) == ("pages", 40)


def test_graph_shows_what_it_showed(old: Path, expected: Any) -> None:
    assert _as_known(json_of("graph", "show", "imported", "--check", cwd=old), expected["graph"]) == expected["graph"]


def test_graph_gives_the_same_simulations(old: Path, expected: Any) -> None:
    named = [word for one in expected["simulations"] for word in ("--strategy", one["strategy"])]
    results = json_of("simulate", "imported", "--k", "1", *named, cwd=old)["results"]
    assert [{key: result[key] for key in expected["simulations"][0]} for result in results] == expected["simulations"]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("model topic judge topic.model page.html", "topic"),
        (
            "model links judge links.model --url http://www.example.com/iceland/hotels.html "
            "--anchor Hotels --around cheap",
            "links",
        ),
        ("model table judge table.json page.html", "table"),
        ("nation show LI.toml", "nation"),
    ],
)
def test_models_and_nations_say_what_they_said(old: Path, expected: Any, command: str, key: str) -> None:
    assert json_of(*command.split(), cwd=old) == expected[key]


def test_crawl_can_be_divided_among_partitions(old: Path, expected: Any) -> None:
    before = check_directory(old / "crawl")
    divided = json_of("repartition", old / "crawl", "--partitions", 2)
    assert divided["rows"] == len(before)
    assert {row.url: row.digest for row in check_directory(old / "crawl")} == {row.url: row.digest for row in before}
    assert _as_known(json_of("status", old / "crawl"), expected["status"]) == expected["status"]
