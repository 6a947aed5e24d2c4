"""Turns at IP addresses that servers of several partitions share: within one worker, or among all of them."""

from collections.abc import Iterator

from exonym.cluster.worker_messages import WorkerOrder
from exonym.config.settings import Settings
from exonym.live.requests import AddressTurns
from exonym.politeness.address_borrower import AddressBorrower
from exonym.politeness.address_messages import Borrow, Lend, LendingTerms
from exonym.politeness.address_owner import AddressOwner
from exonym.politeness.delays import Politeness

MESSAGE_SECONDS = 0.05


class AddressLending:
    """Owner and borrower of addresses in one worker; `turns` is for its request queues.

    A worker that is alone lends nothing: then its partitions share a `Politeness`. Nor is anything lent if requests to
    an address need not keep a distance, or if all requests go to one server (`network.connect_to`).
    """

    def __init__(self, name: str, life: str, settings: Settings, partitions: int, workers: int) -> None:
        delay_seconds = 0.0 if settings.network.connect_to else settings.politeness.address_delay_seconds
        self._name = name
        self._is_lending = workers > 1 and partitions > 1 and delay_seconds > 0
        terms = LendingTerms(partitions, delay_seconds)
        self._owner = AddressOwner(name, terms)
        self._borrower = AddressBorrower(f"{name}/{life}", terms)
        self.turns: AddressTurns = self._borrower if self._is_lending else Politeness(0.0, delay_seconds)
        self._asked = 0.0

    def obey(self, order: WorkerOrder, asked: float, now: float) -> None:
        """Own the addresses of the shares that an order names, which answers a report made at `asked`."""
        if not self._is_lending:
            return
        self._owner.own(order.lend, asked, now, order.unlent)
        self._borrower.assign(order.lenders)

    def is_due(self, now: float) -> bool:
        """Whether `messages` may have something to send."""
        return self._is_lending and now - self._asked >= MESSAGE_SECONDS

    def messages(self, wanted: set[str], now: float) -> Iterator[tuple[str, Borrow]]:
        """What is to be sent now, with the worker that is to get it; `wanted`: addresses for which requests wait."""
        self._asked = now
        yield from self._borrower.messages(wanted, now).items()

    def answer(self, message: Borrow, now: float) -> tuple[str, Lend] | None:
        """The answer to a borrower, with its worker."""
        lend = self._owner.answer(message, now)
        return (message.borrower.rpartition("/")[0], lend) if lend else None

    def receive(self, message: Lend, now: float) -> None:
        """Take the answer of an owner."""
        self._borrower.receive(message, now)
