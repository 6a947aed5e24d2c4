"""Measures of a crawl: totals, harvest rate and coverage; and the summary of a run.

A page counts as fetched when its request was sent and ended. Failed requests count too: they cost the same and find
nothing. Redirects, sitemaps and visits that robots.txt forbids are not pages.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from exonym.batches import Flags, Floats, Integers
from exonym.probes.completeness import Missing, sum_of_missing


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of what a crawl has done so far."""

    pages: int = 0
    relevant: int = 0
    failures: int = 0
    redirects: int = 0
    forbidden: int = 0
    bytes: int = 0
    servers: int = 0
    relevant_servers: int = 0
    frontier: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    # Pages that show no language and took that of the page that linked to them; they count in `languages` too.
    inherited: dict[str, int] = field(default_factory=dict)
    relevant_inherited: int = 0  # of them, those that count as relevant
    copies: int = 0  # pages that repeat others word for word: among `pages`, never among `relevant`
    aliases: int = 0  # servers that turned out to be other names of others, and are sent no requests any more
    unasked: dict[str, int] = field(default_factory=dict)  # links found that lead to files, by kind, and were not asked
    failure_kinds: dict[str, int] = field(default_factory=dict)  # failed requests by what their failure begins with
    aside: int = 0  # links that are known and that the scope leaves out
    began: float = 0.0  # when the first run began, in seconds since 1970; 0: unknown
    ended: float = 0.0  # when the last commit was made
    missing: Missing | None = None  # what probes tell of relevant pages not found; None: the strategy makes none

    @property
    def harvest_rate(self) -> float:
        """Relevant pages fetched / pages fetched; 0 before the first page."""
        return harvest_of(self.relevant, self.pages)

    @property
    def pages_per_second(self) -> float:
        """Pages fetched / seconds of running; 0 at the beginning."""
        return self.pages / self.seconds if self.seconds else 0.0


def sum_of(parts: Sequence[Totals]) -> Totals:
    """The totals of a crawl whose partitions, which share no server, have these totals.

    The partitions run at the same time, so the longest of their times is that of the crawl.
    """

    def counted(name: str) -> dict[str, int]:
        return dict(sum((Counter(getattr(part, name)) for part in parts), Counter()))

    numbers = {
        item.name: sum(getattr(part, item.name) for part in parts) for item in fields(Totals) if item.type is int
    }
    kinds = {name: counted(name) for name in ("languages", "inherited", "unasked", "failure_kinds")}
    times = {
        "seconds": max((part.seconds for part in parts), default=0.0),
        "began": min((part.began for part in parts if part.began), default=0.0),
        "ended": max((part.ended for part in parts), default=0.0),
    }
    missing = [part.missing for part in parts if part.missing is not None]
    return Totals(**numbers, **kinds, **times, missing=sum_of_missing(missing) if missing else None)  # type: ignore[arg-type]


def failure_kind(failure: str) -> str:
    """The kind of a failure: the text before its colon, or an HTTP status, as in `http 404`.

    >>> failure_kind("connect: refused"), failure_kind("http: 404"), failure_kind("robots.txt: dns: no such host")
    ('connect', 'http 404', 'robots.txt')
    """
    kind, _, rest = failure.partition(":")
    return f"http {rest.strip()[:3]}" if kind == "http" else kind.strip() or "unknown"


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run of a crawl ended: `reason` is one of `STOP_REASONS`."""

    totals: Totals
    reason: str
    directory: str
    warc_files: int = 0
    warc_bytes: int = 0


FINAL_REASONS = (
    "empty frontier",
    "floor",
    "pages",
    "bytes",
    "seconds",
)  # after these, the crawl has done what was asked
STOP_REASONS = (*FINAL_REASONS, "interrupted", "disk full", "missing partitions")
REASON_WORDS = {  # what follows "The crawl …"
    "empty frontier": "finished: no link is left to follow",
    "floor": "finished: no link that waits is worth a request (strategy.floor)",
    "pages": "stopped: the page limit is reached (limits.pages)",
    "bytes": "stopped: the byte limit is reached (limits.bytes)",
    "seconds": "stopped: the time limit is reached (limits.seconds)",
    "interrupted": "was stopped by you; nothing is lost",
    "disk full": "paused: the disk is full; nothing is lost",
    "missing partitions": "paused: nothing is left to do but in partitions that no worker can open; nothing is lost",
}


def harvest_after(relevant: Integers, pages: Integers) -> Floats:
    """The harvest rate at each moment, from the numbers of relevant pages and of all pages fetched by then."""
    return relevant / np.maximum(pages, 1)


def coverage_after(relevant: Integers, relevant_pages: int) -> Floats:
    """The coverage at each moment, from the number of relevant pages found by then; 1 if none exist."""
    return relevant / relevant_pages if relevant_pages else np.ones(len(relevant))


def harvest_of(relevant: int, pages: int) -> float:
    """The harvest rate of a crawl that fetched `pages` pages, of which `relevant` are relevant; 0 without pages."""
    return relevant / pages if pages else 0.0


def coverage_of(relevant: int, relevant_pages: int) -> float:
    """The share of `relevant_pages` that was found; 1 if none exist."""
    return relevant / relevant_pages if relevant_pages else 1.0


def harvest_over(relevant: Flags, pages: int) -> float:
    """The harvest rate of the first `pages` pages, or of all if there are fewer; 0 without pages."""
    first = relevant[:pages]
    return harvest_of(int(np.count_nonzero(first)), len(first))


def relevant_pages_for(percent: int, relevant_pages: int) -> int:
    """The smallest number of pages that is at least `percent` per cent of `relevant_pages`."""
    return -(-percent * relevant_pages // 100)


def pages_for_coverage(relevant: Flags, relevant_pages: int, percent: int) -> int | None:
    """How many pages were fetched until `percent` per cent of `relevant_pages` were found; None if they were not."""
    wanted = relevant_pages_for(percent, relevant_pages)
    if not wanted:
        return 0
    places = np.flatnonzero(relevant)
    return int(places[wanted - 1]) + 1 if wanted <= len(places) else None


def area(relevant: Flags, relevant_pages: int) -> float:
    """The area under the coverage curve over the first 2R pages, divided by that of a crawl of relevant pages only.

    R is `relevant_pages`. A crawl that ended before keeps its coverage; 1 if no relevant pages exist.
    """
    if not relevant_pages:
        return 1.0
    length = 2 * relevant_pages
    places = np.flatnonzero(relevant[:length])
    # A page found at place p (from 0) adds 1/R to the coverage after each of the pages p + 1 … 2R.
    own = length * len(places) - int(places.sum())
    ideal = relevant_pages * (3 * relevant_pages + 1) // 2
    return own / ideal
