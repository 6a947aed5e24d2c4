"""What the words of links say: counts of their pieces, classes, and what a crawl gains and cannot lose by them."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Flags, Ids, Outcome, language_code
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan, Run
from exonym.strategies.adaptive.link_words import ANCHOR_BOUNDS, URL_BOUNDS, LinkWords, pieces_of
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.manifest import Manifest

MEGABYTE = 1 << 20


def ids(*numbers: int) -> Ids:
    return np.array(numbers, dtype=np.uint64)


def of_urls(words: LinkWords, urls: list[str]) -> list[int]:
    return words.classes(pieces_of(urls))[0].tolist()


def of_anchors(words: LinkWords, anchors: list[str]) -> list[int]:
    return words.classes(pieces_of([], anchors))[1].tolist()


def meet(words: LinkWords, targets: Ids, anchors: list[str]) -> None:
    words.meet(targets, pieces_of([], anchors))


def flags(*truths: int) -> Flags:
    return np.array(truths, dtype=np.bool_)


def bucket(piece: bytes) -> int:
    """The upper 18 of the 32 bits of a product."""
    return (int.from_bytes(piece, "little") * 0x9E3779B1) % 2**32 >> 14


# Pieces


def test_a_text_has_as_many_pieces_as_bytes() -> None:
    pieces = pieces_of(["Ab", "", "c"])
    found = [pieces.buckets[start:end].tolist() for start, end in zip(pieces.starts, pieces.ends, strict=True)]
    assert found == [[bucket(b"\nab\n"), bucket(b"ab\n\n")], [], [bucket(b"\nc\n\n")]]


def test_no_texts_have_no_pieces() -> None:
    assert len(pieces_of([]).starts) == len(pieces_of([]).ends) == 0
    assert of_urls(LinkWords(), []) == []


def test_long_texts_and_halves_of_surrogate_pairs_are_read_as_far_as_they_go() -> None:
    pieces = pieces_of(["x" * 1_000, "\ud83d"])
    assert (pieces.ends - pieces.starts).tolist() == [120, 1]  # "?" takes the place of half a pair


# Classes


class Plain:
    """The same arithmetic with dictionaries, one piece at a time."""

    def __init__(self) -> None:
        self.relevant: Counter[int] = Counter()
        self.irrelevant: Counter[int] = Counter()
        self.texts = {True: 0, False: 0}

    def learn(self, text: str, is_relevant: bool) -> None:
        self.texts[is_relevant] += 1
        (self.relevant if is_relevant else self.irrelevant).update(self.buckets(text))

    @staticmethod
    def buckets(text: str) -> list[int]:
        data = b"\n" + text.encode() + b"\n\n"
        return [bucket(data[at : at + 4]) for at in range(len(text.encode()))]

    def evidence(self, text: str) -> float | None:
        """None: nothing is known."""
        if min(self.texts.values()) < 3:
            return None
        share = (self.texts[True] + 0.5) / (sum(self.texts.values()) + 1)
        sums = weights = 0
        for number in self.buckets(text):
            odds = math.log((self.relevant[number] + share) / (self.irrelevant[number] + 1 - share))
            steps = max(-320, min(320, round((odds - math.log(share / (1 - share))) * 64)))
            sums, weights = sums + steps * abs(steps), weights + abs(steps)
        return sums / (weights + 32) / 64 if weights else None


def classes_of(evidence: list[float | None], bounds: list[float]) -> list[int]:
    return [0 if one is None else 1 + sum(one >= bound for bound in bounds) for one in evidence]


LEARNED = st.lists(st.tuples(st.text("abth/", min_size=1, max_size=12), st.booleans()), max_size=30)


@given(LEARNED, st.lists(st.text("abth/", min_size=1, max_size=12), max_size=10))
def test_classes_are_those_of_the_arithmetic_one_piece_at_a_time(
    learned: list[tuple[str, bool]], asked: list[str]
) -> None:
    words, plain = LinkWords(), Plain()
    texts, relevant = [text for text, _ in learned], flags(*[is_relevant for _, is_relevant in learned])
    words.visit(np.arange(len(texts), dtype=np.uint64), texts, relevant)
    for text, is_relevant in learned:
        plain.learn(text, is_relevant)
    evidence = [plain.evidence(text) for text in asked]
    # Nearer to a bound than single precision is, either class is right.
    is_clear = [one is None or min(abs(one - bound) for bound in URL_BOUNDS) > 0.02 for one in evidence]
    expected = classes_of(evidence, URL_BOUNDS.tolist())
    for got, wanted, clear in zip(of_urls(words, asked), expected, is_clear, strict=True):
        assert got == wanted or not clear


def test_a_telling_piece_is_not_lost_among_many_that_say_nothing() -> None:
    words = LinkWords()
    pages = [f"http://site.example/{language}/page-{number}" for language in ("th", "en") for number in range(9)]
    words.visit(np.arange(18, dtype=np.uint64), pages, flags(*[1] * 9, *[0] * 9))
    thai, english, neither = of_urls(
        words, ["http://site.example/th/page-4711", "http://site.example/en/page-4711", "http://site.example/page-0815"]
    )
    assert (english, thai) == (1, len(URL_BOUNDS) + 1)
    assert neither == 0  # each of its pieces was on as many relevant as irrelevant pages, or on none


def test_nothing_is_said_before_three_pages_of_either_kind() -> None:
    words = LinkWords()
    words.visit(ids(1, 2, 3, 4, 5), ["a" * 9] * 5, flags(1, 1, 1, 0, 0))
    assert of_urls(words, ["a" * 9]) == [0]
    words.visit(ids(6), ["b" * 9], flags(0))
    assert of_urls(words, ["a" * 9]) != [0]


@given(st.lists(st.text(max_size=30), min_size=1, max_size=40))
def test_texts_one_by_one_have_the_classes_of_all_at_once(texts: list[str]) -> None:
    words = LinkWords()
    words.visit(ids(*range(8)), ["here", "there", "a", "th", "no", "non", "x", "xx"], flags(1, 1, 1, 1, 0, 0, 0, 0))
    assert of_urls(words, texts) == [of_urls(words, [text])[0] for text in texts]


# Anchors


def visited() -> LinkWords:
    words = LinkWords()
    words.visit(ids(*range(8)), ["http://a.example/"] * 8, flags(1, 1, 1, 1, 0, 0, 0, 0))
    return words


def test_anchors_teach_once_the_outcome_of_their_target_is_known() -> None:
    words = visited()
    meet(words, ids(100, 101, 102, 103, 104, 105), ["beach"] * 3 + ["login"] * 3)  # not visited
    assert of_anchors(words, ["beach"]) == [0]
    meet(words, ids(0, 1, 2, 4, 5, 6), ["beach"] * 3 + ["login"] * 3)
    beach, login = of_anchors(words, ["beach", "login"])
    assert beach == len(ANCHOR_BOUNDS) + 1
    assert login == 1


def test_a_menu_that_repeats_an_anchor_teaches_it_once() -> None:
    once, often = visited(), visited()
    targets, anchors = ids(0, 1, 2, 4, 5, 6), ["beach", "beaches", "beach", "login", "log in", "beach"]
    meet(once, targets, anchors)
    meet(often, np.repeat(targets, 3), [anchor for anchor in anchors for _ in range(3)])
    for _ in range(5):
        meet(often, targets, anchors)
    assert {name: column.tolist() for name, column in once.state().items()} == {
        name: column.tolist() for name, column in often.state().items()
    }


def test_what_is_kept_takes_a_few_megabytes_whatever_is_learned() -> None:
    words = LinkWords()
    before = size_of(words)
    for first in range(0, 20_000, 1_000):
        numbers = np.arange(first, first + 1_000, dtype=np.uint64)
        words.visit(numbers, [f"http://{number}.example/{number * 7}" for number in numbers], numbers % 3 == 0)
        meet(words, numbers, [f"page {number}" for number in numbers])
    assert size_of(words) == before < 8 * MEGABYTE


def size_of(words: LinkWords) -> int:
    return sum(column.nbytes for column in vars(words).values() if isinstance(column, np.ndarray))


# Crawls


class Site:
    """A graph in the making: pages with addresses, and links with anchors."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.servers: list[int] = []
        self.relevant: list[bool] = []
        self.links: list[list[tuple[int, str]]] = []

    def page(self, server: int, path: str, is_relevant: bool) -> int:
        self.urls.append(f"http://s{server}.example{path}")
        self.servers.append(server)
        self.relevant.append(is_relevant)
        self.links.append([])
        return len(self.urls) - 1

    def written(self, directory: Path, seeds: list[int]) -> Graph:
        degrees = [len(links) for links in self.links]
        thai = language_code("th")
        # Every directory is a page of its own: segments say nothing.
        columns = {
            "server": self.servers,
            "segment": np.arange(len(self.urls)),
            "domain": np.zeros(len(self.urls)),
            "outcome": np.full(len(self.urls), Outcome.PAGE),
            "language": np.where(self.relevant, thai, 0),
            "relevant": self.relevant,
            "offsets": np.concatenate([[0], np.cumsum(degrees)]),
            "targets": [target for links in self.links for target, _ in links],
            "seeds": seeds,
        }
        with GraphWriter(directory) as writer:
            for name, values in columns.items():
                writer.put(name, np.asarray(values))
            writer.put_texts("url", self.urls)
            writer.put_texts("anchor", [anchor for links in self.links for _, anchor in links])
            writer.finish(Manifest(languages=["th"], domains=["example"]))
        return Graph.open(directory)


def in_two_languages(directory: Path) -> Graph:
    """Servers whose pages are half in Thai, half in English; a page links to both, of its own and other servers."""
    site, rng = Site(), np.random.default_rng(5)
    pages = [
        [site.page(server, f"/{'en' if at % 2 else 'th'}/{at * 37}/", at % 2 == 0) for at in range(60)]
        for server in range(20)
    ]
    for own in pages:
        for page in own:
            targets = [*rng.choice(own, 6, replace=False), *rng.choice(np.concatenate(pages), 2, replace=False)]
            site.links[page] = [(int(target), f"{target}") for target in targets]
    return site.written(directory, [pages[0][0]])


def harvest(run: Run, pages: int) -> float:
    return float(run.relevant[:pages].mean())


def test_addresses_that_name_the_language_lead_to_it(tmp_path: Path) -> None:
    graph = in_two_languages(tmp_path / "graph")
    with_words, without = (simulate(graph, Adaptive(text=text), Plan(k=1, budget=400)) for text in (True, False))
    assert harvest(without, 400) < 0.6  # a half of each server's pages, and few facts tell which
    assert harvest(with_words, 400) > 0.85


def stuffed(directory: Path) -> tuple[Graph, Flags]:
    """Sites whose anchors tell which third of their pages is relevant, and a farm of as many pages on 400 hosts.

    Anchors promise that the farm is the target, and its addresses tell nothing. A link to the farm is on every third
    page; its own pages link to it twenty times.
    """
    site, rng = Site(), np.random.default_rng(6)
    sites, hosts = 30, 400
    pages = [[site.page(server, f"/{at}/", at % 3 == 0) for at in range(40)] for server in range(sites)]
    bait = [site.page(sites + at % hosts, f"/{at}/", is_relevant=False) for at in range(1_200)]
    every = np.concatenate(pages)
    words = ["thai beach", "phuket", "thai", "beach of phuket"]
    for own in pages:
        for page in own:
            targets = [*rng.choice(own, 6, replace=False), *rng.choice(every, 3, replace=False)]
            site.links[page] = [
                (int(target), words[target % 4] if site.relevant[target] else f"news {target}") for target in targets
            ]
            if page % 3 == 0:
                site.links[page].append((int(rng.choice(bait)), "thai beach phuket"))
    for page in bait:
        targets = [*rng.choice(bait, 20, replace=False), *rng.choice(every, 2, replace=False)]
        site.links[page] = [(int(target), "thai beach phuket") for target in targets]
    return site.written(directory, [pages[0][0]]), np.isin(np.arange(len(site.urls)), bait)


def test_a_farm_whose_anchors_promise_the_target_is_left_soon(tmp_path: Path) -> None:
    graph, is_farm = stuffed(tmp_path / "graph")
    relevant = int(np.count_nonzero(graph.relevant))
    assert relevant == 30 * 14
    run = simulate(graph, Adaptive(), Plan(k=1))
    until = int(np.searchsorted(np.cumsum(run.relevant), 0.95 * relevant)) + 1
    assert until < 1.25 * relevant
    assert np.count_nonzero(is_farm[run.nodes[:until]]) < 0.05 * until


def test_a_graph_without_texts_is_crawled_as_without_words(tmp_path: Path) -> None:
    graph = in_two_languages(tmp_path / "graph")
    bare = tmp_path / "bare"
    with GraphWriter(bare) as writer:
        for name in ("server", "segment", "domain", "outcome", "language", "relevant", "offsets", "targets", "seeds"):
            writer.put(name, np.array(graph.column(name)))
        writer.finish(Manifest(languages=["th"], domains=["example"]))
    orders = [
        simulate(Graph.open(bare), Adaptive(text=True), Plan(k=1)).nodes.tolist(),
        simulate(Graph.open(bare), Adaptive(text=False), Plan(k=1)).nodes.tolist(),
        simulate(graph, Adaptive(text=False), Plan(k=1)).nodes.tolist(),
    ]
    assert orders[0] == orders[1] == orders[2]
