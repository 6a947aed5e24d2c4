"""Copies of a strategy, one for each partition, rank and score the links to their own servers as a single one does."""

import random
from typing import Any

import numpy as np
import pytest
from strategies_tried import STRATEGIES

from exonym.batches import Group
from exonym.strategies.base import SharesLearning, learner_of
from exonym.strategies.by_name import make_strategy
from exonym.testing.random_batches import SERVERS, link_batch, page_batch
from exonym.testing.strategy_copies import learns_in_order

PARTITIONS = SERVERS[:2], SERVERS[2:4], SERVERS[4:]
# What a page teaches the others depends on the pages before it, so copies differ a little from a single one.
IN_ANY_ORDER = [(name, options) for name, options in STRATEGIES if not learns_in_order(make_strategy(name, options))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "options"), IN_ANY_ORDER)
def test_copies_know_of_their_own_servers_what_a_single_strategy_knows(
    name: str, options: dict[str, Any], seed: int
) -> None:
    chance = random.Random(seed)
    alone, *copies = (make_strategy(name, options) for _ in range(1 + len(PARTITIONS)))
    sharers: list[SharesLearning] = [copied for copied in copies if isinstance(copied, SharesLearning)]
    for sharer in sharers:
        sharer.differences()
    for _ in range(5):
        for copied, servers in zip(copies, PARTITIONS, strict=True):
            links, pages = link_batch(chance, 20, servers), page_batch(chance, 10, servers)
            for strategy in (alone, copied):
                learner_of(strategy).meet(links)
                strategy.learn(pages)
        told = [(sharer, sharer.differences()) for sharer in sharers]
        for other in sharers:
            for sharer, differences in told:
                if sharer is not other:
                    other.add_differences(differences)
    for copied, servers in zip(copies, PARTITIONS, strict=True):
        links = link_batch(chance, 60, servers)
        groups = links.server if alone.group == Group.SERVER else links.segment
        assert np.array_equal(copied.score(links), alone.score(links), equal_nan=True)
        assert np.array_equal(copied.rank(groups), alone.rank(groups), equal_nan=True)


def test_strategies_that_look_at_the_sources_of_links_share_what_they_learn_of_them() -> None:
    sharing = {name for name, options in STRATEGIES if isinstance(make_strategy(name, options), SharesLearning)}
    assert sharing == {"adaptive", "segment", "best-segment", "site"}
