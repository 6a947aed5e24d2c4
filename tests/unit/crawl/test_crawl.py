"""The loop of a crawl: what is due, what is taken, what is bounded, what survives."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import SITEMAP_HOP, Floats, Group, LinkBatch, Outcome, Visit
from exonym.crawl import MOST_HOPS, Bounds, Crawl
from exonym.crawl_directory.writing import packed_state, unpacked_state
from exonym.errors import DirectoryError
from exonym.frontier.base import Frontier
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.reference import ReferenceFrontier
from exonym.journal import JournalRow
from exonym.live.found_links import (
    LinksOfPage,
    link_batch,
    links_to,
    on_page,
    page_batch,
    page_batch_again,
    redirected,
    seeds,
    to_sitemaps,
)
from exonym.politeness.delays import Politeness
from exonym.store import Store
from exonym.strategies.base import Rule
from exonym.strategies.best_first import BestSegment
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.urls import id_of, partition_of, server_of

NOTHING = link_batch([], frozenset())


def links(*found: LinksOfPage) -> LinkBatch:
    return link_batch(found, frozenset())


class Walk:
    """A crawl with the journal that a driver would keep."""

    def __init__(
        self,
        bounds: Bounds = Bounds(),  # noqa: B008
        politeness: Politeness | None = None,
        frontier: Frontier | None = None,
        strategy: BreadthFirst | LanguageSpecific | None = None,
    ) -> None:
        self.politeness = politeness or Politeness()
        self.strategy = strategy or BreadthFirst()
        self.frontier = ReferenceFrontier(Group.SERVER) if frontier is None else frontier
        self.crawl = Crawl(self.frontier, self.strategy, self.politeness, bounds)
        self.rows: list[JournalRow] = []

    def seed(self, *urls: str) -> LinkBatch:
        return self.crawl.add(links(seeds(list(urls))))

    def due(self, now: float = 0.0, count: int = 100) -> list[str]:
        return [visit.text for visit in self.visits(now, count)]

    def visits(self, now: float = 0.0, count: int = 100) -> list[Visit]:
        return self.crawl.due(now, count)

    def end(
        self, visit: Visit, outcome: Outcome = Outcome.PAGE, now: float = 0.0, relevant: bool = False
    ) -> JournalRow:
        """The visit ended so, without links."""
        row = JournalRow(len(self.rows), visit.text, 0.0, outcome, relevant=relevant, distance=visit.distance)
        self.rows.append(row)
        self.crawl.take(page_batch([visit], [row]), NOTHING, now)
        return row


def test_visits_are_due_best_first_and_no_more_than_asked_for() -> None:
    walk = Walk()
    walk.seed("http://a.com/", "http://b.com/", "http://c.com/")
    assert walk.due(count=2) == ["http://a.com/", "http://b.com/"]
    assert walk.due(count=2) == ["http://c.com/"]
    assert walk.due() == []


def test_server_is_asked_nothing_else_while_a_visit_is_in_flight() -> None:
    walk = Walk()
    walk.seed("http://a.com/1", "http://a.com/2", "http://b.com/")
    first, other = walk.visits()
    assert (first.text, other.text) == ("http://a.com/1", "http://b.com/")
    assert walk.due(1_000.0) == []
    walk.end(first)
    assert walk.due() == ["http://a.com/2"]


def test_server_rests_after_an_answer() -> None:
    walk = Walk(politeness=Politeness(delay_seconds=2.0))
    walk.seed("http://a.com/1", "http://a.com/2")
    walk.end(walk.visits(0.0)[0], now=5.0)
    assert walk.due(6.9) == []
    assert walk.due(7.0) == ["http://a.com/2"]


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.REDIRECT, Outcome.SITEMAP])
def test_server_rests_after_every_request(outcome: Outcome) -> None:
    walk = Walk(politeness=Politeness(delay_seconds=2.0))
    walk.seed("http://a.com/1", "http://a.com/2")
    walk.end(walk.visits(0.0)[0], outcome, now=5.0)
    assert walk.due(6.9) == []
    assert walk.due(7.0) == ["http://a.com/2"]


def test_forbidden_page_costs_no_request_and_so_no_rest() -> None:
    walk = Walk(politeness=Politeness(delay_seconds=2.0))
    walk.seed("http://a.com/1", "http://a.com/2")
    walk.end(walk.visits(0.0)[0], Outcome.FORBIDDEN, now=5.0)
    assert walk.due(5.0) == ["http://a.com/2"]


def test_postponed_visit_comes_again_in_its_old_place_when_its_server_has_rested() -> None:
    walk = Walk()
    walk.seed("http://a.com/1", "http://a.com/2", "http://b.com/")
    (visit,) = walk.visits(count=1)
    walk.crawl.postpone(visit._replace(attempts=1), until=30.0)
    assert walk.crawl.in_flight == 0
    assert not walk.crawl.is_spent
    assert walk.due(29.0) == ["http://b.com/"]
    (again,) = walk.visits(30.0)
    assert (again.text, again.attempts) == ("http://a.com/1", 1)


def test_url_is_visited_once_only() -> None:
    walk = Walk()
    walk.seed("http://a.com/", "http://a.com/")
    (visit,) = walk.visits()
    walk.seed("http://a.com/")  # in flight
    walk.end(visit)
    walk.seed("http://a.com/")  # visited
    assert walk.due() == []
    assert walk.crawl.is_spent


def test_crawl_is_spent_when_nothing_waits_and_nothing_is_in_flight() -> None:
    walk = Walk()
    assert walk.crawl.is_spent
    walk.seed("http://a.com/")
    assert not walk.crawl.is_spent
    (visit,) = walk.visits()
    assert not walk.crawl.is_spent
    walk.end(visit)
    assert walk.crawl.is_spent


def test_visits_in_flight_count_toward_the_page_limit() -> None:
    walk = Walk(Bounds(pages=3))
    walk.seed("http://a.com/", "http://b.com/", "http://c.com/", "http://d.com/")
    visits = walk.visits()
    assert len(visits) == 3
    assert not walk.crawl.has_room
    for visit in visits:
        walk.end(visit)
    assert walk.crawl.pages == 3
    assert walk.due() == []
    assert not walk.crawl.has_room


@pytest.mark.parametrize("outcome", [Outcome.REDIRECT, Outcome.FORBIDDEN, Outcome.SITEMAP])
def test_visit_that_is_no_page_gives_its_room_back(outcome: Outcome) -> None:
    walk = Walk(Bounds(pages=1))
    walk.seed("http://a.com/", "http://b.com/")
    walk.end(walk.visits()[0], outcome)
    assert walk.crawl.pages == 0
    assert walk.due() == ["http://b.com/"]


def test_failed_request_counts_as_a_page() -> None:
    walk = Walk(Bounds(pages=1))
    walk.seed("http://a.com/", "http://b.com/")
    walk.end(walk.visits()[0], Outcome.FAILED)
    assert walk.due() == []


def test_no_more_pages_are_fetched_of_a_server_than_its_limit() -> None:
    walk = Walk(Bounds(pages_per_server=2))
    walk.seed("http://a.com/1", "http://a.com/2", "http://a.com/3", "http://b.com/1")
    order = []
    while due := walk.visits(count=1):
        walk.end(due[0], Outcome.FORBIDDEN if due[0].text.endswith("a.com/1") else Outcome.PAGE)
        order.append(due[0].text)
    # a.com/1 was no page, so a.com has room for two more
    assert order == ["http://a.com/1", "http://a.com/2", "http://a.com/3", "http://b.com/1"]
    walk.seed("http://a.com/4", "http://b.com/2")
    assert walk.due() == ["http://b.com/2"]


def test_what_waits_on_a_full_server_is_passed_over() -> None:
    walk = Walk(Bounds(pages_per_server=1))
    walk.seed("http://a.com/1", "http://a.com/2", "http://a.com/3", "http://b.com/1")
    walk.end(walk.visits(count=1)[0])
    assert walk.due() == ["http://b.com/1"]
    assert len(walk.frontier) == 0


def test_links_of_other_partitions_are_returned_and_not_queued() -> None:
    urls = [f"http://server{number}.com/" for number in range(30)]
    homes = {url: partition_of(server_of(url), 3) for url in urls}
    assert set(homes.values()) == {0, 1, 2}
    for partition in range(3):
        walk = Walk(Bounds(partition=partition, partitions=3))
        foreign = walk.seed(*urls)
        assert foreign.text == [url for url in urls if homes[url] != partition]
        assert walk.due() == [url for url in urls if homes[url] == partition]


def test_links_found_on_a_page_for_other_partitions_travel_with_the_facts_of_their_source() -> None:
    urls = [f"http://server{number}.com/" for number in range(30)]
    own = next(url for url in urls if partition_of(server_of(url), 2) == 0)
    other = next(url for url in urls if partition_of(server_of(url), 2) == 1)
    walk = Walk(Bounds(partition=0, partitions=2))
    walk.seed(own)
    (visit,) = walk.visits()
    row = JournalRow(0, visit.text, 0.0, Outcome.PAGE, relevant=True, relevance=0.75, language="th")
    foreign = walk.crawl.take(
        page_batch([visit], [row]), links(on_page(visit, row, links_to([other, own + "next"]))), 0.0
    )
    assert foreign.text == [other]
    assert foreign.source_server.tolist() == [id_of(server_of(own))]
    assert foreign.source_relevance.tolist() == [0.75]
    assert foreign.distance.tolist() == [1]
    assert walk.due() == [own + "next"]


def test_chain_of_redirects_ends_after_the_most_hops() -> None:
    walk = Walk()
    walk.seed("http://a.com/0")
    order = []
    while due := walk.visits():
        (visit,) = due
        order.append(visit.text)
        row = JournalRow(len(order), visit.text, 0.0, Outcome.REDIRECT)
        target = f"http://a.com/{len(order)}"
        walk.crawl.take(page_batch([visit], [row]), links(redirected(visit, target)), 0.0)
    assert order == [f"http://a.com/{hop}" for hop in range(MOST_HOPS + 1)]


def test_mark_of_a_sitemap_is_no_hop() -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    (visit,) = walk.visits()
    walk.crawl.add(links(to_sitemaps(visit, ["http://b.com/sitemap.xml"])))
    (sitemap,) = walk.visits()
    assert sitemap.hops == SITEMAP_HOP


def test_links_of_a_page_begin_to_count_hops_anew() -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    (visit,) = walk.visits()
    row = JournalRow(0, visit.text, 0.0, Outcome.PAGE)
    arrived = visit._replace(hops=MOST_HOPS)
    walk.crawl.take(page_batch([visit], [row]), links(on_page(arrived, row, links_to(["http://b.com/"]))), 0.0)
    assert walk.due() == ["http://b.com/"]


def test_servers_are_counted_by_what_was_fetched_of_them() -> None:
    walk = Walk()
    walk.seed("http://a.com/1", "http://b.com/1", "http://c.com/1", "http://a.com/2")
    outcomes = {"http://c.com/1": Outcome.FORBIDDEN, "http://b.com/1": Outcome.FAILED}
    while due := walk.visits(count=1):
        text = due[0].text
        walk.end(due[0], outcomes.get(text, Outcome.PAGE), relevant=text.startswith("http://a.com"))
    assert walk.crawl.server_counts() == (2, 1)


# What strategies need to know of segments


class Noted(Rule):
    """Follows everything, and keeps the relevances of source segments that it was told."""

    needs = frozenset(["segment_relevance"])

    def __init__(self) -> None:
        self.told: dict[str, float] = {}

    def score(self, links: LinkBatch) -> Floats:
        assert links.segment_relevance is not None
        self.told |= dict(zip(links.text or (), links.segment_relevance.tolist(), strict=True))
        return np.zeros(len(links))


def noted(rounds: list[list[tuple[str, Outcome, float, str]]], crawl: Crawl, row: int = 0) -> None:
    """Take pages in rounds: each has a URL, an outcome, a relevance, and one link."""
    for pages in rounds:
        crawl.add(links(seeds([url for url, _, _, _ in pages])))
        due = {visit.text: visit for visit in crawl.due(0.0, 100)}
        rows = [
            JournalRow(row + n, url, 0.0, outcome, relevance=share) for n, (url, outcome, share, _) in enumerate(pages)
        ]
        row += len(pages)
        visits = [due[url] for url, _, _, _ in pages]
        found = [
            on_page(visit, one, links_to([target])) if one.outcome == Outcome.PAGE else redirected(visit, target)
            for visit, one, (_, _, _, target) in zip(visits, rows, pages, strict=True)
        ]
        crawl.take(page_batch(visits, rows), links(*found), 0.0)


ROUNDS = [
    [("http://a.com/x/1", Outcome.PAGE, 1.0, "http://t.com/1")],
    [("http://a.com/y/1", Outcome.PAGE, 0.25, "http://t.com/2")],
    [
        ("http://a.com/x/2", Outcome.PAGE, 0.5, "http://t.com/3"),
        ("http://b.com/1", Outcome.PAGE, 0.0, "http://t.com/4"),
    ],
    [("http://a.com/x/3", Outcome.FAILED, 0.0, "http://t.com/5")],
    [("http://a.com/x/4", Outcome.REDIRECT, 0.0, "http://t.com/6")],
    [("http://a.com/x/5", Outcome.PAGE, 0.0, "http://t.com/7")],
]
TOLD = {
    "http://t.com/1": 1.0,  # itself alone
    "http://t.com/2": 0.25,  # another segment
    "http://t.com/3": 0.75,  # x/1 and x/2
    "http://t.com/4": 0.0,
    "http://t.com/5": 1.0,  # the page failed; what leads on has the relevance of the seed
    "http://t.com/6": 1.0,
    "http://t.com/7": 0.5,  # x/1, x/2 and x/5: a redirect and a failed request are no pages to have a mean of
}


def test_links_come_with_the_mean_relevance_of_the_segment_of_their_page() -> None:
    strategy = Noted()
    crawl = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    noted(ROUNDS, crawl)
    assert {url: strategy.told[url] for url in TOLD} == TOLD
    assert strategy.told["http://a.com/x/1"] == 1.0  # a seed is trusted as a link of a relevant page is


@pytest.mark.parametrize("done", range(len(ROUNDS)))
def test_segments_are_remembered_over_a_restart(done: int) -> None:
    before = Crawl(ReferenceFrontier(Group.SERVER), Noted(), Politeness(), Bounds())
    noted(ROUNDS[:done], before)
    kept = packed_state(before.state())
    strategy = Noted()
    after = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    after.restore(unpacked_state(kept))
    noted(ROUNDS[done:], after, row=10)
    rest = [target for pages in ROUNDS[done:] for *_, target in pages]
    assert {url: strategy.told[url] for url in rest} == {url: TOLD[url] for url in rest}


def test_segments_are_kept_only_for_those_who_ask() -> None:
    crawl = Crawl(ReferenceFrontier(Group.SERVER), BreadthFirst(), Politeness(), Bounds())
    assert "segments" not in crawl.state()


def test_ranks_learned_from_links_move_what_waits() -> None:
    crawl = Crawl(ReferenceFrontier(Group.SEGMENT), BestSegment(), Politeness(), Bounds())
    crawl.add(links(seeds(["http://a.com/"])))
    (visit,) = crawl.due(0.0, 1)
    row = JournalRow(0, visit.text, 0.0, Outcome.PAGE, relevance=0.0)
    targets = ["http://b.com/1", "http://c.com/1"]
    crawl.take(page_batch([visit], [row]), links(on_page(visit, row, links_to(targets))), 0.0)
    praised = replace(links(seeds(["http://c.com/2"])), source=np.array([7]), source_relevance=np.array([1.0], "f4"))
    crawl.add(praised)  # c.com/ has a mean of 1/2 now, and b.com/ of 0
    assert [visit.text for visit in crawl.due(0.0, 9)] == ["http://c.com/1", "http://b.com/1"]


# What survives

PAGES = [
    ("http://a.com/1", Outcome.PAGE, True),
    ("http://b.com/1", Outcome.PAGE, False),
    ("http://b.com/2", Outcome.FAILED, False),
    ("http://c.com/1", Outcome.REDIRECT, False),
    ("http://c.com/2", Outcome.PAGE, False),
    ("http://d.com/1", Outcome.FORBIDDEN, False),
    ("http://c.com/3", Outcome.PAGE, True),
]


def rows_of(pages: list[tuple[str, Outcome, bool]]) -> list[JournalRow]:
    return [JournalRow(n, url, 0.0, outcome, relevant=relevant) for n, (url, outcome, relevant) in enumerate(pages)]


@pytest.mark.parametrize("snapshot", range(len(PAGES) + 1))
def test_snapshot_and_the_rows_after_it_are_all_that_was_learned(snapshot: int) -> None:
    rows = rows_of(PAGES)
    whole = Walk(strategy=LanguageSpecific(S=2))
    whole.crawl.relearn(page_batch_again(rows))

    before = Walk(strategy=LanguageSpecific(S=2))
    before.crawl.relearn(page_batch_again(rows[:snapshot]))
    kept = packed_state(before.crawl.state())

    after = Walk(strategy=LanguageSpecific(S=2))
    after.crawl.restore(unpacked_state(kept))
    after.crawl.relearn(page_batch_again(rows[snapshot:]))
    assert after.crawl.pages == whole.crawl.pages == 5
    assert after.crawl.server_counts() == whole.crawl.server_counts() == (3, 2)
    servers = np.array([id_of(f"{name}.com") for name in "abcd"], dtype=np.uint64)
    # a and c had a relevant page; b had none after S downloads; d's page was never fetched
    assert after.strategy.rank(servers).tolist() == pytest.approx([1.0, np.nan, 1.0, 0.0], nan_ok=True)


def test_restored_page_limits_hold() -> None:
    walk = Walk(Bounds(pages=6, pages_per_server=2))
    walk.crawl.relearn(page_batch_again(rows_of(PAGES)))
    again = Walk(Bounds(pages=6, pages_per_server=2))
    again.crawl.restore(walk.crawl.state())
    again.seed("http://b.com/3", "http://a.com/2", "http://d.com/2")
    assert again.due() == ["http://a.com/2"]  # b.com is full, and only one page of six is left


def test_snapshot_of_another_strategy_is_refused_in_one_line() -> None:
    walk = Walk(strategy=BreadthFirst())
    with pytest.raises(DirectoryError, match="another strategy"):
        Walk(strategy=LanguageSpecific()).crawl.restore(walk.crawl.state())


class DiskWalk(Walk):
    """A crawl on a disk frontier; a new one on the same path goes on where the last commit was."""

    TARGETS = {  # noqa: RUF012
        "http://s.th/": ["http://a.com/1", "http://b.com/1", "http://b.com/2", "http://a.com/2"],
        "http://b.com/1": ["http://c.com/1", "http://s.th/2"],
        "http://b.com/2": ["http://b.com/3", "http://a.com/3"],
        "http://a.com/1": ["http://d.com/1", "http://d.com/2"],
        "http://c.com/1": ["http://d.com/3"],
    }
    RELEVANT = frozenset(["http://s.th/", "http://b.com/1", "http://b.com/3"])

    def __init__(self, path: Path, rows: list[JournalRow]) -> None:
        self.store = Store.open(path)
        self.disk = DiskFrontier(self.store, path / "seen", Group.SERVER)
        super().__init__(frontier=self.disk, strategy=LanguageSpecific(S=2, T=3))
        if rows:
            self.crawl.relearn(page_batch_again(rows))
        self.crawl.rerank(self.disk.groups)
        self.rows = list(rows)
        self.seed("http://s.th/")

    def commit(self) -> list[JournalRow]:
        with self.store.writing() as txn:
            self.disk.commit(txn)
        self.disk.committed()
        return list(self.rows)

    def step(self) -> bool:
        due = self.visits(count=1)
        for visit in due:
            relevant = visit.text in self.RELEVANT
            row = JournalRow(len(self.rows), visit.text, 0.0, Outcome.PAGE, relevant=relevant, distance=visit.distance)
            found = on_page(visit, row, links_to(self.TARGETS.get(visit.text, [])))
            self.rows.append(row)
            self.crawl.take(page_batch([visit], [row]), links(found), 0.0)
        return bool(due)


@pytest.mark.parametrize("lost", [0, 1, 3])
@pytest.mark.parametrize("done", range(10))
def test_crawl_killed_in_the_middle_goes_on_in_the_same_order(tmp_path: Path, done: int, lost: int) -> None:
    whole = DiskWalk(tmp_path / "whole", [])
    while whole.step():
        pass
    order = [row.url for row in whole.rows]
    # b.com/1 is relevant: b.com and s.th come first. a.com and d.com are dropped after two pages.
    names = ["s.th/", "a.com/1", "b.com/1", "b.com/2", "s.th/2", "b.com/3", "a.com/2", "c.com/1", "d.com/1", "d.com/2"]
    assert order == [f"http://{name}" for name in names]

    killed = DiskWalk(tmp_path / "killed", [])
    for _ in range(done):
        killed.step()
    rows = killed.commit()
    for _ in range(lost):  # seen by nobody: the kill comes before the next commit
        killed.step()
    killed.visits(count=1)  # and in the middle of a visit
    killed.store.close()

    again = DiskWalk(tmp_path / "killed", rows)
    while again.step():
        pass
    assert [row.url for row in again.rows] == order
