"""The two messages by which workers of a cluster lend each other IP addresses, and the terms of lending.

A `Borrow` tells an owner all that a borrower wants, holds and has given up; a `Lend` answers it. Both describe a whole
state, so one that is lost, doubled or late does no harm. They contain durations only: clocks of machines may be hours
apart.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from exonym.urls import id_of


@dataclass(frozen=True, slots=True)
class LendingTerms:
    """What owners and borrowers have agreed on; the same in all workers of a crawl."""

    partitions: int
    delay_seconds: float  # between the starts of two requests to one address
    turn_seconds: float = 10.0  # a borrower begins no more requests then, if others wait for the address
    lease_seconds: float = 6.0  # a borrower that hears nothing for so long has ended all its requests by then
    start_seconds: float = 4.5  # … and begins no request later than this
    spare_seconds: float = 1.5  # the owner waits longer than a lease, because clocks drift and loops are late
    tenure_seconds: float = 3.0  # an owner that is not confirmed for so long lends nothing and renews nothing

    def share_of(self, address: str) -> int:
        """The partition whose worker owns an address."""
        return id_of(address) % self.partitions

    @property
    def silence_seconds(self) -> float:
        """After this time, nothing is left of what an owner lent that was replaced by another."""
        return self.tenure_seconds + self.lease_seconds + self.spare_seconds + self.delay_seconds


class WantedTurn(NamedTuple):
    """A turn that a borrower wants or has; its number is the borrower's, and is never used again."""

    address: str
    number: int


class EndedTurn(NamedTuple):
    """A turn that is over, or is no longer wanted: no request of it is in flight, and none will begin."""

    address: str
    number: int
    started_seconds_ago: float = math.inf  # before the message was sent: the last request; infinite: there was none


class LentTurn(NamedTuple):
    """A turn that a borrower has, or has again."""

    address: str
    number: int
    start_seconds: float  # requests may begin until then, counted from when the answered message was sent
    lease_seconds: float  # all requests must have ended by then, counted likewise
    wait_seconds: float  # the first request must wait for so long, counted from when this message is received


class Borrow(msgspec.Struct, array_like=True, frozen=True, tag=True):
    """What a borrower says to one owner: all of it, each time."""

    borrower: str  # no other worker, and no earlier life of this one, has this name
    number: int  # higher than all before
    wanted: list[WantedTurn]
    held: list[WantedTurn]
    ended: list[EndedTurn]


class Lend(msgspec.Struct, array_like=True, frozen=True, tag=True):
    """The answer of an owner: which of the turns that a `Borrow` names the borrower has."""

    owner: str
    number: int  # of the Borrow
    lent: list[LentTurn]
