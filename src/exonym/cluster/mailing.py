"""Carries links from the outbox of a partition to the workers that drive their owners, until those have committed them.

Batches leave in the order of their numbers. The bytes under way between two partitions are limited: a receiver that is
slow, or away, slows down its senders and nobody else. A batch whose receipt is not reported in time is sent again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from exonym.cluster.worker_messages import Committed, Links, PeerMessage
from exonym.crawl_directory.outbox import Outbox

CREDIT_BYTES = 1_000_000  # under way between two partitions
RESEND_SECONDS = 5.0
MOST_WAITING_BYTES = 64_000_000  # for one receiver that is there: then the sender begins no more visits


@dataclass(slots=True)
class _Route:
    """What was sent from one partition to another."""

    worker: str = ""
    sent_until: int = 0  # the last number sent
    under_way: dict[int, int] | None = None  # bytes by number
    since: float = 0.0  # when the oldest batch under way was sent, or the last one before it was reported


class Mailing:
    """The links under way from one partition to all others."""

    def __init__(self, partition: int, outbox: Outbox) -> None:
        self._partition = partition
        self._outbox = outbox
        self._routes: dict[int, _Route] = {}

    def due(self, routes: Mapping[int, str], now: float) -> Iterable[tuple[str, PeerMessage]]:
        """The batches to send now, each with the worker that drives its receiver."""
        for receiver in self._outbox.receivers:
            worker = routes.get(receiver)
            route = self._routes.setdefault(receiver, _Route())
            if worker is None:
                continue
            under_way = route.under_way
            if under_way is None or worker != route.worker or (under_way and now - route.since >= RESEND_SECONDS):
                route.worker, route.sent_until, route.since = worker, 0, now
                under_way = route.under_way = {}
            credit = CREDIT_BYTES - sum(under_way.values())
            if credit <= 0:
                continue
            for batch in self._outbox.waiting(receiver, route.sent_until, credit):
                route.since = route.since if under_way else now
                under_way[batch.number] = len(batch.links)
                route.sent_until = batch.number
                yield worker, Links(self._partition, receiver, batch.number, batch.links)

    def confirm(self, news: Committed, now: float) -> None:
        """Take the news that a receiver has committed batches."""
        self._outbox.acknowledge(news.receiver, news.number)
        route = self._routes.setdefault(news.receiver, _Route())
        under_way = route.under_way or {}
        route.under_way = {number: size for number, size in under_way.items() if number > news.number}
        if len(route.under_way) < len(under_way):
            route.since = now
        route.sent_until = max(route.sent_until, news.number)

    def is_blocked(self, routes: Mapping[int, str]) -> bool:
        """Whether so much waits for a partition that is driven that no more links should be found."""
        return self._outbox.bytes > MOST_WAITING_BYTES and any(
            self._outbox.bytes_for(receiver) > MOST_WAITING_BYTES for receiver in routes
        )
