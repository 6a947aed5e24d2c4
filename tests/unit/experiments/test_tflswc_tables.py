"""Claims and tables of the segment experiment, from crawls and webs made by hand."""

from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Outcome
from exonym.errors import ConfigError
from exonym.experiments.tflswc2014.claims import verdicts_on
from exonym.experiments.tflswc2014.crawls import (
    BEST_PAGE,
    BEST_SEGMENT,
    BREADTH_FIRST,
    SEGMENT,
    SimulatedCrawl,
    source_table,
)
from exonym.experiments.tflswc2014.tables import crawl_table, harvest_table, patience_table, threshold_table
from exonym.training.links.threshold_search import Reached
from exonym.training.links.tuning import Tried, relevant_seeds
from exonym.webgraph import Graph
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.manifest import Manifest


def crawled(name: str, relevant: str) -> SimulatedCrawl:
    """A crawl of nodes 0, 1, 2 …; + is a relevant page."""
    flags = np.array([sign == "+" for sign in relevant])
    return SimulatedCrawl(name, np.arange(len(flags), dtype=np.uint32), flags, "pages")


def test_a_claim_holds_if_it_does_early_and_late() -> None:
    crawls = {
        SEGMENT: crawled(SEGMENT, "+++-+-"),  # 3 of 3, then 4 of 6
        BEST_SEGMENT: crawled(BEST_SEGMENT, "++--+-"),  # 2 of 3, then 3 of 6
        BEST_PAGE: crawled(BEST_PAGE, "+--+++"),  # 1 of 3, then 4 of 6
        BREADTH_FIRST: crawled(BREADTH_FIRST, "+++---"),  # 3 of 3, then 3 of 6
    }
    first, second, third = verdicts_on("diving", crawls, (3, 6))
    assert (first.early, first.late) == ((1.0, 2 / 3), (4 / 6, 0.5))
    assert [one.outcome for one in (first, second, third)] == ["holds", "holds early only", "does not hold"]


def test_a_crawl_that_ended_is_measured_over_what_it_fetched() -> None:
    one = crawled("short", "++-")
    assert one.harvest(1_000) == 2 / 3
    assert one.found(1_000) == 2
    assert crawled("nothing", "").harvest(10) == 0.0
    table = harvest_table("estate", [one], 20)
    assert table.caption.startswith("Figure 13")
    assert table.rows[0] == ("1", 1.0)
    assert table.rows[-1] == ("20", 2 / 3)


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    """Segments 0 and 1 are relevant and link to 2 (half relevant, two pages); 1 links to 3, and 3 to 2; 4 failed."""
    links = [[2], [3, 4], [], [], [2], []]
    with GraphWriter(tmp_path / "graph") as writer:
        for name in ("server", "segment"):
            writer.put(name, np.array([0, 1, 2, 2, 3, 4]))
        writer.put("domain", np.zeros(6))
        writer.put("outcome", np.array([Outcome.PAGE] * 5 + [Outcome.FAILED]))
        writer.put("language", np.zeros(6))
        writer.put("relevant", np.array([True, True, True, False, False, False]))
        writer.put("offsets", np.concatenate([[0], np.cumsum([len(one) for one in links])]))
        writer.put("targets", np.array([target for one in links for target in one]))
        writer.put("seeds", np.array([0]))
        writer.finish(Manifest(languages=["en"], domains=["com"], charsets=[], provenance={}))
    return Graph.open(tmp_path / "graph")


def test_segments_are_counted_by_the_relevant_ones_that_link_to_them(graph: Graph) -> None:
    table = source_table("tourism", graph)
    assert table.rows == (("1", 1, 0, 0.0), ("2–3", 1, 1, 1.0))


def test_what_a_crawl_wasted_is_told_by_where(graph: Graph) -> None:
    one = SimulatedCrawl("any", np.arange(6, dtype=np.uint32), np.asarray(graph.relevant), "empty frontier")
    # Page 3 is in a relevant segment, 4 is not, 5 was not there.
    once, twice = (crawl_table("tourism", graph, [one], moments) for moments in ((6, 6), (4, 6)))
    assert once.rows == (("any", 6, 3, 0.5, 1.0, 1, 1, 1, "empty frontier"),)
    assert twice.rows == (("any", 6, 3, 0.75, 0.5, 1.0, 1, 0, 0, "empty frontier"),)
    assert len(once.columns) == len(once.rows[0])
    assert len(twice.columns) == len(twice.rows[0])


def test_crawls_begin_from_relevant_pages(graph: Graph) -> None:
    assert relevant_seeds(graph, 10, 0) == (0, 1, 2)
    assert len(relevant_seeds(graph, 2, 1)) == 2
    assert relevant_seeds(graph, 2, 5) == relevant_seeds(graph, 2, 5)


def test_a_search_names_the_best_and_the_published() -> None:
    found = [Reached(10, 5, 5), Reached(6, 5, 5), Reached(3, 3, 5)]
    table = threshold_table([0.3, 0.5, 1.0], found, "diving")
    assert "Best: 0.5" in table.note
    assert [row[-1] for row in table.rows] == ["–", "97.8% | 91.2% | 94.4%", "99.5% | 66.0% | 79.4%"]
    tried = [Tried(1, 2, Reached(10, 5, 10), "pages"), Tried(2, 3, Reached(10, 6, 10), "empty frontier")]
    assert "S 2, D 3" in patience_table(tried, "").note


def test_one_relevant_page_is_needed(tmp_path: Path, graph: Graph) -> None:
    with GraphWriter(tmp_path / "none") as writer:
        writer.link(graph, [name for name in graph.manifest.columns if name != "relevant"])
        writer.put("relevant", np.zeros(6, np.bool_))
        writer.finish(graph.manifest)
    with pytest.raises(ConfigError, match="has no relevant page"):
        relevant_seeds(Graph.open(tmp_path / "none"), 5, 0)
