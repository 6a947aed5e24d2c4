"""Exchanges what strategies learned that holds for all servers, every few seconds, between the partitions of a crawl.

Each partition numbers what it has learned since its worker started. A receiver that has nothing of a sender is sent all
that the sender ever learned; from then on it applies each number once, in order, and says which one was the last. What
it has not confirmed is sent again. What an earlier life of a sender told stays with its receivers; what that life
learned and did not tell any more is lost to them: a few seconds of learning.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from exonym.cluster.worker_messages import Heard, LearnedNews
from exonym.crawl import Crawl
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state

SHARE_SECONDS = 3.0
NOTHING_HEARD = -1
_PART = "learned"


class _Known(NamedTuple):
    """A life of another worker, and the last number that was heard."""

    life: str
    number: int


class Sharing:
    """The exchange of one partition with all others."""

    def __init__(self, partition: int, life: str, crawl: Crawl) -> None:
        self._partition = partition
        self._life = life
        self._crawl = crawl
        self._log: list[bytes] = []  # number n is at n - 1; b"": all receivers have heard it
        self._receivers: dict[int, _Known] = {}
        self._senders: dict[int, _Known] = {}
        self._told = float("-inf")
        crawl.differences()  # switches recording on

    def due(self, routes: Mapping[int, str], now: float) -> Iterator[tuple[str, LearnedNews]]:
        """What is to be told now, with the workers that are to get it."""
        if now - self._told < SHARE_SECONDS:
            return
        self._told = now
        if differences := self._crawl.differences():
            self._log.append(packed_state({_PART: differences}))
        last = heard_by_all = len(self._log)
        for number, worker in routes.items():
            if number == self._partition:
                continue
            heard = self._receivers.get(number, _Known("", NOTHING_HEARD)).number
            heard_by_all = min(heard_by_all, heard)
            if heard == NOTHING_HEARD:
                everything = packed_state({_PART: self._crawl.differences(everything=True)})
                yield worker, LearnedNews(self._partition, self._life, number, 0, last, [everything])
            elif heard < last:
                yield worker, LearnedNews(self._partition, self._life, number, heard + 1, last, self._log[heard:])
        for number in range(heard_by_all):
            self._log[number] = b""

    def receive(self, message: LearnedNews) -> Heard:
        """Apply what another partition has learned; the answer to it."""
        known = self._senders.get(message.sender)
        if known is None:
            if message.first:
                return Heard(message.sender, self._partition, self._life, NOTHING_HEARD)
            self._apply(message.states[0])
            known = _Known(message.life, message.last)
        elif known.life != message.life:
            # Its earlier life told all but the last seconds of what its present one began with.
            known = _Known(message.life, message.last if not message.first else message.first - 1)
        for number, state in enumerate(message.states, message.first) if message.first else ():
            if number == known.number + 1:
                self._apply(state)
                known = _Known(message.life, number)
        self._senders[message.sender] = known
        return Heard(message.sender, self._partition, self._life, known.number)

    def _apply(self, state: bytes) -> None:
        self._crawl.add_differences(unpacked_state(state).get(_PART, {}))

    def confirm(self, news: Heard) -> None:
        """Take the news of what a receiver has heard."""
        self._receivers[news.receiver] = _Known(news.life, news.number)
