"""The segment crawler: orders of visits worked out by hand, and its ranks against the definition read out plainly."""

import random
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from exonym.batches import NO_ROW, NO_SEGMENT, Floats, Group, LinkBatch, Outcome, PageBatch, Readings
from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts
from exonym.strategies.segment.areas import beside
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch, page_batch

# Rule S


def test_segment_is_dropped_after_irrelevant_pages_in_a_row() -> None:
    web = drawn("""
        s.th/    th → a.com/1 a.com/2 a.com/3 b.com/
        a.com/1  en
        a.com/2  failed
        a.com/3  th
        b.com/   th
    """)
    assert visits(web, SegmentCrawler(S=2), ["s.th/"]) == ["s.th/", "a.com/1", "a.com/2", "b.com/"]
    assert visits(web, SegmentCrawler(S=3), ["s.th/"]) == ["s.th/", "a.com/1", "a.com/2", "a.com/3", "b.com/"]


def test_relevant_page_begins_the_row_anew() -> None:
    pages = [f"a.com/{number}" for number in range(1, 7)]
    lines = [f"{page} {language}" for page, language in zip(pages, ["en", "th", "en", "en", "th", "th"], strict=True)]
    web = drawn("\n".join([f"s.th/ th → {' '.join(pages)}", *lines]))
    assert visits(web, SegmentCrawler(S=2), ["s.th/"]) == ["s.th/", *pages[:4]]


# Rule D


@pytest.mark.parametrize(("most", "reached"), [(1, 2), (2, 3), (3, 4), (4, 5)])
def test_segment_behind_irrelevant_segments_in_a_row_is_dropped(most: int, reached: int) -> None:
    web = drawn("""
        s.th/   th → a.com/
        a.com/  en → b.com/
        b.com/  en → c.com/
        c.com/  en → d.com/
        d.com/  th
    """)
    # d: a.com/ 0, b.com/ 1, c.com/ 2, d.com/ 3
    order = ["s.th/", "a.com/", "b.com/", "c.com/", "d.com/"]
    assert visits(web, SegmentCrawler(D=most), ["s.th/"]) == order[:reached]


def test_better_recommendation_lets_a_dropped_segment_in_again_with_links_found_from_then_on() -> None:
    web = drawn("""
        s.th/    th → a.com/
        a.com/   en → b.com/ e.com/
        b.com/   en → c.com/1 c.com/2
        e.com/   th → c.com/3 c.com/2
        c.com/1  th
        c.com/2  th
        c.com/3  th
    """)
    # b.com/ and e.com/ have d = 1; b.com/ makes it 2 for c.com/, e.com/ then 0. Nobody finds c.com/1 again.
    expected = ["s.th/", "a.com/", "b.com/", "e.com/", "c.com/3", "c.com/2"]
    assert visits(web, SegmentCrawler(D=2), ["s.th/"]) == expected


def test_segment_that_turns_relevant_vouches_only_for_links_found_from_then_on() -> None:
    web = drawn("""
        s.th/    th → a.com/1 a.com/2 a.com/3
        a.com/1  en → b.com/1
        a.com/2  th
        a.com/3  en → b.com/2
        b.com/1  th
        b.com/2  th
    """)
    # With D = 1 b.com/1 is dropped, for a.com/ is irrelevant then. The degree of a.com/ is 1/2 next, and then 1/3.
    assert visits(web, SegmentCrawler(D=1, S=3), ["s.th/"]) == ["s.th/", "a.com/1", "a.com/2", "a.com/3"]
    lower = SegmentCrawler(D=1, S=3, threshold=0.25)
    assert visits(web, lower, ["s.th/"]) == ["s.th/", "a.com/1", "a.com/2", "a.com/3", "b.com/2"]


# The order


def test_several_links_between_two_segments_count_as_one() -> None:
    web = drawn("""
        a.com/   th=0.5  → x.com/1 x.com/2
        b.com/   th=0.25 → x.com/3
        c.com/   th=0.4  → z.com/
        x.com/1  en
        x.com/2  th
        x.com/3  th
        z.com/   th
    """)
    # x.com/: (1/2 + 1/4)/2 = 0.375; with each link counted it were 0.417, before z.com/ with 0.4.
    seeds = ["a.com/", "b.com/", "c.com/"]
    assert visits(web, SegmentCrawler(), seeds) == [*seeds, "z.com/", "x.com/1", "x.com/2", "x.com/3"]


def test_segment_that_was_begun_comes_first_and_links_into_it_join_it() -> None:
    web = drawn("""
        s.th/    th     → a.com/1 b.com/
        a.com/1  th=0.1 → a.com/2 a.com/d/
        b.com/   th     → a.com/3
        a.com/2  th=0.1
        a.com/3  th
        a.com/d/ th
    """)
    # a.com/ and b.com/ have 1, a.com/d/ 0.1. The links of a.com/1 to a.com/2 teach nothing about a.com/.
    order = ["s.th/", "a.com/1", "a.com/2", "b.com/", "a.com/3", "a.com/d/"]
    assert visits(web, SegmentCrawler(), ["s.th/"]) == order


def test_redirect_hands_on_what_recommended_it() -> None:
    web = drawn("""
        s.th/    th=0.5 → a.com/ b.com/
        a.com/   redirect → c.com/
        b.com/   th=0.75 → d.com/
        c.com/   th
        d.com/   en
    """)
    assert visits(web, SegmentCrawler(), ["s.th/"]) == ["s.th/", "a.com/", "b.com/", "d.com/", "c.com/"]


# The options of the follow-ups


def ids(*values: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(values, dtype=np.uint64)


def one_link(server: int, segment: int, text: str = "http://x.com/") -> LinkBatch:
    base = link_batch(random.Random(0), 1)
    columns = {"server": ids(server), "segment": ids(segment), "text": [text], "source": np.array([NO_ROW])}
    return LinkBatch(**{name: columns.get(name, getattr(base, name)) for name in LinkBatch.__dataclass_fields__})  # type: ignore[arg-type]


def some_pages(server: int, segment: int, relevant: list[bool]) -> PageBatch:
    base = page_batch(random.Random(0), len(relevant))
    columns = {
        "server": np.full(len(relevant), server, dtype=np.uint64),
        "segment": np.full(len(relevant), segment, dtype=np.uint64),
        "outcome": np.full(len(relevant), Outcome.PAGE, dtype=np.uint8),
        "relevant": np.array(relevant),
        "relevance": np.array(relevant, dtype=np.float32),
    }
    return PageBatch(**{name: columns.get(name, getattr(base, name)) for name in PageBatch.__dataclass_fields__})  # type: ignore[arg-type]


def test_history_lowers_the_segments_of_a_server_with_irrelevant_pages() -> None:
    strategy = SegmentCrawler(history=0.5, S=99)
    for server, segment in ((1, 10), (1, 11), (2, 20)):
        strategy.meet(one_link(server, segment))
    strategy.learn(some_pages(1, 10, [True, False] * 4 + [False]))
    trusted = 1 - 1 / 65_536
    assert strategy.rank(ids(11, 20)).tolist() == [trusted, trusted]  # nine pages are no history
    assert strategy.learn(some_pages(1, 10, [False])).tolist() == [10, 11]
    # Four of ten are relevant: 1 · (1 − 0.5 · 0.6)
    assert strategy.rank(ids(10, 11, 20)).tolist() == pytest.approx([1.7, 0.7, trusted])


def test_neighbourhood_mixes_in_what_was_fetched_from_directories_beside() -> None:
    strategy = SegmentCrawler(neighbourhood=0.25, S=99)
    places = {10: "http://a.com/x/b/", 11: "http://a.com/x/c/?q=/1", 12: "http://a.com/y/c/"}
    for segment, text in places.items():
        strategy.meet(one_link(1, segment, text))
    assert strategy.learn(some_pages(1, 10, [True, False, False, False])).tolist() == [10, 11]
    # 0.75 · 1 + 0.25 · 0.25
    assert strategy.rank(ids(10, 11, 12)).tolist() == pytest.approx([1.8125, 0.8125, 1.0], abs=1e-4)


@pytest.mark.parametrize(("doubt", "order"), [(0, ["x.com/", "y.com/"]), (2, ["y.com/", "x.com/"])])
def test_with_doubt_several_recommendations_count_for_more_than_a_better_one(doubt: float, order: list[str]) -> None:
    web = drawn("""
        a.com/   th=0.8 → x.com/
        b.com/   th=0.6 → y.com/
        c.com/   th=0.6 → y.com/
        x.com/   th
        y.com/   th
    """)
    # 0.8 and (0.6 + 0.6)/2; with two more that say nothing 0.8/3 = 0.27 and (0.6 + 0.6)/4 = 0.3
    seeds = ["a.com/", "b.com/", "c.com/"]
    assert visits(web, SegmentCrawler(doubt=doubt), seeds) == [*seeds, *order]


def test_directories_beside_have_the_same_parent() -> None:
    keys = beside(["http://a.com/x/b/1", "http://a.com/x/c/", "http://a.com/x/1", "http://a.com/y/", "http://b.com/x/"])
    assert keys[0] == keys[1]
    assert keys[2] == keys[3]  # /x/ and /y/, under /
    assert beside(["http://a.com/"]).tolist() == [keys[2]]  # nothing is above /
    assert len(set(keys.tolist())) == 3


# Options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"S": 0}, "S must be 1 or more, got 0"),
        ({"D": 0}, "D must be 1 to 20, got 0"),
        ({"D": 21}, "D must be 1 to 20, got 21"),
        ({"threshold": 1.5}, "threshold must be 0 to 1, got 1.5"),
        ({"history": -0.5}, "history must be 0 to 1, got -0.5"),
        ({"neighbourhood": float("nan")}, "neighbourhood must be 0 to 1, got nan"),
        ({"doubt": -1}, "doubt must be 0 to 1000, got -1"),
        ({"doubt": float("inf")}, "doubt must be 0 to 1000, got inf"),
    ],
)
def test_options_out_of_bounds_are_refused(options: dict[str, float], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        SegmentCrawler(**options)  # type: ignore[arg-type]


def test_needs_grow_with_what_is_asked_of_it() -> None:
    strategy = SegmentCrawler()
    assert strategy.group == Group.SEGMENT
    assert strategy.needs == {"source_segment"}
    strategy.use(Halves())
    assert strategy.needs == {"source_segment", "segment_degree", "reading"}
    assert "text" in SegmentCrawler(neighbourhood=0.5).needs


def test_crawl_is_not_continued_with_a_model_that_pools_otherwise() -> None:
    link_by_link, pooled = SegmentCrawler(), SegmentCrawler()
    pooled.use(PooledHalves())
    for one, other in ((link_by_link, pooled), (pooled, link_by_link)):
        with pytest.raises(ConfigError, match="pools links otherwise"):
            one.restore(other.state())


# Against the definition


class Halves:
    """Guesses the better, the larger the first number of a reading and the degree are."""

    name = "halves"

    def read(self, texts: LinkTexts) -> Readings:
        raise AssertionError("nothing is to be read")

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        guesses: Floats = (np.clip(readings[:, 0], 0, 1) + degrees) / 2
        return guesses


class PooledHalves(Halves):
    """The same of the mean reading of all links between two segments; the second number of a reading is ignored."""

    name, pool = "pooled halves", "pair"

    def read(self, texts: LinkTexts) -> Readings:
        return np.ones((len(texts.urls), 3), np.float32)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return super().probability(readings[:, :1] / readings[:, 2:], degrees)


class Plain:
    """Ranks by the definition, from all links and pages that there were."""

    def __init__(self, S: int, D: int, threshold: float, doubt: float, pools: bool) -> None:  # noqa: N803
        self.S, self.D, self.threshold, self.doubt, self.pools = S, D, threshold, doubt, pools
        self.guesses: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.readings: dict[tuple[int, int], list[float]] = defaultdict(list)
        self.pages: dict[int, list[tuple[int, bool, float]]] = defaultdict(list)

    def meet(self, links: LinkBatch) -> None:
        assert links.source_segment is not None
        assert links.segment_degree is not None
        assert links.reading is not None
        guesses = Halves().probability(links.reading, links.segment_degree.astype(np.float64)).tolist()
        for at, (source, target) in enumerate(zip(links.source_segment.tolist(), links.segment.tolist(), strict=True)):
            if links.source[at] == NO_ROW:
                self.guesses[-1, target] = [65_536]
            elif source == NO_SEGMENT:
                stand_in = -2 if links.source_relevant[at] else -3
                guess = guesses[at] * float(links.source_relevance[at])
                self.guesses[stand_in, target].append(round(guess * 65_536))
            elif source != target:
                self.guesses[source, target].append(round(guesses[at] * 65_536))
                self.readings[source, target].append(float(links.reading[at, 0]))

    def learn(self, pages: PageBatch) -> None:
        for at, segment in enumerate(pages.segment.tolist()):
            if pages.outcome[at] in (Outcome.PAGE, Outcome.FAILED):
                facts = int(pages.outcome[at]), bool(pages.relevant[at]), float(pages.relevance[at])
                self.pages[segment].append(facts)

    def fetched(self, segment: int) -> list[tuple[int, bool, float]]:
        return [page for page in self.pages.get(segment, []) if page[0] == Outcome.PAGE]

    def is_relevant(self, segment: int) -> bool:
        pages = self.fetched(segment)
        return segment in (-1, -2) or (bool(pages) and sum(page[1] for page in pages) / len(pages) >= self.threshold)

    def distance(self, segment: int, seen: frozenset[int] = frozenset()) -> int:
        """By walking all paths backwards: no shortest path comes twice to a segment."""
        sources = [source for source, target in self.guesses if target == segment]
        if not sources:
            return 0
        onward = [source for source in sources if source not in seen]
        far = [0 if self.is_relevant(one) else self.distance(one, seen | {segment}) + 1 for one in onward]
        return min([*far, 99])

    def weight(self, segment: int) -> Fraction:
        if segment < 0:
            return Fraction(1)
        pages = self.fetched(segment)
        mean = sum(Fraction(page[2]) for page in pages) / len(pages) if pages else Fraction(0)
        return Fraction(round(mean * 256), 256)

    def guess(self, source: int, target: int) -> Fraction:
        """The mean of the guesses; pooled, the guess from the mean reading and the source's degree, in ten steps."""
        steps = self.guesses[source, target]
        if self.pools and source >= 0:
            pages, readings = self.fetched(source), self.readings[source, target]
            degree = 10 * sum(page[1] for page in pages) // max(len(pages), 1) / 10
            total = sum(round(reading * 65_536) for reading in readings) / 65_536
            mean = float(np.float32(total) / np.float32(len(readings)))
            steps = [round((min(max(mean, 0.0), 1.0) + min(degree, 0.9)) / 2 * 65_536)]
        return Fraction(int(Fraction(sum(steps), len(steps)) + Fraction(1, 2)), 65_536)

    def rank(self, segment: int) -> float:
        in_a_row = longest = 0
        for _, is_relevant, _ in self.pages.get(segment, []):
            in_a_row = 0 if is_relevant else in_a_row + 1
            longest = max(longest, in_a_row)
        is_begun = bool(self.pages.get(segment))
        if longest >= self.S or (not is_begun and self.distance(segment) >= self.D):
            return float("nan")
        values = [
            self.weight(source) * self.guess(source, target) for source, target in self.guesses if target == segment
        ]
        score = float(sum(values)) / (len(values) + self.doubt) if values else 1.0
        return is_begun + min(score, 1 - 1 / 65_536)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("model", [Halves(), PooledHalves()])
def test_ranks_are_those_of_the_definition(model: Halves, seed: int) -> None:
    chance = random.Random(seed)
    servers = ["a.example", "b.example"][: 1 + seed % 2]
    options = chance.randint(1, 4), chance.randint(1, 4), chance.choice([0.25, 0.5, 1.0])
    doubt = chance.choice([0.0, 0.5, 4.0])
    pools = isinstance(model, PooledHalves)
    strategy, plain = SegmentCrawler(*options, doubt=doubt), Plain(*options, doubt=doubt, pools=pools)
    strategy.use(model)
    for _ in range(6):
        links, pages = link_batch(chance, chance.randint(0, 4), servers), page_batch(chance, 3, servers)
        assert links.source_segment is not None
        among = link_batch(chance, len(links), servers).segment  # so that segments link to one another in circles
        hidden = np.array([chance.random() < 0.2 for _ in range(len(links))], dtype=np.bool_)
        links.source_segment[:] = np.where(hidden, np.uint64(NO_SEGMENT), among)
        if pools:
            assert links.reading is not None
            # The degree of a link without a segment is whether its page is relevant, as in a crawl.
            degrees = np.where(hidden, links.source_relevant, links.segment_degree)  # type: ignore[arg-type]
            ones = np.ones((len(links), 1), np.float32)
            links = replace(links, reading=np.hstack([links.reading, ones]), segment_degree=degrees)
        for one in (strategy, plain):
            one.learn(pages)
            one.meet(links)
        groups = np.unique(np.concatenate([links.segment, pages.segment]))
        expected = [plain.rank(segment) for segment in groups.tolist()]
        assert strategy.rank(groups).tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)
