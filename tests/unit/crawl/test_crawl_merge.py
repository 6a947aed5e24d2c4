"""What partitions learned is joined when they are, and divided with the servers when a crawl is."""

import numpy as np
import pytest

from exonym.batches import NO_SEGMENT, Ids, Outcome
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.journal import JournalRow
from exonym.link_columns import SegmentMeans, Source, link_batch
from exonym.link_types import LinkTypes
from exonym.live.found_links import links_to, pages_of
from exonym.politeness.delays import Politeness
from exonym.strategies.base import State, Strategy
from exonym.strategies.best_first import MeanSegment
from exonym.strategies.lswc import LanguageSpecific
from exonym.strategies.site import SiteCrawler
from exonym.testing.reference import ReferenceFrontier
from exonym.urls import id_of

ROWS_OF_A = [
    JournalRow(0, "http://a.com/x/1", 0.0, Outcome.PAGE, relevance=1.0, relevant=True),
    JournalRow(1, "http://a.com/x/2", 0.0, Outcome.PAGE, relevance=0.5, relevant=True),
    JournalRow(2, "http://a.com/file.php", 0.0, Outcome.PAGE, truncated="type"),
]
ROWS_OF_B = [
    JournalRow(0, "http://b.com/1", 0.0, Outcome.PAGE),
    JournalRow(1, "http://b.com/2", 0.0, Outcome.FAILED),
    JournalRow(2, "http://b.com/3", 0.0, Outcome.PAGE),
    JournalRow(3, "http://b.com/4", 0.0, Outcome.FORBIDDEN),
]
SERVERS: Ids = np.array([id_of("a.com"), id_of("b.com"), id_of("c.com")], dtype=np.uint64)


def crawl_that_learned(strategy: Strategy, rows: list[JournalRow]) -> Crawl:
    crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(), Bounds(), LinkTypes())
    crawl.relearn(pages_of(rows))
    return crawl


def from_disk(crawl: Crawl) -> dict[str, State]:
    return unpacked_state(packed_state(crawl.state()))


def sorted_state(crawl: Crawl) -> dict[str, dict[str, list[object]]]:
    """The state of a crawl, whatever the order in which its servers and segments were met."""
    ordered: dict[str, dict[str, list[object]]] = {}
    for name, state in crawl.state().items():
        key = next((key for key in ("ids", "server") if key in state), None)
        order = np.argsort(state[key], kind="stable") if key else slice(None)
        ordered[name] = {column: array[order].tolist() for column, array in state.items()}
    return ordered


@pytest.mark.parametrize("strategy", [LanguageSpecific, MeanSegment])
def test_joined_partitions_know_what_one_crawl_knows(strategy: type[Strategy]) -> None:
    one, other = crawl_that_learned(strategy(), ROWS_OF_A), crawl_that_learned(strategy(), ROWS_OF_B)
    whole = crawl_that_learned(strategy(), ROWS_OF_A + ROWS_OF_B)
    kept = from_disk(one), from_disk(other)
    one.merge(kept[1])
    other.merge(kept[0])
    assert one.pages == 6  # three of each; what robots.txt forbade is no page
    assert one.server_counts() == (2, 1)
    assert sorted_state(one) == sorted_state(other) == sorted_state(whole)


def test_links_that_wait_move_when_their_server_turns_out_relevant_elsewhere() -> None:
    crawl = crawl_that_learned(LanguageSpecific(), [])
    crawl.add_seeds(links_to(["http://c.com/1", "http://a.com/1"]))
    crawl.merge(from_disk(crawl_that_learned(LanguageSpecific(), ROWS_OF_A)))
    assert [visit.text for visit in crawl.due(0.0, 2)] == ["http://a.com/1", "http://c.com/1"]


@pytest.mark.parametrize(("own", "pages", "counts"), [(0, 3, (1, 1)), (1, 3, (1, 0)), (2, 0, (0, 0))])
def test_part_of_a_divided_crawl_counts_the_pages_of_its_own_servers(
    own: int, pages: int, counts: tuple[int, int]
) -> None:
    whole = crawl_that_learned(LanguageSpecific(), ROWS_OF_A + ROWS_OF_B)
    strategy = LanguageSpecific()
    part = crawl_that_learned(strategy, [])
    servers: Ids = SERVERS[own : own + 1]
    part.merge(from_disk(whole), servers)
    assert part.pages == pages
    assert part.server_counts() == counts
    expected = LanguageSpecific()
    expected.learn(pages_of(ROWS_OF_A + ROWS_OF_B))
    assert np.array_equal(strategy.rank(servers), expected.rank(servers), equal_nan=True)


def test_links_that_wait_move_when_another_partition_tells_that_their_source_is_relevant() -> None:
    # t.com is linked from a.com and u.com from b.com, both of another partition; u.com was found first.
    crawl = crawl_that_learned(SiteCrawler(), [])
    source = Source(0, id_of("b.com"), NO_SEGMENT, 0.0, False, 0, 1)
    columns = [(source, "http://u.com/1"), (source._replace(server=id_of("a.com")), "http://t.com/1")]
    for facts, url in columns:
        crawl.add(link_batch([(facts, links_to([url]))], frozenset(), SegmentMeans(frozenset()), {}))
    other = crawl_that_learned(SiteCrawler(), [])
    assert crawl.shares_learning
    assert other.differences() == {}
    other.relearn(pages_of(ROWS_OF_A + ROWS_OF_B))
    crawl.add_differences(other.differences())
    assert [visit.text for visit in crawl.due(0.0, 2)] == ["http://t.com/1", "http://u.com/1"]


def test_crawl_whose_strategy_shares_nothing_tells_nothing() -> None:
    crawl = crawl_that_learned(LanguageSpecific(), ROWS_OF_A)
    assert not crawl.shares_learning
    assert crawl.differences(everything=True) == {}


def test_crawl_without_partitions_to_merge_stays_as_it_is() -> None:
    crawl = crawl_that_learned(MeanSegment(), ROWS_OF_A)
    before = sorted_state(crawl)
    crawl.merge(from_disk(crawl_that_learned(MeanSegment(), [])))
    assert sorted_state(crawl) == before
