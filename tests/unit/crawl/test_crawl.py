"""The loop of a crawl: what is due, what is taken, what is bounded, what survives."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exonym.batches import FOREIGN_ROW, NO_SEGMENT, SITEMAP_HOP, Floats, Group, LinkBatch, Outcome, Visit, VisitResult
from exonym.crawl import MOST_HOPS, Bounds, Crawl
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.errors import DirectoryError
from exonym.frontier.base import Frontier
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.look_ahead import look_ahead_of
from exonym.journal import JournalRow
from exonym.live.found_links import links_to, pages_of
from exonym.partitions import Partition
from exonym.politeness.delays import Politeness
from exonym.store import Store
from exonym.strategies.base import Rule
from exonym.strategies.best_first import MeanSegment
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.testing.reference import ReferenceFrontier
from exonym.urls import id_of, partition_of, server_of


class Walk:
    """A crawl whose visits end as a test says."""

    def __init__(
        self,
        bounds: Bounds = Bounds(),  # noqa: B008
        politeness: Politeness | None = None,
        frontier: Frontier | None = None,
        strategy: BreadthFirst | LanguageSpecific | None = None,
        partition: Partition | None = None,
    ) -> None:
        self.politeness = politeness or Politeness()
        self.strategy = strategy or BreadthFirst()
        self.frontier = ReferenceFrontier(Group.SERVER) if frontier is None else frontier
        self.crawl = Crawl(self.frontier, self.strategy, self.politeness, bounds, partition=partition)
        self.ended = 0

    def seed(self, *urls: str) -> LinkBatch | None:
        return self.crawl.add_seeds(links_to(urls))

    def due(self, now: float = 0.0, count: int = 100) -> list[str]:
        return [visit.text for visit in self.visits(now, count)]

    def visits(self, now: float = 0.0, count: int = 100) -> list[Visit]:
        return self.crawl.due(now, count)

    def end(
        self, visit: Visit, outcome: Outcome = Outcome.PAGE, *targets: str, now: float = 0.0, relevant: bool = False
    ) -> LinkBatch | None:
        """The visit ended so, with links to `targets`."""
        result = VisitResult(visit, self.ended, outcome, float(relevant), relevant, links=links_to(targets))
        self.ended += 1
        return self.crawl.take([result], now)


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
        walk = Walk(partition=Partition(partition, 3))
        foreign = walk.seed(*urls)
        assert foreign is not None
        assert foreign.text == [url for url in urls if homes[url] != partition]
        assert walk.due() == [url for url in urls if homes[url] == partition]


def test_links_found_on_a_page_for_other_partitions_travel_with_the_facts_of_their_source() -> None:
    urls = [f"http://server{number}.com/" for number in range(30)]
    own = next(url for url in urls if partition_of(server_of(url), 2) == 0)
    other = next(url for url in urls if partition_of(server_of(url), 2) == 1)
    walk = Walk(partition=Partition(0, 2))
    walk.seed(own)
    (visit,) = walk.visits()
    result = VisitResult(visit, 0, Outcome.PAGE, 0.75, True, links=links_to([other, own + "next"]))
    foreign = walk.crawl.take([result], 0.0)
    assert foreign is not None
    assert foreign.text == [other]
    assert foreign.source.tolist() == [FOREIGN_ROW], "row 0 of partition 0"
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
        walk.end(visit, Outcome.REDIRECT, f"http://a.com/{len(order)}")
    assert order == [f"http://a.com/{hop}" for hop in range(MOST_HOPS + 1)]


def test_mark_of_a_sitemap_is_no_hop() -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    (visit,) = walk.visits()
    walk.crawl.add_sitemaps(visit, links_to(["http://b.com/sitemap.xml"]))
    (sitemap,) = walk.visits()
    assert sitemap.hops == SITEMAP_HOP


def test_links_of_a_page_begin_to_count_hops_anew() -> None:
    walk = Walk()
    walk.seed("http://a.com/0")
    for hop in range(1, MOST_HOPS + 1):
        walk.end(walk.visits()[0], Outcome.REDIRECT, f"http://a.com/{hop}")
    (arrived,) = walk.visits()
    assert arrived.hops == MOST_HOPS
    walk.end(arrived, Outcome.PAGE, "http://b.com/")
    (visit,) = walk.visits()
    assert (visit.text, visit.hops) == ("http://b.com/", 0)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.FORBIDDEN])
def test_visit_that_found_no_page_has_no_links(outcome: Outcome) -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    walk.end(walk.visits()[0], outcome, "http://b.com/")
    assert walk.crawl.is_spent


# What links are told of their source


def test_distance_counts_from_the_last_relevant_page() -> None:
    walk = Walk()
    walk.seed("http://a.com/0")
    distances = []
    for number, relevant in enumerate([False, False, True, False, False, True, True], start=1):
        (visit,) = walk.visits()
        distances.append(visit.distance)
        walk.end(visit, Outcome.PAGE, f"http://a.com/{number}", relevant=relevant)
    assert distances == [0, 1, 2, 1, 2, 3, 1]


def test_redirect_leads_on_with_the_facts_of_the_link_that_led_to_it() -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    first = VisitResult(walk.visits()[0], 7, Outcome.PAGE, 0.75, True, 3, links_to(["http://b.com/1"]))
    walk.crawl.take([first], 0.0)
    (redirect,) = walk.visits()
    walk.end(redirect, Outcome.REDIRECT, "http://c.com/1")
    (visit,) = walk.visits()
    assert visit[4:10] == redirect[4:10] == (1, 7, id_of("a.com"), 0.75, True, 3)
    assert (visit.hops, redirect.hops) == (1, 0)


def test_links_in_a_sitemap_are_those_of_an_irrelevant_page() -> None:
    walk = Walk()
    walk.seed("http://a.com/")
    walk.crawl.add_sitemaps(walk.visits()[0], links_to(["http://b.com/sitemap.xml"]))
    (sitemap,) = walk.visits()
    assert (sitemap.source_relevant, sitemap.distance) == (True, 0)  # as promising as the seed
    listed = {"links": links_to(["http://c.com/1"]), "sitemaps": links_to(["http://d.com/sitemap.xml"])}
    walk.crawl.take([VisitResult(sitemap, 5, Outcome.SITEMAP, **listed)], 0.0)
    page, further = walk.visits()
    assert (page.hops, further.hops) == (0, SITEMAP_HOP + 1)
    for visit in (page, further):
        assert (visit.source, visit.source_server) == (5, id_of("b.com"))
        assert (visit.source_relevant, visit.source_relevance, visit.distance) == (False, 0.0, 1)


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
    """Follows everything, and keeps what it was told of the segments of sources."""

    needs = frozenset(["segment_relevance", "segment_degree", "source_segment"])

    def __init__(self) -> None:
        self.told: dict[str, tuple[float, float, int]] = {}

    def score(self, links: LinkBatch) -> Floats:
        columns = links.segment_relevance, links.segment_degree, links.source_segment
        facts = zip(*(column.tolist() for column in columns if column is not None), strict=True)
        self.told |= dict(zip(links.text or (), facts, strict=True))
        return np.zeros(len(links))


def noted(rounds: list[list[tuple[str, Outcome, float, str]]], crawl: Crawl, row: int = 0) -> None:
    """Take pages in rounds: each has a URL, an outcome, a relevance (relevant: from 1/2 on), and one link."""
    for pages in rounds:
        crawl.add_seeds(links_to([url for url, _, _, _ in pages]))
        due = {visit.text: visit for visit in crawl.due(0.0, 100)}
        results = [
            VisitResult(due[url], row + n, outcome, share, share >= 0.5, links=links_to([target]))
            for n, (url, outcome, share, target) in enumerate(pages)
        ]
        row += len(pages)
        crawl.take(results, 0.0)


ROUNDS = [
    [("http://a.com/x/1", Outcome.PAGE, 1.0, "http://t.com/1")],
    [("http://a.com/y/1", Outcome.PAGE, 0.25, "http://t.com/2")],
    [
        ("http://a.com/x/2", Outcome.PAGE, 0.5, "http://t.com/3"),
        ("http://b.com/1", Outcome.PAGE, 0.0, "http://t.com/4"),
    ],
    [("http://a.com/x/3", Outcome.FAILED, 0.0, "http://t.com/5")],
    [("http://a.com/x/4", Outcome.REDIRECT, 0.0, "http://t.com/6")],
    [("http://a.com/x/sitemap.xml", Outcome.SITEMAP, 0.0, "http://t.com/7")],
    [("http://a.com/x/5", Outcome.PAGE, 0.0, "http://t.com/8")],
]
A_X, A_Y, B = (id_of(segment) for segment in ("http://a.com/x/", "http://a.com/y/", "http://b.com/"))
TOLD = {  # mean relevance of the pages so far in the segment, share of relevant ones, and which segment
    "http://t.com/1": (1.0, 1.0, A_X),  # itself alone
    "http://t.com/2": (0.25, 0.0, A_Y),
    "http://t.com/3": (0.75, 1.0, A_X),  # x/1 and x/2
    "http://t.com/4": (0.0, 0.0, B),
    "http://t.com/6": (1.0, 1.0, NO_SEGMENT),  # what leads on has the relevance of the seed
    "http://t.com/7": (0.0, 0.0, A_X),  # a sitemap is in a segment, but is told nothing of its pages
    # x/1, x/2 and x/5: a redirect, a sitemap and a failed request are no pages to have a mean of
    "http://t.com/8": (0.5, float(np.float32(2 / 3)), A_X),
}


def test_links_are_told_of_the_segment_of_their_source() -> None:
    strategy = Noted()
    crawl = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    noted(ROUNDS, crawl)
    assert {url: strategy.told[url] for url in TOLD} == TOLD
    # A seed is trusted as a link of a relevant page is.
    assert strategy.told["http://a.com/x/1"] == (1.0, 1.0, NO_SEGMENT)
    assert "http://t.com/5" not in strategy.told


@pytest.mark.parametrize("done", range(len(ROUNDS)))
def test_segments_are_remembered_over_a_restart(done: int) -> None:
    before = Crawl(ReferenceFrontier(Group.SERVER), Noted(), Politeness(), Bounds())
    noted(ROUNDS[:done], before)
    kept = packed_state(before.state())
    strategy = Noted()
    after = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    after.restore(unpacked_state(kept))
    noted(ROUNDS[done:], after, row=10)
    rest = [target for pages in ROUNDS[done:] for *_, target in pages if target in TOLD]
    assert {url: strategy.told[url] for url in rest} == {url: TOLD[url] for url in rest}


def test_segments_are_kept_only_for_those_who_ask() -> None:
    crawl = Crawl(ReferenceFrontier(Group.SERVER), BreadthFirst(), Politeness(), Bounds())
    assert not crawl.state().keys() & {"segments", "degrees"}


def test_ranks_learned_from_links_move_what_waits() -> None:
    crawl = Crawl(ReferenceFrontier(Group.SEGMENT), MeanSegment(), Politeness(), Bounds())
    crawl.add_seeds(links_to(["http://a.com/"]))
    (visit,) = crawl.due(0.0, 1)
    targets = links_to(["http://b.com/1", "http://c.com/1"])
    crawl.take([VisitResult(visit, 0, Outcome.PAGE, links=targets)], 0.0)
    crawl.add_seeds(links_to(["http://d.com/"]))
    (visit,) = (one for one in crawl.due(0.0, 1) if one.text == "http://d.com/")
    crawl.take([VisitResult(visit, 1, Outcome.PAGE, 1.0, True, links=links_to(["http://c.com/2"]))], 0.0)
    # c.com/ has a mean of 1/2 now, and b.com/ of 0
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
    whole.crawl.relearn(pages_of(rows))

    before = Walk(strategy=LanguageSpecific(S=2))
    before.crawl.relearn(pages_of(rows[:snapshot]))
    kept = packed_state(before.crawl.state())

    after = Walk(strategy=LanguageSpecific(S=2))
    after.crawl.restore(unpacked_state(kept))
    after.crawl.relearn(pages_of(rows[snapshot:]))
    assert after.crawl.pages == whole.crawl.pages == 5
    assert after.crawl.server_counts() == whole.crawl.server_counts() == (3, 2)
    servers = np.array([id_of(f"{name}.com") for name in "abcd"], dtype=np.uint64)
    # a and c had a relevant page; b had none after S downloads; d's page was never fetched
    assert after.strategy.rank(servers).tolist() == pytest.approx([1.0, np.nan, 1.0, 0.0], nan_ok=True)


def test_restored_page_limits_hold() -> None:
    walk = Walk(Bounds(pages=6, pages_per_server=2))
    walk.crawl.relearn(pages_of(rows_of(PAGES)))
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
            self.crawl.relearn(pages_of(rows))
        self.crawl.rerank(self.disk.groups)
        self.rows = list(rows)
        self.ended = len(rows)
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
            self.rows.append(row)
            self.end(visit, Outcome.PAGE, *self.TARGETS.get(visit.text, []), relevant=relevant)
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


# Looking ahead


def test_a_connection_stays_idle_while_the_first_links_wait_for_their_server() -> None:
    walk = Walk(Bounds(look_ahead=1), Politeness(5.0))
    walk.seed("http://a.example/1", "http://a.example/2", "http://b.example/1")
    [visit] = walk.visits(now=0.0, count=1)
    assert visit.text == "http://a.example/1"
    walk.end(visit, now=1.0)
    assert walk.due(now=2.0) == []  # the second link waits for the delay of its server, the third one for the second
    assert walk.due(now=6.0) == ["http://a.example/2", "http://b.example/1"]


def test_without_looking_ahead_every_connection_is_used() -> None:
    walk = Walk(Bounds(), Politeness(5.0))
    walk.seed("http://a.example/1", "http://a.example/2", "http://b.example/1")
    assert walk.due() == ["http://a.example/1", "http://b.example/1"]


def test_a_server_that_rests_long_keeps_no_others_waiting() -> None:
    walk = Walk(Bounds(look_ahead=1), Politeness(2.0))
    walk.seed("http://a.example/1", "http://a.example/2", "http://b.example/1")
    [visit] = walk.visits(now=0.0, count=1)
    walk.crawl.postpone(visit, until=11.0)
    assert walk.due(now=1.0) == ["http://b.example/1"]
    assert walk.due(now=11.0) == ["http://a.example/1"]


def test_links_that_a_frontier_holds_are_not_lost_when_pages_are_spent() -> None:
    walk = Walk(Bounds(pages=1, look_ahead=3))
    walk.seed("http://a.example/1", "http://b.example/1", "http://c.example/1")
    [visit] = walk.visits()
    walk.end(visit)
    assert walk.crawl.waiting == 2
    assert not walk.crawl.is_spent


@pytest.mark.parametrize(
    ("eagerness", "pages", "connections", "expected"),
    [
        ("auto", 2_500, 100, 50),  # a fiftieth of the pages
        ("auto", 0, 100, 0),  # requests are not scarce
        ("auto", 1_000_000, 100, 2_000),  # twenty for each connection
        (1.0, 2_500, 100, 0),
        (0.0, 2_500, 100, 1),
        (0.01, 0, 100, 100),  # of 10,000
    ],
)
def test_eagerness_is_a_share_of_the_pages(eagerness: Any, pages: int, connections: int, expected: int) -> None:
    assert look_ahead_of(eagerness, pages, connections) == expected
