"""The page crawler by a link model: its scores are the model's probabilities, of each link alone."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hand_made import hand_made

from exonym.batches import NO_ROW, Floats, Readings
from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts
from exonym.strategies.best_first import BestPage
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.naive_bayes import NaiveBayes
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch

WEB = drawn("""
    s.th/    th=1    → a.com/ b.com/ c.com/
    a.com/   th=0.5  → a.com/1 a.com/2
    b.com/   en=0    → b.com/1 d.com/
    c.com/   th=0.75 → c.com/1 b.com/1
    c.com/1  en=0.25 → c.com/2
    b.com/1  ja=0    → f.com/
    a.com/1  th=1    → e.com/
    a.com/2  th=0.5  → c.com/2
""")


class OfSource:
    """Knows the degree alone."""

    name = "of source"

    def read(self, texts: LinkTexts) -> Readings:
        return np.zeros((len(texts.urls), 2), np.float32)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return degrees


def with_model() -> NaiveBayes:
    strategy = NaiveBayes()
    strategy.use(OfSource())
    return strategy


def test_model_that_knows_the_relevance_of_the_source_page_alone_makes_it_best_page() -> None:
    order = visits(WEB, with_model(), ["s.th/"])
    assert order == visits(WEB, BestPage(), ["s.th/"])
    assert order != visits(WEB, BreadthFirst(), ["s.th/"])


def test_without_a_model_it_is_breadth_first() -> None:
    assert visits(WEB, NaiveBayes(), ["s.th/"]) == visits(WEB, BreadthFirst(), ["s.th/"])


def test_score_is_the_probability_of_the_model_and_that_of_a_seed_is_1() -> None:
    # The model by hand: a quarter for links into .com, three quarters into .th; a ninth of the odds from 0.5 relevance.
    strategy, model = NaiveBayes(), hand_made("page")
    strategy.use(model)
    texts = LinkTexts(
        ["http://a.com/", "http://a.th/", "http://a.th/"], [""] * 3, [""] * 3, [""] * 3, [""] * 3, [""] * 3
    )
    relevance = np.array([0, 0.5, 0], dtype=np.float32)
    links = replace(
        link_batch(random.Random(1), 3),
        reading=model.read(texts),
        source_relevance=relevance,
        source=np.array([7, 7, NO_ROW]),
    )
    # 3 to 1 against; 3 to 1 for, times 1/27: 1 to 9 against.
    assert strategy.score(links).tolist() == pytest.approx([0.25, 0.1, 1.0], abs=1 / 65_536)


def test_model_of_another_unit_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"model must be trained for pages, got one for segments .*--unit page\.$"):
        NaiveBayes().use(hand_made())
