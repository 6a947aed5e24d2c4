"""The adaptive strategy on webs that are made to mislead it, or to say nothing: at least as good as the rules."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from exonym.batches import BareLinks, Flags, Outcome, Visit, VisitResult, language_code
from exonym.live.found_links import links_to
from exonym.metrics import area
from exonym.simulation.engine.loop import simulate
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.strategies.adaptive.site_credit import FIRST_PAGES
from exonym.strategies.by_name import make_strategy
from exonym.testing.reference import crawl_answers
from exonym.urls import server_of, site_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

PAGES = 20_000


def made(directory: Path, profile: str) -> Graph:
    generate(directory, Order(PAGES, 3, profile, load_profile(profile)))
    return Graph.open(directory)


def found_by(strategy: str, graph: Graph) -> Flags:
    run = simulate(graph, strategy_of(strategy, graph), Plan(k=2))
    return run.relevant[run.is_page]


@pytest.mark.parametrize("profile", ["thai2006", "linkfarm", "stuffed", "blogrolls", "scattered"])
def test_adaptive_finds_more_than_the_rules(profile: str, tmp_path: Path) -> None:
    graph = made(tmp_path / "web", profile)
    existing = relevant_pages_of(graph)
    rules = ("bfs", "soft", "cjk:language=th", "lswc:S=1,T=1", "lswc:S=3,T=5")
    best = max(area(found_by(rule, graph), existing) for rule in rules)
    assert area(found_by("adaptive", graph), existing) > best
    assert area(found_by("adaptive:prior=none", graph), existing) > best


def test_stuffed_anchors_buy_few_visits(tmp_path: Path) -> None:
    graph = made(tmp_path / "web", "stuffed")
    is_relevant_server = np.zeros(graph.manifest.servers, np.bool_)
    is_relevant_server[graph.server[graph.relevant]] = True
    existing = relevant_pages_of(graph)
    run = simulate(graph, strategy_of("adaptive", graph), Plan(k=2, budget=existing))
    # Nine in ten anchors of links between irrelevant pages outside are in the language, and of every ten pages that are
    # asked for, fewer than one is on a server that has nothing.
    assert np.count_nonzero(~is_relevant_server[graph.server[run.nodes]]) < 0.1 * existing


# Farms without end, live: their pages are made when they are asked for

SITES, PAGES_OF_SITE = 60, 40
TRUTH = sum(page % 3 == 0 or page % 4 == 0 for page in range(PAGES_OF_SITE)) * SITES // 2  # relevant pages that exist
STUFFED = "เที่ยวภูเก็ต"  # the anchor of every link into a farm
THAI, ENGLISH = language_code("th"), language_code("en")


class Found(NamedTuple):
    url: str
    anchor: str


def one_host_of_many(chance: random.Random) -> str:
    return f"http://h{chance.randrange(10**6)}.farm.com/{chance.randrange(50)}"


def one_page_of_many(chance: random.Random) -> str:
    return f"http://farm.com/{chance.randrange(10**6)}"


def one_domain_of_many(chance: random.Random) -> str:
    return f"http://farm{chance.randrange(5_000)}.com/{chance.choice(['', str(chance.randrange(50))])}"


def one_page_of_a_few_shops(chance: random.Random) -> str:
    return f"http://farm-shop{chance.randrange(5)}.com/goods?page={chance.randrange(10**6)}"


def address_in_site(site: int, page: int) -> str:
    directory = "th" if page % 3 == 0 else "en"
    return f"http://site{site}.com/{directory}/{page}.html" if page else f"http://site{site}.com/"


def page_with_farm(url: str, bait: Callable[[random.Random], str]) -> tuple[bool, list[Found]]:
    """Whether a page is relevant, and its links: to twenty pages of a farm, or to its site and others, and to bait."""
    chance = random.Random(url)
    if "farm" in server_of(url):
        way_out = address_in_site(chance.randrange(SITES), chance.randrange(PAGES_OF_SITE))
        return False, [*(Found(bait(chance), STUFFED) for _ in range(20)), Found(way_out, "news")]
    site, tail = int(server_of(url)[4:-4]), url.rpartition("/")[2]
    page, is_thai = int(tail[:-5] or 0), site % 2 == 0
    own = [
        Found(address_in_site(site, chance.randrange(PAGES_OF_SITE)), "ข่าว" if is_thai else "news") for _ in range(8)
    ]
    others = [Found(address_in_site(chance.randrange(SITES), 0), "a") for _ in range(3)]
    baits = [Found(bait(chance), STUFFED) for _ in range(2)] if page % 3 == 0 else []
    return is_thai and (page % 3 == 0 or page % 4 == 0), own + others + baits


def links_with_anchors(found: list[Found]) -> BareLinks:
    links = links_to([url for url, _ in found], frozenset(["domain"]))
    spoken = np.array([THAI if anchor >= "ก" else 0 for _, anchor in found], np.uint16)
    return links._replace(
        columns={**links.columns, "anchor": [anchor for _, anchor in found], "anchor_language": spoken}
    )


def crawled_with_farm(bait: Callable[[random.Random], str], prior: str, is_copied: bool) -> list[VisitResult]:
    """The visits of a crawl with a floor; the pages of the farm may all have the same words."""

    def answer(visit: Visit, row: int) -> VisitResult:
        is_relevant, found = page_with_farm(visit.text, bait)
        language = THAI if is_relevant else ENGLISH
        is_copy = is_copied and "farm" in server_of(visit.text)
        links = links_with_anchors(found)
        return VisitResult(visit, row, Outcome.PAGE, is_relevant, is_relevant, language, links, is_copy=is_copy)

    strategy = make_strategy("adaptive", {"floor": 0.05, "prior": prior}, ["th"])
    return [result for _, result in crawl_answers(strategy, links_to([address_in_site(0, 0)]), answer)]


def farmed_sites(visits: list[VisitResult]) -> list[str]:
    """The site of each visit to the farm before 95 % of the relevant pages were found; fails if they never were."""
    found = np.cumsum([result.relevant for result in visits])
    assert found[-1] >= 0.95 * TRUTH
    until = int(np.searchsorted(found, 0.95 * TRUTH)) + 1
    return [site_of(result.visit.text) for result in visits[:until] if "farm" in server_of(result.visit.text)]


@pytest.mark.parametrize("bait", [one_host_of_many, one_page_of_many, one_domain_of_many, one_page_of_a_few_shops])
@pytest.mark.parametrize("prior", ["", "none"])
def test_farm_without_end_gets_few_visits_and_the_crawl_ends(bait: Callable[[random.Random], str], prior: str) -> None:
    visits = crawled_with_farm(bait, prior, is_copied=False)
    assert len(farmed_sites(visits)) < 0.05 * TRUTH
    farmed = sum("farm" in server_of(result.visit.text) for result in visits)
    assert farmed < 0.12 * len(visits)  # the floor does not hold before 1,000 pages


@pytest.mark.parametrize("bait", [one_host_of_many, one_page_of_many, one_page_of_a_few_shops])
def test_farm_whose_pages_are_all_alike_gets_hardly_more_than_the_credit_of_its_sites(
    bait: Callable[[random.Random], str],
) -> None:
    visits = Counter(farmed_sites(crawled_with_farm(bait, "", is_copied=True)))
    assert max(visits.values()) < 1.2 * FIRST_PAGES  # links to it come last, so some are taken when no others wait
