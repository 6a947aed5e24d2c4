"""A cluster in one process, on a virtual clock: workers that lend each other addresses over a bad network.

Time passes in steps. Each worker has a clock of its own, hours from the others', and a little faster or slower.
Messages are lost, doubled and delayed; workers are killed and come back under another name, or are cut off for a while,
alone or together, and go on with what they can reach. All requests to addresses are recorded, in true time.
"""

import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from exonym.politeness.address_borrower import AddressBorrower
from exonym.politeness.address_messages import LendingTerms
from exonym.politeness.address_owner import AddressOwner

STEP_SECONDS = 0.05
HEARTBEAT_SECONDS = 0.5
MISSED_SECONDS = 2.0  # the coordinator gives the shares of a worker that it has not heard for so long to others


@dataclass(frozen=True)
class Chaos:
    """How bad things are."""

    loss: float = 0.0
    doubling: float = 0.0
    latency_seconds: tuple[float, float] = (0.001, 0.02)
    kills: float = 0.0  # a second
    cuts: float = 0.0  # a second
    request_seconds: tuple[float, float] = (0.05, 0.6)


@dataclass
class Arrival:
    """A request as its server sees it."""

    address: str
    worker: str
    start: float
    end: float


class _Held(NamedTuple):
    start: float
    address: str


@dataclass
class Worker:
    """One life of a worker."""

    place: int
    name: str
    ahead_seconds: float
    rate: float
    owner: AddressOwner
    borrower: AddressBorrower
    waiting: Counter[str]  # requests that wait for a turn
    held: list[_Held] = field(default_factory=list)
    in_flight: list[Arrival] = field(default_factory=list)
    asked: float = -1e9

    def clock(self, now: float) -> float:
        return self.ahead_seconds + now * self.rate

    @property
    def wanted(self) -> set[str]:
        return {address for address, count in self.waiting.items() if count} | {held.address for held in self.held}


class LendingCluster:
    """Workers with requests to make, their network, and their coordinator."""

    def __init__(self, terms: LendingTerms, workers: int, chance: random.Random, chaos: Chaos) -> None:
        self.terms, self.chance, self.chaos = terms, chance, chaos
        self.now = 0.0
        self.arrivals: list[Arrival] = []
        self.messages = 0
        self._post: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._lives = itertools.count()
        self._cut: dict[int, float] = {}  # places that reach only each other, until when
        self._missing: dict[int, tuple[float, Counter[str]]] = {}  # killed: when they come back, and their requests
        self._assigned = {share: (share % workers, 0) for share in range(terms.partitions)}
        self._heard = dict.fromkeys(range(workers), 0.0)
        self.workers = {place: self._born(place, Counter()) for place in range(workers)}
        for worker in self.workers.values():
            self._confirm(worker, worker.clock(0.0))

    def _born(self, place: int, waiting: Counter[str]) -> Worker:
        name = f"worker {place}, life {next(self._lives)}"
        owner, borrower = AddressOwner(name, self.terms), AddressBorrower(name, self.terms)
        ahead, rate = self.chance.uniform(-90_000, 90_000), self.chance.uniform(0.995, 1.005)
        return Worker(place, name, ahead, rate, owner, borrower, waiting)

    def run(self, seconds: float, is_chaotic: bool = True) -> None:
        """Let time pass; things go wrong if `is_chaotic`, apart from messages, which always may."""
        until = self.now + seconds
        while self.now < until:
            self.now += STEP_SECONDS
            if is_chaotic:
                self._disturb()
            self._recover()
            while self._post and self._post[0][0] <= self.now:
                heapq.heappop(self._post)[2]()
            for worker in list(self.workers.values()):
                self._step(worker)

    def finish(self, most_seconds: float) -> None:
        """Let time pass without further kills and cuts until all requests are made, or the time is over."""
        until = self.now + most_seconds
        while self.now < until and (
            self._missing or any(worker.wanted or worker.in_flight for worker in self.workers.values())
        ):
            self.run(1.0, is_chaotic=False)

    # Workers

    def _step(self, worker: Worker) -> None:
        now, borrower = worker.clock(self.now), worker.borrower
        for arrival in [arrival for arrival in worker.in_flight if arrival.end <= self.now]:
            worker.in_flight.remove(arrival)
            borrower.end(arrival.address, now)
        overdue = borrower.overdue(now)
        for arrival in [arrival for arrival in worker.in_flight if arrival.address in overdue]:
            worker.in_flight.remove(arrival)
            borrower.end(arrival.address, now)
            arrival.end = self.now
            worker.waiting[arrival.address] += 1  # to be asked again
        self._start(worker, now)
        for owner, message in borrower.messages(worker.wanted, now).items():
            self.messages += 1
            self._send(worker.place, owner, lambda to, m=message, w=worker: self._answer(to, w, m))
        if now - worker.asked >= HEARTBEAT_SECONDS:
            worker.asked = now
            if worker.place not in self._cut:
                self._carry(lambda w=worker, asked=now: self._heartbeat(w, asked))

    def _start(self, worker: Worker, now: float) -> None:
        for address in [address for address, count in worker.waiting.items() if count]:
            while worker.waiting[address] and (start := worker.borrower.reserve(address, now)) is not None:
                if start == float("inf"):
                    break
                worker.waiting[address] -= 1
                worker.held.append(_Held(start, address))
        for held in sorted(held for held in worker.held if held.start <= now):
            worker.held.remove(held)
            start = worker.borrower.begin(held.address, now)
            if start is None:
                worker.waiting[held.address] += 1
            elif start > now:
                worker.held.append(_Held(start, held.address))
            else:
                end = self.now + self.chance.uniform(*self.chaos.request_seconds)
                worker.in_flight.append(Arrival(held.address, worker.name, self.now, end))
                self.arrivals.append(worker.in_flight[-1])

    def _answer(self, to: Worker, sender: Worker, message: object) -> None:
        answer = to.owner.answer(message, to.clock(self.now))  # type: ignore[arg-type]
        if answer is not None:
            self._send(to.place, sender.name, lambda w: w.borrower.receive(answer, w.clock(self.now)))

    # Network

    def _send(self, place: int, name: str, deliver: Callable[[Worker], None]) -> None:
        def arrive() -> None:
            to = next((worker for worker in self.workers.values() if worker.name == name), None)
            if to is not None and (place in self._cut) == (to.place in self._cut):
                deliver(to)

        self._carry(arrive)

    def _carry(self, arrive: Callable[[], None]) -> None:
        if self.chance.random() < self.chaos.loss:
            return
        for _ in range(2 if self.chance.random() < self.chaos.doubling else 1):
            when = self.now + self.chance.uniform(*self.chaos.latency_seconds)
            heapq.heappush(self._post, (when, next(self._order), arrive))

    # Coordinator

    def _heartbeat(self, worker: Worker, asked: float) -> None:
        if self.workers.get(worker.place) is worker and worker.place not in self._cut:
            self._heard[worker.place] = self.now
            self._carry(lambda assigned=dict(self._assigned): self._confirm(worker, asked, assigned))

    def _confirm(self, worker: Worker, asked: float, assigned: dict[int, tuple[int, int]] | None = None) -> None:
        if self.workers.get(worker.place, worker) is not worker or worker.place in self._cut:
            return
        assigned = self._assigned if assigned is None else assigned
        own = {share: number for share, (place, number) in assigned.items() if place == worker.place}
        # Where a worker was reborn, its shares are assigned anew: see `_give`.
        worker.owner.own(own, asked, worker.clock(self.now), unlent=own if self.now == 0.0 else ())
        names = {share: self.workers[place].name for share, (place, _) in assigned.items() if place in self.workers}
        worker.borrower.assign(names)

    def _give(self, share: int, place: int) -> None:
        self._assigned[share] = place, self._assigned[share][1] + 1

    # What goes wrong

    def _disturb(self) -> None:
        if self.chance.random() < self.chaos.kills * STEP_SECONDS and len(self.workers) > 1:
            worker = self.workers.pop(self.chance.choice(sorted(self.workers)))
            for arrival in worker.in_flight:  # its sockets are closed
                arrival.end = min(arrival.end, self.now)
                worker.waiting[arrival.address] += 1
            worker.waiting.update(held.address for held in worker.held)
            self._missing[worker.place] = self.now + self.chance.uniform(0.5, 8.0), worker.waiting
        if not self._cut and self.chance.random() < self.chaos.cuts * STEP_SECONDS:
            places = self.chance.sample(sorted(self.workers), self.chance.randint(1, max(1, len(self.workers) - 1)))
            self._cut = dict.fromkeys(places, self.now + self.chance.uniform(1.0, 40.0))

    def _recover(self) -> None:
        self._cut = {place: until for place, until in self._cut.items() if until > self.now}
        for place, (when, waiting) in list(self._missing.items()):
            if when <= self.now:
                del self._missing[place]
                self.workers[place] = self._born(place, waiting)
                self._heard[place] = self.now
                for share in [share for share, (at, _) in self._assigned.items() if at == place]:
                    self._give(share, place)
        alive = [place for place, heard in self._heard.items() if self.now - heard < MISSED_SECONDS]
        for share, (place, _) in self._assigned.items():
            if place not in alive and alive:
                self._give(share, self.chance.choice(alive))


def too_soon(arrivals: list[Arrival], delay_seconds: float) -> list[tuple[Arrival, Arrival]]:
    """Pairs of requests to one address that began sooner after each other than they should, or at one time by two."""
    found = []
    by_address: dict[str, list[Arrival]] = {}
    for arrival in sorted(arrivals, key=lambda arrival: arrival.start):
        for earlier in by_address.setdefault(arrival.address, []):
            is_shared = earlier.worker != arrival.worker and earlier.end > arrival.start
            if is_shared or arrival.start - earlier.start < delay_seconds:
                found.append((earlier, arrival))
        by_address[arrival.address].append(arrival)
    return found
