"""The site crawler: orders of visits worked out by hand, and its ranks against the definition read out plainly."""

import random
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hand_made import hand_made

from exonym.batches import NO_ROW, NO_SERVER, Floats, Group, LinkBatch, Outcome, PageBatch, Readings
from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.strategies.site import SiteCrawler
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch, page_batch

# lonelyplanet.com of the thesis' argument: relevant in one section only.
PARTLY_RELEVANT = drawn("""
    s.th/       th → a.com/th/1 b.com/
    a.com/th/1  th → a.com/th/2 a.com/de/1 a.com/fr/1
    a.com/th/2  th
    a.com/de/1  en → a.com/de/2
    a.com/de/2  en → a.com/de/3
    a.com/de/3  en
    a.com/fr/1  en → c.com/
    b.com/      th
    c.com/      en
""")


def test_all_known_pages_of_a_site_are_fetched_before_another_site_is_begun() -> None:
    assert visits(PARTLY_RELEVANT, SiteCrawler(), ["s.th/"]) == [
        "s.th/",
        *("a.com/th/1", "a.com/th/2", "a.com/de/1", "a.com/fr/1", "a.com/de/2", "a.com/de/3"),
        "b.com/",  # 1, as a.com had
        "c.com/",  # 2/6: the relevance of a.com
    ]


def test_segment_crawler_leaves_out_most_of_what_is_irrelevant_on_such_a_site() -> None:
    # Of equal scores, b.com/ was found first. The rest of a.com/de/ is dropped after two irrelevant pages.
    order = ["s.th/", "a.com/th/1", "a.com/th/2", "b.com/", "a.com/de/1", "a.com/de/2", "a.com/fr/1", "c.com/"]
    assert visits(PARTLY_RELEVANT, SegmentCrawler(), ["s.th/"]) == order


def test_several_links_between_two_sites_count_as_one_whatever_their_segments() -> None:
    web = drawn("""
        a.com/    th=0.5  → x.com/1 x.com/y/2
        b.com/    th=0.25 → x.com/z/3
        c.com/    th=0.4  → w.com/
        x.com/1   en
        x.com/y/2 th
        x.com/z/3 th
        w.com/    th
    """)
    # x.com: (1/2 + 1/4)/2 = 0.375; with each link counted it were 0.417, before w.com with 0.4.
    seeds = ["a.com/", "b.com/", "c.com/"]
    assert visits(web, SiteCrawler(), seeds) == [*seeds, "w.com/", "x.com/1", "x.com/y/2", "x.com/z/3"]


def test_relevance_of_a_source_is_that_of_the_whole_site_and_changes_with_its_pages() -> None:
    web = drawn("""
        s.th/    th → a.com/1 b.com/
        a.com/1  th → c.com/ a.com/x/2
        a.com/x/2 en
        b.com/   th=0.75 → d.com/
        c.com/   th
        d.com/   th
    """)
    # c.com has 1 when a.com/1 is read, and 1/2 after a.com/x/2; d.com has 3/4.
    order = ["s.th/", "a.com/1", "a.com/x/2", "b.com/", "d.com/", "c.com/"]
    assert visits(web, SiteCrawler(), ["s.th/"]) == order


def test_failed_requests_begin_a_site_and_say_nothing_about_its_relevance() -> None:
    web = drawn("""
        s.th/    th → a.com/1 b.com/ a.com/2
        a.com/1  failed
        a.com/2  th=0.75 → c.com/
        b.com/   th=0.5 → d.com/
        c.com/   th
        d.com/   th
    """)
    # c.com has 3/4, not 3/8: the failed request is no page. d.com has 1/2.
    order = ["s.th/", "a.com/1", "a.com/2", "b.com/", "c.com/", "d.com/"]
    assert visits(web, SiteCrawler(), ["s.th/"]) == order


def test_groups_are_servers_and_a_model_needs_readings() -> None:
    strategy = SiteCrawler()
    assert (strategy.group, strategy.needs) == (Group.SERVER, frozenset())
    strategy.use(hand_made("site"))
    assert strategy.needs == {"reading"}


@pytest.mark.parametrize("unit", ["segment", "page"])
def test_model_of_another_unit_is_refused(unit: str) -> None:
    with pytest.raises(ConfigError, match=rf"model must be trained for sites, got one for {unit}s .*--unit site\.$"):
        SiteCrawler().use(hand_made(unit))  # type: ignore[arg-type]


# Against the definition


class Averaging:
    """Guesses the mean of the first number of a reading and the degree."""

    name = "averaging"

    def read(self, texts: LinkTexts) -> Readings:
        raise AssertionError("nothing is to be read")

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        guesses: Floats = (np.clip(readings[:, 0], 0, 1) + degrees) / 2
        return guesses


class PlainSites:
    """Ranks by the definition, from all links and pages that there were."""

    def __init__(self) -> None:
        self.guesses: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.pages: dict[int, list[tuple[bool, float]]] = defaultdict(list)
        self.begun: set[int] = set()

    def meet(self, links: LinkBatch) -> None:
        assert links.reading is not None
        for at, (source, target) in enumerate(zip(links.source_server.tolist(), links.server.tolist(), strict=True)):
            pages = self.pages.get(source, [])
            degree = sum(is_relevant for is_relevant, _ in pages) / len(pages) if pages else 0.0
            guess = Averaging().probability(links.reading[at : at + 1], np.array([degree]))[0]
            if source == NO_SERVER:
                self.guesses[source, target].append(65_536)
            elif source != target:
                self.guesses[source, target].append(round(guess * 65_536))

    def learn(self, pages: PageBatch) -> None:
        for at, server in enumerate(pages.server.tolist()):
            if pages.outcome[at] == Outcome.PAGE:
                self.pages[server].append((bool(pages.relevant[at]), float(pages.relevance[at])))
            if pages.outcome[at] in (Outcome.PAGE, Outcome.FAILED):
                self.begun.add(server)

    def weight(self, server: int) -> Fraction:
        if server == NO_SERVER:
            return Fraction(1)
        pages = self.pages.get(server, [])
        mean = sum(Fraction(relevance) for _, relevance in pages) / len(pages) if pages else Fraction(0)
        return Fraction(round(mean * 256), 256)

    def rank(self, server: int) -> float:
        values = [
            self.weight(source) * Fraction(int(Fraction(sum(steps), len(steps)) + Fraction(1, 2)), 65_536)
            for (source, target), steps in self.guesses.items()
            if target == server
        ]
        score = float(sum(values)) / len(values) if values else 1.0
        return (server in self.begun) + min(score, 1 - 1 / 65_536)


@pytest.mark.parametrize("seed", range(8))
def test_ranks_are_those_of_the_definition(seed: int) -> None:
    chance = random.Random(seed)
    servers = [f"{letter}.example" for letter in "abcde"]
    strategy, plain = SiteCrawler(), PlainSites()
    strategy.use(Averaging())
    for _ in range(6):
        links, pages = link_batch(chance, chance.randint(0, 6), servers), page_batch(chance, 3, servers)
        among = link_batch(chance, len(links), servers).server
        links.source_server[:] = np.where(links.source == NO_ROW, np.uint64(NO_SERVER), among)
        for one in (strategy, plain):
            one.learn(pages)  # type: ignore[attr-defined]
            one.meet(links)  # type: ignore[attr-defined]
        every = np.unique(link_batch(chance, 100, servers).server)
        assert strategy.rank(every).tolist() == pytest.approx([plain.rank(server) for server in every.tolist()])
