"""Which page is shown next: the one whose label is the most informative.

Without a model these are the pages on which the crawl's judge was least sure, relevant and irrelevant in turn; with a
model, those on which the model is least sure. Sites take turns too: ten pages of a site teach little more than one.
"""

import heapq
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from exonym.batches import Rows
from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.errors import ConfigError
from exonym.labelling.archive_pages import ArchivePages
from exonym.training.labels import host_without_www

ORDERS = ("informative", "random")


PagesToLabel = CrawlPages | ArchivePages


class Candidate(NamedTuple):
    """A page that may be shown."""

    row: int
    site: str
    relevance: float  # by the crawl's judge
    relevant: bool


def candidates_of(pages: PagesToLabel, languages: Sequence[str] = ()) -> list[Candidate]:
    """The pages without copies, in the order of the crawl or archive; if `languages` are given, only pages in these."""
    urls, rows = pages.column("url"), pages.pages
    if languages:
        spoken, scripts = pages.column("language"), tuple(f"{code}-" for code in languages)  # Chinese is also zh-Hant
        is_wanted = [spoken[row] in languages or spoken[row].startswith(scripts) for row in rows.tolist()]
        rows = rows[np.array(is_wanted, np.bool_)]
    rows = first_of_each(pages.column("digest"), rows)
    return [
        Candidate(row, host_without_www(urls[row]), float(pages.relevance[row]), bool(pages.relevant[row]))
        for row in rows.tolist()
    ]


def first_of_each(values: Sequence[str], rows: Rows) -> Rows:
    """The rows without those whose value ("" excepted) an earlier row has."""
    first: dict[str, int] = {}
    is_first = [not values[row] or first.setdefault(values[row], row) == row for row in rows.tolist()]
    return rows[np.array(is_first, np.bool_)]


class _Turn(NamedTuple):
    """A site's next page; the smallest comes first."""

    round: int
    margin: float
    chance: float
    number: int
    row: int
    site: str


class SiteTurns:
    """Pages by rounds over their sites, in a round the most doubtful first; or by margin alone."""

    def __init__(self, margins: Iterable[tuple[float, Candidate]], chance: random.Random, rounds: bool = True) -> None:
        numbers = count()
        waiting: dict[str, list[_Turn]] = {}
        keyed = ((margin, chance.random(), candidate) for margin, candidate in margins)
        for margin, luck, candidate in sorted(keyed, key=lambda entry: entry[:2]):
            queue = waiting.setdefault(candidate.site, [])
            turn = len(queue) if rounds else 0
            queue.append(_Turn(turn, margin, luck, next(numbers), candidate.row, candidate.site))
        for queue in waiting.values():
            queue.reverse()
        self._waiting = waiting
        self._first = [queue.pop() for queue in waiting.values()]
        heapq.heapify(self._first)

    def __bool__(self) -> bool:
        return bool(self._first)

    def has_other_than(self, site: str) -> bool:
        """Whether a page of another site is left."""
        return len(self._first) > 1 or any(turn.site != site for turn in self._first)

    def take(self, not_site: str) -> tuple[int, str]:
        """The next page, of another site than `not_site` if there is one."""
        turn = heapq.heappop(self._first)
        if turn.site == not_site and self._first:
            turn = heapq.heapreplace(self._first, turn)
        if self._waiting[turn.site]:
            heapq.heappush(self._first, self._waiting[turn.site].pop())
        return turn.row, turn.site


def by_judge(candidates: Sequence[Candidate], seed: int) -> Iterator[int]:
    """Rows, relevant and irrelevant in turn, of each the nearest to the other kind first, site by site."""
    chance = random.Random(seed)
    kinds = [
        SiteTurns([(page.relevance, page) for page in candidates if page.relevant], chance),
        SiteTurns([(-page.relevance, page) for page in candidates if not page.relevant], chance),
    ]
    return _alternate(kinds)


def by_doubt(margins: Iterable[tuple[float, Candidate]], seed: int) -> Iterator[int]:
    """Rows, smallest margin first, no two of one site in a row as far as possible."""
    return _alternate([SiteTurns(margins, random.Random(seed), rounds=False)])


def by_chance(candidates: Sequence[Candidate], seed: int) -> Iterator[int]:
    """Rows in a random order."""
    rows = [candidate.row for candidate in candidates]
    random.Random(seed).shuffle(rows)
    return iter(rows)


def ordered(candidates: Sequence[Candidate], order: str, seed: int) -> Iterator[int]:
    """Rows in one of `ORDERS`."""
    if order not in ORDERS:
        raise ConfigError(f"--order must be {' or '.join(ORDERS)}, got {order[:60]!r}.")
    return by_judge(candidates, seed) if order == "informative" else by_chance(candidates, seed)


def _alternate(kinds: list[SiteTurns]) -> Iterator[int]:
    last = ""
    while left := [kind for kind in kinds if kind]:
        kind = next((kind for kind in left if kind.has_other_than(last)), left[0])
        row, last = kind.take(last)
        yield row
        kinds = [other for other in kinds if other is not kind] + [kind]
