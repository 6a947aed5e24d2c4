"""A running crawl as people watch it: its pace, who is at work, who rests and why, what happened last, when it may end.

Terminal, dashboard and `--progress json` show the same `CrawlProgress`. Servers, URLs and titles in it come from the
web: clean them before printing.
"""

import itertools
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from exonym.metrics import Totals, harvest_of
from exonym.probes.completeness import completeness_document
from exonym.report.number_text import about

RECENT_PAGES = 1_000
_MOST_SAMPLES = 64
_FEWEST_SAMPLES = 6
_WIDTH = 1.645  # standard errors on either side of a 90 % interval


@dataclass(frozen=True, slots=True)
class RecentPages:
    """The last pages fetched, at most RECENT_PAGES: what the crawl is worth now."""

    pages: int = 0
    relevant: int = 0
    seconds: float = 0.0  # from before the first of them until now

    @property
    def harvest_rate(self) -> float:
        """Relevant pages / pages."""
        return harvest_of(self.relevant, self.pages)

    @property
    def pages_per_second(self) -> float:
        """Pages / seconds; 0 at the beginning."""
        return self.pages / self.seconds if self.seconds > 0 else 0.0


def sum_of_recent(parts: Sequence[RecentPages]) -> RecentPages:
    """The last pages of several partitions, which fetch at the same time: their paces add up.

    >>> sum_of_recent([RecentPages(1_000, 500, 100.0), RecentPages(10, 0, 2.0)]).pages_per_second
    15.0
    """
    pages, pace = sum(part.pages for part in parts), sum(part.pages_per_second for part in parts)
    return RecentPages(pages, sum(part.relevant for part in parts), pages / pace if pace else 0.0)


class PageWindow:
    """Remembers when the last pages were fetched, and whether they were relevant."""

    def __init__(self, began: float) -> None:
        self._pages: deque[tuple[float, bool]] = deque(maxlen=RECENT_PAGES)
        self._relevant = 0
        self._before = began  # when the page before the first one was fetched

    def add(self, now: float, relevant: bool) -> None:
        """Note a page that was just fetched."""
        if len(self._pages) == RECENT_PAGES:
            self._before, was_relevant = self._pages[0]
            self._relevant -= was_relevant
        self._pages.append((now, relevant))
        self._relevant += relevant

    def recent(self, now: float) -> RecentPages:
        """The last pages, as of now."""
        return RecentPages(len(self._pages), self._relevant, max(now - self._before, 0.0))


@dataclass(frozen=True, slots=True)
class ServerRest:
    """A server that is sent no request for some time."""

    server: str
    seconds: float  # from now
    why: str


@dataclass(frozen=True, slots=True)
class CrawlEvent:
    """Something worth knowing that happened during a crawl."""

    when: float  # seconds since 1970
    text: str


@dataclass(frozen=True, slots=True)
class Projection:
    """When a crawl may end, in seconds from now, with a 90 % interval; `by` is what will end it."""

    by: str  # "pages", "bytes" or "seconds" (limits), or "empty frontier"
    seconds: float
    least_seconds: float
    most_seconds: float | None  # None: no end in sight, at the slow end of the interval


_ENDS = {
    "pages": "the page limit",
    "bytes": "the byte limit",
    "seconds": "the time limit",
    "empty frontier": "nothing is left to fetch",
}


def ending_words(projection: Projection) -> str:
    """When a crawl may end, in words.

    >>> ending_words(Projection("pages", 100, 90, 140)), ending_words(Projection("empty frontier", 9, 8, None))
    ('2 min until the page limit', '8 s or more until nothing is left to fetch')
    """
    least, most = about(projection.least_seconds), projection.most_seconds
    span = f"{least} or more" if most is None else least if least == about(most) else f"{least} to {about(most)}"
    return f"{span} until {_ENDS[projection.by]}"


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """A running crawl at one moment."""

    totals: Totals
    pages_per_second: float = 0.0  # over the whole crawl
    last_url: str = ""
    last_title: str = ""
    in_flight: int = 0
    parked: int = 0  # servers that rest
    note: str = ""
    recent: RecentPages = RecentPages()
    at_work: tuple[str, ...] = ()  # some servers with a request in flight
    rests: tuple[ServerRest, ...] = ()  # some servers that rest, the longest rests first
    events: tuple[CrawlEvent, ...] = ()  # the last ones, oldest first
    projection: Projection | None = None
    free_bytes: int | None = None  # on the disk of the crawl; None: unknown
    is_paused: bool = False
    limits: dict[str, float] = field(default_factory=dict)  # those that are set, by their names in [limits]


_COUNTED = (
    *("pages", "relevant", "harvest_rate", "servers", "relevant_servers", "frontier", "aside", "bytes", "seconds"),
    *("failures", "copies"),
)


def document_of(progress: CrawlProgress) -> dict[str, Any]:
    """The progress for JSON. Scripts rely on these names: more may be added, none may be removed."""
    totals, projection = progress.totals, progress.projection
    return {
        **{name: getattr(totals, name) for name in _COUNTED},
        "failure_kinds": totals.failure_kinds,
        "coverage": completeness_document(totals.missing),
        "languages": {code or "unknown": pages for code, pages in totals.languages.items()},
        "pages_per_second": progress.pages_per_second,
        "recent": {
            "pages": progress.recent.pages,
            "harvest_rate": progress.recent.harvest_rate,
            "pages_per_second": progress.recent.pages_per_second,
        },
        "in_flight": progress.in_flight,
        "resting": progress.parked,
        "at_work": list(progress.at_work),
        "rests": [asdict(rest) for rest in progress.rests],
        "events": [asdict(event) for event in progress.events],
        "projection": asdict(projection) if projection else None,
        "free_bytes": progress.free_bytes,
        "paused": progress.is_paused,
        "limits": progress.limits,
        "last": {"url": progress.last_url, "title": progress.last_title},
        "note": progress.note,
    }


class _Sample(NamedTuple):
    seconds: float
    pages: int
    bytes: int
    known: int  # links that wait or are left out: a change of the scope only moves links from one to the other


class Pace:
    """Projects when a crawl may end, from its pace so far.

    Samples are taken at equal distances, which double when there are too many. The interval covers the spread of the
    pace between samples, which are taken to depend on each other as much as neighbouring ones do.
    """

    def __init__(self, spacing_seconds: float = 1.0) -> None:
        self._samples: list[_Sample] = []
        self._spacing_seconds = spacing_seconds
        self._waiting = 0  # links, at the last sample

    def add(self, seconds: float, totals: Totals) -> None:
        """Note the totals of a crawl that has run for so many seconds."""
        if self._samples and seconds - self._samples[-1].seconds < self._spacing_seconds:
            return
        self._samples.append(_Sample(seconds, totals.pages, totals.bytes, totals.frontier + totals.aside))
        self._waiting = totals.frontier
        if len(self._samples) > _MOST_SAMPLES:
            self._samples = self._samples[::2]
            self._spacing_seconds *= 2

    def projection(self, limits: dict[str, float]) -> Projection | None:
        """When the first limit will be reached, or nothing be left to fetch; None if nobody can tell yet."""
        if len(self._samples) < _FEWEST_SAMPLES:
            return None
        last = self._samples[-1]
        found = []
        for name in ("pages", "bytes"):
            if limits.get(name):
                found.append(self._until(name, limits[name] - getattr(last, name), name, 1))
        if limits.get("seconds"):
            left = max(limits["seconds"] - last.seconds, 0.0)
            found.append(Projection("seconds", left, left, left))
        found.append(self._until("empty frontier", self._waiting, "known", -1))
        return min((one for one in found if one is not None), key=lambda one: one.seconds, default=None)

    def _until(self, by: str, left: float, name: str, sign: int) -> Projection | None:
        """When `left` will be done, if `name` goes on to grow (or, by `sign`, to fall) as it did in the later half."""
        samples = self._samples[-max(len(self._samples) // 2, _FEWEST_SAMPLES) :]
        rates = [
            sign * (getattr(after, name) - getattr(before, name)) / (after.seconds - before.seconds)
            for before, after in itertools.pairwise(samples)
            if after.seconds > before.seconds
        ]
        if len(rates) < 2:
            return None
        mean = sum(rates) / len(rates)
        if mean <= 0:
            return None
        seconds = max(left, 0.0) / mean
        step = (samples[-1].seconds - samples[0].seconds) / len(rates)
        error = _standard_error(rates, mean, seconds / step) * _WIDTH
        slowest = mean - error
        most = max(left, 0.0) / slowest if slowest > 0 else None
        return Projection(by, seconds, max(left, 0.0) / (mean + error), most)


def _standard_error(rates: list[float], mean: float, steps_to_come: float) -> float:
    """The standard error of the mean rate over the steps to come, by the rates so far."""
    spread = sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)
    if not spread:
        return 0.0
    pairs = itertools.pairwise(rates)
    likeness = sum((one - mean) * (other - mean) for one, other in pairs) / (len(rates) - 1) / spread
    likeness = min(max(likeness, 0.0), 0.9)
    per_step = spread * (1 + likeness) / (1 - likeness)
    return math.sqrt(per_step * (1 / len(rates) + 1 / max(steps_to_come, 1.0)))
