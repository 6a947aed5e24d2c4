"""Examples for link models from small webs: one drawn by hand, expected values from paper, and many drawn by chance.

Server a (.th) has pages 0 and 1 in one segment and 2 in another; b (.com) has 3 and 4, a segment each; c (.com) has 5
and 6, one segment, 6 only known; d (.net) has 7. Relevant is 3. Links are numbered in the order of LINKS.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, country_code
from exonym.errors import ConfigError
from exonym.models.links.base import LinkPool
from exonym.training.links.back_link_file import BackLink, BackLinks
from exonym.training.links.back_links import Listed
from exonym.training.links.link_examples import Gathered, Gathering, degrees_of, gather_links, part_of
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.manifest import Manifest
from exonym.webgraph.url_spelling import url_of

LINKS = [[3, 1], [2], [5, 5, 6], [4, 5], [5], [7, 0], [], [1]]
COUNT = sum(map(len, LINKS))
COLUMNS: dict[str, Sequence[object]] = {
    "server": [0, 0, 0, 1, 1, 2, 2, 3],
    "segment": [0, 0, 1, 2, 3, 4, 4, 5],
    "domain": [0, 0, 0, 1, 1, 1, 1, 2],
    "outcome": [*[Outcome.PAGE] * 6, KNOWN, Outcome.PAGE],
    "language": [0] * 8,
    "relevant": [node == 3 for node in range(8)],
    "offsets": [0, 2, 3, 6, 8, 9, 11, 11, 12],
    "targets": [target for targets in LINKS for target in targets],
    "seeds": [0],
}
FACTS = Manifest(domains=["th", "com", "net"])
TEXTS = {
    "anchor": [f"anchor {link}" for link in range(COUNT)],
    "around": [f"around {link}" for link in range(COUNT)],
    "url": [f"http://example.com/{node}/" for node in range(8)],
}
POOLS: tuple[LinkPool, ...] = ("link", "pair")

Draw = Callable[..., Graph]


def written(directory: Path, columns: dict[str, Sequence[object]], texts: dict[str, list[str]]) -> Graph:
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, np.array(values))
        for name, column in texts.items():
            writer.put_texts(name, column)
        writer.finish(FACTS)
    return Graph.open(directory)


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    """Writes the web with other columns in place of its own, without the texts named, and opens it."""

    def made(without: Sequence[str] = (), **changed: Sequence[object]) -> Graph:
        texts = {name: column for name, column in TEXTS.items() if name not in without}
        return written(tmp_path / "graph", {**COLUMNS, **changed}, texts)

    return made


def relevant(*nodes: int) -> list[bool]:
    return [node in nodes for node in range(8)]


def counts_of(gathered: Gathered) -> tuple[int, int, int, int, int]:
    return (
        gathered.seeds,
        gathered.back_links,
        gathered.pages,
        gathered.segments,
        gathered.relevant_segments,
    )


def test_a_link_between_servers_is_an_example_once_for_each_pair_of_segments(draw: Draw) -> None:
    # 0 links to 3. From 0, two hops reach 1 and 3, then 2, 4 and 5; 7 would be the third hop. Links 1, 2, 6 stay on a
    # server, 4 and 5 lead to the same segment as 3 does, 9 leads out of the part.
    gathered = gather_links(draw(), Gathering(pool="link"))
    assert counts_of(gathered) == (1, 1, 6, 5, 1)
    examples = gathered.examples
    assert examples.texts.anchors == ["anchor 0", "anchor 3", "anchor 7", "anchor 8", "anchor 10"]
    assert examples.texts.around == ["around 0", "around 3", "around 7", "around 8", "around 10"]
    assert examples.texts.urls == [f"http://example.com/{node}/" for node in (3, 5, 5, 5, 0)]
    assert examples.texts.source_domains == ["th", "th", "com", "com", "com"]
    assert examples.degrees.tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert examples.relevant.tolist() == [True, False, False, False, False]
    assert examples.sites.tolist() == [1, 2, 2, 2, 0]


def test_pooled_an_example_has_all_links_of_its_pair(draw: Draw) -> None:
    graph = draw()
    one_each, pooled = (gather_links(graph, Gathering(pool=pool)).examples for pool in POOLS)
    assert pooled.texts.anchors == [f"anchor {link}" for link in (0, 3, 4, 5, 7, 8, 10)]
    assert pooled.lengths is not None
    assert pooled.lengths.tolist() == [1, 3, 1, 1, 1]
    assert [pooled.texts.anchors[at] for at in pooled.first_links.tolist()] == one_each.texts.anchors
    for name in ("degrees", "relevant", "sites"):
        assert getattr(pooled, name).tolist() == getattr(one_each, name).tolist()


def test_a_link_between_sites_is_an_example_once_for_each_pair_of_servers(draw: Draw) -> None:
    # Of the same part, server a has no relevant page, b one of two, c none; d is out of it. Links 5 and 8 are between
    # the servers of 3 and 7.
    gathered = gather_links(draw(), Gathering(unit="site", pool="link"))
    assert counts_of(gathered) == (1, 1, 6, 3, 1)
    examples = gathered.examples
    assert examples.unit == "site"
    assert examples.texts.anchors == ["anchor 0", "anchor 3", "anchor 7", "anchor 10"]
    assert examples.degrees.tolist() == [0.0, 0.0, 0.5, 0.0]
    assert examples.relevant.tolist() == [True, False, False, False]
    assert examples.sites.tolist() == [1, 2, 2, 0]


def test_a_link_between_pages_is_an_example_once_for_each_pair_of_pages_on_different_servers(draw: Draw) -> None:
    # 4 repeats 3, and 6, where 5 leads, was never fetched.
    gathered = gather_links(draw(), Gathering(unit="page", pool="link"))
    assert counts_of(gathered) == (1, 1, 6, 6, 1)
    examples = gathered.examples
    assert examples.texts.anchors == ["anchor 0", "anchor 3", "anchor 7", "anchor 8", "anchor 10"]
    assert examples.degrees.tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]  # 3, the source of 7, is relevant
    assert examples.relevant.tolist() == [True, False, False, False, False]


def test_the_degree_of_a_source_page_is_its_relevance_if_the_graph_has_it(draw: Draw) -> None:
    relevance = np.array([0.25, 0, 0.5, 0.75, 0, 0, 0, 0], dtype=np.float32)
    examples = gather_links(draw(relevance=relevance), Gathering(unit="page", pool="link")).examples  # type: ignore[arg-type]
    assert examples.degrees.tolist() == [0.25, 0.5, 0.75, 0.0, 0.0]
    assert examples.relevant.tolist() == [True, False, False, False, False]


def test_one_hop_reaches_less(draw: Draw) -> None:
    gathered = gather_links(draw(), Gathering(hops=1))
    assert counts_of(gathered) == (1, 1, 3, 2, 1)
    assert gathered.examples.texts.anchors == ["anchor 0"]


def test_no_hop_reaches_the_back_links_alone(draw: Draw) -> None:
    gathered = gather_links(draw(), Gathering(hops=0))
    assert counts_of(gathered) == (1, 1, 1, 1, 0)
    assert len(gathered.examples) == 0


def test_seeds_that_nobody_links_to_are_begun_from_themselves(tmp_path: Path) -> None:
    # Without the link from 5 to 7, which is link 9. 7 links to 1, which links to 2: only 7 → 1 is between servers.
    changed: dict[str, Sequence[object]] = {
        "offsets": [0, 2, 3, 6, 8, 9, 10, 10, 11],
        "targets": [3, 1, 2, 5, 5, 6, 4, 5, 5, 0, 1],
        "relevant": relevant(7),
    }
    texts = {"anchor": [text for text in TEXTS["anchor"] if text != "anchor 9"]}
    gathered = gather_links(written(tmp_path / "graph", {**COLUMNS, **changed}, texts), Gathering())
    assert counts_of(gathered) == (1, 1, 3, 3, 1)
    assert gathered.examples.texts.anchors == ["anchor 11"]
    assert gathered.examples.degrees.tolist() == [1.0]
    assert gathered.examples.relevant.tolist() == [False]


def test_a_graph_without_texts_of_links_is_refused_with_advice(draw: Draw) -> None:
    with pytest.raises(ConfigError, match=r"no texts of links\. Import it without --no-anchors"):
        gather_links(draw(without=["anchor"]), Gathering())


@pytest.mark.parametrize(("threshold", "expected"), [(0.5, ["0", "10", "11"]), (0.51, ["0"]), (1.0, ["0"])])
def test_a_segment_is_relevant_from_the_threshold_on(draw: Draw, threshold: float, expected: list[str]) -> None:
    # 0 and 3 are relevant: the segment of 0 and 1 has degree one half. 5 links to 0, and from there 7 is reached too.
    gathered = gather_links(draw(relevant=relevant(0, 3)), Gathering(threshold=threshold, pool="link"))
    assert gathered.pages == 7
    found = zip(gathered.examples.texts.anchors, gathered.examples.relevant.tolist(), strict=True)
    assert [anchor.removeprefix("anchor ") for anchor, is_relevant in found if is_relevant] == expected


def test_degrees_count_fetched_pages_of_the_part_only(draw: Draw) -> None:
    graph = draw(relevant=relevant(0, 5, 6))
    part = np.array([node in (0, 1, 3, 5) for node in range(8)])
    degrees = degrees_of(graph, part).tolist()
    assert degrees[0] == 0.5
    assert degrees[2] == 0.0
    assert degrees[4] == 1.0  # 6 is no page
    assert np.isnan([degrees[1], degrees[3], degrees[5]]).all()


def test_a_page_that_was_never_fetched_is_no_seed(draw: Draw) -> None:
    with pytest.raises(ConfigError, match="no relevant page"):
        gather_links(draw(relevant=relevant(6)), Gathering())


def test_no_more_seeds_are_taken_than_asked_for(draw: Draw) -> None:
    graph = draw(relevant=relevant(*range(8)))
    assert [gather_links(graph, Gathering(seeds=number)).seeds for number in (1, 3, 1_000)] == [1, 3, 7]


def test_seed_decides_which_pages_are_begun_from(draw: Draw) -> None:
    graph = draw(relevant=relevant(*range(8)))
    found = [gather_links(graph, Gathering(seeds=1, hops=0, seed=seed)).examples.texts.anchors for seed in range(20)]
    again = [gather_links(graph, Gathering(seeds=1, hops=0, seed=seed)).examples.texts.anchors for seed in range(20)]
    assert found == again
    assert len({tuple(anchors) for anchors in found}) > 1


def test_countries_are_those_of_servers_where_the_graph_knows_them(draw: Draw) -> None:
    of_server = [country_code(code) for code in ("US", "TH", "", "DE")]
    graph = draw(country=[of_server[int(str(server))] for server in COLUMNS["server"]])
    texts = gather_links(graph, Gathering(pool="link")).examples.texts
    assert texts.source_countries == ["US", "US", "TH", "TH", ""]
    assert texts.countries == ["TH", "", "", "", "US"]


def test_countries_go_by_domain_where_the_graph_knows_none(draw: Draw) -> None:
    texts = gather_links(draw(), Gathering(pool="link")).examples.texts
    assert texts.source_countries == ["TH", "TH", "", "", ""]
    assert texts.countries == ["", "", "", "", "TH"]


def test_words_around_links_may_be_missing(draw: Draw) -> None:
    assert gather_links(draw(without=["around"]), Gathering(pool="link")).examples.texts.around == [""] * 5


def test_urls_are_spelled_where_none_were_kept(draw: Draw) -> None:
    urls = gather_links(draw(without=["url"]), Gathering(pool="link")).examples.texts.urls
    assert len(set(urls)) == 3
    assert all(url.startswith("http://www.") for url in urls)


# Back-links of a file


def named(*links: tuple[str, str]) -> Gathering:
    """A gathering with back-links of a file: sources and targets, as ends of addresses."""
    listed = (BackLink(*(f"http://example.com/{end}" if end else "" for end in link)) for link in links)
    return Gathering(back_links=BackLinks(Path("links.txt"), tuple(listed), {"no text": 2}), pool="link")


def test_pages_that_a_file_names_are_added_to_those_that_link(draw: Draw) -> None:
    # Beside 0, which links to the seed, 7 is begun from: links 9 (to 7) and 11 (from 7) come in.
    gathered = gather_links(draw(), named(("7/", "")))
    assert counts_of(gathered) == (1, 2, 7, 6, 1)
    assert gathered.examples.texts.anchors == [f"anchor {link}" for link in (0, 3, 7, 8, 9, 10, 11)]
    assert gathered.listed == Listed(
        "links.txt", links=1, to_seeds=1, in_graph=1, pages=1, new=1, skipped={"no text": 2}
    )


def test_where_targets_are_named_only_back_links_of_seeds_count(draw: Draw) -> None:
    part = part_of(draw(), named(("7/", "3/"), ("4/", "5/"), ("2/", "none/"), ("5/", "")))
    assert np.flatnonzero(part.back_links).tolist() == [0, 5, 7]
    assert part.listed is not None
    assert part.listed[1:6] == (4, 2, 2, 2, 2)


def test_what_is_not_in_the_graph_is_counted_and_left_out(draw: Draw) -> None:
    # 6 was never fetched; 0 links to the seed by the graph, too; 7 is named twice.
    part = part_of(draw(), named(("6/", ""), ("0/", ""), ("7/", ""), ("7/", "3/"), ("elsewhere/", "")))
    assert np.flatnonzero(part.back_links).tolist() == [0, 7]
    assert part.listed is not None
    assert part.listed[1:6] == (5, 5, 3, 2, 1)
    told = "3 of 5 back-links are in the graph; they are on 2 pages, 1 of which have no such link in the graph"
    assert part.listed.summary() == f"{told}; 2 left out: no text"


def test_back_links_to_other_pages_are_told() -> None:
    listed = Listed("links.txt", links=2_000, to_seeds=1_500, in_graph=1_204, pages=1_204, new=1_000, skipped={})
    assert listed.summary().startswith("1,204 of 1,500 back-links are in the graph; ")
    assert listed.summary().endswith("; 500 others lead to no seed")


@pytest.mark.parametrize("end", ["6/", "elsewhere/", "7"])
def test_file_without_a_page_of_the_graph_is_refused(draw: Draw, end: str) -> None:
    message = f"links.txt: none of its 1 back-links is a page of .*graph, for example http://example.com/{end}"
    with pytest.raises(ConfigError, match=message):
        part_of(draw(), named((end, "")))


def test_file_of_back_links_to_other_pages_is_refused_with_advice(draw: Draw) -> None:
    message = "none of its 2 back-links leads to .* 1 seeds, for example http://example.com/7/.*targets come first"
    with pytest.raises(ConfigError, match=message):
        part_of(draw(), named(("3/", "7/"), ("3/", "5/")))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_address_without_a_scheme_is_found_under_either(tmp_path: Path, scheme: str) -> None:
    texts = {**TEXTS, "url": [f"{scheme}://example.com/{node}/" for node in range(8)]}
    listed = BackLinks(Path("links.txt"), (BackLink("//example.com/7/", "//example.com/3/"),), {})
    part = part_of(written(tmp_path / "graph", COLUMNS, texts), Gathering(back_links=listed))
    assert np.flatnonzero(part.back_links).tolist() == [0, 7]


def test_redirect_that_a_file_names_is_gone_on_from(draw: Draw) -> None:
    outcome = [Outcome.PAGE] * 6 + [KNOWN, Outcome.REDIRECT]
    part = part_of(draw(outcome=outcome), named(("7/", "")))
    assert np.flatnonzero(part.back_links).tolist() == [0, 7]
    assert np.flatnonzero(part.pages).tolist() == [0, 1, 2, 3, 4, 5]


def test_seeds_that_only_the_file_tells_links_to_are_not_begun_from_themselves(draw: Draw) -> None:
    # The link from 3 to 4 leads to 5 instead, so that nobody links to 4, the seed. From 7, two hops reach 1 and 2.
    targets = [3, 1, 2, 5, 5, 6, 5, 5, 5, 7, 0, 1]
    graph = draw(targets=targets, relevant=relevant(4))
    assert np.flatnonzero(part_of(graph, Gathering()).back_links).tolist() == [4]
    part = part_of(graph, named(("7/", "4/")))
    assert np.flatnonzero(part.back_links).tolist() == [7]
    assert np.flatnonzero(part.pages).tolist() == [1, 2, 7]


class Web(NamedTuple):
    """A web as plain lists."""

    links: list[list[int]]
    segments: list[int]  # two of them a server
    fetched: list[bool]
    relevant: list[bool]


@st.composite
def webs(draw: st.DrawFn) -> Web:
    nodes = draw(st.integers(1, 12))
    fetched = draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes))
    numbers = draw(st.lists(st.integers(0, 5), min_size=nodes, max_size=nodes))
    targets = st.lists(st.integers(0, nodes - 1), max_size=4)
    return Web(
        links=[draw(targets) if is_fetched else [] for is_fetched in fetched],
        # Numbers without gaps, as graphs have them.
        segments=[sorted(set(numbers)).index(number) for number in numbers],
        fetched=fetched,
        relevant=draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes)),
    )


def drawn(web: Web, directory: Path) -> Graph:
    columns: dict[str, Sequence[object]] = {
        "server": [segment // 2 for segment in web.segments],
        "segment": web.segments,
        "domain": [0] * len(web.segments),
        "outcome": [Outcome.PAGE if is_fetched else KNOWN for is_fetched in web.fetched],
        "language": [0] * len(web.segments),
        "relevant": web.relevant,
        "offsets": [sum(map(len, web.links[:node])) for node in range(len(web.links) + 1)],
        "targets": [target for targets in web.links for target in targets],
        "seeds": [],
    }
    return written(directory, columns, {"anchor": [str(link) for link in range(sum(map(len, web.links)))]})


class Row(NamedTuple):
    anchors: list[str]
    degree: float
    relevant: bool
    site: int


def gathered_plainly(web: Web, hops: int, threshold: float, named: set[int], pool: LinkPool) -> list[Row]:
    """The same, page by page, with pages that a file names."""
    pages = [node for node, is_fetched in enumerate(web.fetched) if is_fetched]
    seeds = [node for node in pages if web.relevant[node]]
    linking = {node for node in pages if set(web.links[node]) & set(seeds)}
    reached = linking | (named & set(pages)) or set(seeds)
    for _ in range(hops):
        reached |= {target for node in reached for target in web.links[node]}
    part = [node for node in pages if node in reached]
    held: dict[int, list[bool]] = {}
    for node in part:
        held.setdefault(web.segments[node], []).append(web.relevant[node])
    degrees = {segment: sum(flags) / len(flags) for segment, flags in held.items()}
    rows: dict[tuple[int, int], Row] = {}
    for node in part:
        for place, target in enumerate(web.links[node]):
            source, aim = web.segments[node], web.segments[target]
            if source // 2 != aim // 2 and aim in degrees:
                anchor = str(sum(map(len, web.links[:node])) + place)
                row = rows.setdefault((source, aim), Row([], degrees[source], degrees[aim] >= threshold, aim // 2))
                if pool == "pair" or not row.anchors:
                    row.anchors.append(anchor)
    return list(rows.values())


def listed_in(graph: Graph, nodes: set[int]) -> BackLinks | None:
    links = tuple(BackLink(url_of(graph, node)) for node in sorted(nodes))
    return BackLinks(Path("links.txt"), links, {}) if links else None


@given(
    web=webs(),
    hops=st.integers(0, 3),
    threshold=st.sampled_from([0.25, 0.5, 1.0]),
    chosen=st.sets(st.integers(0, 11), max_size=3),
    pool=st.sampled_from(POOLS),
)
def test_examples_are_those_of_a_plain_second_implementation(
    web: Web, hops: int, threshold: float, chosen: set[int], pool: LinkPool
) -> None:
    pages = {node for node, is_fetched in enumerate(web.fetched) if is_fetched}
    chosen &= set(range(len(web.fetched)))
    with tempfile.TemporaryDirectory() as directory:
        graph = drawn(web, Path(directory) / "graph")
        gathering = Gathering(hops=hops, threshold=threshold, back_links=listed_in(graph, chosen), pool=pool)
        if not any(web.relevant[node] for node in pages) or (chosen and not chosen & pages):
            with pytest.raises(ConfigError):
                gather_links(graph, gathering)
            return
        found = gather_links(graph, gathering).examples
        anchors = [part.tolist() for part in np.split(np.array(found.texts.anchors), found.first_links[1:])]
        columns = (anchors[: len(found)], found.degrees.tolist(), found.relevant.tolist(), found.sites.tolist())
        expected = gathered_plainly(web, hops, threshold, chosen, pool)
        assert [Row(*row) for row in zip(*columns, strict=True)] == expected
