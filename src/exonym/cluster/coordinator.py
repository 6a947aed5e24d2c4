"""The coordinator: who drives which partition, what each may use of the crawl's budgets, and when the crawl ends.

It is told what workers report and what the time is, and gives orders. It keeps nothing that the partitions do not tell:
killed and started again, it goes on where it was.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from exonym.cluster.budgets import Holding, new_limits
from exonym.cluster.worker import SILENCE_SECONDS
from exonym.cluster.worker_messages import PartitionReport, WorkerOrder, WorkerReport, digest_of
from exonym.config.settings import Limits
from exonym.crawl_progress import CrawlProgress, sum_of_recent
from exonym.live.events import MOST_EVENTS
from exonym.live.monitor import MOST_NAMED, longest_rests
from exonym.live.stop import StopLevel
from exonym.metrics import FINAL_REASONS, Totals, sum_of

LOST_SECONDS = 10.0  # a worker that has not answered for so long is said to be lost
MISSING_SECONDS = 60.0  # a crawl with nothing left to do waits so long for partitions that nobody drives
RETRY_SECONDS = 3.0  # after which a partition that could not be opened is tried again
START_SECONDS = 60.0  # after this, the crawl begins without workers that have not answered yet


@dataclass(slots=True)
class _Member:
    """A worker as the coordinator knows it."""

    name: str
    report: WorkerReport | None = None
    heard: float = 0.0


@dataclass(slots=True)
class _Share:
    """A partition as the coordinator knows it."""

    number: int
    worker: str = ""  # who drives it; "": nobody
    assignment: int = 0  # another one each time that it is given to a worker, or to a new life of one
    report: PartitionReport | None = None
    free_from: float = 0.0  # before this, its last worker might still ask its servers, or the last try is too recent
    exists: bool = False
    unseen_since: float | None = None  # since then no worker sees its directory
    problem: str = ""
    avoided: str = ""  # the worker that could not drive it
    lender: str = ""  # who lends the addresses of this share, mostly who drives it; "": nobody yet
    lending: int = 0  # like `assignment`, of the lender
    is_unlent: bool = False  # nobody lent them before
    # By order: limits that a worker was given and has not yet reported.
    page_limits: dict[int, int] = field(default_factory=dict)
    byte_limits: dict[int, int] = field(default_factory=dict)

    def give_to(self, worker: str, assignment: int) -> None:
        """Let a worker drive the partition from now on; "": nobody."""
        self.worker, self.assignment = worker, assignment
        self.page_limits.clear()
        self.byte_limits.clear()


class Coordinator:
    """Decides for a whole crawl. Call `take` for each report, and `order_for` for each worker."""

    def __init__(
        self, limits: Limits, partitions: int, workers: Iterable[str], placed: Iterable[int], request_seconds: float
    ) -> None:
        """`placed` are the partitions that were driven before; a request takes `request_seconds` at most."""
        self.limits = limits
        self.scope: list[str] = []  # the rules that all workers obey
        self.is_paused = False
        self._members = {name: _Member(name) for name in workers}
        self._shares = {number: _Share(number, exists=number in set(placed)) for number in range(partitions)}
        self._takeover_seconds = SILENCE_SECONDS + request_seconds
        self._orders = 0
        self._now = 0.0
        self._began: float | None = None
        self._quiet: tuple[int, int] | None = None  # the order at which all was quiet, and the batches sent by then
        self._idle_since: float | None = None  # since then nothing is left to do but for partitions that are missing
        self.stop_level = StopLevel.GO_ON
        self.reason = ""  # why the crawl ends; "": it goes on
        self.failure = ""

    # Reports

    def take(self, report: WorkerReport, now: float) -> None:
        """Take the report of a worker."""
        member = self._members[report.name]
        before = member.report
        if before is not None and before.life != report.life:
            self._restarted(member, before.node != report.node)
        if before is None or before.life != report.life or before.number != report.number:
            member.heard = now  # a worker that hangs goes on giving its last report
        member.report = report
        if report.failure:
            self.failure = report.failure
            self.reason = self.reason or ("disk full" if report.is_disk_full else "failed")
        for number, problem in report.problems.items():
            share = self._shares[number]
            # A report that is older than the assignment tells of an earlier try.
            if share.worker == report.name and report.order > share.assignment:
                share.give_to("", self._orders)
                share.problem, share.avoided = problem, report.name
                share.free_from = max(share.free_from, now + RETRY_SECONDS)
        for partition in report.partitions:
            share = self._shares[partition.number]
            if share.worker == report.name:
                share.report, share.exists, share.problem = partition, True, ""
                for given in (share.page_limits, share.byte_limits):
                    for order in [order for order in given if order <= report.order]:
                        del given[order]

    def _restarted(self, member: _Member, elsewhere: bool) -> None:
        """A worker's process has ended and another took its place: it drives nothing yet."""
        for share in self._driven_by(member.name):
            share.give_to(member.name, self._orders)
            if elsewhere:  # the other machine may only be cut off, and still ask servers
                share.give_to("", self._orders)
                share.free_from = member.heard + self._takeover_seconds
        for share in self._shares.values():
            if share.lender == member.name:
                share.lending, share.is_unlent = self._orders, False

    def _driven_by(self, worker: str) -> list[_Share]:
        return [share for share in self._shares.values() if share.worker == worker]

    def lost(self, now: float) -> list[str]:
        """The workers that have not answered for a while."""
        began = self._began or now
        return [name for name, member in self._members.items() if now - max(member.heard, began) > LOST_SECONDS]

    def absent(self) -> dict[int, str]:
        """The partitions that nobody could drive so far, and why."""
        return {share.number: share.problem for share in self._shares.values() if share.problem}

    # Decisions

    def decide(self, now: float) -> None:
        """Assign partitions that nobody drives, and see whether the crawl ends."""
        self._now = now
        if self._began is None:
            self._began = now
        heard = [member for member in self._members.values() if member.report is not None]
        if len(heard) < len(self._members) and now - self._began < START_SECONDS and not self._is_assigned():
            return
        for member in self._members.values():
            if member.report is not None and now - member.heard > self._takeover_seconds:
                for share in self._driven_by(member.name):
                    share.give_to("", self._orders)
                    share.problem = f"worker {member.name} does not answer"
        self._assign(now)
        if not self.reason:
            self.reason = self._reason_to_end(now)

    def _is_assigned(self) -> bool:
        return any(share.worker for share in self._shares.values())

    def _assign(self, now: float) -> None:
        live = {
            name: member.report
            for name, member in self._members.items()
            if member.report is not None and now - member.heard <= LOST_SECONDS
        }
        loads = {name: len(self._driven_by(name)) for name in live}
        for share in self._shares.values():
            if share.worker or now < share.free_from:
                continue
            # A partition that somebody sees is there, also if the last coordinator died before it could note that.
            able = [name for name in live if share.number in live[name].present]
            able = able or ([] if share.exists else list(live))
            if not able:
                share.problem = share.problem or "no worker sees its directory"
                share.unseen_since = now if share.unseen_since is None else share.unseen_since
                continue
            share.unseen_since = None
            share.give_to(min(able, key=lambda name: (name == share.avoided, loads[name], name)), self._orders)
            loads[share.worker] += 1
        self._choose_lenders(live)

    def _choose_lenders(self, live: Collection[str]) -> None:
        """Choose who lends addresses, so that no site has to wait for a partition that nobody drives.

        A worker that is only cut off does no harm: nobody confirms it, so it stops lending before the next one begins.
        """
        for share in self._shares.values():
            if share.lender in live or not live:
                continue
            share.is_unlent = not share.lender and not share.exists
            loads = Counter(share.lender for share in self._shares.values())
            share.lender = share.worker if share.worker in live else min(live, key=lambda name: (loads[name], name))
            share.lending = self._orders

    def _reports(self) -> list[PartitionReport]:
        return [share.report for share in self._shares.values() if share.report is not None]

    def _sound(self) -> list[_Share]:
        """The partitions that are driven; those that a worker tries once more are not known to be."""
        return [share for share in self._shares.values() if share.worker and not share.problem]

    def _reason_to_end(self, now: float) -> str:
        if self.stop_level == StopLevel.NOW:
            return "interrupted"
        # The last report of a partition that nobody drives may be of visits that nobody will end.
        if any(share.report is not None and share.report.is_busy for share in self._sound()):
            return ""
        if self.stop_level:
            return "interrupted"
        if self.is_paused:
            return ""
        totals = self.totals()
        if self.limits.pages and totals.pages >= self.limits.pages:
            return "pages"
        if self.limits.bytes and totals.bytes >= self.limits.bytes:
            return "bytes"
        if not self._has_time(totals):
            return "seconds"
        if not self._is_quiet():
            self._idle_since = None
            return ""
        if len(self._sound()) == len(self._shares):
            return "floor" if totals.frontier else "empty frontier"
        if self._idle_since is None:
            self._idle_since = now
        return "missing partitions" if now - self._idle_since > MISSING_SECONDS else ""

    def _has_time(self, totals: Totals) -> bool:
        return not self.limits.seconds or totals.seconds < self.limits.seconds

    def _is_quiet(self) -> bool:
        """Whether nothing is left to do, seen twice, so that no batch of links can have been overlooked.

        Every worker must have reported after the first look; and between the two looks no batch was sent.
        """
        shares = self._sound()
        reports = [share.report for share in shares if share.report is not None]
        sent, received = sum(report.sent for report in reports), sum(report.received for report in reports)
        has_all = len(reports) == len(self._shares)
        is_spent = len(reports) == len(shares) and all(report.is_spent for report in reports)
        if not is_spent or (has_all and sent != received):
            self._quiet = None
            return False
        if self._quiet is None or self._quiet[1] != sent:
            self._quiet = self._orders, sent
            return False
        first_look = self._quiet[0]
        members = [self._members[share.worker] for share in shares]
        return all(member.report is not None and member.report.order > first_look for member in members)

    # Orders

    def order_for(self, worker: str) -> WorkerOrder:
        """What a worker is to do next."""
        self._orders += 1
        member = self._members[worker]
        shares = self._driven_by(worker)
        totals = self.totals()
        return WorkerOrder(
            self._orders,
            life=member.report.life if member.report else "",
            report=member.report.number if member.report else 0,
            drive={share.number: share.assignment for share in shares},
            create=[share.number for share in shares if not share.exists],
            routes={share.number: share.worker for share in self._sound()},
            lend={share.number: share.lending for share in self._shares.values() if share.lender == worker},
            unlent=[share.number for share in self._shares.values() if share.lender == worker and share.is_unlent],
            lenders={share.number: share.lender for share in self._shares.values() if share.lender},
            page_limits=self._lent(self._orders, shares, "page_limit", self.limits.pages),
            byte_limits=self._lent(self._orders, shares, "byte_limit", self.limits.bytes),
            may_begin=not self.stop_level and not self.reason and self._has_time(totals),
            is_paused=self.is_paused,
            pages_per_server=self.limits.pages_per_server,
            scope=list(self.scope) if member.report is None or member.report.scope != digest_of(self.scope) else None,
            finish=self.reason_kept() if self.reason else None,
        )

    def reason_kept(self) -> str:
        """The reason that partitions write down: "" if the crawl is to go on another time."""
        return self.reason if self.reason in FINAL_REASONS else ""

    def _lent(self, order: int, shares: list[_Share], name: str, total: int) -> dict[int, int] | None:
        """The limits of a worker's partitions; what was lent stays lent until a report shows that it was given back."""
        if not total:
            return None
        holdings = {}
        for share in self._shares.values():
            report, given = share.report, getattr(share, f"{name}s")
            used = 0 if report is None else report.used_pages if name == "page_limit" else report.totals.bytes
            lent = 0 if report is None else getattr(report, name) or 0
            is_spent = not share.worker or (report is not None and report.is_spent)
            is_gone = share.unseen_since is not None and self._now - share.unseen_since > MISSING_SECONDS
            # What it used since its last report is not known: should it come back, that may be more than was asked for.
            holdings[share.number] = Holding(used, used if is_gone else max([lent, *given.values()]), is_spent)
        # What a partition used in earlier runs is known from its first report: before that, nothing is lent.
        is_known = all(share.report for share in self._shares.values() if share.exists and share.worker)
        limits = new_limits(total if is_known else 0, holdings, [share.number for share in shares])
        for share in shares:
            getattr(share, f"{name}s")[order] = limits[share.number]
        return limits

    # What people see

    def totals(self) -> Totals:
        """What the whole crawl has done so far."""
        return sum_of([report.totals for report in self._reports()])

    def progress(self) -> CrawlProgress:
        """The whole crawl, for people who watch it."""
        totals, reports = self.totals(), self._reports()
        lasts = [member.report.last for member in self._members.values() if member.report and member.report.last[0]]
        in_flight = sum(report.used_pages - report.totals.pages for report in reports)
        last = lasts[self._orders % len(lasts)] if lasts else ("", "")
        events = [event for member in self._members.values() if member.report for event in member.report.events]
        return CrawlProgress(
            totals,
            totals.pages_per_second,
            *last,
            in_flight=max(in_flight, 0),
            parked=sum(report.resting for report in reports),
            recent=sum_of_recent([report.recent for report in reports]),
            at_work=tuple(server for report in reports for server in report.at_work)[:MOST_NAMED],
            rests=tuple(longest_rests(rest for report in reports for rest in report.rests)),
            events=tuple(sorted(events, key=lambda event: event.when)[-MOST_EVENTS:]),
        )

    @property
    def is_over(self) -> bool:
        """Whether the crawl has ended and all workers that answer have closed their partitions."""
        answering = [
            member.report
            for member in self._members.values()
            if member.report is not None and self._now - member.heard <= self._takeover_seconds
        ]
        return bool(self.reason) and all(report.is_closed for report in answering)

    def placed(self) -> Mapping[int, str]:
        """The partitions that exist, and the machine on which each was last driven."""
        nodes = {name: member.report.node for name, member in self._members.items() if member.report}
        return {share.number: nodes[share.worker] for share in self._shares.values() if share.exists and share.worker}
