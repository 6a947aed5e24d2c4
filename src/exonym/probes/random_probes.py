"""Which of the links that wait are drawn at random, and what became of them: all that `completeness` estimates from.

At a review, every few hundred pages, the strategy scores a random sample of the links that wait afresh. The review
counts them, and draws some to be visited next: probes. More are drawn of those from which there is more to learn.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Flags, Floats, Ids, Integers, Relevances, Rows
from exonym.frontier.base import ALL_IDS, MOST_SAMPLED, PROBE_BASE, mixed
from exonym.probes.completeness import (
    FOUND_CLASSES,
    LOWEST,
    MEMORY,
    STEPS,
    STEPS_PER_UNIT,
    Missing,
    ProbeRecords,
    Review,
    missing_from,
)

_Arrays = dict[str, NDArray[Any]]

FEWEST_PAGES = 250  # between two reviews
PAGES_A_REVIEW = 32  # later, one review in such a share of all pages
FEWEST_PROBES_DRAWN = 3  # at a review
MOST_RECORDS = 2_048
MOST_FOUND = 4_096  # relevant pages of which it is looked up how often they were found
RECENT = 0.1  # of all pages
_STRATA = STEPS // STEPS_PER_UNIT


class ScoredSample(NamedTuple):
    """Links drawn at random from those that wait, with fresh scores, and on how many relevant pages they were found."""

    urls: Ids
    scores: Floats
    found_relevant: Counters


NO_SAMPLE = ScoredSample(np.zeros(0, np.uint64), np.zeros(0), np.zeros(0, np.uint8))


class Standing(NamedTuple):
    """How far a crawl has come."""

    pages: int  # fetched
    relevant: int  # of them
    waiting: int  # links


class Probes:
    """Draws about one link for each `every` pages, and remembers what the latest ones led to."""

    def __init__(self, every: int, most_sampled: int = MOST_SAMPLED) -> None:
        """At a review, there is to be a sample of at most `most_sampled` links."""
        self._every = every
        self.most_sampled = most_sampled
        self._fewest_pages = min(FEWEST_PAGES, 4 * every)
        self.records = ProbeRecords(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.int64))
        self.last: Review | None = None
        self.next_review = self._fewest_pages  # pages
        self._earlier: list[tuple[int, int]] = []  # pages and relevant pages at each review
        self._found: list[int] = []  # relevant pages: those whose mixed ids are least
        self._threshold = ALL_IDS
        self._is_told = True  # whether `updates` has given the last review
        self._missing: tuple[Review, Missing] | None = None  # the last review for which it was asked

    # What became of visits

    def add(self, urls: Ids, relevant: Flags, drawn: Relevances, before: int) -> None:
        """Note pages that were fetched, in their order; `before` counts those fetched before.

        `drawn` has the scores with which pages were drawn, NaN for all others.
        """
        is_probe = ~np.isnan(drawn)
        if is_probe.any():
            more = drawn[is_probe].astype(np.float64), relevant[is_probe], before + 1 + np.flatnonzero(is_probe)
            self._add_records(ProbeRecords(*more))
        self._keep_found(urls[relevant])

    def _add_records(self, more: ProbeRecords) -> None:
        pages = np.concatenate([self.records.pages, more.pages])
        latest = np.argsort(pages, kind="stable")[-MOST_RECORDS:]
        scores = np.concatenate([self.records.scores, more.scores])
        relevant = np.concatenate([self.records.relevant, more.relevant])
        self.records = ProbeRecords(scores[latest], relevant[latest], pages[latest])

    def _keep_found(self, urls: Ids) -> None:
        self._found += urls[mixed(urls) <= self._threshold].tolist()
        if len(self._found) > 2 * MOST_FOUND:
            self._trim()

    def _trim(self) -> None:
        urls = np.array(self._found, dtype=np.uint64)
        order = np.argsort(mixed(urls))[:MOST_FOUND]
        self._found = urls[order].tolist()
        if len(order) == MOST_FOUND:
            self._threshold = int(mixed(urls[order[-1:]])[0])

    def found_urls(self) -> Ids:
        """A random sample of the relevant pages that were found."""
        self._trim()
        return np.array(self._found, dtype=np.uint64)

    # Reviews

    def review(self, standing: Standing, sample: ScoredSample, found_relevant: Counters) -> tuple[Rows, Floats]:
        """Take stock; the places in the sample of the links to be visited as probes, and their scores.

        `found_relevant` says of each of `found_urls` on how many relevant pages it was found.
        """
        pages, relevant, waiting = standing
        steps = _steps_of(sample.scores)
        cells = steps * FOUND_CLASSES + np.minimum(sample.found_relevant, FOUND_CLASSES - 1)
        links = np.bincount(cells, minlength=STEPS * FOUND_CLASSES).reshape(STEPS, FOUND_CLASSES)
        found = np.bincount(np.minimum(found_relevant, FOUND_CLASSES - 1), minlength=FOUND_CLASSES)
        before = next((past for past in reversed(self._earlier) if past[0] <= (1 - RECENT) * pages), (0, 0))
        self.last = Review(
            pages=pages,
            relevant=relevant,
            links=links.astype(np.float64) * (waiting / max(len(steps), 1)),
            sampled=len(steps) / max(waiting, 1),
            found=found.astype(np.float64) * (relevant / max(len(found_relevant), 1)),
            recent_pages=pages - before[0],
            recent_relevant=relevant - before[1],
        )
        interval = max(self._fewest_pages, pages // PAGES_A_REVIEW)
        since = min(pages - (self._earlier[-1][0] if self._earlier else 0), interval)
        self._earlier.append((pages, relevant))
        self.next_review = pages + interval
        self._is_told = False
        places = self._drawn(pages, max(FEWEST_PROBES_DRAWN, since // self._every), sample.urls, steps)
        return places, PROBE_BASE + LOWEST + steps[places] / STEPS_PER_UNIT

    def _drawn(self, pages: int, count: int, urls: Ids, steps: Integers) -> Rows:
        """The places of `count` links: of each stratum, a whole unit of scores, the first in a new order each time.

        Those with the least mixed ids would not do: of the links that have waited for long, they were drawn before.
        """
        strata, strata_of_probes = steps // STEPS_PER_UNIT, _steps_of(self.records.scores) // STEPS_PER_UNIT
        age = np.exp((self.records.pages - pages) / (MEMORY * pages))
        lately: Floats = np.bincount(strata_of_probes, weights=age, minlength=_STRATA).astype(np.float64)
        counts = shares_of_probes(worth_of(steps), lately, np.bincount(strata, minlength=_STRATA), count)
        order = np.argsort(mixed(mixed(urls) ^ mixed(np.array([pages], dtype=np.uint64))))
        return np.concatenate([order[strata[order] == stratum][:few] for stratum, few in enumerate(counts.tolist())])

    def missing(self) -> Missing:
        """How many relevant pages were missing at the last review, by what probes showed until it was asked first."""
        if self.last is None:
            return Missing()
        if self._missing is None or self._missing[0] is not self.last:
            self._missing = self.last, missing_from(self.last, self.records)
        return self._missing[1]

    # What survives

    def state(self) -> _Arrays:
        """All that is known, as arrays."""
        records = {f"probe_{name}": column for name, column in self.records._asdict().items()}
        return {**records, "found": self.found_urls(), **self._of_review()}

    def _of_review(self) -> _Arrays:
        if self.last is None:
            return {}
        figures = {f"review_{name}": np.array(value) for name, value in self.last._asdict().items()}
        next_review = np.array([self.next_review], dtype=np.int64)
        return {**figures, "earlier": np.array(self._earlier, dtype=np.int64), "next": next_review}

    def restore(self, state: _Arrays) -> None:
        """Go on from what `state` gave; nothing is known yet."""
        self.merge(state)
        self.next_review = self._fewest_pages
        self.apply_updates(state)

    def merge(self, state: _Arrays) -> None:
        """Add what another partition knows, by its `state`; the next review comes at once."""
        self._add_records(ProbeRecords(*(state[f"probe_{name}"] for name in ProbeRecords._fields)))
        self._keep_found(state["found"].astype(np.uint64))
        self.next_review, self._earlier = 0, []

    def updates(self) -> _Arrays:
        """The last review, if there was one since the previous call: what neither a snapshot nor the journal has."""
        is_told, self._is_told = self._is_told, True
        return {} if is_told else self._of_review()

    def apply_updates(self, updates: _Arrays) -> None:
        """Repeat what `updates` gave, unless a later review is known."""
        if "next" not in updates or (self.last and self.last.pages > updates["review_pages"]):
            return
        columns: list[Any] = [updates[f"review_{name}"] for name in Review._fields]
        self.last = Review(*(column if column.ndim else column.item() for column in columns))
        self._earlier = [(pages, relevant) for pages, relevant in updates["earlier"].tolist()]
        self.next_review = int(updates["next"][0])


def _steps_of(scores: Floats) -> Integers:
    """The steps of fresh scores, as in `Review.links`."""
    steps: Integers = np.clip(np.floor((scores - LOWEST) * STEPS_PER_UNIT), 0, STEPS - 1).astype(np.int64)
    return steps


def worth_of(steps: Integers) -> Floats:
    """How much is to be learned from each stratum: its links, by the standard deviation of one (Neyman 1934)."""
    strata = steps // STEPS_PER_UNIT
    chances = 1 / (1 + np.exp(-(LOWEST + (steps + 0.5) / STEPS_PER_UNIT)))
    links = np.bincount(strata, minlength=_STRATA)
    chance = np.bincount(strata, weights=chances, minlength=_STRATA) / np.maximum(links, 1)
    return (links * np.sqrt(chance * (1 - chance))).astype(np.float64)


def shares_of_probes(worth: Floats, lately: Floats, links: Integers, count: int) -> Integers:
    """How many of `count` probes are drawn from each stratum, which has so many links, and had so many probes lately.

    Each goes where it lowers the variance of the whole most.
    """
    counts = np.zeros(len(worth), dtype=np.int64)
    for _ in range(min(count, int(links.sum()))):
        probes = lately + counts
        gain = np.where(counts < links, worth**2 / ((probes + 0.5) * (probes + 1.5)), -1.0)
        counts[gain.argmax()] += 1
    return counts
