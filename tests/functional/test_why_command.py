"""`exonym why`: its answers agree with the journal, with the web that was crawled, and with the rules of the crawl."""

import itertools
import math
import os
import shutil
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from commands import json_here, json_of, printed, printed_here, refused_here, run_here
from crawls_to_look_at import (
    DEAD_SEED,
    DROPPED,
    WEB,
    divided_crawl,
    divided_learned_crawl,
    learned_crawl,
    whole_crawl,
)

from exonym.batches import NO_ROW, Outcome
from exonym.config import CONFIG_NAME, load
from exonym.crawl_directory.aliases import Aliases, Suspicion
from exonym.crawl_directory.crawl_parts import CrawlPart
from exonym.crawl_directory.progress_file import PROGRESS_NAME, RunningCrawl
from exonym.crawl_progress import CrawlProgress, ServerRest
from exonym.crawl_views.inquiry import Inquiry
from exonym.crawl_views.visit_index import VisitIndex
from exonym.crawl_views.why_answer import answer
from exonym.frontier.frontier_look import FrontierLook
from exonym.journal import JournalRow
from exonym.link_types import FILE_KINDS
from exonym.live.assembly import open_parts
from exonym.live.found_links import pages_of, probed_score
from exonym.metrics import Totals
from exonym.scope.scope_file import add_rules, remove_rules
from exonym.store import Store
from exonym.strategies.adaptive.odds import ONE
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import crawl, rows_of, running_practice_web, write_crawl
from exonym.urls import partition_of, server_of

BUDGET = 25
OLD = Path(__file__).parents[1] / "data" / "version-0.1.0.tar.xz"


@pytest.fixture
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned_crawl(tmp_path_factory)


@pytest.fixture
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_crawl(tmp_path_factory)


def asked(directory: Path, texts: list[str]) -> Iterator[dict[str, Any]]:
    """The answers about several addresses, without writing an index into the crawl."""
    with VisitIndex(directory, in_directory=False) as index:
        index.refresh()
        inquiry = Inquiry(index)
        for text in texts:
            yield answer(inquiry, text)


def told(directory: Path, text: str) -> dict[str, Any]:
    return next(asked(directory, [text]))


def visits_of(rows: list[JournalRow]) -> list[JournalRow]:
    return [row for row in rows if not row.failure.startswith("scope:")]


def fetched_of(rows: list[JournalRow], server: str) -> list[JournalRow]:
    return [row for row in rows if row.outcome <= Outcome.FAILED and server_of(row.url) == server]


def not_visited(directory: Path) -> list[str]:
    """Every address of the web that the crawl has not visited, and one that nothing links to."""
    visited = {row.url for row in visits_of(rows_of(directory))}
    return [url for url in map(WEB.url, range(WEB.page_count)) if url not in visited]


# Pages


def test_visits_are_explained_by_what_the_journal_has(learned: Path) -> None:
    rows = rows_of(learned)
    strategy = make_strategy("adaptive", {}, [WEB.language])
    assert isinstance(strategy, Adaptive)
    strategy.learn(pages_of([row for row in rows if not row.copy]))  # in the order of the crawl
    chosen = visits_of(rows)[::9]
    for row, found in zip(chosen, asked(learned, [row.url for row in chosen]), strict=True):
        assert (found["kind"], found["url"], found["visit"]["row"]) == ("page", row.url, row.row)
        assert f"as visit {row.row + 1:,} of {len(rows):,}" in found["answer"]
        assert ("relevant" in found["answer"].rpartition(":")[2]) == (row.outcome == Outcome.PAGE and not row.copy)
        assert (f"Not fetched: {row.failure}" in found["answer"]) == (row.outcome == Outcome.FORBIDDEN)
        promise, source = found["promise"], row.source
        assert promise["drawn"] == (not math.isnan(probed_score(row))) == ("drawn at random" in found["answer"])
        assert promise["score"] == pytest.approx(probed_score(row) if promise["drawn"] else row.score)
        assert promise["seed"] == (source == NO_ROW) == (not found["has_source"])
        for page in found["chain"]:
            assert page["url"] == rows[source].url
            source = rows[source].source
        if promise["seed"]:
            assert (promise["facts"], promise["chance"]) == ([], None)
            continue
        weights = strategy.weights[strategy.tables.of(np.array([row.note]))[0]] / ONE
        assert promise["sum"] == pytest.approx(weights.sum())
        assert sorted(facts["weight"] for facts in promise["facts"]) == pytest.approx(sorted(weights.tolist()))
        assert promise["chance_of_sum"] == pytest.approx(1 / (1 + math.exp(-promise["sum"])))
        assert promise["chance"] == pytest.approx(
            [1 / (1 + math.exp(-promise["score"] - more)) for more in (0.0, 0.25)]
        )
        assert promise["rank"] == 0.0


def test_divided_crawl_gives_the_same_answers(
    learned: Path, ruled: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for whole, parts in (
        (learned, divided_learned_crawl(tmp_path_factory)),
        (ruled, divided_crawl(tmp_path_factory)),
    ):
        urls = [WEB.url(number) for number in range(0, WEB.page_count, 11)]
        for one, other in zip(asked(whole, urls), asked(parts, urls), strict=True):
            assert (one["kind"], one["state"], one["url"]) == (other["kind"], other["state"], other["url"])
            assert [page["url"] for page in one.get("chain", ())] == [page["url"] for page in other.get("chain", ())]
            assert one.get("found") == other.get("found")
            assert one["server"]["state"] == other["server"]["state"]
            if one.get("promise"):
                assert one["promise"]["sum"] == pytest.approx(other["promise"]["sum"])


# Links


@pytest.mark.parametrize("name", ["learned", "ruled"])
def test_every_page_that_was_not_visited_has_a_reason_that_holds(name: str, request: pytest.FixtureRequest) -> None:
    directory: Path = request.getfixturevalue(name)
    rows, states = rows_of(directory), Counter[str]()
    urls = not_visited(directory)
    for url, found in zip(urls, asked(directory, urls), strict=True):
        server, state = server_of(url), found["state"]
        states[state] += 1
        assert found["kind"] == ("server" if url == f"http://{server}/" and not found["url"] else "link")
        own = fetched_of(rows, server)
        assert found["server"]["pages"] == len(own)
        assert (state == "out of scope") == server.endswith(DROPPED.removeprefix("*"))
        match state:
            case "out of scope":
                assert f"the rule `drop {DROPPED}` (scope.txt line 4, asked by letter)" in found["answer"]
            case "budget":
                assert len(own) >= BUDGET
                assert f"{BUDGET} pages (limits.pages_per_server)" in found["answer"]
            case "left":  # lswc drops servers without a relevant page after three
                assert name == "ruled"
                assert len(own) >= 3
                assert not any(row.relevant for row in own)
            case "file":
                assert url.rpartition(".")[2] in FILE_KINDS
                assert found["found"] is None
            case "waits":
                assert sum(found["found"].values()) > 0
                assert found["promise"]["facts"]
                assert found["has_source"]
                assert "The crawl stopped: the page limit is reached" in found["answer"]
            case "not found":
                assert found["found"] is None
            case _:
                raise AssertionError(f"{url}: {state}")
    expected = {"out of scope", "budget", "file", "not found"} | {"waits" if name == "learned" else "left"}
    assert expected == set(states)


def test_links_wait_in_the_order_that_is_told(learned: Path) -> None:
    waiting = [found for found in asked(learned, not_visited(learned)) if found["state"] == "waits"]
    assert len(waiting) > 20
    by_score: dict[float, list[int]] = {}
    for found in waiting:
        by_score.setdefault(found["score_when_queued"], []).append(found["before"]["links"])
    scores = sorted(by_score, reverse=True)
    assert all(max(by_score[better]) <= min(by_score[worse]) for better, worse in itertools.pairwise(scores))
    status = json_here("status", learned)
    assert max(found["before"]["links"] for found in waiting) < status["frontier"] + status["aside"]


def test_answer_of_a_strategy_not_to_follow_is_told(tmp_path: Path) -> None:
    with running_practice_web(WEB) as address:
        more = {"strategy": {"name": "hard"}, "limits": {"pages": 100}, "readers": {"count": 0}}
        write_crawl(tmp_path, WEB, address, {**more, "seeds": {"sitemaps": False}})
        crawl(tmp_path)
    found = [found for found in asked(tmp_path, not_visited(tmp_path)) if found["state"] == "not followed"]
    assert found
    for one in found:
        assert one["found"]["relevant"] == 0  # hard follows the links of relevant pages alone
        assert one["found"]["irrelevant"] > 0
    said = printed_here("why", tmp_path, found[0]["url"])
    assert said.startswith("Not visited: it was found, and the answer of the strategy, hard, was not to follow it.\n")
    assert "hard: follow links of relevant pages only" in said


def test_rules_are_told_as_they_are_now(learned: Path, tmp_path: Path) -> None:
    place = tmp_path / "crawl"
    shutil.copytree(learned, place)
    waiting = next(found for found in asked(place, not_visited(place)) if found["state"] == "waits")
    name = waiting["server"]["name"]
    add_rules(place, [f"limit 5 {name}"], "small server")
    for text in (name, waiting["url"]):
        found = told(place, text)
        assert found["state"] == "budget"
        assert f"5 pages (`limit 5 {name}` (scope.txt line 5, small server))" in found["answer"]
    add_rules(place, [f"drop {name}"])
    assert told(place, waiting["url"])["state"] == told(place, name)["state"] == "out of scope"


def test_link_that_was_set_aside_is_told_by_its_rule(tmp_path: Path) -> None:
    with running_practice_web(WEB) as address:
        more = {"limits": {"pages": 200}, "readers": {"count": 0}, "strategy": {"name": "adaptive"}}
        write_crawl(tmp_path, WEB, address, more)
        add_rules(tmp_path, ["drop /*view.php"])
        crawl(tmp_path)
    names = {server_of(row.url) for row in rows_of(tmp_path)}
    with CrawlPart(tmp_path).store() as store:
        looks = [FrontierLook(store, tmp_path / "state" / "seen", name) for name in names]
    aside = [visit for look in looks for visit in look.aside]
    assert aside
    found = told(tmp_path, aside[0].text)
    assert found["state"] == "out of scope"
    assert "by the rule `drop /*view.php`" in found["answer"]
    assert found["chain"][0]["url"] == rows_of(tmp_path)[aside[0].source].url
    remove_rules(tmp_path, "/*view.php")
    found = told(tmp_path, aside[0].text)
    assert found["state"] == "waits"
    assert "a rule of the scope had set it aside" in found["answer"]


def test_partition_that_is_missing_is_told(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path / "crawl"
    shutil.copytree(divided_learned_crawl(tmp_path_factory), place)
    waiting = next(found for found in asked(place, not_visited(place)) if found["state"] == "waits")
    number = partition_of(waiting["server"]["name"], 3)
    shutil.rmtree(place / "partitions" / f"{number:04d}")
    said = run_here("why", place, waiting["url"])
    assert (said.code, said.out) == (2, "")
    assert f"without partition {number:04d} (of 3)" in said.err
    assert f"Its partition {number:04d} is not here, or damaged." in said.err


def test_address_that_is_no_web_page_is_told_by_its_scheme(learned: Path) -> None:
    found = told(learned, "mailto:somebody@example.org")
    assert (found["kind"], found["state"]) == ("link", "scheme")
    assert "mailto: are not" in found["answer"]


def test_addresses_are_brought_into_the_form_of_the_crawl(learned: Path) -> None:
    row = next(row for row in rows_of(learned) if row.relevant and row.source >= 0)
    host, path = row.url.removeprefix("http://").split("/", 1)
    for text in (f"HTTP://{host.upper()}:80/{path}#top", f"{host}/{path}", f"http://user@{host}/{path}?PHPSESSID=1"):
        assert told(learned, text)["url"] == row.url
    other = told(learned, f"https://{host}/{path}")
    if other["kind"] == "link":
        assert (other["state"], other["near"]) == ("not found", [row.url])


# Servers


@pytest.mark.parametrize("name", ["learned", "ruled"])
def test_servers_are_in_the_state_that_the_journal_shows(name: str, request: pytest.FixtureRequest) -> None:
    directory: Path = request.getfixturevalue(name)
    rows = rows_of(directory)
    names = sorted({server_of(row.url) for row in rows})
    states = set()
    for server, found in zip(names, asked(directory, names), strict=True):
        own, facts = fetched_of(rows, server), found["server"]
        states.add(found["state"])
        assert (found["kind"], facts["name"], found["answer"]) == ("server", server, facts["answer"])
        assert (facts["pages"], facts["relevant"]) == (len(own), sum(row.relevant for row in own))
        forbidden = [
            row for row in visits_of(rows) if row.outcome == Outcome.FORBIDDEN and server_of(row.url) == server
        ]
        assert facts["forbidden"] == len(forbidden)
        assert (found["state"] == "budget") == (len(own) >= BUDGET)
        assert (found["state"] == "out of scope") == server.endswith(".fr")
        if found["state"] == "left":
            assert len(own) >= 3
            assert facts["relevant"] == 0
        if found["state"] == "waits":
            assert facts["waiting"] > 0
        if found["state"] == "done":
            assert facts["waiting"] == 0
    assert states == {"out of scope", "budget", "done", "waits" if name == "learned" else "left"}
    assert "the only request failed" in told(directory, server_of(DEAD_SEED))["answer"]


def test_root_that_never_was_a_page_means_its_server(learned: Path) -> None:
    pages = [row.url for row in rows_of(learned) if row.outcome == Outcome.PAGE]
    home = next(url for url in pages if url.count("/") == 3 and url.endswith("/"))
    found = told(learned, home.replace("http://", "https://"))
    assert (found["kind"], found["server"]["name"], found["near"]) == ("server", server_of(home), [home])
    assert told(learned, home)["kind"] == "page"


def test_alias_and_rest_of_a_server_are_told(learned: Path, tmp_path: Path) -> None:
    place = tmp_path / "crawl"
    shutil.copytree(learned, place)
    waiting = next(found for found in asked(place, not_visited(place)) if found["state"] == "waits")
    name = waiting["server"]["name"]
    running = RunningCrawl(
        os.getpid(), time.time(), CrawlProgress(Totals(), rests=(ServerRest(name, 1000.0, "again after http: 503"),))
    )
    (place / PROGRESS_NAME).write_bytes(msgspec.json.encode(running))
    found = told(place, name)
    assert found["state"] == "rests"
    assert "again after http: 503" in found["answer"]
    assert told(place, waiting["url"])["answer"].endswith("Its server rests: again after http: 503.")

    with Store.open(place / "state") as store:
        aliases = Aliases(store)
        aliases.adopt(Suspicion(f"http://{name}", "http://other.example", [b"1", b"2", b"3", b"4"]))
        with store.writing() as transaction:
            aliases.commit(transaction)
    found = told(place, name)
    assert (found["state"], found["server"]["alias_of"]) == ("alias", "other.example")
    found = told(place, waiting["url"])
    assert found["state"] == "alias"
    assert "another name of http://other.example" in found["answer"]


# What nobody knows, and what is refused


def test_what_nobody_knows_is_refused_in_one_line_with_what_is_near(learned: Path) -> None:
    home = next(row.url for row in rows_of(learned) if row.relevant)
    name = server_of(home)
    other = name.removeprefix("www.") if name.startswith("www.") else f"www.{name}"
    assert "knows nothing of nowhere.example. Write it" in refused_here("why", learned, "nowhere.example")
    assert f"Did you mean {name}?" in refused_here("why", learned, other)
    assert f"Did you mean {name}?" in refused_here("why", learned, name[:-1] + "xq")
    assert home in refused_here("why", learned, home.replace(name, other))
    assert "is not a URL" in refused_here("why", learned, "http://a b/")
    assert "is no directory" in refused_here("why", learned / "nothing", "a.example")


# Screens, other directories, running crawls


def test_screen_begins_with_the_answer_and_shows_what_weighs_most(learned: Path) -> None:
    row = next(row for row in rows_of(learned) if row.relevant and row.source >= 0)
    found = json_here("why", learned, row.url)
    said = printed_here("why", learned, row.url)
    lines = said.splitlines()
    assert lines[:2] == [found["answer"], row.url]
    heaviest = found["promise"]["facts"][0]
    assert f"  {heaviest['weight']:+.2f}  {heaviest['text']}" in lines
    shown = [line for line in lines if line.startswith(("  +", "  -"))]
    numbers = [float(line.split()[0]) for line in shown]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.04)  # each is rounded to a hundredth
    assert f"evidence  {row.why}" in said
    assert "log-odds, by the weights as learned by the last commit" in said
    chain = found["chain"]
    assert chain[0]["url"] in said
    assert "(relevant, the beginning)" in said or len(chain) > 6


def test_what_comes_from_the_web_cannot_harm_the_terminal(learned: Path) -> None:
    from exonym.cli.why import _shown

    row = next(row for row in rows_of(learned) if row.relevant and row.source >= 0)
    found = told(learned, row.url)
    hostile = "\x1b]0;title\x07\x1b[31mred\u202e\n"
    for document in (found["visit"], *found["chain"]):
        document |= {"title": hostile, "why": hostile, "failure": hostile, "content_type": hostile}
    found["promise"]["facts"][0]["text"] = hostile
    found["server"]["rules"] = [{"rule": hostile, "file": "", "line": 0, "comment": hostile}]
    found["near"] = [hostile]
    for block in _shown(found):
        for text in [block] if isinstance(block, str) else [text for pair in block for text in pair]:
            assert not set(text.removeprefix("\n")) & {"\x1b", "\x07", "\u202e", "\n"}


def test_crawl_that_runs_is_asked_by_another_process(learned: Path, tmp_path: Path) -> None:
    shutil.copytree(learned, tmp_path / "crawl")
    waiting = next(found for found in asked(learned, not_visited(learned)) if found["state"] == "waits")
    with open_parts(tmp_path / "crawl", load(tmp_path / "crawl" / CONFIG_NAME)) as parts:
        assert parts.crawl.waiting > 0
        found = json_of("why", tmp_path / "crawl", waiting["url"])
        assert (found["state"], found["promise"]) == ("waits", waiting["promise"])
        assert "stopped" not in found["answer"]
        assert "stopped" in waiting["answer"]
        assert printed("why", tmp_path / "crawl", waiting["server"]["name"]).startswith("It waits: ")


def test_crawl_of_0_1_0_is_explained_and_left_as_it_is(tmp_path: Path) -> None:
    with tarfile.open(OLD) as archive:
        archive.extractall(tmp_path, filter="data")
    place = tmp_path / "crawl"
    before = {path: path.read_bytes() for path in sorted((place / "state").iterdir()) if path.name != "lock.mdb"}
    rows = rows_of(place)
    for row, found in zip(rows, asked(place, [row.url for row in rows]), strict=True):
        assert (found["kind"], found["promise"]["score"]) == ("page", pytest.approx(row.score))
    with CrawlPart(place).store() as store:
        look = FrontierLook(store, place / "state" / "seen", server_of(rows[0].url))
    ((waiting, *_), *_) = look.waiting.values()
    found = told(place, waiting.text)
    assert found["state"] == "waits"
    assert sum(found["found"].values()) > 0
    assert found["chain"][0]["url"] == rows[waiting.source].url
    assert printed_here("why", place, server_of(rows[0].url)).startswith("It waits: ")
    assert before == {path: path.read_bytes() for path in before}


def test_links_below_the_floor_are_told_as_such(tmp_path: Path) -> None:
    with running_practice_web(WEB) as address:
        more = {"limits": {"pages": 150}, "readers": {"count": 0}, "strategy": {"name": "adaptive", "floor": 0.9}}
        write_crawl(tmp_path, WEB, address, {**more, "seeds": {"sitemaps": False}})
        crawl(tmp_path)
    assert not [found for found in asked(tmp_path, not_visited(tmp_path)) if found["state"] == "below floor"]
    with pytest.MonkeyPatch.context() as patch:  # as after a thousand pages, which would take too long here
        patch.setattr(Adaptive, "lessons_before_floor", 100)
        answers = list(asked(tmp_path, not_visited(tmp_path)))
    states = Counter(found["state"] for found in answers)
    assert states["below floor"] > 20
    for found in answers:
        if found["state"] == "below floor":
            assert found["promise"]["score"] < found["floor"]
            assert f"below the strategy's floor of {found['floor']:g}." in found["answer"]
        elif found["state"] == "waits":
            assert found["promise"]["score"] >= found["floor"]
