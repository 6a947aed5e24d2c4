"""The borrower of IP addresses in a cluster: says when a worker may send a request to an address that others use too.

All request queues of a worker share one borrower. It is told the time and does no I/O: the worker calls `messages`
every 50 milliseconds or so, carries what it gives to the owners, and hands their answers to `receive`.

A lease is counted from the moment when the message was sent that the owner answered, so it ends here before it ends
there. When it ends, the turn is over for good, and requests that are in flight are broken off (`overdue`): so an owner
never has to wait for a request of a worker that it cannot reach.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from exonym.politeness.address_messages import Borrow, EndedTurn, Lend, LendingTerms, WantedTurn

_NEWS_SECONDS = 0.1  # between two messages to one owner if there is something new to say …
_ASK_SECONDS = 0.5  # … if an address is waited for …
_RENEW_SECONDS = 1.0  # … if addresses are held
_KEEP_SECONDS = 3.0  # an address that nobody else wants is kept for so long: its server is often asked again
_UNANSWERED_SECONDS = 10.0  # an owner that does not answer for so long keeps no requests waiting


@dataclass(slots=True)
class _Turn:
    """One turn with an address, from the wish to the end."""

    number: int
    told: bool = False  # whether the owner was sent a message that names it
    starts_until: float = -math.inf
    until: float = -math.inf  # the end of the lease; -inf: not lent yet
    reserved: float = -math.inf  # the next start that `reserve` gives
    earliest: float = -math.inf  # no request begins sooner
    started: float = -math.inf  # when the last request began
    used: float = -math.inf  # when the address was last wanted or in use

    @property
    def is_lent(self) -> bool:
        return self.until > -math.inf


@dataclass(slots=True)
class _Over:
    """A turn that is over, until its owner knows, or has waited for it long enough."""

    address: str
    number: int
    started: float
    until: float
    told: int | None = None  # the first message that says so


@dataclass(slots=True)
class _Letters:
    """The messages to and from one owner."""

    sent: float = -math.inf
    silent_since: float = math.inf  # when the first message was sent that has no answer; infinity: all have
    unanswered: dict[int, float] = field(default_factory=dict)  # by number: when it was sent; none older than a lease


class AddressBorrower:
    """Borrows addresses for the requests of one worker, and gives them back when it has no more."""

    def __init__(self, name: str, terms: LendingTerms) -> None:
        self.changes = 0  # grows when a request that had to wait for an address should ask again
        self._name = name
        self._terms = terms
        self._owners: dict[int, str] = {}
        self._turns: dict[str, _Turn] = {}
        self._in_flight: Counter[str] = Counter()
        self._over: list[_Over] = []
        self._letters: dict[str, _Letters] = {}
        self._next_number = 0

    # For request queues

    def reserve(self, address: str, now: float) -> float | None:
        """When a request may start; None: ask again when `changes` has grown; infinity: the owner does not answer."""
        turn = self._turns.get(address)
        if turn is not None:
            start = max(now, turn.reserved)
            if start < turn.starts_until:
                turn.reserved = start + self._terms.delay_seconds
                return start
        return math.inf if self._is_unanswered(self._owner_of(address), now) else None

    def begin(self, address: str, now: float) -> float | None:
        """Note that a request begins, and return `now`; or, if it must not, a later start, or None (see `reserve`)."""
        turn = self._turns.get(address)
        if turn is None or now >= turn.starts_until:
            return None
        if now < turn.earliest:
            return turn.earliest
        self._in_flight[address] += 1
        turn.started = turn.used = now
        turn.earliest = now + self._terms.delay_seconds
        turn.reserved = max(turn.reserved, turn.earliest)
        return now

    def end(self, address: str, now: float) -> None:
        """Note that a request has ended."""
        self._in_flight[address] -= 1
        if not self._in_flight[address]:
            del self._in_flight[address]
        if address in self._turns:
            self._turns[address].used = now

    def overdue(self, now: float) -> list[str]:
        """The addresses whose lease is over although requests to them are in flight, which must be broken off now."""
        turns = self._turns
        return [address for address in self._in_flight if address not in turns or turns[address].until <= now]

    # For the worker

    def assign(self, owners: Mapping[int, str]) -> None:
        """Set the owner of each share of the addresses; shares without an owner are left out."""
        for address, turn in self._turns.items():
            share = self._terms.share_of(address)
            turn.told = turn.told and owners.get(share) == self._owners.get(share)
        for over in self._over:
            share = self._terms.share_of(over.address)
            over.told = over.told if owners.get(share) == self._owners.get(share) else None
        self._owners = dict(owners)
        self._letters = {owner: letters for owner, letters in self._letters.items() if owner in owners.values()}
        self.changes += 1

    def messages(self, wanted: Collection[str], now: float) -> dict[str, Borrow]:
        """What is to be sent now, by owner; `wanted` are the addresses for which requests wait."""
        for address, turn in list(self._turns.items()):
            if turn.is_lent and address in wanted:
                turn.used = now
            if self._is_over(address, turn, address in wanted, now):
                self._over.append(_Over(address, turn.number, turn.started, now + 2 * self._terms.lease_seconds))
                del self._turns[address]
        for address in wanted:
            if address not in self._turns:
                self._turns[address] = _Turn(self._number())
        self._over = [over for over in self._over if over.until > now]
        if any(self._is_unanswered(owner, now) for owner in self._letters):
            self.changes += 1
        return dict(self._due_messages(now))

    def _is_over(self, address: str, turn: _Turn, is_wanted: bool, now: float) -> bool:
        if not turn.is_lent:
            return not is_wanted
        if address in self._in_flight:
            return False
        return now >= turn.starts_until or not (is_wanted or now - turn.used < _KEEP_SECONDS)

    def _due_messages(self, now: float) -> Iterator[tuple[str, Borrow]]:
        by_owner: dict[str, Borrow] = {}
        news: set[str] = set()
        for address, turn in self._turns.items():
            if owner := self._owner_of(address):
                message = by_owner.setdefault(owner, Borrow(self._name, 0, [], [], []))
                (message.held if turn.is_lent else message.wanted).append(WantedTurn(address, turn.number))
                if not turn.told:
                    news.add(owner)
        for over in self._over:
            if owner := self._owner_of(over.address):
                message = by_owner.setdefault(owner, Borrow(self._name, 0, [], [], []))
                message.ended.append(EndedTurn(over.address, over.number, now - over.started))
                if over.told is None:
                    news.add(owner)
        for owner, message in by_owner.items():
            letters = self._letters.setdefault(owner, _Letters())
            is_asking = bool(message.wanted or message.ended)
            pause = _NEWS_SECONDS if owner in news else _ASK_SECONDS if is_asking else _RENEW_SECONDS
            if now - letters.sent >= pause:
                yield owner, self._sent(owner, message, now)

    def _sent(self, owner: str, message: Borrow, now: float) -> Borrow:
        number, letters, oldest = self._number(), self._letters[owner], now - self._terms.lease_seconds
        letters.unanswered = {earlier: when for earlier, when in letters.unanswered.items() if when > oldest}
        letters.sent = letters.unanswered[number] = now
        letters.silent_since = min(letters.silent_since, now)
        for turn in (*message.wanted, *message.held):
            self._turns[turn.address].told = True
        ended = {turn.number for turn in message.ended}
        for over in self._over:
            if over.number in ended and over.told is None:
                over.told = number
        return Borrow(self._name, number, message.wanted, message.held, message.ended)

    def receive(self, message: Lend, now: float) -> None:
        """Take the answer of an owner; one that is older than another, or of a former owner, changes nothing."""
        letters = self._letters.get(message.owner)
        sent = letters.unanswered.get(message.number) if letters else None
        if letters is None or sent is None:
            return
        letters.unanswered = {number: when for number, when in letters.unanswered.items() if number > message.number}
        letters.silent_since = min(letters.unanswered.values(), default=math.inf)
        self._over = [
            over
            for over in self._over
            if over.told is None or over.told > message.number or self._owner_of(over.address) != message.owner
        ]
        for address, number, start_seconds, lease_seconds, wait_seconds in message.lent:
            turn = self._turns.get(address)
            if turn is None or turn.number != number or self._owner_of(address) != message.owner:
                continue
            if sent + lease_seconds <= now or (turn.is_lent and turn.until <= now):
                continue
            if not turn.is_lent:
                turn.reserved = turn.earliest = now + wait_seconds
                turn.used = now
            turn.starts_until, turn.until = sent + start_seconds, sent + lease_seconds
        self.changes += 1

    def _owner_of(self, address: str) -> str | None:
        return self._owners.get(self._terms.share_of(address))

    def _is_unanswered(self, owner: str | None, now: float) -> bool:
        if owner is None:
            return True
        return owner in self._letters and now - self._letters[owner].silent_since > _UNANSWERED_SECONDS

    def _number(self) -> int:
        self._next_number += 1
        return self._next_number
