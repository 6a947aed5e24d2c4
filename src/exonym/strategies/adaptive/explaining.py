"""Why a link has its score, in words: the facts in its note, and what each pair of them weighs now.

Everything is read off the declarations of `facts` and the tables of a strategy: which facts there are, which numbers
fall into which class, and which pairs have weights. Only the wording of each fact is written here. Notes of facts that
have no wording yet are explained by the fact's name and class.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, Integers
from exonym.strategies.adaptive.facts import (
    AGE_CLASS,
    CALL_CLASS,
    FACTS,
    FARTHEST_CLASS,
    FEW_CLASS,
    IS_NOTED,
    MANY_CLASS,
    MOST_CALLS,
    MOST_FAILED,
    MOST_PAGES,
    SEGMENT_CLASS,
    SERVER_CLASS,
    PairTables,
)
from exonym.strategies.adaptive.link_words import ANCHOR_BOUNDS, URL_BOUNDS
from exonym.strategies.adaptive.odds import ONE, STEPS_PER_UNIT
from exonym.urls import server_of, top_level_domain_of

Wording = Callable[[int, str], str]  # of the class of a fact, for a link with this URL


class WeighedFacts(NamedTuple):
    """One or two facts about a link, and what they add to the logarithm of its odds."""

    facts: tuple[str, ...]  # their names
    text: str
    weight: float


class WeighedNote(NamedTuple):
    """All pairs of facts in a note, those that weigh most first, and their sum."""

    weighed: tuple[WeighedFacts, ...]
    total: float  # log-odds

    @property
    def chance(self) -> float:
        """The probability that the sum stands for."""
        return chance_of(self.total)


def chance_of(log_odds: float) -> float:
    """The probability that has these log-odds.

    >>> chance_of(0.0), round(chance_of(math.log(9)), 6)
    (0.5, 0.9)
    """
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0


def chances_of(score: float) -> tuple[float, float]:
    """From which to which probability a score stands for: scores are rounded down."""
    return chance_of(score), chance_of(score + 1 / STEPS_PER_UNIT)


def weighed(note: int, url: str, weights: Integers, tables: PairTables) -> WeighedNote | None:
    """What each pair of facts in the note of a link to `url` weighs; None if another strategy made the note."""
    if not note & IS_NOTED:
        return None
    (cells,) = tables.of(np.array([note], dtype=np.int64))
    pairs = [
        WeighedFacts(names, "; ".join(text_of(name, note, url) for name in names), weight / ONE)
        for names, weight in zip(_names_of(tables), weights[cells].tolist(), strict=True)
    ]
    return WeighedNote(tuple(sorted(pairs, key=lambda pair: -abs(pair.weight))), sum(pair.weight for pair in pairs))


def _names_of(tables: PairTables) -> list[tuple[str, ...]]:
    return [(first, second) if second else (first,) for first, second in tables.pairs]


def text_of(name: str, note: int, url: str) -> str:
    """What a note says of one fact."""
    first_bit, bits = FACTS[name]
    number = note >> first_bit & (1 << bits) - 1
    wording = WORDINGS.get(name)
    return (wording(number, url) if wording else "") or f"{name} is in class {number}"


# The wording of each fact. A class of numbers is worded by those that fall into it, so tables may change.


def _by_rate(table: Integers, who: str) -> Wording:
    """Of a class of pages and relevant pages."""

    def wording(number: int, url: str) -> str:
        if number == 0:
            return f"{who} gave no page yet"
        pages, relevant = np.nonzero(table == number)
        return f"{who} gave {_pages(pages)}, {_share(pages, relevant)}" if len(pages) else ""

    return wording


def _by_pages(table: Integers, who: str) -> Wording:
    """Of a class of pages."""

    def wording(number: int, url: str) -> str:
        (pages,) = np.nonzero(table == number)
        return "" if not len(pages) else f"{who} gave {_pages(pages) if pages[-1] else 'no page yet'}"

    return wording


def _by_count(table: Integers, thing: str, rest: str) -> Wording:
    """Of a class of a counter: how many times `thing`, and what follows it."""

    def wording(number: int, url: str) -> str:
        (counts,) = np.nonzero(table == number)
        return f"{_range(counts, len(table) - 1)} {_plural(thing, counts)} {rest}" if len(counts) else ""

    return wording


def _found_on(table: Integers, kind: str, rest: str = "") -> Wording:
    """Of a class of a counter of pages of one kind on which the link was found."""
    count = _by_count(table, f"{kind} page", rest)

    def wording(number: int, url: str) -> str:
        text = count(number, url).rstrip()
        return f"found on {text}" if text else ""

    return wording


def _called(number: int, url: str) -> str:
    """Of a class of links on relevant pages, in the higher bits, and of links on irrelevant pages."""
    half = FACTS["called"][1] // 2
    relevant, irrelevant = (np.flatnonzero(part == CALL_CLASS) for part in (number >> half, number & (1 << half) - 1))
    if not (len(relevant) and len(irrelevant)):
        return ""
    links = f"{_range(relevant, MOST_CALLS)} {_plural('link', relevant)} to its server"
    return f"{links} on relevant pages of other servers, {_range(irrelevant, MOST_CALLS)} on irrelevant ones"


def _either(no: str, yes: str) -> Wording:
    return lambda number, url: yes if number else no


def _distance(number: int, url: str) -> str:
    if number == 0:
        return "it is a seed, or was reached from one by redirects"
    more = " or more" * (number == FARTHEST_CLASS)
    return f"{number}{more} step{'s' * (number != 1)} after the last relevant page"


def _domain(number: int, url: str) -> str:
    domain = top_level_domain_of(server_of(url))
    return f"it is in the top-level domain .{domain}" if domain else "its server has no top-level domain"


def _by_words(bounds: Floats, what: str) -> Wording:
    """Of a class of what the pieces of a text say, which has log-odds between two of `bounds`."""

    def wording(number: int, url: str) -> str:
        if not 0 < number <= len(bounds) + 1:
            return f"nothing is known of words like those of {what}" if number == 0 else ""
        low, high = [-math.inf, *bounds.tolist()][number - 1], [*bounds.tolist(), math.inf][number - 1]
        if low < 0 < high:
            return f"the words of {what} say little"
        kind, least, most = ("relevant", low, high) if low >= 0 else ("irrelevant", -high, -low)
        degree = "somewhat " if most <= 1 else "much " if least >= 2 else ""
        return f"the words of {what} are {degree}more frequent on links to {kind} pages"

    return wording


def _plural(noun: str, counts: NDArray[np.intp]) -> str:
    return noun if counts.max() == 1 else f"{noun}s"


def _pages(pages: NDArray[np.intp]) -> str:
    return f"{_range(pages, MOST_PAGES)} {_plural('page', pages)}"


def _range(counts: NDArray[np.intp], most: int) -> str:
    """The counts of one class, where all from `most` on are counted as `most`."""
    first, last = int(counts.min()), int(counts.max())
    if last == most:
        return f"{first} or more"
    return ("no" if last == 0 else str(first)) if first == last else f"{first} to {last}"


def _share(pages: NDArray[np.intp], relevant: NDArray[np.intp]) -> str:
    if pages.max() == 1:
        return "relevant" if relevant.max() else "not relevant"
    shares = relevant / pages
    first, last = (round(100 * share) for share in (shares.min(), shares.max()))
    if first == last:
        return {0: "none of them relevant", 100: "all of them relevant"}.get(first, f"{first} % of them relevant")
    return f"{first} to {last} % of them relevant"


WORDINGS: dict[str, Wording] = {
    "server": _by_rate(SERVER_CLASS, "its server"),
    "segment": _by_rate(SEGMENT_CLASS, "its segment"),
    "server_age": _by_pages(AGE_CLASS, "its server"),
    "segment_age": _by_pages(AGE_CLASS, "its segment"),
    "found_relevant": _found_on(MANY_CLASS, "relevant"),
    "found_irrelevant": _found_on(MANY_CLASS, "irrelevant"),
    "found_elsewhere": _found_on(FEW_CLASS, "relevant", "of other servers"),
    "found_spoken": _by_count(FEW_CLASS, "link", "to it with text in a target language"),
    "failed": _by_count(np.arange(MOST_FAILED + 1), "request", "to its server failed"),
    "called": _called,
    "source_server": _by_rate(SERVER_CLASS, "by then, the server that links to it"),
    "source_relevant": _either("no relevant page recommends it", "a relevant page recommends it"),
    "same_server": _either("the link is from another server", "the link is from its own server"),
    "distance": _distance,
    "own_domain": _either(
        "no target language is common in its top-level domain", "a target language is common in its top-level domain"
    ),
    "domain": _domain,
    "url_words": _by_words(URL_BOUNDS, "its URL"),
    "anchor_words": _by_words(ANCHOR_BOUNDS, "its anchor text"),
}
