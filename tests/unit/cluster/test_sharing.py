"""What strategies learned for all servers, exchanged between partitions over a network that loses and doubles."""

import random
from itertools import pairwise

import numpy as np
import pytest

from exonym.batches import Group
from exonym.cluster.sharing import SHARE_SECONDS, Sharing
from exonym.cluster.worker_messages import Heard, LearnedNews
from exonym.crawl import Bounds, Crawl
from exonym.politeness.delays import Politeness
from exonym.testing.language_odds import LanguageOdds
from exonym.testing.random_batches import link_batch, page_batch
from exonym.testing.reference import ReferenceFrontier

PARTITIONS = 3


class Network:
    """Partitions, each on a worker of its own, and the messages under way between them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = 0.0
        self.routes = {number: f"worker{number}" for number in range(PARTITIONS)}
        self.strategies = [LanguageOdds() for _ in range(PARTITIONS)]
        self.lives = [0] * PARTITIONS
        self.partitions = [self._sharing(number) for number in range(PARTITIONS)]
        self.under_way: list[LearnedNews | Heard] = []

    def _sharing(self, number: int) -> Sharing:
        strategy = self.strategies[number]
        crawl = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
        return Sharing(number, f"life{self.lives[number]}", crawl)

    def restart(self, number: int) -> None:
        """Start a worker again: its strategy is restored from its state, without what others told it."""
        restored = LanguageOdds()
        restored.restore(self.strategies[number].state())
        self.strategies[number] = restored
        self.lives[number] += 1
        self.partitions[number] = self._sharing(number)

    def exchange(self, losses: float) -> None:
        """Let the time for one exchange pass, and carry messages, some twice and some not at all, in any order."""
        self.now += SHARE_SECONDS
        for sharing in self.partitions:
            self.under_way += [message for _, message in sharing.due(self.routes, self.now)]
        while self.under_way:
            message = self.under_way.pop(self.chance.randrange(len(self.under_way)))
            if self.chance.random() < losses:
                continue
            if self.chance.random() < losses:
                self.under_way.append(message)
            if isinstance(message, LearnedNews):
                self.under_way.append(self.partitions[message.receiver].receive(message))
            else:
                self.partitions[message.sender].confirm(message)

    def assert_agreement(self) -> None:
        links = link_batch(self.chance, 60)
        for one, other in pairwise(strategy.score(links) for strategy in self.strategies):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("seed", range(20))
def test_copies_agree_once_messages_arrive_whatever_was_lost_or_doubled_before(seed: int) -> None:
    network = Network(random.Random(seed))
    for _ in range(6):
        network.strategies[network.chance.randrange(PARTITIONS)].learn(page_batch(network.chance, 12))
        network.exchange(losses=0.4)
    network.exchange(losses=0.0)
    network.exchange(losses=0.0)
    network.assert_agreement()


@pytest.mark.parametrize("seed", range(20))
def test_worker_that_starts_again_is_told_all_that_others_learned(seed: int) -> None:
    network = Network(random.Random(seed))
    for _ in range(3):
        for strategy in network.strategies:
            strategy.learn(page_batch(network.chance, 12))
        network.exchange(losses=0.0)
    network.exchange(losses=0.0)  # all has been told
    network.restart(1)
    network.exchange(losses=0.0)
    network.exchange(losses=0.0)
    network.assert_agreement()
    network.strategies[1].learn(page_batch(network.chance, 12))
    network.exchange(losses=0.3)
    for _ in range(2):
        network.exchange(losses=0.0)
    network.assert_agreement()
