"""The loop of a live crawl: real sockets, real robots.txt, WARC files, a frontier on disk.

One process fetches pages, orders links, and writes archive and journal; reader processes read pages. The loop never
sleeps while there is work, and never waits without a limit.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from exonym.archive import digest_text
from exonym.batches import SITEMAP_HOP, BareLinks, Outcome, VisitResult, language_code, language_name
from exonym.config.settings import Limits, Settings
from exonym.errors import DiskFullError
from exonym.fetch import Response, decoded_body, read_sitemap
from exonym.fetch.messages import redirect_target
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.link_types import OTHER_FILES
from exonym.live.assembly import LiveParts, open_parts
from exonym.live.copies import compare
from exonym.live.found_links import is_file, links_of, links_to
from exonym.live.journal_rows import exchange_of, row_of
from exonym.live.requests import Ended
from exonym.live.restart import Learned
from exonym.live.stop import StopLevel, StopRequest
from exonym.metrics import CrawlProgress, Summary, Totals
from exonym.readers.page import Job, JudgedPage
from exonym.strategies.base import Strategy
from exonym.urls import SESSION_PARAMETERS, id_of, server_of, tidied

COMMIT_SECONDS = 1.0
COMMIT_ROWS = 1_000
SHOW_SECONDS = 0.25
LONGEST_POLL_SECONDS = 0.2
ROUND_PAGES = 16
ROUND_SECONDS = 0.02

_RECENT_ROWS = 5_000  # far more than are fetched within a delay

ShowCrawl = Callable[[CrawlProgress], None]


def run(
    directory: Path, settings: Settings, show: ShowCrawl, stop: StopRequest, strategy: Strategy | None = None
) -> Summary:
    """Start the crawl in `directory`, or go on with it, until it ends or is asked to stop.

    `strategy`, which may be one that crawl.toml cannot name, replaces that of the settings.
    """
    settings.check_live()
    with open_parts(directory, settings, strategy) as parts:
        # Batches make no reference cycles; a garbage collector that often walks the frontier takes 20 % of the time.
        gc.set_threshold(100_000, 50, 100)
        driver = LiveDriver(parts, settings.limits, stop)
        try:
            driver.restore()
            reason = driver.run(show)
        except DiskFullError:
            reason = "disk full"  # the last commit is intact; later pages will be fetched again
        files, size = parts.writer.archive_size()
        return Summary(parts.writer.totals, reason, str(directory), files, size)


class LiveDriver:
    """Turns `Crawl.due` into requests and responses into `Crawl.take`."""

    def __init__(self, parts: LiveParts, limits: Limits, stop: StopRequest) -> None:
        self._parts = parts
        self._limits = limits  # of bytes and seconds; `Crawl` keeps the limits of pages
        self._crawl = parts.crawl
        self._writer = parts.writer
        self._learned = Learned(parts.crawl, parts.writer, parts.strategy_name)
        self._requests = parts.requests
        self._stop = stop
        self._reading: dict[int, Ended] = {}  # by job: visits whose pages are being read
        self._over: list[tuple[Ended, JudgedPage | None]] = []  # visits for `Crawl.take` in the next round
        self._next_job = 0
        self._watched: list[int] = []  # file descriptors of readers
        self._began = self._committed = self._shown = self._checked = self._taken = time.monotonic()
        self._seconds_before = parts.writer.totals.seconds
        self._last = ("", "")  # URL and title of the last page

    # Beginning and end

    def restore(self) -> None:
        """Restore what was learned before the restart, and queue the seeds."""
        self._learned.restore()
        if self._crawl.types:
            self._crawl.types.unasked.update(self._writer.totals.unasked)
        self._crawl.rerank(self._parts.frontier.groups)
        if self._parts.growth:
            for rows in self._writer.all_rows():
                self._parts.growth.see(rows)
        # A server that got a request just before the restart rests until its delay is over.
        now, wall_clock = time.monotonic(), time.time()
        for row in self._writer.journal.latest()[-_RECENT_ROWS:]:
            server = id_of(server_of(row.url))
            left_seconds = row.when + row.seconds + self._parts.politeness.delay_of(server) - wall_clock
            if row.outcome != Outcome.FORBIDDEN and left_seconds > 0:
                self._crawl.rest(server, now + left_seconds)
        self._crawl.add_seeds(self._links_to(self._parts.seeds))
        self._commit()

    def run(self, show: ShowCrawl) -> str:
        """Crawl until there is a reason to end, and return it."""
        self._parts.fetcher.watch(self._parts.resolver.fileno())
        while not (reason := self._reason_to_end()):
            now = time.monotonic()
            if not self._may_begin():
                self._requests.give_back(now)
            elif (room := self._room()) > 0:
                for visit in self._crawl.due(now, room):
                    if self._writer.aliases.twin_of(visit.text):
                        self._over.append((Ended(visit, Response(0, visit.text), Outcome.REDIRECT), None))
                    else:
                        self._requests.begin(visit, now)
            self._requests.start_due(now)
            self._wait()
            self._take(time.monotonic())
            self._do_chores(time.monotonic(), show)
        self._commit(finished=reason if reason in ("empty frontier", "pages", "bytes", "seconds") else "")
        show(self._progress())
        return reason

    def _reason_to_end(self) -> str:
        if self._stop.level == StopLevel.NOW:
            return "interrupted"
        if self._crawl.in_flight or self._reading:
            return ""
        if self._stop.level:
            return "interrupted"
        if limit := self._limit_reached():
            return limit
        if not self._crawl.has_room:
            return "pages"
        return "empty frontier" if self._crawl.is_spent else ""

    def _limit_reached(self) -> str:
        if self._limits.bytes and self._writer.totals.bytes >= self._limits.bytes:
            return "bytes"
        return "seconds" if self._limits.seconds and self._seconds() >= self._limits.seconds else ""

    def _seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._began

    # One round

    def _may_begin(self) -> bool:
        return not self._stop.level and not self._limit_reached()

    def _room(self) -> int:
        """How many visits may begin: besides those on connections, nearly as many pages may be with the readers.

        With one connection, one visit is in flight at a time: that makes the crawl deterministic.
        """
        unread = 2 * self._parts.connections - 1 - self._crawl.in_flight
        return min(unread, self._parts.fetcher.free - self._requests.waiting)

    def _wait(self) -> None:
        """Wait for responses, addresses or judged pages, at most until there is something else to do."""
        for response in self._parts.fetcher.poll(0.0 if self._requests.has_ended else self._poll_seconds()):
            self._requests.receive(response, time.monotonic())
        if self._parts.resolver.fileno() in self._parts.fetcher.ready:
            self._requests.collect_addresses(time.monotonic())

    def _poll_seconds(self) -> float:
        now = time.monotonic()
        # Without room for more requests or visits, only a response or a judged page can change anything.
        starts = [
            self._requests.next_start() if self._parts.fetcher.free else None,
            self._parts.politeness.next_rested() if self._may_begin() and self._room() > 0 else None,
            self._taken + ROUND_SECONDS if self._over or self._requests.has_sitemaps else None,
        ]
        soonest = min([start for start in starts if start is not None], default=now + LONGEST_POLL_SECONDS)
        return min(max(soonest - now, 0.0), LONGEST_POLL_SECONDS)

    def _take(self, now: float) -> None:
        """Hand fetched pages to the readers, and visits that are over to `Crawl`."""
        jobs = []
        for ended in self._requests.take_ended():
            visit, response = ended.visit, ended.response
            is_page = ended.outcome == Outcome.PAGE and response.truncated != "type"
            if not is_page or visit.hops & SITEMAP_HOP:
                self._over.append((ended, None))
                continue
            self._reading[self._next_job] = ended
            parent = language_name(visit.source_language)
            jobs.append(Job(self._next_job, visit.text, response.head, response.body, parent, response.address))
            self._next_job += 1
        if jobs:
            self._parts.readers.submit(jobs)
        self._over += [(self._reading.pop(page.key), page) for page in self._parts.readers.collect()]
        self._watch_readers()
        # Pages taken together cost half of what they cost one by one. If no more are in flight, none are waited for.
        if len(self._over) < min(ROUND_PAGES, self._crawl.in_flight) and now - self._taken < ROUND_SECONDS:
            return
        self._taken = now
        for visit, urls in self._requests.take_sitemaps():
            self._crawl.add_sitemaps(visit, links_to(urls, self._parts.strategy.needs))
        over, self._over = self._over, []
        if over:
            self._crawl.take([self._result(ended, page) for ended, page in over], now)

    def _watch_readers(self) -> None:
        fds = self._parts.readers.fds()
        if fds != self._watched:
            for fd in self._watched:
                self._parts.fetcher.unwatch(fd)
            for fd in fds:
                self._parts.fetcher.watch(fd)
            self._watched = fds

    def _result(self, ended: Ended, page: JudgedPage | None) -> VisitResult:
        """Write the row and record of a visit that ended, and make its result for `Crawl.take`."""
        response, is_own_copy = ended.response, False
        row = row_of(self._writer.next_row, ended, page)
        if response.head and response.truncated != "type":
            place = self._writer.archive(exchange_of(row, response))
            row.digest, row.warc_file, row.warc_offset = digest_text(place.digest), place.file, place.offset
            if page is not None and not is_file(row):
                is_own_copy = compare(row, page.digest, place, response.address, self._writer, self._parts.frontier)
        self._writer.add(row)
        if self._parts.growth:
            self._parts.growth.see([row])
        self._last = row.url, row.title
        result = VisitResult(ended.visit, row.row, row.outcome, is_file=is_file(row), is_copy=row.copy)
        if page is not None:
            if page.files and self._crawl.types:
                self._crawl.types.unasked[OTHER_FILES] += page.files
            return result._replace(
                is_own_copy=is_own_copy,
                relevance=row.relevance,
                relevant=page.relevant,
                language=language_code(page.language),
                links=links_of(page, self._parts.strategy.needs),
            )
        if row.outcome == Outcome.REDIRECT:
            twin = "" if response.head else self._writer.aliases.twin_of(row.url)
            row.why = f"alias of {server_of(twin)}" if twin else ""
            target = twin or redirect_target(response)
            links = self._links_to([target]) if target else result.links
            return result._replace(links=links, was_requested=not twin)
        if row.outcome == Outcome.SITEMAP:
            sitemap = read_sitemap(decoded_body(response.head, response.body, SITEMAP_BYTES), row.url)
            row.links = len(sitemap.urls)
            return result._replace(links=self._links_to(sitemap.urls), sitemaps=self._links_to(sitemap.sitemaps))
        return result

    def _links_to(self, urls: Sequence[str]) -> BareLinks:
        """Links to URLs, without the session parameters that the settings add to the usual ones."""
        extra = self._parts.session_parameters
        tidy = urls if extra is SESSION_PARAMETERS else [tidied(url, extra) for url in urls]
        return links_to(tidy, self._parts.strategy.needs)

    # Chores

    def _do_chores(self, now: float, show: ShowCrawl) -> None:
        rows = self._writer.waiting_rows
        if rows >= COMMIT_ROWS or (rows and now - self._committed >= COMMIT_SECONDS):
            self._commit()
        if now - self._shown >= SHOW_SECONDS:
            self._shown = now
            show(self._progress())
        if now - self._checked >= 1.0:
            self._checked = now
            self._parts.readers.check(now)

    def _commit(self, finished: str | None = None) -> None:
        learned = self._learned
        self._writer.commit(self._parts.frontier, learned.snapshot, self._totals(), finished, learned.link_updates())
        if self._parts.growth and self._parts.growth.is_due:
            self._parts.readers.change_judge(self._parts.growth.grow())
        self._committed = time.monotonic()

    def _totals(self) -> Totals:
        servers, relevant_servers = self._crawl.server_counts()
        return replace(
            self._writer.totals,
            servers=servers,
            relevant_servers=relevant_servers,
            frontier=self._crawl.waiting,
            seconds=self._seconds(),
            aliases=len(self._writer.aliases),
            unasked=dict(self._crawl.types.unasked) if self._crawl.types else {},
        )

    def _progress(self) -> CrawlProgress:
        totals = self._totals()
        rate = totals.pages / totals.seconds if totals.seconds else 0.0
        return CrawlProgress(totals, rate, *self._last, self._crawl.in_flight, self._parts.politeness.resting)
