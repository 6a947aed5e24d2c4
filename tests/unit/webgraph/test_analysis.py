"""The analyses on a web of twelve pages, drawn by hand; every expected value was worked out on paper.

Server a (.th) has pages 0, 1, 2; b (.com) has 3, 4, 5 and 10, only known; c (.com) has 6, 7; d (.net) has 8, 9 and 11,
whose request failed. Relevant are 0, 1, 4, 7; the seed is 0.
"""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, language_code
from exonym.errors import ConfigError, GraphError
from exonym.report.table import Table, TableRow, powers_of_two
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.analyses.analyse import ANALYSES, analysed
from exonym.webgraph.analyses.components import _join, _roots, strong_components, weak_labels
from exonym.webgraph.analyses.degrees import in_degrees
from exonym.webgraph.analyses.graph_subject import COMPARISONS
from exonym.webgraph.analyses.link_parts import link_parts
from exonym.webgraph.analyses.nearest_relevant import find_nearest_relevant
from exonym.webgraph.analyses.search import NEVER, LinkRows, distinct, levels_from, links_from
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.manifest import Manifest

LINKS = [[1, 3, 10], [0], [0], [4, 5], [3], [6], [7], [6], [9, 11], [8], [], []]
ANCHOR_LANGUAGES = ["th", "en", "th", "en", "th", "en", "en", "th", "", "en", "en", "en", "en", "en"]
ANCHORS = ["ข่าว", "news", "Visit THAILAND", *["more"] * 11]
URLS = [*["http://thai.example/"] * 7, "http://c.example/Thai-food", *["http://d.example/"] * 4]
COLUMNS: dict[str, Sequence[object]] = {
    "server": [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 1, 3],
    "segment": [0, 0, 1, 2, 2, 2, 3, 3, 4, 4, 2, 4],
    "domain": [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 1, 2],
    "outcome": [*[Outcome.PAGE] * 10, KNOWN, Outcome.FAILED],
    "language": [language_code(name) for name in ["th", "th", "en", "en", "th", "", "de", "th", "", "en", "", ""]],
    "relevant": [node in (0, 1, 4, 7) for node in range(12)],
    "offsets": [0, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 14, 14],
    "targets": [target for targets in LINKS for target in targets],
    "seeds": [0],
    "anchor_language": [language_code(name) for name in ANCHOR_LANGUAGES],
}
FACTS = Manifest(languages=["th"], domains=["th", "com", "net"], provenance={"nation_names": ["thai"]})

Draw = Callable[..., Graph]
Web = list[list[int]]


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    """Writes a graph with the columns given in place of the drawn ones, or without them, and opens it."""

    def written(facts: Manifest = FACTS, texts: bool = True, **changed: Sequence[object] | None) -> Graph:
        directory = tmp_path / f"graph{len(list(tmp_path.iterdir()))}"
        with GraphWriter(directory) as writer:
            for name, values in {**COLUMNS, **changed}.items():
                if values is not None:
                    writer.put(name, np.array(values))
            if texts:
                writer.put_texts("anchor", ANCHORS)
                writer.put_texts("url", URLS)
            writer.finish(facts)
        return Graph.open(directory)

    return written


ALL_PUBLISHED = tuple(COMPARISONS)


def table_named(graph: Graph, name: str, compared: Sequence[str] = ALL_PUBLISHED) -> Table:
    found = (table for _, tables in analysed(graph, compared=compared) for table in tables)
    return next(table for table in found if table.name == name)


def rows_named(graph: Graph, name: str, columns: int | None = None) -> list[TableRow]:
    """The rows of a table, without the published figures in the columns behind."""
    return [tuple(row[:columns]) for row in table_named(graph, name).rows]


def test_facts_stand_beside_those_of_the_thai_dataset(draw: Draw) -> None:
    graph = draw()
    assert rows_named(graph, "facts") == [
        ("nodes", 12, 39_078_797),
        ("pages fetched", 10, 13_999_847),
        ("nodes not fetched", 2, 25_078_950),
        ("relevant pages", 4, 1_706_238),
        ("links", 14, 123_836_342),
        ("servers", 4, 668_934),
        ("segments", 5, None),
        ("seeds", 1, 3),
    ]
    assert table_named(graph, "facts").note == "Relevant: pages in Thai. Licence unknown."


@pytest.mark.parametrize(
    ("provenance", "note"),
    [
        (
            {"judge": {"kind": "about", "nation": "TH", "languages": ["en"]}, "made_by": "us", "skipped": {"a": 1}},
            "Relevant: pages about TH in en. Made by: us. Licence unknown.",
        ),
        ({"collected": "x" * 400, "parameters": {"deep": [1]}}, f"Collected: {'x' * 289}. Licence unknown."),
    ],
)
def test_facts_tell_the_origin_in_words(draw: Draw, provenance: dict[str, object], note: str) -> None:
    facts = Manifest(languages=["th"], domains=["th", "com", "net"], provenance=provenance)
    assert table_named(draw(facts), "facts").note.endswith(note)


def test_best_servers_have_most_relevant_pages(draw: Draw) -> None:
    table = table_named(draw(), "servers")
    # Of a's pages 0, 1, 2 two are relevant; of c's 6, 7 one; of b's 3, 4, 5 one; of d's none. All have one address.
    assert list(table.rows) == [
        ("thai.example", 2, 3, 2 / 3),
        ("thai.example", 1, 2, 0.5),
        ("thai.example", 1, 3, 1 / 3),
    ]
    assert table.caption == "Servers with most Thai pages"
    assert table.note == ""  # all of them are there


def test_captions_speak_of_the_language_of_the_graph(draw: Draw) -> None:
    captions = {
        code: " ".join(table.caption for _, tables in analysed(draw(facts)) for table in tables)
        for code, facts in {
            "pt": Manifest(languages=["pt"], domains=["th", "com", "net"]),
            "": Manifest(domains=["th", "com", "net"]),
            "about": Manifest(languages=["pt"], domains=["a", "b", "c"], provenance={"judge": {"kind": "about"}}),
        }.items()
    }
    assert "the nearest Portuguese pages" in captions["pt"]
    assert "the nearest relevant pages" in captions[""]
    assert "Portuguese" not in captions["about"]
    assert not any("Thai" in caption for caption in captions.values())


def test_headings_fit_a_line_whatever_the_languages_are_called(draw: Draw) -> None:
    languages = ["th", "lo", "nn", "nb", "pt"]
    graph = draw(Manifest(languages=languages, domains=["th", "com", "net"]))
    captions = [table.caption for _, tables in analysed(graph, compared=ALL_PUBLISHED) for table in tables]
    assert max(map(len, captions)) <= 80


def test_unknown_comparison_is_told_with_the_known_ones(draw: Draw) -> None:
    with pytest.raises(ConfigError, match="Choose from: thai2006, thai2014"):
        list(analysed(draw(), compared=["thai1999"]))


def test_languages_are_counted_by_domain(draw: Draw) -> None:
    table = table_named(draw(), "languages_by_domain")
    assert table.columns == ("Language", ".th", ".com", ".net", "Other", "Total", "share")
    assert list(table.rows) == [
        ("Thai", 2, 2, 0, 0, 4, 0.4),
        ("English", 1, 1, 1, 0, 3, 0.3),
        ("Other", 0, 1, 0, 0, 1, 0.1),
        ("Unknown", 0, 1, 1, 0, 2, 0.2),
        ("Total", 3, 5, 2, 0, 10, 1.0),
    ]


def test_pages_that_inherited_their_language_are_counted_apart(draw: Draw) -> None:
    # Of the four Thai pages, 1 (.th) and 7 (.com) inherited it; 9 (.net) inherited English; 11 is no page.
    graph = draw(inherited=[node in (1, 7, 9, 11) for node in range(12)])
    assert rows_named(graph, "facts")[3:6] == [
        ("relevant pages", 4, None),
        ("relevant pages, language identified", 2, 1_706_238),
        ("relevant pages, language inherited", 2, None),
    ]
    assert rows_named(graph, "languages_by_domain") == [
        ("Thai", 1, 1, 0, 0, 2, 0.2),
        ("English", 1, 1, 0, 0, 2, 0.2),
        ("Other", 0, 1, 0, 0, 1, 0.1),
        ("Unknown, taken to be Thai", 1, 1, 0, 0, 2, 0.2),
        ("Unknown, taken to be another", 0, 0, 1, 0, 1, 0.1),
        ("Unknown", 0, 1, 1, 0, 2, 0.2),
        ("Total", 3, 5, 2, 0, 10, 1.0),
    ]
    languages = table_named(graph, "languages")
    assert languages.columns == ("Language", "pages", "share", "identified", "inherited")
    assert dict.fromkeys(row[0] for row in languages.rows) == dict.fromkeys(["Thai", "English", "Unknown", "German"])
    assert languages.rows[0] == ("Thai", 4, 0.4, 2, 2)
    assert rows_named(graph, "domains") == rows_named(draw(), "domains")


def test_graph_in_which_no_page_inherited_its_language_has_the_usual_tables(draw: Draw) -> None:
    without, none = draw(), draw(inherited=[False] * 12)
    for name in ("facts", "languages_by_domain", "languages", "domains"):
        assert table_named(none, name) == table_named(without, name)


def test_domains_stand_beside_those_of_the_thai_dataset(draw: Draw) -> None:
    assert rows_named(draw(), "domains") == [(".com", 5, 0.5, 0.464), (".th", 3, 0.3, 0.082), (".net", 2, 0.2, 0.062)]


def test_published_figures_are_shown_only_if_asked_for(draw: Draw) -> None:
    graph = draw()
    compared = [table for _, tables in analysed(graph, compared=ALL_PUBLISHED) for table in tables]
    tables = {table.name: table for _, tables in analysed(graph) for table in tables}
    assert "published" in str(compared)
    assert "published" not in str(list(tables.values()))
    assert "Somboonviwat" not in str(list(tables.values()))
    assert "Thai-tourism, published" not in str(list(analysed(graph, compared=["thai2006"])))
    assert {table.name for table in compared} - set(tables) == {"languages_by_domain_published"}
    # What is measured stays: columns at the end go, none other.
    for table in compared:
        if table.name in ("facts", "locality", "segment_links", "domains", "seed_distance", "in_degrees"):
            width = len(tables[table.name].columns)
            assert [row[:width] for row in table.rows] == list(tables[table.name].rows)


def test_published_languages_by_domain_have_the_published_totals(draw: Draw) -> None:
    rows = rows_named(draw(), "languages_by_domain_published")
    assert rows[0][:6] == ("Thai", 588_082, 903_792, 70_777, 143_587, 1_706_238)
    assert rows[4] == ("Total", 1_141_559, 6_485_842, 869_730, 5_502_716, 13_999_847, 1.0)


def test_ratio_of_relevant_pages_within_each_distance_from_the_seed(draw: Draw) -> None:
    assert rows_named(draw(), "seed_distance") == [
        (0, 1, 1, 1, 1, 1.0),
        (1, 2, 1, 3, 2, 2 / 3),
        (2, 2, 1, 5, 3, 3 / 5),
        (3, 1, 0, 6, 3, 1 / 2),
        (4, 1, 1, 7, 4, 4 / 7),
    ]


def test_seed_reaches_eight_nodes_of_twelve(draw: Draw) -> None:
    assert rows_named(draw(), "reachability") == [
        ("nodes", 12, 8, 8 / 12),
        ("pages fetched", 10, 7, 0.7),
        ("relevant pages", 4, 4, 1.0),
    ]


def test_nearest_relevant_page_is_never_the_page_itself(draw: Draw) -> None:
    # 4 → 3 → 4 and 7 → 6 → 7 are loops; the ways from others are 0 → 3 → 4 and 0 → 3 → 5 → 6 → 7.
    assert rows_named(draw(), "nearest_relevant") == [
        (1, 2, 0.5),
        (2, 1, 0.25),
        (3, 0, 0.0),
        (4, 1, 0.25),
        ("no way", 0, 0.0),
    ]


def test_languages_on_the_way_between_relevant_pages(draw: Draw) -> None:
    table = table_named(draw(), "on_the_way")
    assert table.columns == ("distance", "pages on the way", "English", "unknown", "German", "other")
    assert list(table.rows) == [
        (2, 1, 1.0, 0.0, 0.0, 0.0),
        (3, 0, None, None, None, None),
        (4, 3, 1 / 3, 1 / 3, 1 / 3, 0.0),
    ]


def test_locality_counts_links_to_fetched_pages_only(draw: Draw) -> None:
    graph = draw()
    assert "12 of 14" in table_named(graph, "locality").note
    assert rows_named(graph, "locality", 5) == [
        ("relevant", "all", 5, 2, 0.4),
        ("relevant", "same domain", 4, 2, 0.5),
        ("relevant", "different domain", 1, 0, 0.0),
        ("relevant", "same server", 4, 2, 0.5),
        ("relevant", "different server", 1, 0, 0.0),
        ("irrelevant", "all", 7, 3, 3 / 7),
        ("irrelevant", "same domain", 7, 3, 3 / 7),
        ("irrelevant", "different domain", 0, 0, None),
        ("irrelevant", "same server", 6, 3, 0.5),
        ("irrelevant", "different server", 1, 0, 0.0),
    ]


def test_anchor_languages_against_destinations(draw: Draw) -> None:
    assert rows_named(draw(), "anchors", 5) == [
        ("relevant", "relevant", 2, 1, 0.5),
        ("relevant", "other", 3, 1, 1 / 3),
        ("irrelevant", "relevant", 1, 1, 1.0),
        ("irrelevant", "other", 6, 2, 1 / 3),
    ]


def test_segment_links_count_pairs_of_segments_once(draw: Draw) -> None:
    assert rows_named(draw(), "segment_links", 4) == [
        ("relevant website segment", 1, 0, 0.0),
        ("irrelevant website segment", 2, 2, 1.0),
    ]


def test_nation_names_are_found_in_anchors_and_in_paths_of_urls_but_not_in_hosts(draw: Draw) -> None:
    graph = draw()
    assert rows_named(graph, "segment_links_by_anchor", 4) == [
        ("names found in anchor", 1, 0, 0.0),
        ("no names found in anchor", 2, 2, 1.0),
    ]
    assert rows_named(graph, "segment_links_by_url", 4) == [
        ("names found in URL", 1, 1, 1.0),
        ("no names found in URL", 2, 1, 0.5),
    ]


def test_relevant_pages_per_server_and_segment(draw: Draw) -> None:
    graph = draw()
    assert rows_named(graph, "relevant_per_server", 5) == [
        ("0", 1, 0.25, 0.0, 0.0),
        ("1", 2, 0.5, 0.4, 0.5),
        ("2–3", 1, 0.25, 2 / 3, 0.5),
    ]
    assert rows_named(graph, "relevant_per_segment", 5) == [
        ("0", 2, 0.4, 0.0, 0.0),
        ("1", 2, 0.4, 0.4, 0.5),
        ("2–3", 1, 0.2, 1.0, 0.5),
    ]


def test_degrees_out_and_in(draw: Draw) -> None:
    graph = draw()
    assert rows_named(graph, "out_degrees", 5) == [
        ("0", 0, 0.0, 0, 0.0),
        ("1", 7, 0.7, 3, 0.75),
        ("2–3", 3, 0.3, 1, 0.25),
    ]
    assert rows_named(graph, "in_degrees", 5) == [
        ("0", 1, 1 / 12, 0, 0.0),
        ("1", 8, 8 / 12, 3, 0.75),
        ("2–3", 3, 3 / 12, 1, 0.25),
    ]
    assert in_degrees(graph).tolist() == [2, 1, 0, 2, 1, 1, 2, 1, 1, 1, 1, 1]


def test_components_weak_and_strong(draw: Draw) -> None:
    graph = draw()
    assert rows_named(graph, "weak_components") == [("2–3", 1, 3, 0.25, 0, 0.0), ("8–15", 1, 9, 0.75, 4, 1.0)]
    assert table_named(graph, "weak_components").note == "Components: 2; nodes in the largest: 9."
    # 0 ⇄ 1, 3 ⇄ 4, 6 ⇄ 7, 8 ⇄ 9, and 2, 5, 10, 11 alone.
    assert rows_named(graph, "strong_components") == [("1", 4, 4, 4 / 12), ("2–3", 4, 8, 8 / 12)]
    assert rows_named(graph, "bow_tie") == [
        ("strongly connected", 2, 2 / 12, 2, 2, 0.5),
        ("leads to it", 1, 1 / 12, 1, 0, 0.0),
        ("is reached from it", 6, 0.5, 5, 2, 0.5),
        ("neither", 3, 0.25, 2, 0, 0.0),
    ]


# A second web: Lao and Thai are relevant, page 0 links to itself and twice to 1, node 3 redirects to 6, the request
# for 5 failed though it is marked as relevant, and nothing leads to 7. Servers are of .la (0, 1), .com (2, 3, 4) and
# .org (5, 6, 7); the seeds are 0 and 4.
SECOND_LINKS = [[0, 1, 1, 2], [3], [4, 5], [6], [2], [], [2], [6]]
SECOND: dict[str, Sequence[object]] = {
    "server": [0, 0, 1, 1, 1, 2, 2, 2],
    "segment": [0, 0, 1, 1, 2, 3, 4, 4],
    "domain": [0, 0, 1, 1, 1, 2, 2, 2],
    "outcome": [0, 0, 0, Outcome.REDIRECT, 0, Outcome.FAILED, 0, 0],
    "language": [language_code(name) for name in ["lo", "th", "en", "", "vi", "", "lo", ""]],
    "relevant": [True, True, False, False, False, True, True, False],
    "offsets": [0, 4, 5, 7, 8, 9, 9, 10, 11],
    "targets": [target for targets in SECOND_LINKS for target in targets],
    "seeds": [0, 4],
    "anchor_language": [
        language_code(name) for name in ["lo", "th", "en", "en", "lo", "vi", "en", "", "th", "lo", "lo"]
    ],
}
SECOND_TABLES: dict[str, list[TableRow]] = {
    "facts": [
        ("nodes", 8, 39_078_797),
        ("pages fetched", 6, 13_999_847),
        ("nodes not fetched", 2, 25_078_950),
        ("relevant pages", 3, 1_706_238),
        ("links", 11, 123_836_342),
        ("servers", 3, 668_934),
        ("segments", 5, None),
        ("seeds", 2, 3),
    ],
    "languages_by_domain": [  # .la, .org, .com, Other
        ("Lao", 1, 1, 0, 0, 2, 2 / 6),
        ("Thai", 1, 0, 0, 0, 1, 1 / 6),
        ("English", 0, 0, 1, 0, 1, 1 / 6),
        ("Other", 0, 0, 1, 0, 1, 1 / 6),
        ("Unknown", 0, 1, 0, 0, 1, 1 / 6),
        ("Total", 2, 2, 2, 0, 6, 1.0),
    ],
    "languages": [
        ("Lao", 2, 2 / 6),
        ("Vietnamese", 1, 1 / 6),
        ("Thai", 1, 1 / 6),
        ("English", 1, 1 / 6),
        ("Unknown", 1, 1 / 6),
    ],
    "domains": [(".la", 2, 1 / 3, None), (".com", 2, 1 / 3, 0.464), (".org", 2, 1 / 3, 0.057)],
    # 0 and 4; 1 and 2; 3 and 5, neither of them a page; 6.
    "seed_distance": [(0, 2, 1, 2, 1, 0.5), (1, 2, 1, 4, 2, 0.5), (2, 0, 0, 4, 2, 0.5), (3, 1, 1, 5, 3, 0.6)],
    "reachability": [("nodes", 8, 7, 7 / 8), ("pages fetched", 6, 5, 5 / 6), ("relevant pages", 3, 3, 1.0)],
    # 0 → 1 and 1 → 3 → 6; only its own link leads to 0.
    "nearest_relevant": [(1, 1, 1 / 3), (2, 1, 1 / 3), ("no way", 1, 1 / 3)],
    "on_the_way": [(2, 1, 1.0, 0.0)],
    # Pages of relevant ones: 0 → 0, 1, 1, 2 and 6 → 2; of others: 2 → 4, 4 → 2, 7 → 6.
    "locality": [
        ("relevant", "all", 5, 3, 0.6, 0.713, 27_542_015),
        ("relevant", "same domain", 3, 3, 1.0, 0.830, None),
        ("relevant", "different domain", 2, 0, 0.0, 0.307, None),
        ("relevant", "same server", 3, 3, 1.0, 0.841, None),
        ("relevant", "different server", 2, 0, 0.0, 0.385, None),
        ("irrelevant", "all", 3, 1, 1 / 3, 0.031, 1_760_768),
        ("irrelevant", "same domain", 3, 1, 1 / 3, 0.023, None),
        ("irrelevant", "different domain", 0, 0, None, 0.062, None),
        ("irrelevant", "same server", 3, 1, 1 / 3, 0.030, None),
        ("irrelevant", "different server", 0, 0, None, 0.032, None),
    ],
    "anchors": [
        ("relevant", "relevant", 3, 2, 2 / 3, 0.811, 9_090_883),
        ("relevant", "other", 2, 1, 0.5, 0.660, 20_328_096),
        ("irrelevant", "relevant", 2, 1, 0.5, 0.026, 73_328),
        ("irrelevant", "other", 1, 0, 0.0, 0.027, 1_787_553),
    ],
    # Segments 0 → 1, 4 → 1; 1 → 2, 2 → 1. A redirect is no page: 3 → 6 does not count.
    "segment_links": [
        ("relevant website segment", 2, 0, 0.0, 0.8235, 0.5939, 0.6247),
        ("irrelevant website segment", 2, 0, 0.0, 0.0046, 0.2201, 0.0673),
    ],
    "relevant_per_server": [
        ("0", 1, 1 / 3, 0.0, 0.0),
        ("1", 1, 1 / 3, 0.5, 1 / 3),
        ("2–3", 1, 1 / 3, 1.0, 2 / 3),
    ],
    "relevant_per_segment": [("0", 2, 0.5, 0.0, 0.0), ("1", 1, 0.25, 0.5, 1 / 3), ("2–3", 1, 0.25, 1.0, 2 / 3)],
    "out_degrees": [
        ("0", 0, 0.0, 0, 0.0),
        ("1", 4, 4 / 6, 2, 2 / 3),
        ("2–3", 1, 1 / 6, 0, 0.0),
        ("4–7", 1, 1 / 6, 1, 1 / 3),
    ],
    "in_degrees": [("0", 1, 1 / 8, 0, 0.0), ("1", 4, 0.5, 1, 1 / 3), ("2–3", 3, 3 / 8, 2, 2 / 3)],
    "weak_components": [("8–15", 1, 8, 1.0, 3, 1.0)],
    "strong_components": [("1", 6, 6, 0.75), ("2–3", 1, 2, 0.25)],  # 2 ⇄ 4
    "bow_tie": [  # around 2, to which three links lead and which has two
        ("strongly connected", 2, 0.25, 2, 0, 0.0),
        ("leads to it", 5, 5 / 8, 4, 3, 1.0),
        ("is reached from it", 1, 1 / 8, 0, 0, 0.0),
        ("neither", 0, 0.0, 0, 0, 0.0),
    ],
}


def test_every_table_of_a_second_web_is_as_worked_out_on_paper(draw: Draw) -> None:
    graph = draw(Manifest(languages=["lo", "th"], domains=["la", "com", "org"]), texts=False, **SECOND)
    found = {table.name: list(table.rows) for _, tables in analysed(graph, compared=ALL_PUBLISHED) for table in tables}
    assert {name: found[name] for name in SECOND_TABLES} == SECOND_TABLES


def test_graph_without_seeds_says_so_in_place_of_distances(draw: Draw) -> None:
    graph = draw(seeds=[])
    for name in ("seed_distance", "reachability"):
        assert "has no seeds" in str(rows_named(graph, name))


@pytest.mark.parametrize(
    ("name", "missing"),
    [("anchors", "anchor_language"), ("segment_links_by_anchor", "anchor"), ("segment_links_by_url", "url")],
)
def test_table_says_which_column_is_missing(draw: Draw, name: str, missing: str) -> None:
    table = table_named(draw(texts=False, anchor_language=None), name)
    assert table.columns == ("missing",)
    assert f"no column {missing}" in str(table.rows[0][0])


@pytest.mark.parametrize("names", [None, "thai", [], {"a": 1}, [7]])
def test_table_says_that_names_and_languages_are_missing(draw: Draw, names: object) -> None:
    graph = draw(Manifest(domains=FACTS.domains, provenance={"nation_names": names}))
    assert "nation_names" in str(rows_named(graph, "segment_links_by_anchor"))
    assert "names no language" in str(rows_named(graph, "anchors"))


def test_empty_graph_has_all_tables(draw: Draw) -> None:
    graph = draw(Manifest(), texts=False, **{name: [0] if name == "offsets" else [] for name in COLUMNS})
    assert [name for name, tables in analysed(graph) if tables] == list(ANALYSES)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("targets", [*[0] * 13, 12]),
        ("targets", [0] * 13),
        ("seeds", [12]),
        ("offsets", [0, 3, 2, *[14] * 10]),
        ("offsets", [1, *[14] * 12]),
        ("offsets", []),
        ("server", [0] * 11),
        ("server", [*[0] * 11, 12]),
        ("domain", [*[0] * 11, 3]),
        ("outcome", [*[0] * 11, 77]),
        ("anchor_language", [0] * 3),
    ],
)
def test_columns_that_do_not_fit_are_refused_in_one_line(draw: Draw, column: str, values: list[int]) -> None:
    with pytest.raises(
        GraphError, match=r"npy does not fit the manifest and other columns\. Make the graph anew"
    ) as refusal:
        list(analysed(draw(**{column: values})))
    assert len(str(refusal.value).splitlines()) == 1


def test_unknown_analysis_is_refused_with_the_names_there_are(draw: Draw) -> None:
    with pytest.raises(
        ConfigError, match=r"no analysis 'localty'\. Choose from: facts, servers, languages, .*components"
    ):
        list(analysed(draw(), ["localty"]))


@pytest.mark.parametrize("links", [1, 2, 3, 5, 14, 100])
def test_parts_of_any_size_hold_every_link_once_in_order(draw: Draw, links: int) -> None:
    parts = list(link_parts(draw(), links))
    assert max(len(part.targets) for part in parts) <= links
    found = [pair for part in parts for pair in zip(part.sources.tolist(), part.targets.tolist(), strict=True)]
    assert found == [(source, target) for source, targets in enumerate(LINKS) for target in targets]


def test_powers_of_two_reach_the_largest() -> None:
    assert powers_of_two(0) == [(0, 0)]
    assert powers_of_two(4) == [(0, 0), (1, 1), (2, 3), (4, 7)]


webs = st.integers(1, 12).flatmap(
    lambda nodes: st.lists(st.lists(st.integers(0, nodes - 1), max_size=4), min_size=nodes, max_size=nodes)
)


def rows_of(web: Web) -> LinkRows:
    offsets = np.cumsum([0, *map(len, web)], dtype=np.int64)
    return LinkRows(offsets, np.array([target for targets in web for target in targets], dtype=np.uint32))


def distances_from(web: Web, start: int, walls: frozenset[int] = frozenset()) -> dict[int, int]:
    """The plain way: a queue. Nodes in `walls` are reached but not left."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        if node in walls and node != start:
            continue
        for target in web[node]:
            if target not in found:
                found[target] = found[node] + 1
                waiting.append(target)
    return found


@given(webs, st.data())
def test_levels_are_those_of_a_queue(web: Web, data: st.DataObject) -> None:
    seeds = data.draw(st.lists(st.integers(0, len(web) - 1), max_size=3))
    levels = levels_from(rows_of(web), np.array(seeds, dtype=np.uint32))
    ways = [distances_from(web, seed) for seed in seeds]
    assert levels.tolist() == [
        min((found[node] for found in ways if node in found), default=NEVER) for node in range(len(web))
    ]


def test_levels_of_a_large_web_are_those_of_a_queue() -> None:
    # Large enough that narrow and wide levels are gathered in their own ways: a chain leads into a tangle.
    chance = np.random.default_rng(5)
    web = [[node + 1] for node in range(300)] + [chance.integers(200, 3_000, 2).tolist() for _ in range(2_700)]
    found = distances_from(web, 0)
    levels = levels_from(rows_of(web), np.array([0], dtype=np.uint32))
    assert levels.tolist() == [found.get(node, NEVER) for node in range(len(web))]


@given(webs, st.integers(1, 5))
def test_links_found_in_parts_are_all_links(web: Web, links: int) -> None:
    nodes = np.arange(len(web), dtype=np.uint32)[::-1].copy()
    parts = list(links_from(rows_of(web), nodes, links))
    found = [pair for places, targets in parts for pair in zip(nodes[places].tolist(), targets.tolist(), strict=True)]
    assert found == [(node, target) for node in nodes.tolist() for target in web[node]]


@given(webs, st.data())
def test_nearest_relevant_pages_are_those_of_a_queue_from_each(web: Web, data: st.DataObject) -> None:
    relevant = data.draw(st.frozensets(st.integers(0, len(web) - 1)))
    flags = np.array([node in relevant for node in range(len(web))])
    ways = {node: distances_from(web, node, relevant) for node in relevant}
    expected = [
        min((ways[other][node] for other in relevant - {node} if node in ways[other]), default=0)
        if node in relevant
        else 0
        for node in range(len(web))
    ]
    assert find_nearest_relevant(rows_of(web), flags).distance.tolist() == expected


@given(webs)
def test_weak_components_are_those_of_a_queue_both_ways(web: Web) -> None:
    both: Web = [[] for _ in web]
    for source, targets in enumerate(web):
        for target in targets:
            both[source].append(target)
            both[target].append(source)
    links = [(source, target) for source, targets in enumerate(web) for target in targets]
    left, right = np.array(links, dtype=np.uint32).reshape(-1, 2).T
    labels = np.arange(len(web), dtype=np.uint32)
    _join(labels, left, right)
    assert _roots(labels, labels).tolist() == [min(distances_from(both, node)) for node in range(len(web))]


def component_sizes(offsets: list[int], targets: list[int]) -> list[int]:
    """The sizes of the strongly connected components, by Tarjan's algorithm without recursion: a slow reference."""
    count = len(offsets) - 1
    order, low, is_open = [0] * count, [0] * count, [False] * count
    following, opened, sizes, seen = offsets[:count], list[int](), list[int](), 0
    for root in range(count):
        path = [] if order[root] else [root]
        while path:
            node = path[-1]
            if not order[node]:
                seen += 1
                order[node] = low[node] = seen
                is_open[node] = True
                opened.append(node)
            if following[node] < offsets[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if not order[target]:
                    path.append(target)
                elif is_open[target]:
                    low[node] = min(low[node], order[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            if low[node] == order[node]:
                sizes.append(_close(opened, is_open, node))
    return sizes


def _close(opened: list[int], is_open: list[bool], last: int) -> int:
    """Takes a component off the stack; how many nodes it has."""
    size, node = 0, -1
    while node != last:
        node = opened.pop()
        is_open[node] = False
        size += 1
    return size


@given(webs)
def test_strong_components_are_nodes_that_reach_each_other(web: Web) -> None:
    reached = [set(distances_from(web, node)) for node in range(len(web))]
    together = {frozenset(other for other in reached[node] if node in reached[other]) for node in range(len(web))}
    rows = rows_of(web)
    assert sorted(component_sizes(rows.offsets.tolist(), rows.targets.tolist())) == sorted(map(len, together))


@pytest.mark.parametrize("seed", range(20))
def test_strong_components_of_a_graph_are_those_of_its_links(draw: Draw, seed: int) -> None:
    # About one link a node: many small components, and tails that must be cut off.
    targets = np.random.default_rng(seed).integers(0, 12, 14)
    rows = LinkRows(np.array(COLUMNS["offsets"], dtype=np.int64), targets.astype(np.uint32))
    expected = component_sizes(rows.offsets.tolist(), rows.targets.tolist())
    found = strong_components(draw(targets=targets.tolist()))
    assert sorted(found.sizes.tolist()) == sorted(size for size in expected if size > 1)


@pytest.mark.parametrize("seed", range(6))
def test_strong_components_of_larger_graphs_are_those_of_the_reference(draw: Draw, seed: int) -> None:
    # Links that repeat, lead to their own page, and leave most nodes without any: rows as crawls have them.
    chance, nodes = np.random.default_rng(seed), 3_000
    counts = chance.choice([0, 0, 1, 2, 5], nodes)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    targets = chance.integers(0, nodes, offsets[-1]) // chance.integers(1, 3, offsets[-1])
    targets[1::7] = targets[::7][: len(targets[1::7])]
    columns = {name: np.zeros(nodes, dtype=np.int64) for name in ("server", "segment", "domain", "outcome", "language")}
    columns |= {"relevant": np.zeros(nodes, dtype=np.bool_), "anchor_language": np.zeros(len(targets), dtype=np.int64)}
    graph = draw(FACTS, False, **columns, offsets=offsets, targets=targets)
    found = strong_components(graph)
    expected = component_sizes(offsets.tolist(), targets.tolist())
    assert sorted(found.sizes.tolist()) == sorted(size for size in expected if size > 1)
    assert int(np.count_nonzero(found.forward & found.backward)) in expected


@pytest.mark.parametrize("together", [[], [0, 1, 3, 4], [6, 7], [9, 11]])
def test_weak_components_do_not_depend_on_what_is_known_before(draw: Draw, together: list[int]) -> None:
    labels = weak_labels(draw(), np.isin(np.arange(12), together))
    assert labels.tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 0, 8]


def test_long_chain_is_one_component() -> None:
    chain = np.arange(100_000, dtype=np.uint32)
    for order in (chain, chain[::-1].copy()):
        labels = chain.copy()
        _join(labels, order[:-1], order[1:])
        assert not _roots(labels, labels).any()


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_distinct_numbers_are_a_sorted_set(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, dtype=np.uint32)).tolist() == sorted(set(numbers))
