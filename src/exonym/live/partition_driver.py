"""One partition of a live crawl: its visits become requests, its responses become journal rows, records and links.

A crawl that runs in one process is one partition of one. `live.driver` calls the drivers of all partitions of a
process in turn, and has what they share: connections, name look-ups and reader processes.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from exonym.archive import digest_text
from exonym.batches import SITEMAP_HOP, BareLinks, LinkBatch, Outcome, Visit, VisitResult, language_code, language_name
from exonym.crawl_progress import PageWindow
from exonym.fetch import Response, decoded_body, read_sitemap
from exonym.fetch.messages import redirect_target
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.link_types import OTHER_FILES
from exonym.live.assembly import LiveParts
from exonym.live.copies import compare
from exonym.live.directory_watch import Wishes
from exonym.live.events import EventLog, counted_text, pause_text, scope_text
from exonym.live.found_links import is_file, links_of, links_to
from exonym.live.journal_rows import exchange_of, row_left_out, row_of
from exonym.live.requests import Ended
from exonym.live.restart import Learned
from exonym.metrics import Totals
from exonym.readers.page import Job, JudgedPage
from exonym.scope import CrawlScope
from exonym.urls import SESSION_PARAMETERS, id_of, server_of, tidied

COMMIT_SECONDS = 1.0
COMMIT_ROWS = 1_000
IDLE_COMMIT_SECONDS = 0.1  # a partition in which nothing waits passes on at once what other partitions wait for
ROUND_PAGES = 16
ROUND_SECONDS = 0.02
# With many partitions in a process each has few pages a second, and commits as often cost as much: each waits longer.
_LONGEST_ROUND_SECONDS = 0.2
_PARTITIONS_A_COMMIT_SECOND = 2
_LONGEST_COMMIT_SECONDS = 4.0

_RECENT_ROWS = 5_000  # far more than are fetched within a delay


class PartitionDriver:
    """Turns `Crawl.due` into requests and responses into `Crawl.take`, for the servers of one partition."""

    def __init__(self, parts: LiveParts, byte_limit: int | None = None) -> None:
        self.crawl = parts.crawl
        self.frontier = parts.frontier
        self.requests = parts.requests
        self.writer = parts.writer
        self.politeness = parts.politeness
        self.byte_limit = byte_limit  # `Crawl` keeps the limits of pages
        self.is_paused = False  # if so, no visits begin
        self.events = EventLog()
        self.last = ("", "")  # URL and title of the last page
        self._parts = parts
        self._needs = parts.strategy.needs
        self._growth = parts.growth
        self._learned = Learned(parts.crawl, parts.writer, parts.strategy_name)
        self._reading: dict[int, Ended] = {}  # by job: visits whose pages are being read
        self._over: list[tuple[Ended, JudgedPage | None]] = []  # visits for `Crawl.take` in the next round
        self._foreign: list[LinkBatch] = []  # links for `Crawl.add` in the next round
        self._round_seconds, self._commit_seconds = ROUND_SECONDS, COMMIT_SECONDS
        self._next_job = parts.first_key
        self._began = self._committed = self._taken = time.monotonic()
        self._seconds_before = parts.writer.totals.seconds
        self._paused_at: float | None = None
        self._began_wall_clock = parts.writer.journal.first_time() or time.time()
        self.window = PageWindow(self._began)
        self._quiet_until = self._began

    # Beginning and end

    def restore(self, scope: CrawlScope = CrawlScope()) -> None:  # noqa: B008 (never changed)
        """Restore what was learned before the restart, apply the scope, and queue the seeds."""
        self._learned.restore()
        if self.crawl.types:
            self.crawl.types.unasked.update(self.writer.totals.unasked)
        if scope or self.frontier.aside:  # what earlier rules left out comes back, also if no rule is left
            self.crawl.guard.know_told(self.writer.rows_left_out())
            self._set_scope(scope)
        self.crawl.rerank(self.frontier.groups)
        if self._growth:
            for rows in self.writer.all_rows():
                self._growth.see(rows)
        self._rest_servers()
        self.crawl.add_seeds(self._links_to(self._parts.seeds))  # those of other partitions are queued there
        self.commit()

    def _rest_servers(self) -> None:
        """Let servers that got a request just before the restart rest until their delay is over."""
        now, wall_clock = time.monotonic(), time.time()
        is_partition = self._parts.partition is not None
        for row in self.writer.journal.latest()[-_RECENT_ROWS:]:
            server = id_of(server_of(row.url))
            self.crawl.guard.know_visit(row.url)
            delay_seconds = self.politeness.delay_of(server)
            # Another machine may have written the row, by a clock that is wrong by hours.
            left_seconds = min(row.when + row.seconds + delay_seconds - wall_clock, delay_seconds)
            left_seconds = delay_seconds if is_partition else left_seconds
            if row.outcome != Outcome.FORBIDDEN and left_seconds > 0:
                self.crawl.rest(server, now + left_seconds)
        if is_partition and self.writer.totals.pages and self.writer.was_cut_off:
            # Requests that were in flight when the worker was killed are in no row.
            self._quiet_until = now + self.politeness.usual_delay_seconds

    # What people ask of a running crawl

    def obey(self, wishes: Wishes) -> None:
        """Go on with another scope, other limits, or not at all for now."""
        limits, crawl = wishes.limits, self.crawl
        crawl.set_limits(limits.pages, limits.pages_per_server)
        self.byte_limit = limits.bytes or None
        if wishes.is_paused != self.is_paused:
            self.pause(wishes.is_paused)
            self.events.tell(pause_text(wishes.is_paused))
        if wishes.scope is not crawl.guard.scope:
            self.change_scope(wishes.scope)
            self.events.tell(f"{scope_text(wishes.scope)}, {counted_text(crawl.aside, 'link')} left out")

    def pause(self, is_paused: bool) -> None:
        """Begin no visits for now, or begin them again."""
        self.is_paused = is_paused
        now = time.monotonic()
        if is_paused:
            self._paused_at = now
        elif self._paused_at is not None:
            self._began += now - self._paused_at
            self._paused_at = None

    def change_scope(self, scope: CrawlScope) -> None:
        """Obey other rules from now on."""
        self.requests.give_back(time.monotonic())  # requests that have not begun are decided about again
        self._set_scope(scope)

    def _set_scope(self, scope: CrawlScope) -> None:
        if scope.has_part_limits and self.writer.waiting_rows:
            self.commit()  # the pages counted are read from the journal
        self.crawl.set_scope(scope, self.writer.page_urls() if scope.has_part_limits else ())
        self._note_left_out()

    def _note_left_out(self) -> None:
        """Name in the journal the rules that left something out, each with the server for which it did so first."""
        for left_out in self.crawl.guard.take_left_out():
            self.writer.add(row_left_out(self.writer.next_row, left_out, time.time()))
            self.events.see_left_out(server_of(left_out.url), left_out.rule.text)

    @property
    def is_busy(self) -> bool:
        """Whether visits are in flight or being read."""
        return bool(self.crawl.in_flight or self._reading)

    def has_bytes(self) -> bool:
        """Whether the byte limit allows more visits to begin."""
        return self.byte_limit is None or self.writer.totals.bytes < self.byte_limit

    def may_begin(self, now: float) -> bool:
        """Whether visits may begin now, as far as this partition is concerned."""
        return not self.is_paused and now >= self._quiet_until and self.has_bytes()

    def seconds(self) -> float:
        """How long the crawl has run, with earlier runs."""
        now = time.monotonic() if self._paused_at is None else self._paused_at
        return self._seconds_before + now - self._began

    def share(self, partitions: int) -> None:
        """Take note that so many partitions are driven by this process."""
        self._round_seconds = min(ROUND_SECONDS * partitions, _LONGEST_ROUND_SECONDS)
        wanted_seconds = COMMIT_SECONDS * partitions / _PARTITIONS_A_COMMIT_SECOND
        self._commit_seconds = min(max(wanted_seconds, COMMIT_SECONDS), _LONGEST_COMMIT_SECONDS)

    # One round

    def begin(self, now: float, room: int) -> None:
        """Begin up to `room` visits."""
        for visit in self.crawl.due(now, room):
            if self.writer.aliases.twin_of(visit.text):
                self._over.append((Ended(visit, Response(0, visit.text), Outcome.REDIRECT), None))
            else:
                self.requests.begin(visit, now)
        self._note_left_out()

    def next_event(self, now: float, has_free: bool, has_room: bool) -> float | None:
        """When there will be something to do that no response announces.

        Without a free connection no request can start; without room no visit can begin.
        """
        starts = [
            self.requests.next_start() if has_free else None,
            self.politeness.next_rested() if has_room and self.may_begin(now) else None,
            self._taken + self._round_seconds if self._over or self._foreign or self.requests.has_sitemaps else None,
            self._quiet_until if self._quiet_until > now else None,
            now if self.crawl.has_more and has_room and self.may_begin(now) else None,
        ]
        return min([start for start in starts if start is not None], default=None)

    def jobs(self) -> list[Job]:
        """Pages that have been fetched, for the readers; visits without a page are over."""
        jobs = []
        for ended in self.requests.take_ended():
            visit, response = ended.visit, ended.response
            is_page = ended.outcome == Outcome.PAGE and response.truncated != "type"
            if not is_page or visit.hops & SITEMAP_HOP:
                self._over.append((ended, None))
                continue
            self._reading[self._next_job] = ended
            parent = language_name(visit.source_language)
            jobs.append(Job(self._next_job, visit.text, response.head, response.body, parent, response.address))
            self._next_job += 1
        return jobs

    def receive_page(self, page: JudgedPage) -> None:
        """Take a page that has been read."""
        self._over.append((self._reading.pop(page.key), page))

    def take(self, now: float) -> None:
        """Hand visits that are over to `Crawl`."""
        # Pages taken together cost half of what they cost one by one. If no more are in flight, none are waited for.
        if len(self._over) < min(ROUND_PAGES, self.crawl.in_flight) and now - self._taken < self._round_seconds:
            return
        self._taken = now
        self._add_foreign()
        for visit, urls in self.requests.take_sitemaps():
            self._send_abroad(self.crawl.add_sitemaps(visit, links_to(urls, self._needs)))
        over, self._over = self._over, []
        if over:
            results = [self._result(ended, page, now) for ended, page in over]
            self._send_abroad(self.crawl.take(results, now))
            for result in results:
                self._tell_budget(result.visit)

    def _tell_budget(self, visit: Visit) -> None:
        if self.crawl.has_just_filled(visit.server) and not self.crawl.guard.has_own_limit(visit):
            limit = self.crawl.pages_per_server
            self.events.tell(f"{server_of(visit.text)}: {limit:,} pages, budget reached (limits.pages_per_server)")

    def _send_abroad(self, links: LinkBatch | None) -> None:
        """Put links that other partitions own into the outbox."""
        if links is not None and self._parts.partition is not None:
            self.writer.outbox.add(links, self._parts.partition.owners(links))

    def take_foreign(self, sender: int, number: int, links: LinkBatch) -> None:
        """Queue links that another partition found, in the next round: the next batch of that sender."""
        self.writer.inbox.take(sender, number)
        self._foreign.append(links)

    def _add_foreign(self) -> None:
        if self._foreign:
            self.crawl.add(LinkBatch.join(self._foreign))
            self._foreign.clear()

    def _result(self, ended: Ended, page: JudgedPage | None, now: float) -> VisitResult:
        """Write the row and record of a visit that ended, and make its result for `Crawl.take`."""
        response, is_own_copy = ended.response, False
        row = row_of(self.writer.next_row, ended, page)
        if response.head and response.truncated != "type":
            place = self.writer.archive(exchange_of(row, response))
            row.digest, row.warc_file, row.warc_offset = digest_text(place.digest), place.file, place.offset
            if page is not None and not is_file(row):
                is_own_copy = compare(row, page.digest, place, response.address, self.writer, self.frontier)
        row.rule = self.crawl.guard.rule_text(row.url)
        self.writer.add(row)
        if row.outcome in (Outcome.PAGE, Outcome.FAILED):
            self.window.add(now, row.relevant)
            self.events.see(server_of(row.url), row.failure if row.outcome == Outcome.FAILED else "")
        if self._growth:
            self._growth.see([row])
        self.last = row.url, row.title
        result = VisitResult(ended.visit, row.row, row.outcome, is_file=is_file(row), is_copy=row.copy)
        if page is not None:
            if page.files and self.crawl.types:
                self.crawl.types.unasked[OTHER_FILES] += page.files
            return result._replace(
                is_own_copy=is_own_copy,
                relevance=row.relevance,
                relevant=page.relevant,
                language=language_code(page.language),
                links=links_of(page, self._needs),
            )
        if row.outcome == Outcome.REDIRECT:
            twin = "" if response.head else self.writer.aliases.twin_of(row.url)
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
        return links_to(tidy, self._needs)

    # What survives

    def commit_if_due(self, now: float) -> bool:
        """Commit if enough has happened or enough time has passed; whether a commit was made."""
        writer, waited_seconds = self.writer, now - self._committed
        rows, has_news = writer.waiting_rows, writer.outbox.has_news or writer.inbox.has_news
        is_due = rows >= COMMIT_ROWS or ((rows or has_news) and waited_seconds >= self._commit_seconds)
        if is_due or (has_news and self.crawl.is_spent and waited_seconds >= IDLE_COMMIT_SECONDS):
            self.commit()
            return True
        return False

    def commit(self, finished: str | None = None) -> None:
        """Make all that happened durable; `finished` ends a run, as in `CrawlWriter.commit`."""
        self._add_foreign()
        learned = self._learned
        self.writer.commit(self.frontier, learned.snapshot, self.totals(), finished, learned.link_updates())
        if self._growth and self._growth.is_due:
            self._parts.equipment.readers.change_judge(self._growth.grow())
        self._committed = time.monotonic()

    def totals(self) -> Totals:
        """What the partition has done so far."""
        servers, relevant_servers = self.crawl.server_counts()
        return replace(
            self.writer.totals,
            servers=servers,
            relevant_servers=relevant_servers,
            frontier=self.crawl.waiting,
            seconds=self.seconds(),
            aliases=len(self.writer.aliases),
            aside=self.crawl.aside,
            began=self.writer.totals.began or self._began_wall_clock,
            ended=time.time(),
            unasked=dict(self.crawl.types.unasked) if self.crawl.types else {},
            missing=self.crawl.probes.missing() if self.crawl.probes else None,
        )
