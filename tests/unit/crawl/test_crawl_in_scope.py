"""A crawl within its scope: what leaves the frontier's order, what comes back, and what rules change."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Floats, Group, LinkBatch, Outcome, Visit, VisitResult
from exonym.crawl import MOST_LEFT_OUT, Bounds, Crawl
from exonym.frontier.base import Frontier
from exonym.frontier.disk import DiskFrontier
from exonym.live.found_links import links_to
from exonym.politeness.delays import Politeness
from exonym.scope import CrawlScope
from exonym.scope.scope_rule import rule_of
from exonym.store import Store
from exonym.strategies.base import Rule, Strategy
from exonym.strategies.best_first import MeanSegment
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.testing.reference import ReferenceFrontier

A = [f"http://a.pt/{number}" for number in range(3)]
B = [f"http://b.pt/{number}" for number in range(3)]


def scope_of(*lines: str) -> CrawlScope:
    return CrawlScope([rule for line in lines if (rule := rule_of(line))])


MakeFrontier = Callable[[Group], Frontier]


@pytest.fixture(params=["reference", "disk"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeFrontier]:
    if request.param == "reference":
        yield ReferenceFrontier
        return
    with Store.open(tmp_path / "state") as store:
        yield lambda group: DiskFrontier(store, tmp_path / "seen", group)


class Walk:
    """A crawl that visits one page after the other."""

    def __init__(
        self, make: MakeFrontier, strategy: Strategy | None = None, bounds: Bounds | None = None, delay: float = 0.0
    ) -> None:
        strategy = strategy or BreadthFirst()
        self.politeness = Politeness(delay)
        self.crawl = Crawl(make(strategy.group), strategy, self.politeness, bounds or Bounds())
        self.rows = 0

    def visit(self, now: float = 0.0, relevant: bool = False, targets: tuple[str, ...] = ()) -> str:
        """Make the next visit; "" if none is due."""
        due = self.crawl.due(now, 1)
        if not due:
            return ""
        self.end(due[0], now, relevant, targets)
        return due[0].text

    def end(self, visit: Visit, now: float, relevant: bool = False, targets: tuple[str, ...] = ()) -> None:
        result = VisitResult(visit, self.rows, Outcome.PAGE, float(relevant), relevant, links=links_to(targets))
        self.rows += 1
        self.crawl.take([result], now)

    def all(self) -> list[str]:
        return list(iter(self.visit, ""))


def test_dropped_server_leaves_the_order_and_comes_back(make: MakeFrontier) -> None:
    walk = Walk(make)
    walk.crawl.add_seeds(links_to([*A, *B]))
    walk.crawl.set_scope(scope_of("drop a.pt"))
    assert (walk.crawl.waiting, walk.crawl.aside) == (3, 3)
    assert walk.all() == B
    assert walk.crawl.is_spent
    walk.crawl.set_scope(scope_of())
    assert (walk.crawl.waiting, walk.crawl.aside) == (3, 0)
    assert walk.all() == A


def test_links_found_while_a_rule_holds_come_back_too(make: MakeFrontier) -> None:
    walk = Walk(make)
    walk.crawl.set_scope(scope_of("drop a.pt", "drop /x"))
    walk.crawl.add_seeds(links_to([*A, "http://b.pt/x", "http://b.pt/y"]))
    assert walk.all() == ["http://b.pt/y"]
    assert (walk.crawl.waiting, walk.crawl.aside) == (0, 4)
    walk.crawl.set_scope(scope_of("drop a.pt/1"))
    assert sorted(walk.all()) == [A[0], A[2], "http://b.pt/x"]


def test_part_of_a_server_leaves_when_its_turn_comes(make: MakeFrontier) -> None:
    walk = Walk(make, MeanSegment())
    walk.crawl.add_seeds(links_to([*A, *B]))
    walk.crawl.set_scope(scope_of("drop a.pt/1"))
    assert walk.all() == [A[0], A[2], *B]
    assert walk.crawl.aside == 1
    walk.crawl.add_seeds(links_to([A[1]]))
    assert walk.crawl.aside == 1, "a link that is found again is set aside once"


def test_rule_for_very_many_links_takes_several_rounds(make: MakeFrontier) -> None:
    urls = [f"http://a.pt/x/{number}" for number in range(MOST_LEFT_OUT + 10)]
    walk = Walk(make)
    walk.crawl.add_seeds(links_to([*urls, "http://a.pt/y"]))
    walk.crawl.set_scope(scope_of("drop /x/"))
    assert walk.crawl.due(0.0, 1) == []
    assert (walk.crawl.aside, walk.crawl.has_more) == (MOST_LEFT_OUT, True)
    assert [visit.text for visit in walk.crawl.due(0.0, 1)] == ["http://a.pt/y"]
    assert not walk.crawl.has_more


def test_limit_for_a_server_replaces_that_of_the_settings(make: MakeFrontier) -> None:
    walk = Walk(make, bounds=Bounds(pages_per_server=2))
    walk.crawl.set_scope(scope_of("limit 1 a.pt", "limit 9 b.pt"))
    walk.crawl.add_seeds(links_to([*A, *B, "http://c.pt/1", "http://c.pt/2", "http://c.pt/3"]))
    assert walk.all() == [A[0], *B, "http://c.pt/1", "http://c.pt/2"]
    assert walk.crawl.aside == 2
    walk.crawl.set_scope(scope_of("limit 2 a.pt"))
    assert walk.all() == [A[1]]


def test_limit_for_a_part_counts_the_pages_of_that_part(make: MakeFrontier) -> None:
    urls = [f"http://a.pt/{part}/{number}" for number in range(3) for part in ("x", "y")]
    walk = Walk(make)
    walk.crawl.add_seeds(links_to(urls))
    walk.visit()
    walk.crawl.set_scope(scope_of("limit 2 a.pt/x/"), [[urls[0]]])
    assert walk.all() == [urls[1], urls[2], urls[3], urls[5]]
    walk.crawl.set_scope(scope_of("limit 3 a.pt/x/"), [[urls[0], urls[2]]])
    assert walk.all() == [urls[4]]


@pytest.mark.parametrize(
    ("rule", "seconds"), [("delay 7 a.pt", 7.0), ("delay 0.5 *.pt", 0.5), ("delay 7 a.pt/0", 7.0), ("delay 7 b.pt", 2)]
)
def test_delay_is_that_of_the_rule(make: MakeFrontier, rule: str, seconds: float) -> None:
    walk = Walk(make, delay=2.0)
    walk.crawl.set_scope(scope_of(rule))
    walk.crawl.add_seeds(links_to(A))
    assert walk.visit(100.0) == A[0]
    assert walk.crawl.due(100.0 + seconds - 0.01, 1) == []
    assert walk.visit(100.0 + seconds) == A[1]


def test_delay_of_robots_txt_stays_the_minimum(make: MakeFrontier) -> None:
    walk = Walk(make)
    walk.crawl.set_scope(scope_of("delay 1 a.pt"))
    walk.crawl.add_seeds(links_to(A))
    first = walk.crawl.due(0.0, 1)[0]
    walk.politeness.set_delay(first.server, 5.0)
    walk.end(first, 0.0)
    assert walk.crawl.due(4.9, 1) == []
    assert walk.visit(5.0) == A[1]


class OnlyPt(Rule):
    """Follows links to a.pt, and no others."""

    def score(self, links: LinkBatch) -> Floats:
        return np.array([0.5 if "//a.pt/" in text else np.nan for text in links.text or ()])


def test_kept_server_is_followed_against_the_strategy_and_after_all_others(make: MakeFrontier) -> None:
    walk = Walk(make, OnlyPt())
    walk.crawl.set_scope(scope_of("keep b.pt"))
    walk.crawl.add_seeds(links_to([*B, *A, "http://c.pt/"]))
    assert walk.all() == [*A, *B]


def test_kept_server_is_not_dropped_when_its_rank_falls(make: MakeFrontier) -> None:
    """LSWC drops a server whose first S pages are irrelevant."""
    for rules, expected in (((), 1), (("keep a.pt",), 3)):
        walk = Walk(make if not rules else ReferenceFrontier, LanguageSpecific(S=1, T=5))
        walk.crawl.set_scope(scope_of(*rules))
        walk.crawl.add_seeds(links_to(A))
        assert len(walk.all()) == expected


def test_links_beside_kept_ones_follow_the_strategy() -> None:
    walk = Walk(ReferenceFrontier, LanguageSpecific(S=1, T=5))
    walk.crawl.set_scope(scope_of("keep a.pt/2"))
    walk.crawl.add_seeds(links_to(A))
    assert walk.all() == [A[0], A[2]]


def test_rules_that_left_something_out_are_told_once_for_each_server(make: MakeFrontier) -> None:
    walk = Walk(make)
    walk.crawl.add_seeds(links_to([*A, *B, "http://c.pt/0"]))
    walk.crawl.set_scope(scope_of("drop a.pt", "drop /1", "limit 1 b.pt"))
    walk.all()
    told = [(left_out.url, left_out.rule.text) for left_out in walk.crawl.guard.take_left_out()]
    assert told == [("http://a.pt/", "drop a.pt"), (B[1], "drop /1"), (B[2], "limit 1 b.pt")]
    walk.crawl.set_scope(scope_of("drop a.pt"))
    assert list(walk.crawl.guard.take_left_out()) == []


def test_limit_that_is_reached_when_it_is_set_is_told(make: MakeFrontier) -> None:
    walk = Walk(make)
    walk.crawl.add_seeds(links_to(A))
    walk.end(walk.crawl.due(0.0, 1)[0], 0.0)
    walk.crawl.set_scope(scope_of("limit 1 a.pt"))
    told = [(left_out.url, left_out.rule.text) for left_out in walk.crawl.guard.take_left_out()]
    assert told == [("http://a.pt/", "limit 1 a.pt")]
    assert (walk.all(), walk.crawl.aside) == ([], len(A) - 1)


def test_links_that_wait_for_a_busy_server_leave_as_well(make: MakeFrontier) -> None:
    """With `look_ahead`, links of busy servers are held apart from the frontier."""
    walk = Walk(make, bounds=Bounds(look_ahead=10))
    walk.crawl.add_seeds(links_to([*A, *B]))
    busy = walk.crawl.due(0.0, 2)
    assert [visit.text for visit in busy] == [A[0], B[0]]
    walk.crawl.set_scope(scope_of("drop a.pt"))
    for visit in busy:
        walk.end(visit, 0.0)
    assert walk.all() == B[1:]
    assert walk.crawl.aside == 2


def test_scope_survives_a_kill(tmp_path: Path) -> None:
    with Store.open(tmp_path / "state") as store:
        frontier = DiskFrontier(store, tmp_path / "seen", Group.SERVER)
        walk = Walk(lambda group: frontier)
        walk.crawl.set_scope(scope_of("drop a.pt/1", "drop b.pt"))
        walk.crawl.add_seeds(links_to([*A, *B]))
        assert walk.all() == [A[0], A[2]]
        with store.writing() as transaction:
            frontier.commit(transaction)
        frontier.committed()
    with Store.open(tmp_path / "state") as store:
        walk = Walk(lambda group: DiskFrontier(store, tmp_path / "seen", group))
        walk.crawl.set_scope(scope_of("drop a.pt/1", "drop b.pt"))
        assert (walk.crawl.waiting, walk.crawl.aside) == (0, 4)
        walk.crawl.set_scope(scope_of())
        assert sorted(walk.all()) == sorted([A[1], *B])
