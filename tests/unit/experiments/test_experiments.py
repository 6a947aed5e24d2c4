"""The papers' experiments: published figures, claims and their rules, comparison by language, what is kept."""

import dataclasses
import json
from collections import deque
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, language_code, language_name
from exonym.crawl_views.language_comparison import OTHER, compare_languages, grouped
from exonym.errors import ConfigError, DirectoryError
from exonym.experiments.cjk2010.crawls import Pair, crawled_pair
from exonym.experiments.cjk2010.published import NATIONS, CrawlPair
from exonym.experiments.cjk2010.tables import change_of, language_table, share_table, verdict_table
from exonym.experiments.claims import Evidence, table_of, text_of, verdicts_on
from exonym.experiments.directory import FACTS, take_directory, web_at
from exonym.experiments.lswc2006.claims import (
    BASELINES,
    CLAIMS,
    FILTERS,
    NARROW,
    NARROW_WITHOUT_FAILURES,
    STRATEGIES,
    WIDE,
)
from exonym.experiments.lswc2006.family import FAMILY, VARIANTS, profile_of
from exonym.experiments.request import ExperimentRequest
from exonym.experiments.simulations import save, saved, simulated, simulated_apart
from exonym.published.thai_web import PAGES
from exonym.simulation.plan import Plan
from exonym.simulation.results import Finished, StrategyResult
from exonym.simulation.side_by_side import SimulationRequest
from exonym.simulation.traces import Trace
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import Cells, load_profile

counts = st.dictionaries(st.sampled_from(["", "zh", "ja", "ko", "en", "zh-Hant", "th"]), st.integers(0, 10**7))


def quiet(doing: str) -> None:
    pass


# Comparison by language


def test_published_korean_crawls_compare_as_the_paper_says() -> None:
    korean = NATIONS[0]
    rows = {row.language: row for row in compare_languages(korean.baseline, korean.rule)}
    assert [*rows] == ["zh", "ja", "ko", OTHER]
    assert rows["ko"].pages == (80_049, 11_328)
    shares = rows["ko"].shares
    assert shares[0] is not None
    assert shares[1] is not None
    assert (round(shares[0], 4), round(shares[1], 4)) == (0.6121, 0.7147)  # under Figures 4 and 5
    assert rows["ko"].difference == pytest.approx(0.1025, abs=5e-5)


def test_unknown_pages_are_among_the_others_and_variants_with_their_language() -> None:
    found = grouped({"": 5, "zh": 1, "zh-Hant": 2, "en": 3, "ja": 4})
    assert found == {"zh": 3, "ja": 4, "ko": 0, OTHER: 8}


def test_crawl_without_pages_has_no_shares() -> None:
    rows = compare_languages({}, {"zh": 1})
    assert rows[0].shares == (None, 1.0)
    assert rows[0].difference is None
    assert change_of({}, {"zh": 1}, "zh") == (0.0, "–")


@given(counts, counts, st.lists(st.sampled_from(["zh", "ja", "th"]), unique=True))
def test_comparison_loses_no_page(a: dict[str, int], b: dict[str, int], languages: list[str]) -> None:
    rows = compare_languages(a, b, languages)
    assert [row.language for row in rows] == [*languages, OTHER]
    for place, crawl in enumerate((a, b)):
        assert sum(row.pages[place] for row in rows) == sum(crawl.values())
        if any(crawl.values()):
            assert sum(row.shares[place] or 0.0 for row in rows) == pytest.approx(1)
    assert all(
        row.difference == -(back.difference or 0)
        for row, back in zip(rows, compare_languages(b, a, languages), strict=True)
        if row.difference is not None
    )


# What was published


@pytest.mark.parametrize(
    ("number", "totals", "shares"),
    [
        (0, (130_771, 15_851), (0.6121, 0.7147)),
        (1, (75_736, 13_558), (0.8746, 0.8770)),
        (2, (127_765, 11_394), (0.8838, 0.8845)),
    ],
)
def test_table_4_adds_up_to_its_totals_and_shares(
    number: int, totals: tuple[int, int], shares: tuple[float, float]
) -> None:
    nation = NATIONS[number]
    crawls = (nation.baseline, nation.rule)
    assert tuple(sum(crawl.values()) for crawl in crawls) == totals
    assert tuple(round(crawl[nation.language] / sum(crawl.values()), 4) for crawl in crawls) == shares


@pytest.mark.parametrize("nation", NATIONS, ids=lambda nation: nation.name)
def test_nation_has_a_profile_of_its_own(nation: CrawlPair) -> None:
    profile = load_profile(nation.profile)
    assert profile.language == nation.language
    assert profile.seeds == 1_000
    assert profile.random_seeds
    assert profile.domains[nation.domain].relevant > 0


def test_tables_of_the_control_experiment_show_both_sides() -> None:
    korean = NATIONS[0]
    ours = {"zh": 1, "ja": 0, "ko": 2, OTHER: 1}
    pair = Pair(korean, ours, {"zh": 0, "ja": 0, "ko": 3, OTHER: 1}, {"zh": 0, "ja": 0, "ko": 4, OTHER: 0})
    assert language_table([pair], "").rows[0] == ("KR-C baseline", "published", 12_523, 1_926, 80_049, 36_273, 130_771)
    assert language_table([pair], "").rows[1] == ("KR-C baseline", "ours", 1, 0, 2, 1, 4)
    assert share_table(pair).rows[2][2:4] == (0.5, 1.0)
    (row,) = verdict_table([pair]).rows
    assert row[1:] == (
        *("61.21% → 71.47% (+10.25)", "yes"),  # 71.466 - 61.213: the paper rounds to "about 10"
        *("50.00% → 75.00% (+25.00)", "yes", "100.00% → 75.00% (-25.00)", "no"),
    )


# Claims


def result_of(strategy: str, pages: int, relevant: int, coverage: float, rates: dict[str, float]) -> StrategyResult:
    return StrategyResult(
        strategy=strategy,
        is_oracle=strategy == "perfect",
        pages=pages,
        documents=pages,
        relevant=relevant,
        coverage=coverage,
        harvest=relevant / pages,
        harvest_at=rates,
        harvest_first_million=rates["5%"],
        documents_harvest_at=rates,
        documents_harvest_first_million=rates["5%"],
        pages_for_coverage={"50%": None, "90%": None, "95%": None, "99%": None},
        area=0.0,
        reason="empty frontier",
        waiting=0,
        seconds=1.0,
        peak_mb=1.0,
        k=1,
        seed=7,
        judge_seed=0,
        languages={"th": relevant},
    )


def steady(strategy: str, pages: int, rate: float, coverage: float) -> StrategyResult:
    rates = dict.fromkeys(["1%", "5%", "10%", "25%", "50%", "100%"], rate)
    return result_of(strategy, pages, round(pages * rate), coverage, rates)


def as_published() -> dict[str, StrategyResult]:
    results = {name: steady(name, PAGES, 0.5, 0.9) for name in STRATEGIES}
    results[NARROW] = steady(NARROW, 4_000_000, 0.8, 0.97)
    results[WIDE] = steady(WIDE, 6_000_000, 0.8, 1.0)
    results[NARROW_WITHOUT_FAILURES] = steady(NARROW_WITHOUT_FAILURES, 4_000_000, 0.8, 0.97)
    results["perfect"] = rising(0.92, 0.95, 0.97, 0.99)
    return results


def rising(*rates: float) -> StrategyResult:
    """The oracle, with its harvest rates over the first 1, 5 and 10 % of the web's pages and at the end."""
    ends = ("1%", "5%", "10%", "25%", "50%", "100%")
    way = dict(zip(ends, (*rates, rates[-1], rates[-1]), strict=True))
    return result_of("perfect", 1_700_000, round(1_700_000 * rates[-1]), 1.0, way)


def outcomes(results: dict[str, StrategyResult], pages: int = PAGES) -> dict[str, str]:
    return {verdict.claim.name: verdict.outcome for verdict in verdicts_on(CLAIMS, results, pages)}


def test_results_as_the_papers_tell_them_reproduce_every_claim_with_a_figure() -> None:
    found = outcomes(as_published())
    untold = {name for name, outcome in found.items() if outcome == "no figure published"}
    assert untold == {*FILTERS, *BASELINES}
    assert {outcome for name, outcome in found.items() if name not in untold} == {"reproduced"}


REFUTING: list[tuple[StrategyResult, set[str]]] = [
    (steady(NARROW, 8_000_000, 0.8, 0.97), {"stops-early", "stops-at-4-million"}),
    (steady(NARROW, 2_500_000, 0.8, 0.97), {"stops-at-4-million"}),
    (steady(NARROW_WITHOUT_FAILURES, 2_500_000, 0.8, 0.97), {"stops-at-4-million-without-failures"}),
    (dataclasses.replace(steady(NARROW, 4_000_000, 0.8, 0.97), reason="pages"), {"stops-early"}),
    (steady(NARROW, 4_000_000, 0.8, 0.94), {"nearly-all"}),
    (steady(WIDE, 6_000_000, 0.8, 0.98), {"all"}),
    (steady(NARROW, 4_000_000, 0.86, 0.97), {"harvest-narrow"}),
    (steady(WIDE, 6_000_000, 0.7, 1.0), {"harvest-wide"}),
    (steady(WIDE, 6_000_000, 0.55, 1.0), {"harvest-wide", "above-bfs", "above-hard", "above-soft"}),
    (steady("soft", PAGES, 0.75, 1.0), {"above-soft"}),
    (steady("perfect", 1_700_000, 0.79, 1.0), {"room-left", "perfect"}),
    (rising(1.0, 1.0, 1.0, 1.0), {"perfect"}),  # an oracle that passes through no irrelevant page
    (rising(0.86, 0.95, 0.97, 0.99), {"perfect"}),  # starts too low
    (rising(0.92, 0.97, 0.95, 0.99), {"perfect"}),  # falls on the way
    (rising(0.92, 0.93, 0.94, 0.95), {"perfect"}),  # ends too low
    (rising(0.97, 0.97, 0.97, 0.97), {"perfect"}),  # does not rise
]


@pytest.mark.parametrize(("changed", "refuted"), REFUTING)
def test_result_that_breaks_a_rule_refutes_that_claim(changed: StrategyResult, refuted: set[str]) -> None:
    found = outcomes({**as_published(), changed.strategy: changed})
    assert {name for name, outcome in found.items() if outcome == "not reproduced"} == refuted


def test_every_claim_with_a_rule_says_what_refutes_it_and_is_refuted_by_a_result() -> None:
    with_rule = {claim.name for claim in CLAIMS if claim.rule}
    assert with_rule == {claim.name for claim in CLAIMS if claim.fails}
    assert with_rule == set().union(*(refuted for _, refuted in REFUTING))


def test_requests_decide_and_documents_are_told_beside_them() -> None:
    results = as_published()
    results[NARROW] = dataclasses.replace(results[NARROW], documents=2_000_000)
    (verdict,) = [one for one in verdicts_on(CLAIMS, results, PAGES) if one.claim.name == "stops-at-4-million"]
    assert verdict.outcome == "reproduced"
    assert verdict.by_document.holds is False
    assert verdict.values()["by_document"] == {"shown": "14.3%", "holds": False}


def test_first_million_is_read_off_the_result_at_the_published_size() -> None:
    result = dataclasses.replace(steady(NARROW, PAGES, 0.5, 1.0), harvest_first_million=0.81)
    assert Evidence({NARROW: result}, PAGES).early_harvest(NARROW) == 0.81


def test_first_million_of_a_smaller_web_lies_between_five_and_ten_per_cent_of_it() -> None:
    # Of 14,000 pages a "million" are 1,000. 630 of the first 700 pages were relevant, 910 of the first 1,400; so about
    # 630 + 280 · 300 / 700 = 750 of the first 1,000.
    rates = {"1%": 1.0, "5%": 0.9, "10%": 0.65, "25%": 0.4, "50%": 0.2, "100%": 0.1}
    evidence = Evidence({NARROW: result_of(NARROW, 14_000, 1_400, 1.0, rates)}, 14_000)
    assert evidence.million == 1_000
    assert evidence.early_harvest(NARROW) == pytest.approx(0.75)


def test_crawl_that_ended_before_is_measured_over_what_it_fetched() -> None:
    rates = {"1%": 1.0, "5%": 0.9, "10%": 0.8, "25%": 0.8, "50%": 0.8, "100%": 0.8}
    evidence = Evidence({NARROW: result_of(NARROW, 900, 720, 1.0, rates)}, 14_000)
    # 630 of the first 700, 720 of all 900.
    assert evidence.early_harvest(NARROW) == pytest.approx(720 / 900)


def test_every_claim_is_told_in_table_and_text_with_rule_and_published_figure() -> None:
    verdicts = verdicts_on(CLAIMS, as_published(), PAGES)
    table, text = table_of(verdicts, "a note"), text_of(verdicts, "a note")
    assert len(table.rows) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.words in text
        assert claim.rule in text
        assert claim.published in text
    assert "a note" in text
    assert "oracle" in text


# What is kept


def finished() -> Finished:
    result = steady(NARROW, 4, 0.5, 1.0)
    pages, relevant = np.array([1, 2, 4]), np.array([1, 1, 2])
    return Finished(result, Trace(NARROW, False, 2, pages, relevant, None))


def test_finished_simulation_is_found_again(tmp_path: Path) -> None:
    save(tmp_path, "web", finished())
    found = saved(tmp_path, "web", NARROW)
    assert found is not None
    assert found.result == finished().result
    assert found.trace.pages.tolist() == [1, 2, 4]
    assert found.trace.relevant.tolist() == [1, 1, 2]
    assert found.trace.relevant_pages == 2


def test_simulation_of_another_web_or_strategy_is_not_taken(tmp_path: Path) -> None:
    save(tmp_path, "web", finished())
    assert saved(tmp_path, "another", NARROW) is None
    assert saved(tmp_path, "web", "lswc-S=1-T=1") is None  # its file would have the same name
    assert saved(tmp_path / "none", "web", NARROW) is None


@given(st.binary(max_size=60) | st.sampled_from([b"{}", b"[]", b'{"version": 1}', b"null"]))
def test_damaged_file_is_as_none(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        save(Path(place), "web", finished())
        (path,) = Path(place).glob("*.json")
        path.write_bytes(data)
        assert saved(Path(place), "web", NARROW) is None
        path.write_bytes(msgspec.json.encode(finished().result) + data)
        assert saved(Path(place), "web", NARROW) is None


def test_directory_is_gone_on_with_by_the_same_experiment_only(tmp_path: Path) -> None:
    place = tmp_path / "new" / "place"
    take_directory(place, "a", {"seed": 1})
    (place / "web").mkdir()
    take_directory(place, "a", {"seed": 1})
    with pytest.raises(DirectoryError, match="another experiment: seed 1"):
        take_directory(place, "a", {"seed": 2})
    with pytest.raises(DirectoryError, match="another experiment: experiment a"):
        take_directory(place, "b", {"seed": 1})


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"format": "other"}', "[" * 100_000])
def test_directory_with_something_else_in_it_is_not_touched(text: str, tmp_path: Path) -> None:
    (tmp_path / FACTS).write_text(text, encoding="utf-8")
    with pytest.raises(DirectoryError, match="something else"):
        take_directory(tmp_path, "a", {})
    assert [path.name for path in tmp_path.iterdir()] == [FACTS]
    assert (tmp_path / FACTS).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("draft", [f"{FACTS}.partial", f".{FACTS}.123.draft"])  # the first is that of 0.1.0
def test_directory_in_which_only_a_draft_was_left_is_taken(tmp_path: Path, draft: str) -> None:
    (tmp_path / draft).write_text('{"form', encoding="utf-8")
    take_directory(tmp_path, "a", {})
    assert [path.name for path in tmp_path.iterdir()] == [FACTS]


def test_file_is_no_directory_for_an_experiment(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(DirectoryError):
        take_directory(tmp_path / "file", "a", {})
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_web_is_made_once_and_another_one_refused(tmp_path: Path) -> None:
    order = Order(1_000, 3, "thai2006", load_profile("thai2006"))
    made = web_at(tmp_path / "web", order, quiet)
    told: list[str] = []
    again = web_at(tmp_path / "web", order, told.append)
    assert again.manifest == made.manifest
    assert told == []
    with pytest.raises(DirectoryError, match="another web"):
        web_at(tmp_path / "web", dataclasses.replace(order, seed=4), quiet)


def test_process_each_gives_the_same_as_one_for_all(tmp_path: Path) -> None:
    generate(tmp_path / "web", Order(1_000, 3, "thai2006", load_profile("thai2006")))
    graph = Graph.open(tmp_path / "web")
    request = SimulationRequest(tmp_path / "web", (NARROW, "bfs", "perfect"), Plan(k=1))
    told: list[str] = []
    apart = list(simulated_apart(graph, request, told.append))
    here = simulated(tmp_path / "runs", graph, request, quiet)
    assert told
    told.clear()
    again = simulated(tmp_path / "runs", graph, request, told.append)
    assert told == []  # the last time nothing was left to do
    for one, other, third in zip(apart, here, again, strict=True):
        results = [dataclasses.replace(each.result, seconds=0, peak_mb=0) for each in (one, other, third)]
        assert results[0] == results[1] == results[2]
        assert one.trace.relevant.tolist() == other.trace.relevant.tolist() == third.trace.relevant.tolist()


# The webs


def test_seeds_are_drawn_at_random_among_relevant_pages_if_the_profile_says_so(tmp_path: Path) -> None:
    profile = msgspec.structs.replace(load_profile("korean2010"), seeds=30)
    for seed in (1, 2):
        generate(tmp_path / str(seed), Order(2_000, seed, "korean2010", profile))
    graphs = [Graph.open(tmp_path / str(seed)) for seed in (1, 2)]
    for graph in graphs:
        assert len(np.unique(graph.seeds)) == 30
        assert graph.relevant[graph.seeds].all()
        assert len(np.unique(graph.server[graph.seeds])) > 10
    assert graphs[0].seeds.tolist() != graphs[1].seeds.tolist()


def test_other_pages_of_a_domain_are_in_the_languages_that_the_profile_names(tmp_path: Path) -> None:
    profile = load_profile("korean2010")
    generate(tmp_path / "web", Order(20_000, 1, "korean2010", profile))
    graph = Graph.open(tmp_path / "web")
    in_cn = (graph.domain == graph.manifest.domains.index("cn")) & (graph.outcome == Outcome.PAGE)
    found = {language_name(code) for code in np.unique(graph.language[in_cn]).tolist()}
    assert found <= {"", "zh", "en", "ko"}
    # 55,000 of 60,000 pages in .cn are Chinese by the profile.
    assert np.mean(graph.language[in_cn] == language_code("zh")) == pytest.approx(55 / 60, abs=0.01)
    irrelevant = ~graph.relevant & (graph.outcome == Outcome.PAGE)
    assert language_code("ko") not in graph.language[irrelevant]


@pytest.mark.parametrize(
    "others", ["{ ko = 1.0 }", "{ klingonish = 1.0 }", "{ zh = 0.0 }", "{ zh = -1.0 }", "{ zh = inf }"]
)
def test_wrong_languages_of_a_domain_are_refused_in_one_line(others: str, tmp_path: Path) -> None:
    cells = "pages = 10, relevant = 5, english = 1, other = 4"
    text = f'language = "ko"\n[domains]\nkr = {{ {cells}, others = {others} }}\n'
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"domains\.kr\.others") as refusal:
        load_profile(str(tmp_path / "own.toml"))
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("seeds", ["0", "-3", '"many"', "1000000000"])
def test_wrong_number_of_seeds_is_refused(seeds: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(f"seeds = {seeds}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="seeds"):
        load_profile(str(tmp_path / "own.toml"))


def test_cells_without_others_leave_the_choice_to_the_domain() -> None:
    assert Cells(pages=1, relevant=1, english=0, other=0).others == {}


@pytest.mark.parametrize("name", FAMILY)
def test_family_is_made_of_profiles_and_of_variants_of_the_published_one(name: str) -> None:
    profile, published = profile_of(name), load_profile("thai2006")
    if name in VARIANTS:
        assert profile.domains == published.domains
        assert profile.links == published.links
        assert profile.servers != published.servers
    else:
        assert profile == load_profile(name)


# Crawls of the control experiment, by a second implementation


def crawled_by_hand(graph: Graph, nation: CrawlPair | None) -> list[int]:
    """Breadth first; with a nation only links that its rule follows."""
    anchors, domains = graph.column("anchor_language"), graph.manifest.domains
    waiting, seen, documents = deque(graph.seeds.tolist()), set(graph.seeds.tolist()), []
    while waiting:
        node = waiting.popleft()
        if graph.outcome[node] == Outcome.PAGE:
            documents.append(node)
        for link in range(int(graph.offsets[node]), int(graph.offsets[node + 1])):
            target = int(graph.targets[link])
            follows = nation is None or domains[graph.domain[target]] == nation.domain
            follows = follows or anchors[link] == language_code(nation.language if nation else "")
            if follows and target not in seen:
                seen.add(target)
                waiting.append(target)
    return documents


@pytest.mark.parametrize("nation", NATIONS, ids=lambda nation: nation.name)
def test_pair_of_crawls_is_as_worked_out_by_a_queue(nation: CrawlPair, tmp_path: Path) -> None:
    profile = msgspec.structs.replace(load_profile(nation.profile), seeds=5)
    generate(tmp_path / "web", Order(2_000, 5, nation.profile, profile))
    graph = Graph.open(tmp_path / "web")
    part = 300 / sum(nation.baseline.values())
    pair = crawled_pair(graph, nation, part)
    size = round(part * sum(nation.rule.values()))
    by_hand = {
        "baseline": crawled_by_hand(graph, None)[:300],
        "rule": crawled_by_hand(graph, nation)[:size],
        "cut": crawled_by_hand(graph, None)[:size],
    }
    for name, nodes in by_hand.items():
        languages = [language_name(int(graph.language[node])) for node in nodes]
        expected = {code: languages.count(code) for code in ("zh", "ja", "ko")}
        expected[OTHER] = len(nodes) - sum(expected.values())
        assert getattr(pair, name) == expected
    assert json.loads(json.dumps(pair.values()))["ours"]["rule"] == pair.rule


def test_rounds_are_at_most_a_thousandth_of_the_web() -> None:
    assert ExperimentRequest(Path(), 20_000, 7).plan.k == 20
    assert ExperimentRequest(Path(), PAGES, 7).plan.k == 256
    assert ExperimentRequest(Path(), 1_000, 7).plan.k == 1
