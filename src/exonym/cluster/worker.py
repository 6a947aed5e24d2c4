"""A worker: drives partitions of a crawl with one fetcher and one pool of readers, as the coordinator orders.

A worker that hears nothing from the coordinator for a while begins no more visits: its partitions may be given to
another worker, and no server may be asked by two.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from exonym.cluster.address_lending import AddressLending
from exonym.cluster.mailing import Mailing
from exonym.cluster.sharing import Sharing
from exonym.cluster.worker_messages import (
    Committed,
    Heard,
    LearnedNews,
    Links,
    Packet,
    PartitionReport,
    PeerMessage,
    WorkerOrder,
    WorkerReport,
    digest_of,
    packed,
    unpacked,
)
from exonym.config.settings import Settings
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.crawl_directory.link_bytes import unpacked_links
from exonym.crawl_progress import CrawlEvent
from exonym.errors import DirectoryError, DiskFullError, ExonymError
from exonym.frontier.disk import DiskFrontierOptions
from exonym.live.assembly import Equipment, PartitionPlace, open_equipment, open_parts, strategy_of
from exonym.live.driver import LiveLoop
from exonym.live.events import MOST_EVENTS
from exonym.live.monitor import MOST_NAMED, rests_of
from exonym.live.partition_driver import PartitionDriver
from exonym.partitions import Partition
from exonym.politeness.address_messages import Borrow, Lend
from exonym.scope import CrawlScope
from exonym.scope.scope_rule import rule_of
from exonym.strategies.base import Strategy

SILENCE_SECONDS = 15.0  # without a word from the coordinator, after which no visits begin
POST_SECONDS = 0.05  # between two looks for links to send
_LOOK_SECONDS = 5.0
_TAIL_BYTES = 128_000_000  # memory of all frontiers of a worker
_LEAST_TAIL_BYTES = 8_000_000

Send = Callable[[str, bytes], None]  # hands a packet to the network, for the worker of this name


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker needs to know when it starts."""

    name: str
    life: str
    node: str
    layout: ClusterLayout
    settings: Settings
    workers: int = 1  # of the crawl
    make_strategy: Callable[[], Strategy] | None = None  # for tests: one that the settings cannot name


class _Driven:
    """A partition that this worker drives."""

    def __init__(self, number: int, assignment: int, driver: PartitionDriver, closing: ExitStack) -> None:
        self.number = number
        self.assignment = assignment
        self.driver = driver
        self.closing = closing
        self.mailing = Mailing(number, driver.writer.outbox)
        self.sharing: Sharing | None = None  # if the strategy learns what holds for all servers
        self.senders: set[int] = set()  # of batches taken since the last commit, or known already


class Worker:
    """Drives the partitions that it is ordered to drive. All methods are called by one thread."""

    def __init__(self, setup: WorkerSetup, send: Send) -> None:
        self._setup = setup
        self._send = send
        self._layout = setup.layout
        self._layout.settle()
        self._closing = ExitStack()
        settings, partitions = setup.settings, self._layout.partitions
        self._lending = AddressLending(setup.name, setup.life, settings, partitions, setup.workers)
        strategy = setup.make_strategy() if setup.make_strategy else strategy_of(setup.layout.directory, settings)
        opened = open_equipment(setup.layout.directory, settings, strategy, turns=self._lending.turns)
        self.equipment: Equipment = self._closing.enter_context(opened)
        self._loop = LiveLoop(self.equipment)
        self._driven: dict[int, _Driven] = {}
        self._order = WorkerOrder(0)
        self._scope, self._scope_digest = CrawlScope(), ""
        self._heard = time.monotonic()
        self._problems: dict[int, str] = {}
        self._failed: dict[int, int] = {}  # by partition: the assignment under which it is not tried again
        self._failure, self._is_disk_full = "", False
        self._outgoing: dict[str, list[PeerMessage]] = {}
        self._own: deque[PeerMessage] = deque()  # for partitions of this worker
        self._messages = self._message_bytes = 0
        self._posted = 0.0
        self._last = ("", "")
        self._is_closed = False
        self._reported: dict[int, float] = {}  # by number: when a report was made that no order has answered yet
        self._reports = 0
        self._seen: list[int] = []
        self._looked = -_LOOK_SECONDS

    # Orders

    def obey(self, order: WorkerOrder) -> None:
        """Carry out an order of the coordinator."""
        now = time.monotonic()
        if order.number <= self._order.number or order.life not in ("", self._setup.life) or self._is_closed:
            return
        self._order = order
        # An order answers a report. Only the time of that report tells for how long the order may be believed.
        self._heard = asked = self._reported.get(order.report, self._heard)
        self._reported = {number: made for number, made in self._reported.items() if number >= order.report}
        self._lending.obey(order, asked, now)
        if order.scope is not None:
            self._change_scope(order.scope)
        for driven in list(self._driven.values()):
            # Under another number, it was somebody else's in the meantime.
            if order.drive.get(driven.number) != driven.assignment:
                self._close(driven.number, finished="")
        for number, assignment in order.drive.items():
            if number not in self._driven and self._failed.get(number) != assignment:
                self._open(number, assignment)
        for driven in self._driven.values():
            crawl, driver = driven.driver.crawl, driven.driver
            if driver.is_paused != order.is_paused:
                driver.pause(order.is_paused)
            if order.pages_per_server is not None and order.pages_per_server != crawl.pages_per_server:
                crawl.set_limits(crawl.page_limit or 0, order.pages_per_server)
            pages, size = crawl.pages + crawl.in_flight, driver.writer.totals.bytes
            crawl.page_limit = _least_limit(order.page_limits, driven.number, pages)
            driver.byte_limit = _least_limit(order.byte_limits, driven.number, size)
        if order.finish is not None:
            for number in list(self._driven):
                self._close(number, order.finish)
            self._is_closed = True

    def _change_scope(self, rules: list[str]) -> None:
        digest = digest_of(rules)
        if digest == self._scope_digest:  # orders repeat the rules until a report shows that they have arrived
            return
        self._scope = CrawlScope(rule for rule in map(rule_of, rules) if rule is not None)
        self._scope_digest = digest
        for driven in self._driven.values():
            driven.driver.change_scope(self._scope)

    def _open(self, number: int, assignment: int) -> None:
        try:
            if number in self._order.create:
                self._layout.create_partition(number)
            driver, closing = self._opened(number, self._layout.check_partition(number))
        except ExonymError as error:
            self._problems[number], self._failed[number] = str(error), assignment
            return
        self._problems.pop(number, None)
        driven = self._driven[number] = _Driven(number, assignment, driver, closing)
        if driver.crawl.shares_learning:
            driven.sharing = Sharing(number, self._setup.life, driver.crawl)
        self._loop.add(driver)

    def _opened(self, number: int, directory: Path) -> tuple[PartitionDriver, ExitStack]:
        count = self._layout.partitions
        tail_bytes = max(_TAIL_BYTES // max(len(self._order.drive), 1), _LEAST_TAIL_BYTES)
        place = PartitionPlace(
            directory,
            # One partition of one is driven as a single crawl is, row by row.
            Partition(number, count) if count > 1 else None,
            self._layout.archive_prefix(number),
            DiskFrontierOptions(tail_bytes=tail_bytes),
        )
        setup = self._setup
        with ExitStack() as closing:
            strategy = setup.make_strategy() if setup.make_strategy else None
            opened = open_parts(setup.layout.directory, setup.settings, strategy, place, self.equipment)
            driver = PartitionDriver(closing.enter_context(opened))
            driver.restore(self._scope)  # `obey` sets its limits before anything begins
            return driver, closing.pop_all()

    def _close(self, number: int, finished: str) -> None:
        driven = self._driven.pop(number)
        self._loop.remove(driven.driver)
        driven.driver.requests.break_off(time.monotonic())
        with driven.closing:
            try:
                driven.driver.commit(finished)
            except DirectoryError as error:  # another worker has taken the partition over
                self._problems[number] = str(error)

    # Work

    def receive(self, packet: bytes) -> None:
        """Take a packet of another worker."""
        for message in unpacked(packet, Packet):
            self._take(message)

    def _take(self, message: PeerMessage) -> None:
        now = time.monotonic()
        if isinstance(message, Borrow):
            if answer := self._lending.answer(message, now):
                self._address(*answer)
        elif isinstance(message, Lend):
            self._lending.receive(message, now)
        elif isinstance(message, Committed | Heard):
            driven = self._driven.get(message.sender)
            if driven and isinstance(message, Committed):
                driven.mailing.confirm(message, now)
            elif driven and driven.sharing and isinstance(message, Heard):
                driven.sharing.confirm(message)
        elif isinstance(message, LearnedNews):
            driven = self._driven.get(message.receiver)
            worker = self._order.routes.get(message.sender)
            if driven and driven.sharing and worker:
                self._address(worker, driven.sharing.receive(message))
        elif driven := self._driven.get(message.receiver):
            self._take_links(driven, message)

    def _take_links(self, driven: _Driven, message: Links) -> None:
        inbox = driven.driver.writer.inbox
        if inbox.is_next(message.sender, message.number):
            driven.driver.take_foreign(message.sender, message.number, unpacked_links(message.links))
        elif message.number <= inbox.committed_number(message.sender):
            driven.senders.add(message.sender)  # its sender has not heard that it was committed

    def round(self) -> None:
        """Do what there is to do, and wait a little for more."""
        now = time.monotonic()
        self._loop.may_begin = self._order.may_begin and now - self._heard < SILENCE_SECONDS
        for driven in self._driven.values():
            driven.driver.is_paused = driven.mailing.is_blocked(self._order.routes)
        self._loop.round()
        for driver, error in self._loop.failures:
            self._give_up(next(driven for driven in self._driven.values() if driven.driver is driver), error)
        now = time.monotonic()
        if is_posting := now - self._posted >= POST_SECONDS:
            self._posted = now
        for driven in list(self._driven.values()):
            try:
                if driven.driver.commit_if_due(now):
                    driven.senders |= driven.driver.writer.inbox.take_news()
                if is_posting:
                    self._post(driven, now)
            except DiskFullError as error:
                self._failure, self._is_disk_full = str(error), True
            except DirectoryError as error:
                self._loop.remove(driven.driver)
                self._give_up(driven, error)
        if self._lending.is_due(now):
            wanted: set[str] = set().union(*(driven.driver.requests.addresses for driven in self._driven.values()))
            for worker, message in self._lending.messages(wanted, now):
                self._address(worker, message)
        while self._own:
            self._take(self._own.popleft())
        for worker, messages in self._outgoing.items():
            packet = packed(messages)
            self._messages += 1
            self._message_bytes += len(packet)
            self._send(worker, packet)
        self._outgoing.clear()

    def _post(self, driven: _Driven, now: float) -> None:
        """Hand links for other partitions, and news for their senders, to the workers that drive these."""
        routes, number = self._order.routes, driven.number
        for worker, message in driven.mailing.due(routes, now):
            self._address(worker, message)
        if driven.sharing:
            for worker, learned in driven.sharing.due(routes, now):
                self._address(worker, learned)
        for sender in [sender for sender in driven.senders if sender in routes]:
            driven.senders.discard(sender)
            committed = driven.driver.writer.inbox.committed_number(sender)
            self._address(routes[sender], Committed(sender, number, committed))

    def _address(self, worker: str, message: PeerMessage) -> None:
        if worker == self._setup.name:
            self._own.append(message)
        else:
            self._outgoing.setdefault(worker, []).append(message)

    def _give_up(self, driven: _Driven, error: ExonymError) -> None:
        """Drive a partition no longer: its directory was taken over, or is damaged."""
        self._problems[driven.number], self._failed[driven.number] = str(error), driven.assignment
        driven.driver.requests.break_off(time.monotonic())
        del self._driven[driven.number]
        driven.closing.close()

    # What others may know

    def report(self) -> WorkerReport:
        """The state of the worker and its partitions."""
        partitions = [_report(driven, self._order.routes) for driven in self._driven.values()]
        self._last = next((driven.driver.last for driven in self._driven.values() if driven.driver.last[0]), self._last)
        self._reports += 1
        self._reported[self._reports] = time.monotonic()
        return WorkerReport(
            name=self._setup.name,
            life=self._setup.life,
            node=self._setup.node,
            number=self._reports,
            order=self._order.number,
            present=self._present(),
            partitions=partitions,
            problems=dict(self._problems),
            failure=self._failure,
            is_disk_full=self._is_disk_full,
            last=self._last,
            messages=self._messages,
            message_bytes=self._message_bytes,
            is_closed=self._is_closed,
            scope=self._scope_digest,
            events=self._events(),
        )

    def _events(self) -> tuple[CrawlEvent, ...]:
        events = [event for driven in self._driven.values() for event in driven.driver.events.latest()]
        return tuple(sorted(events, key=lambda event: event.when)[-MOST_EVENTS:])

    def _present(self) -> list[int]:
        """The partitions whose directories are here; looked up now and then, because that reads a file for each."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            self._looked, self._seen = now, self._layout.present()
        return self._seen

    def watch(self, fd: int) -> None:
        """End the wait of a round when `fd` becomes readable."""
        self.equipment.fetcher.watch(fd)

    def close(self) -> None:
        """Close everything without a further commit."""
        for driven in self._driven.values():
            driven.closing.close()
        self._driven.clear()
        self._closing.close()


def _least_limit(limits: Mapping[int, int] | None, partition: int, used: int) -> int | None:
    """The limit of a partition, never less than what it has used; None: no limit."""
    return None if limits is None else max(limits.get(partition, 0), used)


def _report(driven: _Driven, routes: Mapping[int, str]) -> PartitionReport:
    driver = driven.driver
    crawl, writer = driver.crawl, driver.writer
    has_news = writer.outbox.has_news or writer.inbox.has_news
    has_mail = has_news or any(receiver in routes for receiver in writer.outbox.receivers)
    return PartitionReport(
        number=driven.number,
        totals=driver.totals(),
        used_pages=crawl.pages + crawl.in_flight,
        is_spent=crawl.is_spent and not driver.is_busy and not has_mail,
        is_busy=driver.is_busy,
        sent=writer.outbox.sent,
        received=writer.inbox.received,
        resting=driver.politeness.resting,
        page_limit=crawl.page_limit,
        byte_limit=driver.byte_limit,
        recent=driver.window.recent(time.monotonic()),
        at_work=tuple(crawl.at_work(MOST_NAMED)),
        rests=rests_of(driver, time.monotonic()),
    )
