"""Best first by page and by segment on webs drawn by hand, their orders of visits worked out by hand."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exonym.strategies.best_first import BestPage, Means, MeanSegment
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch
from exonym.urls import id_of


def test_best_page_orders_links_by_the_relevance_of_their_page() -> None:
    web = drawn("""
        s.th/    th=1    → a.com/ b.com/ c.com/
        a.com/   th=0.5  → a.com/1 a.com/2
        b.com/   en=0    → b.com/1 d.com/
        c.com/   th=0.75 → c.com/1 b.com/1
        c.com/1  en=0.25 → c.com/2
        b.com/1  ja=0    → f.com/
        a.com/1  th=1    → e.com/
        e.com/   en=0    → e.com/1
        a.com/2  th=0.5  → c.com/2 s.th/2
        c.com/2  en=0
        s.th/2   th=1
        d.com/   en=0
        f.com/   en=0
        e.com/1  en=0
    """)
    assert visits(web, BestPage(), ["s.th/"]) == [
        "s.th/",
        *("a.com/", "b.com/", "c.com/"),  # 1, of s.th/
        *("c.com/1", "b.com/1"),  # 0.75, of c.com/; b.com/1 had waited with the 0 of b.com/
        "a.com/1",  # 0.5, of a.com/, as has a.com/2
        "e.com/",  # 1, of a.com/1
        "a.com/2",  # 0.5
        *("c.com/2", "s.th/2"),  # 0.5, of a.com/2; c.com/2 had waited with the 0.25 of c.com/1
        *("d.com/", "f.com/", "e.com/1"),  # 0, as found
    ]


def test_best_segment_orders_segments_by_the_mean_relevance_of_the_segments_that_link_to_them() -> None:
    web = drawn("""
        s.th/      th → s.th/a/1 b.com/x/1 c.com/
        s.th/a/1   th → s.th/a/2 d.com/
        b.com/x/1  en → b.com/x/2 c.com/1 e.com/
        s.th/a/2   en → c.com/ e.com/ f.com/
        d.com/     th → e.com/1 b.com/x/3
        b.com/x/2  th → f.com/ g.com/
        b.com/x/3  en
        c.com/     en → g.com/
        c.com/1    th → f.com/1
        e.com/     en → f.com/
        e.com/1    th
        f.com/     en
        f.com/1    en
        g.com/     en
    """)
    # Behind each visit: the mean relevance of its segment's pages so far, and what that makes of the segments it links.
    assert visits(web, MeanSegment(), ["s.th/"]) == [
        "s.th/",  # 1 · s.th/a/ 1, b.com/x/ 1, c.com/ 1
        "s.th/a/1",  # 1 · s.th/a/ (1+1)/2, d.com/ 1
        "b.com/x/1",  # 0 · b.com/x/ (1+0)/2, c.com/ (1+0)/2, e.com/ 0
        "s.th/a/2",  # of 1: before c.com/, found earlier. Now 1/2 · c.com/ (1+0+1/2)/3, e.com/ 1/4, f.com/ 1/2
        "d.com/",  # of 1. 1 · e.com/ (0+1/2+1)/3, b.com/x/ (1+0+1)/3
        "b.com/x/2",  # of 2/3. Now (0+1)/2 · f.com/ (1/2+1/2)/2, g.com/ 1/2
        "b.com/x/3",  # of 2/3
        "c.com/",  # of 1/2, and the first found of those. 0 · g.com/ (1/2+0)/2
        "c.com/1",  # of 1/2, found third. Now (0+1)/2 · f.com/ still 1/2
        "e.com/",  # of 1/2, found before f.com/. 0 · f.com/ (1/2+1/2+1/2+0)/4
        "e.com/1",  # of 1/2
        *("f.com/", "f.com/1"),  # of 3/8
        "g.com/",  # of 1/4
    ]


def test_segment_of_a_seed_is_trusted_until_links_are_found_into_it() -> None:
    web = drawn("""
        a.com/   en → b.com/1 c.com/
        b.com/1  th
        b.com/2  th
        c.com/   en
        d.com/   en
    """)
    # a.com/ is irrelevant: b.com/, into which it leads, falls to 0, and so do the seeds there; d.com/ stays at 1.
    seeds = ["a.com/", "b.com/2", "d.com/"]
    assert visits(web, MeanSegment(), seeds) == ["a.com/", "d.com/", "b.com/2", "b.com/1", "c.com/"]


def test_failed_requests_say_nothing_about_a_segment() -> None:
    web = drawn("""
        s.th/    th → b.com/ a.com/1 a.com/2
        a.com/1  failed
        a.com/2  th → c.com/
        b.com/   th=0.5 → d.com/
        c.com/   en
        d.com/   en
    """)
    # a.com/ has relevance 1 when a.com/2 links to c.com/: with 1/2, d.com/ (1/2, found earlier) would come first.
    assert visits(web, MeanSegment(), ["s.th/"]) == ["s.th/", "b.com/", "a.com/1", "a.com/2", "c.com/", "d.com/"]


def test_redirect_carries_the_relevance_of_the_page_with_the_link() -> None:
    web = drawn("""
        s.th/    th=0.5 → a.com/ b.com/
        a.com/   redirect → c.com/
        b.com/   th → d.com/
        c.com/   en
        d.com/   en
    """)
    # c.com/: 1/2, of s.th/; d.com/: 1, of b.com/.
    assert visits(web, MeanSegment(), ["s.th/"]) == ["s.th/", "a.com/", "b.com/", "d.com/", "c.com/"]


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 64)), min_size=1), st.integers(0, 40))
def test_means_are_exact_in_any_batches(added: list[tuple[int, int]], cut: int) -> None:
    means = Means(otherwise=0.25)
    for part in (added[:cut], added[cut:]):
        ids = np.array([key for key, _ in part], dtype=np.uint64)
        means.add(ids, np.array([share / 64 for _, share in part], dtype=np.float32))
    for key in {key for key, _ in added}:
        shares = [Fraction(share, 64) for other, share in added if other == key]
        assert means.of(np.array([key], dtype=np.uint64))[0] == float(sum(shares) / len(shares))
    assert means.of(np.array([9], dtype=np.uint64)).tolist() == [0.25]


def test_seeds_that_come_again_teach_nothing() -> None:
    strategy = MeanSegment()
    links = link_batch(random.Random(1), 40)
    strategy.meet(links)
    before = strategy.rank(links.segment)
    assert not len(strategy.meet(replace(links, source=np.full(40, -1))))
    assert strategy.rank(links.segment).tolist() == before.tolist()
    assert strategy.rank(np.array([id_of("never seen")], dtype=np.uint64)).tolist() == [1.0]
