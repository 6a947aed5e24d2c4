"""Generated webs: the same from the same seed, whole, spelled both ways; profiles; and the check."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, language_code
from exonym.cli.graph.generate import check as check_command
from exonym.cli.graph.generate import generate as generate_command
from exonym.errors import ConfigError, DirectoryError
from exonym.published import thai_web
from exonym.urls import normal_form, segment_of, server_of, top_level_domain_of
from exonym.webgraph import Graph, GraphWriter, url_spelling
from exonym.webgraph.analyses.nearest_relevant import find_nearest_relevant, tables_of_nearest_relevant
from exonym.webgraph.analyses.search import LinkRows
from exonym.webgraph.generating.check import check_graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.population import populate, spread
from exonym.webgraph.generating.profile import load_profile, profile_names
from exonym.webgraph.generating.remote_sites import draw_remote_sites
from exonym.webgraph.graph import KNOWN, REQUIRED
from exonym.webgraph.manifest import Manifest

PAGES = 10_000


def made(directory: Path, pages: int = PAGES, seed: int = 7, profile: str = "thai2006") -> Graph:
    generate(directory, Order(pages, seed, profile, load_profile(profile)))
    return Graph.open(directory)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return made(tmp_path_factory.mktemp("webs") / "graph")


def sources_of(graph: Graph) -> np.ndarray:
    return np.repeat(np.arange(len(graph)), np.diff(graph.offsets))


def test_same_seed_gives_the_same_web_and_another_seed_another(graph: Graph, tmp_path: Path) -> None:
    again, other = made(tmp_path / "again"), made(tmp_path / "other", seed=8)
    assert again.manifest.columns == graph.manifest.columns
    assert other.manifest.columns["targets"] != graph.manifest.columns["targets"]


def test_counts_are_those_of_the_paper_in_proportion(graph: Graph) -> None:
    # 39,078,797 nodes, 123,836,342 links and 668,934 servers for 13,999,847 pages; 12.19 % of the pages are Thai.
    assert graph.manifest.fetched == PAGES
    assert graph.manifest.nodes == pytest.approx(27_914, abs=2)
    assert graph.manifest.links == pytest.approx(88_455, rel=0.02)
    assert graph.manifest.servers == pytest.approx(478, abs=10)
    assert np.count_nonzero(graph.relevant) == pytest.approx(1_219, abs=10)


def test_relevant_pages_are_the_fetched_ones_in_the_language(graph: Graph) -> None:
    is_thai = graph.language == language_code("th")
    assert np.array_equal(graph.relevant, is_thai)
    assert set(np.unique(graph.outcome)) == {Outcome.PAGE, KNOWN}
    assert not graph.language[graph.outcome == KNOWN].any()


def test_only_fetched_pages_have_links_and_every_known_page_is_linked(graph: Graph) -> None:
    assert not np.diff(graph.offsets)[graph.outcome == KNOWN].any()
    linked = np.zeros(len(graph), dtype=bool)
    linked[graph.targets] = True
    assert linked[graph.outcome == KNOWN].all()


def test_no_page_links_to_itself_or_twice_to_a_fetched_page(graph: Graph) -> None:
    sources, targets = sources_of(graph), graph.targets
    assert not (sources == targets).any()
    inner = graph.outcome[targets] == Outcome.PAGE
    links = np.stack([sources[inner], targets[inner]])
    assert np.unique(links, axis=1).shape == links.shape


def test_three_relevant_seeds_lead_to_every_fetched_page(graph: Graph) -> None:
    assert len(set(graph.seeds.tolist())) == 3
    assert graph.relevant[graph.seeds].all()
    reached, waiting = set(graph.seeds.tolist()), graph.seeds.tolist()
    while waiting:
        new = set(graph.links_of(waiting.pop()).tolist()) - reached
        reached |= new
        waiting += new
    assert reached >= set(np.flatnonzero(graph.outcome == Outcome.PAGE).tolist())


def test_a_segment_has_one_server_and_a_server_one_domain(graph: Graph) -> None:
    segments = set(zip(graph.segment.tolist(), graph.server.tolist(), strict=True))
    servers = set(zip(graph.server.tolist(), graph.domain.tolist(), strict=True))
    assert sorted(segment for segment, _ in segments) == list(range(graph.manifest.segments))
    assert sorted(server for server, _ in servers) == list(range(graph.manifest.servers))


def test_server_sizes_have_a_heavy_tail_and_none_is_its_domain() -> None:
    population = populate(load_profile("thai2006"), 100_000, np.random.default_rng(1))
    sizes = np.sort(population.sizes)[::-1]
    assert sizes[: len(sizes) // 10].sum() > sizes.sum() / 3
    assert sizes[0] > 50 * np.median(sizes)
    in_com = population.sizes[population.domain == population.domains.index("com")]
    assert in_com.max() / in_com.sum() < 0.03


def test_no_link_is_there_twice(graph: Graph) -> None:
    links = np.stack([sources_of(graph), graph.targets])
    assert np.unique(links, axis=1).shape == links.shape


def test_pages_of_unknown_language_are_short_and_in_charsets_that_name_none(graph: Graph) -> None:
    names = np.array(graph.manifest.charsets)[graph.column("charset")]
    lengths, fetched = graph.column("text_length"), graph.outcome == Outcome.PAGE
    unknown, thai = fetched & (graph.language == 0), graph.language == language_code("th")
    assert set(names[unknown]) == {"", "iso-8859-1", "utf-8"}
    assert set(names[thai]) == {"windows-874", "tis-620", "utf-8"}
    assert lengths[unknown].max() < lengths[thai].min()
    assert not lengths[~fetched].any()


def test_thai_pages_of_one_server_share_their_charset(graph: Graph) -> None:
    thai = graph.language == language_code("th")
    pairs = set(zip(graph.server[thai].tolist(), graph.column("charset")[thai].tolist(), strict=True))
    assert len(pairs) == len({server for server, _ in pairs})


def test_pages_of_one_server_are_more_often_in_one_language_than_pages_of_one_domain(graph: Graph) -> None:
    chosen = (graph.domain == graph.manifest.domains.index("com")) & (graph.language > 0) & ~graph.relevant
    is_english, server = graph.language[chosen] == language_code("en"), graph.server[chosen]
    sizes, english = np.bincount(server), np.bincount(server, weights=is_english)
    # English are 90 % of these pages. Were servers so too, hardly a foreign page would be on a mostly foreign server.
    is_mostly_foreign = english < sizes / 2
    assert is_mostly_foreign[server[~is_english]].mean() > 0.3


def test_relevant_pages_of_remote_sites_lie_behind_irrelevant_ones(tmp_path: Path) -> None:
    path = tmp_path / "remote.toml"
    path.write_text("[servers]\nremote = 1.0\nfarthest = 6\n")
    table = tables_of_nearest_relevant(made(tmp_path / "web", profile=str(path)))[0]
    numbers = {distance: count for distance, count, _ in table.rows}
    assert list(numbers) == [1, 2, 3, 4, 5, 6, "no way"]
    # 1 - 2^-5 of the pages behind irrelevant ones are 16, 8, 4, 2 and 1 of 31.
    behind = sum(numbers[distance] for distance in range(2, 7))
    assert [numbers[distance] / behind for distance in range(2, 7)] == pytest.approx(
        [16 / 31, 8 / 31, 4 / 31, 2 / 31, 1 / 31], abs=0.03
    )


@pytest.mark.parametrize(
    ("fall", "farthest", "pages"), [(0.5, 10, [256, 128, 64, 32, 16, 8, 4, 2, 1]), (1 / 3, 5, [27, 9, 3, 1])]
)
def test_ways_to_remote_sites_are_as_long_as_the_profile_says(fall: float, farthest: int, pages: list[int]) -> None:
    # Servers of 10 pages, one of them relevant; and a large one, which is not remote, with the other relevant pages.
    relevant = np.append(np.ones(1_000, dtype=np.int64), 9_000)
    sizes = np.append(np.full(1_000, 10), 10_000)
    strangers = np.full(2_000, 10)
    servers = msgspec.structs.replace(
        load_profile("default").servers, remote=sum(pages) / 10_000, remote_fall=fall, farthest=farthest
    )
    sites = draw_remote_sites(
        np.concatenate([sizes, strangers]), np.concatenate([relevant, 0 * strangers]), servers, np.random.default_rng(1)
    )
    assert np.bincount(sites.inside + sites.outside)[1:].tolist() == pages
    assert sites.inside.min() == 1
    assert sites.inside.max() == 3
    assert (relevant[sites.servers] == 1).all()
    # As many foreign servers at each step of the ways as ways have that step.
    steps = range(1, sites.outside.max() + 1)
    assert np.bincount(sites.level)[1:].tolist() == [(sites.outside >= step).sum() for step in steps]


def test_front_doors_are_english_pages_of_little_text_that_hold_the_thai_pages_of_their_servers(tmp_path: Path) -> None:
    path = tmp_path / "doors.toml"
    path.write_text("[servers]\nremote = 1.0\nfarthest = 2\nfront_doors = 0.75\n")
    graph = made(tmp_path / "web", pages=40_000, profile=str(path))
    sources, relevant = sources_of(graph), np.asarray(graph.relevant)
    distance = find_nearest_relevant(LinkRows(graph.offsets, graph.targets), relevant).distance
    # Where a page has two or more pages at distance 2 on its server, it is the front page of a remote site.
    held = sources[(distance[graph.targets] == 2) & (graph.server[sources] == graph.server[graph.targets])]
    fronts, pages = np.unique(held, return_counts=True)
    fronts = fronts[pages > 1]
    assert not relevant[fronts].any()
    assert len(np.unique(graph.server[fronts])) == len(fronts)
    is_door = (graph.language[fronts] == language_code("en")) & (graph.column("text_length")[fronts] < 200)
    assert is_door.mean() == pytest.approx(0.75, abs=4 * (0.75 * 0.25 / len(fronts)) ** 0.5)
    # Thai pages lead there, and nothing else leads to the Thai pages behind.
    assert np.isin(fronts, graph.targets[relevant[sources]]).all()
    behind = np.flatnonzero(relevant & np.isin(graph.server, graph.server[fronts]))
    assert (np.bincount(graph.targets, minlength=len(graph))[behind] == 1).all()


def test_manifest_says_how_the_web_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate_command(tmp_path / "web", pages="1_000", seed=3, profile="portals")
    made_by = Graph.open(tmp_path / "web").manifest.provenance
    assert (made_by["profile"], made_by["seed"], made_by["pages"]) == ("portals", 3, 1_000)
    assert made_by["command"].startswith("exonym graph generate -o ")
    assert made_by["command"].endswith("--size 1_000 --random-seed 3 --profile portals")
    assert made_by["parameters"]["servers"]["relevant_share"] == 0.7
    assert "1,000 pages" in capsys.readouterr().out


def test_urls_are_in_normal_form_and_say_server_segment_and_domain(graph: Graph) -> None:
    for node in range(0, len(graph), 97):
        url = url_spelling.url_of(graph, node)
        assert normal_form(url) == url
        assert segment_of(url) == url_spelling.segment_name_of(graph, node)
        assert server_of(url) == url_spelling.server_name_of(graph, node)
        assert top_level_domain_of(server_of(url)) == graph.manifest.domains[graph.domain[node]]


def test_every_url_is_read_back_as_its_node(graph: Graph) -> None:
    nodes = range(0, len(graph), 53)
    assert [url_spelling.node_of(graph, url_spelling.url_of(graph, node)) for node in nodes] == list(nodes)


def test_servers_and_segments_are_spelled_differently(graph: Graph) -> None:
    for name, number in ((url_spelling.server_name_of, graph.server), (url_spelling.segment_name_of, graph.segment)):
        names = {name(graph, node): int(number[node]) for node in range(0, len(graph), 7)}
        assert len(set(names.values())) == len(names)


@pytest.mark.parametrize(
    "url", ["", "http://www.example.com/", "http://www.bababa.com/dada/p00000000.html", "p", "http://[::1]/x/p1.html"]
)
def test_a_url_that_is_not_of_the_web_has_no_node(graph: Graph, url: str) -> None:
    assert url_spelling.node_of(graph, url) is None


def test_spelling_never_changes(tmp_path: Path) -> None:
    # By hand: 0 stays 0 when multiplied, so the first node, server and segment are spelled by zeros. 1 becomes
    # 9e3779b1, folded 9e37e786, multiplied again 42df69a6: six bits at a time from the end 38, 38, 54, 55, 2, 1.
    graph = two_pages(tmp_path / "graph")
    assert url_spelling.url_of(graph, 1) == "http://www.ninititobibe.com/ninititobibe/p42df69a6.html"
    assert url_spelling.url_of(graph, 0) == "http://www.babababababa.th/babababababa/p00000000.html"


@given(st.integers(0, 2**32 - 1))
def test_numbers_are_scrambled_without_loss(number: int) -> None:
    assert url_spelling._unscrambled(url_spelling._scrambled(number)) == number


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=50), st.integers(0, 10_000), st.integers(0, 99))
def test_spread_adds_up_and_stays_within_one_of_the_proportion(weights: list[int], total: int, seed: int) -> None:
    counts = spread(np.array(weights, dtype=float), total, np.random.default_rng(seed))
    if not sum(weights):
        assert not counts.any()
        return
    assert counts.sum() == total
    exact = np.array(weights) * total / sum(weights)
    assert (abs(counts - exact) <= 1 + 1e-6).all()
    assert not counts[np.array(weights) == 0].any()


@pytest.mark.parametrize("name", profile_names())
def test_every_family_makes_a_web_that_hangs_together(name: str, tmp_path: Path) -> None:
    found = check_graph(made(tmp_path / "web", pages=3_000, profile=name))
    assert found.reached == 1.0


def test_families_differ_as_their_names_say(tmp_path: Path) -> None:
    webs = {name: made(tmp_path / name, pages=40_000, profile=name) for name in profile_names()}
    links = {name: web.manifest.links for name, web in webs.items()}
    assert links["sparse"] < links["thai2006"] < links["dense"]
    holdings = {name: np.sort(np.bincount(web.server[web.relevant]))[::-1] for name, web in webs.items()}
    largest = {name: held[:5].sum() / held.sum() for name, held in holdings.items()}
    assert largest["thai2006"] < 0.5 < largest["portals"]
    typical = {name: held[held > 0].mean() for name, held in holdings.items()}
    assert typical["scattered"] < typical["thai2006"] / 2
    busiest = {name: np.sort(np.diff(web.offsets)[~web.relevant])[-100:].mean() for name, web in webs.items()}
    assert busiest["linkfarm"] > 2 * busiest["thai2006"]


def test_pages_of_a_server_share_blocks_of_links_and_their_anchors(tmp_path: Path) -> None:
    webs = {name: made(tmp_path / name, pages=40_000, profile=name) for name in ("thai2006", "blogrolls")}
    alike = {}  # links from a server to the same page of another one, on average
    for name, web in webs.items():
        sources, targets = sources_of(web), web.targets.astype(np.int64)
        others = (web.outcome[targets] == Outcome.PAGE) & (web.server[sources] != web.server[targets])
        pairs = web.server[sources[others]] * np.int64(len(web)) + targets[others]
        _, place, counts = np.unique(pairs, return_inverse=True, return_counts=True)
        alike[name] = len(pairs) / len(counts)
        if name == "blogrolls":
            thai = np.bincount(place, weights=web.column("anchor_language")[others] == language_code("th"))
            from_relevant = np.bincount(place, weights=web.relevant[sources[others]])
            # How likely a Thai anchor is depends on whether source and target are relevant.
            is_of_one_kind = (from_relevant == 0) | (from_relevant == counts)
            assert set(np.unique((thai / counts)[is_of_one_kind])) == {0.0, 1.0}
    assert alike["blogrolls"] > 1.5 * alike["thai2006"]
    assert webs["blogrolls"].manifest.links == pytest.approx(webs["thai2006"].manifest.links, rel=0.02)
    shares = {name: {row.name: row.generated for row in check_graph(web).rows} for name, web in webs.items()}
    assert shares["blogrolls"] == pytest.approx(shares["thai2006"], abs=0.03)


def test_default_is_the_published_profile() -> None:
    assert load_profile("default") == load_profile("thai2006")


def test_the_old_name_of_the_published_profile_is_still_known() -> None:
    assert load_profile("thai2009") == load_profile("thai2006")
    assert "thai2009" not in profile_names()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[servers]\ntial = 1.0\n", "mine.toml:2: unknown key servers.tial. Did you mean servers.tail?"),
        (
            "[servers]\ntail = 'heavy'\n",
            "mine.toml:2: servers.tail must be a number, got 'heavy'. Every key is explained",
        ),
        ("[servers]\ntail = 0.0\n", "servers.tail must be from 0.2 to 10, got 0"),
        ("[servers]\ntail = nan\n", "servers.tail must be"),
        ("[servers]\nremote_fall = 1.0\n", "servers.remote_fall must be from 0.01 to 0.99, got 1"),
        ("[servers]\nfarthest = 1\n", "servers.farthest must be from 2 to 100, got 1"),
        ("[servers]\nfront_doors = 1.5\n", "servers.front_doors must be from 0 to 1, got 1.5"),
        ("[links.relevant]\nsame_server = 0.9\nsame_domain = 0.2\n", "same_server \\+ same_domain"),
        ("[links.relevant]\nto_relevant = [0.5]\n", "to_relevant"),
        ("[domains]\nth = { pages = 1, relevant = 2, english = 0, other = 0 }\n", "domains.th"),
        ("[domains]\n'T H' = { pages = 2, relevant = 1, english = 0, other = 0 }\n", "small letters"),
        ("[domains]\nth = { pages = 2, relevant = 2, english = 0, other = 0 }\n", "not relevant"),
        ("[domains]\nth = { pages = 2, relevant = 0, english = 0, other = 0 }\n", "relevant pages"),
        ("language = 'tlh9'\n", "language"),
        ("tail = [", "mine.toml:1: not valid TOML"),
    ],
)
def test_a_wrong_profile_is_refused_with_the_key(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        load_profile(str(path))


def test_a_profile_of_ones_own_changes_only_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[links]\nstrays = 0.25\n", encoding="utf-8")
    mine, base = load_profile(str(path)), load_profile("default")
    assert mine.links.strays == 0.25
    assert (mine.servers, mine.links.relevant, mine.domains) == (base.servers, base.links.relevant, base.domains)


def test_an_unknown_profile_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="thai2006, blogrolls, chinese2010, dense"):
        load_profile(str(tmp_path / "none"))
    with pytest.raises(DirectoryError, match="cannot be read"):
        load_profile(str(tmp_path))


@pytest.mark.parametrize(("pages", "seed"), [("many", 1), ("12", 1), ("-5", 1), ("1e9", 1), ("1000", -1)])
def test_wrong_numbers_are_refused_and_nothing_is_left(pages: str, seed: int, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--(size|random-seed) must be"):
        generate_command(tmp_path / "web", pages=pages, seed=seed)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("relevant", [1, 999_999])
def test_a_web_too_small_for_both_kinds_of_pages_is_refused(relevant: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"[domains]\nth = {{ pages = 1_000_000, relevant = {relevant}, english = 0, other = 0 }}\n")
    with pytest.raises(ConfigError, match="too few pages of one kind"):
        generate_command(tmp_path / "web", pages="1000", profile=str(path))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "[servers]\npages_per_server = 1.0\n",
        "[known]\nper_page = 0.0\nlinks_per_page = 0.0\n",
        "[domains]\nth = { pages = 1000, relevant = 1, english = 5, other = 0 }\n",
        "[servers]\nrelevant_share = 1.0\n[links]\nstrays = 0.0\n",
        "[servers]\nremote = 1.0\nfarthest = 100\nremote_fall = 0.99\n",
        "[servers]\nremote = 0.0\n",
    ],
)
def test_odd_profiles_make_webs_that_hang_together_too(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert check_graph(made(tmp_path / "web", pages=2_000, profile=str(path))).reached == 1.0


def test_a_directory_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="there already"):
        generate_command(tmp_path, pages="1000")


def test_published_tables_add_up() -> None:
    columns = np.array(list(thai_web.LANGUAGES_BY_DOMAIN.values()))
    assert columns.sum(axis=1).tolist() == [1_141_559, 6_485_842, 869_730, 5_502_716]
    assert columns.sum(axis=0).tolist() == [thai_web.RELEVANT, 2_486_760, 477_089, 9_329_760]
    assert columns.sum() == thai_web.PAGES


def test_default_profile_is_table_3_to_the_page() -> None:
    domains = load_profile("default").domains
    for name in ("th", "com", "net"):
        assert domains[name].counts == thai_web.LANGUAGES_BY_DOMAIN[name]
    rest = [cells.counts for name, cells in domains.items() if name not in ("th", "com", "net")]
    assert tuple(np.sum(rest, axis=0).tolist()) == thai_web.LANGUAGES_BY_DOMAIN["other"]


def two_pages(directory: Path) -> Graph:
    """A Thai page in .th and an English one in .com that link to each other; the Thai one also to an unfetched page."""
    with GraphWriter(directory) as writer:
        for name, values in {
            "server": [0, 1, 0],
            "segment": [0, 1, 0],
            "domain": [0, 1, 0],
            "outcome": [Outcome.PAGE, Outcome.PAGE, KNOWN],
            "language": [language_code("th"), language_code("en"), 0],
            "relevant": [True, False, False],
            "offsets": [0, 2, 3, 3],
            "targets": [1, 2, 0],
            "anchor_language": [language_code("th"), language_code("th"), language_code("en")],
            "seeds": [0],
        }.items():
            writer.put(name, np.array(values))
        writer.finish(Manifest(languages=["th"], domains=["th", "com"]))
    return Graph.open(directory)


def test_check_counts_pages_and_links_between_fetched_pages(tmp_path: Path) -> None:
    found = check_graph(two_pages(tmp_path / "graph"))
    shares = {row.name: row.generated for row in found.rows}
    assert shares["pages in .th"] == 0.5
    assert shares["pages in .jp"] == 0.0
    assert shares["Thai pages, .th"] == 1.0
    assert shares["Thai pages, .com"] == 0.0
    assert shares["English pages, all domains"] == 0.5
    assert shares["English pages, other"] is None
    assert shares["links to Thai pages from Thai pages, all"] == 0.0
    assert shares["links to Thai pages from non-Thai pages, different domain"] == 1.0
    assert shares["links to Thai pages from non-Thai pages, same server"] is None
    assert shares["links to Thai pages from Thai pages, Thai anchor"] == 0.0
    assert shares["links to Thai pages from non-Thai pages, non-Thai anchor"] == 1.0
    assert found.reached == 1.0


def test_check_of_an_empty_graph_has_nothing_to_show(tmp_path: Path) -> None:
    with GraphWriter(tmp_path / "graph") as writer:
        for name in REQUIRED:
            writer.put(name, np.zeros(int(name == "offsets")))
        writer.finish(Manifest())
    found = check_graph(Graph.open(tmp_path / "graph"))
    assert {row.generated for row in found.rows} == {None}
    assert found.reached is None
    check_command(tmp_path / "graph")


def test_check_prints_json_that_scripts_rely_on(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    check_command(graph.directory, as_json=True)
    printed = json.loads(capsys.readouterr().out)
    # 6 shares of domains, 20 of Table 3 and the Thai pages outside .th, 10 of Table 4, 4 of Table 5.
    assert len(printed["rows"]) == 41
    for row in printed["rows"]:
        assert set(row) == {"name", "published", "generated", "difference"}
        assert row["difference"] == row["generated"] - row["published"]
    assert len(printed["figures"]) == 8
    for row in printed["figures"]:
        assert set(row) == {"name", "published", "generated", "difference", "holds"}
        assert row["holds"] in (True, False)
    assert any("Tables 4 and 5" in sentence for sentence in printed["contradictions"])


def test_check_prints_both_figures_the_difference_and_the_contradictions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_command(two_pages(tmp_path / "graph").directory)
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.startswith("pages in .th"))
    assert row.split() == ["pages", "in", ".th", "8.2%", "50.0%", "+41.80"]
    assert "contradict each other" in printed
