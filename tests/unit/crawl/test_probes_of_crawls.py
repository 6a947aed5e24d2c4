"""A crawl visits links that were drawn at random, and goes on exactly after a kill."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import NO_ROW, BareLinks, Group, Outcome, Visit, VisitResult
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.frontier.base import LEVELS_PER_UNIT, PROBE_BASE, Frontier, drawn_score
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.live.found_links import links_to, pages_of
from exonym.politeness.delays import Politeness
from exonym.store import Store
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.base import State
from exonym.strategies.breadth_first import BreadthFirst
from exonym.testing.reference import ReferenceFrontier

PAGES = 3_000  # of the web; each has links to six others, by its number
VISITS = 240


class Probing(Adaptive):
    """Draws one page in three at random."""

    probe_every = 3


def url_of(number: int) -> str:
    return f"http://www{number * 7 % 40}.example/{number}"


def answer(visit: Visit, row: int, needs: frozenset[str]) -> VisitResult:
    number = int(visit.text.rpartition("/")[2])
    targets = [(number * factor + factor) % PAGES for factor in (3, 5, 11, 13, 17, 23)]
    outcome = Outcome.FAILED if number % 29 == 0 else Outcome.PAGE
    is_relevant = outcome == Outcome.PAGE and (number * 7 % 40) % 4 == 0
    links = links_to([url_of(target) for target in targets], needs)
    return VisitResult(visit, row, outcome, float(is_relevant), is_relevant, 0, links, is_copy=number % 31 == 0)


def seeds(needs: frozenset[str]) -> BareLinks:
    return links_to([url_of(number) for number in (1, 2, 3)], needs)


def crawl_of(frontier: Frontier, probes: bool = True) -> Crawl:
    return Crawl(frontier, Probing("th", text=False, probes=probes), Politeness(), Bounds())


NEEDS = Probing("th", text=False).needs


def visited(crawl: Crawl, count: int = VISITS) -> list[Visit]:
    crawl.add_seeds(seeds(NEEDS))
    visits: list[Visit] = []
    while len(visits) < count:
        due = crawl.due(0.0, 1)
        visits += due
        crawl.take([answer(visit, len(visits) - 1, NEEDS) for visit in due], 0.0)
    return visits


def test_one_visit_in_so_many_is_drawn_at_random() -> None:
    crawl = crawl_of(ReferenceFrontier(Group.SERVER))
    visits = visited(crawl)
    probes = [place for place, visit in enumerate(visits) if visit.source != NO_ROW and visit.score >= PROBE_BASE - 8]
    assert 0.25 < len(probes) / len(visits) < 0.4
    assert probes[0] == 12  # the first review comes after four times three pages
    assert crawl.probes is not None
    assert len(crawl.probes.records.pages) == len(probes)
    assert crawl.probes.records.pages.tolist() == [place + 1 for place in probes]
    last = crawl.probes.last
    assert last is not None
    assert last.relevant == sum(
        result.relevant and not result.is_copy for result in (answer(visit, 0, NEEDS) for visit in visits[: last.pages])
    )


def test_without_the_option_none_is_drawn() -> None:
    crawl = crawl_of(ReferenceFrontier(Group.SERVER), probes=False)
    assert crawl.probes is None
    assert all(visit.score < PROBE_BASE - 8 or visit.source == NO_ROW for visit in visited(crawl))


def test_a_strategy_whose_scores_do_not_fall_makes_no_probes() -> None:
    strategy = BreadthFirst()
    strategy.probe_every = 3
    assert Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds()).probes is None


@pytest.mark.parametrize("look_ahead", [0, 12])
def test_disk_and_reference_draw_the_same_links_also_when_looking_ahead(look_ahead: int, tmp_path: Path) -> None:
    runs = []
    with Store.open(tmp_path) as store:
        for frontier in (DiskFrontier(store, tmp_path / "seen", Group.SERVER), ReferenceFrontier(Group.SERVER)):
            crawl = Crawl(frontier, Probing("th", text=False), Politeness(), Bounds(look_ahead=look_ahead))
            runs.append([(visit.url, visit.score) for visit in visited(crawl)])
    assert runs[0] == runs[1]


@dataclass
class Saved:
    """What a crawl has on disk, but for its frontier."""

    snapshot: dict[str, State] | None = None
    rows: list[JournalRow] = field(default_factory=list)  # since the snapshot
    updates: list[State] = field(default_factory=list)

    def restore(self, crawl: Crawl) -> None:
        if self.snapshot is not None:
            crawl.restore(unpacked_state(packed_state(self.snapshot)))
        if self.rows:
            crawl.relearn(pages_of(self.rows))
        for updates in self.updates:
            crawl.apply_link_updates(updates)
        crawl.link_updates()

    def commit(self, crawl: Crawl, rows: list[JournalRow], seals: bool) -> None:
        updates = crawl.link_updates()
        if seals:
            self.snapshot, self.rows, self.updates = crawl.state(), [], []
        else:
            self.rows += rows
            self.updates += [updates] if updates else []


def row_of(result: VisitResult) -> JournalRow:
    visit = result.visit
    return JournalRow(
        row=result.row,
        url=visit.text,
        when=0.0,
        outcome=result.outcome,
        relevance=result.relevance,
        relevant=result.relevant and not result.is_copy,
        copy=result.is_copy,
        distance=visit.distance,
        source=visit.source,
        score=visit.score,
        rank=visit.score - visit.risen - visit.level / LEVELS_PER_UNIT,
        note=visit.note,
    )


def killed_now_and_then(directory: Path, is_killed: Callable[[int], bool]) -> list[tuple[str, float]]:
    """The URLs and scores of visits; a page at a time, each committed, but for those that a kill undoes."""
    saved, visits = Saved(), list[tuple[str, float]]()
    store = Store.open(directory)
    frontier = DiskFrontier(store, directory / "seen", Group.SERVER)
    crawl = crawl_of(frontier)
    saved.restore(crawl)
    crawl.add_seeds(seeds(NEEDS))
    while len(visits) < VISITS:
        due = crawl.due(0.0, 1)
        results = [answer(visit, len(visits), NEEDS) for visit in due]
        crawl.take(results, 0.0)
        visits += [(visit.text, visit.score) for visit in due]
        with store.writing() as txn:
            frontier.commit(txn)
        frontier.committed()
        saved.commit(crawl, [row_of(result) for result in results], seals=len(visits) % 50 == 0)
        if is_killed(len(visits)):
            crawl.due(0.0, 1)  # it may review, and draw links; the kill undoes it
            store.close()
            store = Store.open(directory)
            frontier = DiskFrontier(store, directory / "seen", Group.SERVER)
            crawl = crawl_of(frontier)
            saved.restore(crawl)
            crawl.rerank(frontier.groups)
    store.close()
    return visits


def test_a_killed_crawl_draws_what_one_that_was_not_killed_draws(tmp_path: Path) -> None:
    whole = killed_now_and_then(tmp_path / "whole", lambda visits: False)
    killed = killed_now_and_then(tmp_path / "killed", lambda visits: visits % 7 == 0)
    assert killed == whole
    assert sum(PROBE_BASE - 8 <= score < PROBE_BASE + 8 for _, score in whole) > 50


def test_rows_of_the_journal_tell_with_which_score_a_link_was_drawn() -> None:
    visits = visited(crawl_of(ReferenceFrontier(Group.SERVER)))
    rows = [row_of(answer(visit, row, NEEDS)) for row, visit in enumerate(visits)]
    probed = pages_of(rows).probed
    expected = [drawn_score(visit.level) if visit.source != NO_ROW else np.nan for visit in visits]
    assert probed is not None
    np.testing.assert_array_equal(probed, np.array(expected, dtype=np.float32))
    assert np.count_nonzero(~np.isnan(probed)) > 50


def test_divided_crawls_begin_to_draw_anew() -> None:
    crawl = crawl_of(ReferenceFrontier(Group.SERVER))
    visited(crawl)
    state = crawl.state()
    del state["probes"]  # as `own_part` gives it
    part = crawl_of(ReferenceFrontier(Group.SERVER))
    part.restore(state)
    part.add_seeds(links_to([url_of(4)], NEEDS))
    part.due(0.0, 1)
    assert part.probes is not None
    assert part.probes.last is not None
    assert len(part.probes.records.pages) == 0
