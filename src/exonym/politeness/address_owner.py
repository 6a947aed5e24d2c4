"""The owner of IP addresses in a cluster: lends each address to one worker at a time.

Each address has one owner, the worker to which the coordinator gave the address's share (`LendingTerms.share_of`). The
owner is told the time and does no I/O. It reads only its own clock, and lends an address again only when the borrower
said that it is done, or when a borrower that fell silent must be done: a borrower counts its lease from the moment when
it sent its message, the owner from the later moment when the message arrived, and a little longer.

Two owners of one share cannot both lend. An owner lends only for `tenure_seconds` after it asked the coordinator and
was confirmed; a new owner says nothing for that time, then confirms what borrowers report that they hold, and lends
when all leases of an earlier owner have ended (`silence_seconds`). That wait does not depend on how long a request may
take, because borrowers break off requests that outlast a lease.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from exonym.politeness.address_messages import Borrow, EndedTurn, Lend, LendingTerms, LentTurn, WantedTurn

_FRESH_SECONDS = 3.0  # a borrower that waits asks more often than this; one that does not is passed over …
_FORGET_SECONDS = 60.0  # … and then forgotten
_MOST_IDLE = 100_000


@dataclass(slots=True)
class _Loan:
    borrower: str
    number: int
    began: float  # its turn is counted from here
    until: float  # no request is in flight after this time, even if the borrower is never heard of again


@dataclass(slots=True)
class _OwnedAddress:
    next_start: float = -math.inf
    loan: _Loan | None = None
    # By borrower, in the order of asking: the number of the turn that it wants, and when it asked last.
    waiting: dict[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(slots=True)
class _Share:
    assignment: int
    began: float


class AddressOwner:
    """Lends the addresses of some shares, fairly: in the order in which borrowers asked, a turn each."""

    def __init__(self, name: str, terms: LendingTerms) -> None:
        self._name = name
        self._terms = terms
        self._shares: dict[int, _Share] = {}
        self._confirmed = -math.inf
        self._addresses: dict[str, _OwnedAddress] = {}
        self._heard: dict[str, int] = {}  # by borrower: the number of its last message
        self._prune_at = _MOST_IDLE

    def own(self, shares: Mapping[int, int], asked: float, now: float, unlent: Collection[int] = ()) -> None:
        """Own these shares, as the coordinator answered at `now` to a question that was sent at `asked`.

        The value of each share is the number of its assignment, which is another one whenever the share was given to
        anybody anew. `unlent` are shares of which nobody has lent anything before: there is nothing to wait for.
        """
        for share in [share for share, kept in self._shares.items() if shares.get(share) != kept.assignment]:
            del self._shares[share]
            self._addresses = {
                address: owned for address, owned in self._addresses.items() if self._terms.share_of(address) != share
            }
        for share, assignment in shares.items():
            self._shares.setdefault(share, _Share(assignment, -math.inf if share in unlent else now))
        self._confirmed = max(self._confirmed, asked)

    def answer(self, message: Borrow, now: float) -> Lend | None:
        """The answer to a message; None to one that is older than another of the same borrower."""
        if message.number <= self._heard.get(message.borrower, -1):
            return None
        self._heard[message.borrower] = message.number
        for ended in message.ended:
            self._end(message.borrower, ended, now)
        lent: list[LentTurn] = []
        if now < self._confirmed + self._terms.tenure_seconds:
            answers = [self._renewed(message.borrower, turn, now) for turn in message.held]
            answers += [self._lent(message.borrower, turn, now) for turn in message.wanted]
            lent = [turn for turn in answers if turn is not None]
            self._prune(now)
        return Lend(self._name, message.number, lent)

    def _end(self, borrower: str, ended: EndedTurn, now: float) -> None:
        owned = self._addresses.get(ended.address)
        if owned is None:
            return
        loan = owned.loan
        if loan is not None and (loan.borrower, loan.number) == (borrower, ended.number):
            owned.loan = None
            # The request began at least so long ago, so this is no sooner than its delay after it.
            owned.next_start = max(owned.next_start, now - ended.started_seconds_ago + self._terms.delay_seconds)
        elif owned.waiting.get(borrower, (-1, 0.0))[0] == ended.number:
            del owned.waiting[borrower]

    def _renewed(self, borrower: str, turn: WantedTurn, now: float) -> LentTurn | None:
        owned = self._owned(turn.address, now)
        if owned is None:
            return None
        if owned.loan is None and self._is_silent(turn.address, now):
            # Whoever reports a lease now has it of the earlier owner. A report that was under way for so long that its
            # lease is over does no harm: its borrower has given that turn up, and does not take it back.
            owned.loan = _Loan(borrower, turn.number, now, now)
        return self._extended(owned, borrower, turn, now)

    def _lent(self, borrower: str, turn: WantedTurn, now: float) -> LentTurn | None:
        owned = self._owned(turn.address, now)
        if owned is None:
            return None
        if owned.loan is None or (owned.loan.borrower, owned.loan.number) != (borrower, turn.number):
            owned.waiting[borrower] = turn.number, now
            if owned.loan is not None or self._is_silent(turn.address, now) or self._next(owned, now) != borrower:
                return None
            del owned.waiting[borrower]
            owned.loan = _Loan(borrower, turn.number, max(now, owned.next_start), now)
        return self._extended(owned, borrower, turn, now)

    def _extended(self, owned: _OwnedAddress, borrower: str, turn: WantedTurn, now: float) -> LentTurn | None:
        loan, terms = owned.loan, self._terms
        if loan is None or (loan.borrower, loan.number) != (borrower, turn.number):
            return None
        loan.until = now + terms.lease_seconds + terms.spare_seconds
        start_seconds = terms.start_seconds
        if self._next(owned, now) is not None:
            start_seconds = max(0.0, min(start_seconds, loan.began + terms.turn_seconds - now))
        wait_seconds = max(0.0, owned.next_start - now)
        return LentTurn(turn.address, turn.number, start_seconds, terms.lease_seconds, wait_seconds)

    def _owned(self, address: str, now: float) -> _OwnedAddress | None:
        """What is known of an address; None if another worker owns it, or it may not be spoken of yet."""
        share = self._shares.get(self._terms.share_of(address))
        if share is None or now < share.began + self._terms.tenure_seconds:
            return None
        owned = self._addresses.setdefault(address, _OwnedAddress())
        if owned.loan is not None and owned.loan.until <= now:
            owned.next_start = max(owned.next_start, owned.loan.until + self._terms.delay_seconds)
            owned.loan = None
        return owned

    def _is_silent(self, address: str, now: float) -> bool:
        """Whether an earlier owner may have lent this address for a time that is not over."""
        return now < self._shares[self._terms.share_of(address)].began + self._terms.silence_seconds

    def _next(self, owned: _OwnedAddress, now: float) -> str | None:
        """The borrower whose turn is next: the first that still asks."""
        return next((name for name, (_, asked) in owned.waiting.items() if now - asked <= _FRESH_SECONDS), None)

    def _prune(self, now: float) -> None:
        """Forget addresses that nobody has or waits for, and borrowers that ask no more."""
        if len(self._addresses) <= self._prune_at:
            return
        delay = self._terms.delay_seconds
        for owned in self._addresses.values():
            for name in [name for name, (_, asked) in owned.waiting.items() if now - asked > _FORGET_SECONDS]:
                del owned.waiting[name]
        self._addresses = {
            address: owned
            for address, owned in self._addresses.items()
            if owned.waiting or owned.next_start > now or (owned.loan and owned.loan.until + delay > now)
        }
        self._prune_at = _MOST_IDLE + 2 * len(self._addresses)
