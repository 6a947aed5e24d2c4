"""Facts about a link, each as a small number, packed into the eight bytes of a note.

A learned strategy looks weights up by such facts: how many relevant pages its server gave so far, on how many pages the
link was found, and so on. Numbers that have no end are put into classes, by tables that are computed once. So the
classes of a crawl and of a compiled simulation, which call the same functions, cannot differ: the functions work on
arrays as well as on single numbers, and `exonym.simulation.engine` compiles them.

What the source page says of a link stays as it is while the link waits (`facts_of_source`); the rest may change.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_hexdigest

from exonym.batches import Ids, Integers

Values = Any  # a number, or an array of them

MOST_PAGES = 63  # of a server or segment; of more, the share of relevant ones is taken of so many


def _rate_classes(pages_from: Sequence[int], shares_from: Sequence[float]) -> Integers:
    """The class of a server or segment by its pages and relevant pages; 0 is one without pages."""
    classes = np.zeros((MOST_PAGES + 1, MOST_PAGES + 1), dtype=np.int64)
    for pages in range(1, MOST_PAGES + 1):
        for relevant in range(pages + 1):
            by_pages = int(np.searchsorted(pages_from, pages, side="right")) - 1
            by_share = int(np.searchsorted(shares_from, relevant / pages, side="right"))
            classes[pages, relevant] = 1 + by_pages * (len(shares_from) + 1) + by_share
    return classes


def _by_pages(pages_from: Sequence[int]) -> Integers:
    """The class of a server or segment by its pages alone."""
    return np.searchsorted(pages_from, np.arange(MOST_PAGES + 1), side="right").astype(np.int64)


_ANY = 1e-9  # the least share that is not 0
SERVER_CLASS = _rate_classes([1, 2, 4, 8, 16, 40], [_ANY, 0.08, 0.2, 0.4, 0.6, 0.8, 0.95])
SEGMENT_CLASS = _rate_classes([1, 2, 5], [_ANY, 0.2, 0.5, 0.8])
AGE_CLASS = _by_pages([1, 3, 8])
MANY_CLASS = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7], dtype=np.int64)  # of a counter, 0 to 15
FEW_CLASS = np.array([0, 1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6], dtype=np.int64)
FARTHEST_CLASS, MOST_FAILED, MOST_CALLS, DOMAINS = 7, 3, 33, 1024
CALL_CLASS = np.searchsorted([1, 2, 3, 5, 9, 17, MOST_CALLS], np.arange(MOST_CALLS + 1), side="right").astype(np.int64)
_CALL_BITS = 3  # of each of both classes

# The facts by name, with the bits that each takes: first those that may change while a link waits.
_BITS_NOW = {
    "server": 6,  # pages and relevant pages of its server
    "segment": 5,  # likewise of its segment
    "server_age": 2,  # pages of its server
    "segment_age": 2,
    "found_relevant": 3,  # on how many relevant pages it was found
    "found_irrelevant": 3,
    "found_elsewhere": 3,  # on how many relevant pages of other servers
    "found_spoken": 3,  # how often with an anchor in a target language
    "failed": 2,  # requests to its server that failed
    "called": 6,  # links to its server on pages of other servers, the relevant and the irrelevant ones
}
_BITS_OF_SOURCE = {
    "source_server": 6,  # as "server", for the server of the page with the best of its links, when that was fetched
    "source_relevant": 1,
    "same_server": 1,  # as that page
    "distance": 3,  # pages since the last relevant one
    "own_domain": 1,  # the top-level domain is one where a target language is common
    "domain": 10,  # top-level domain; a few share a number
}
_BITS_OF_WORDS = {
    "url_words": 3,  # what the pieces of its URL say now (`LinkWords`); 0: nothing is known
    "anchor_words": 2,  # what the pieces of its anchor said when it was found
}
IS_NOTED = 1 << 62  # set in every note of facts; notes of other strategies, in old journals, lack it


def _places(*parts: dict[str, int]) -> dict[str, tuple[int, int]]:
    places, at = {}, 0
    for name, bits in (item for part in parts for item in part.items()):
        places[name] = at, bits
        at += bits
    return places


_FACTS_OF_NUMBERS = _places(_BITS_NOW, _BITS_OF_SOURCE)
FACTS = _places(_BITS_NOW, _BITS_OF_SOURCE, _BITS_OF_WORDS)  # the first bit of each, and their number
_SEGMENT, _SERVER_AGE, _SEGMENT_AGE, _RELEVANT, _IRRELEVANT, _ELSEWHERE, _SPOKEN, _FAILED, _CALLED = (
    FACTS[name][0] for name in [*_BITS_NOW][1:]
)
_SOURCE_SERVER, _SOURCE_RELEVANT, _SAME_SERVER, _DISTANCE, _OWN, _DOMAIN = (FACTS[name][0] for name in _BITS_OF_SOURCE)
_URL_WORDS, _ANCHOR_WORDS = (FACTS[name][0] for name in _BITS_OF_WORDS)
NOW_MASK = (1 << sum(_BITS_NOW.values())) - 1 | (1 << _BITS_OF_WORDS["url_words"]) - 1 << _URL_WORDS
_SERVER_MASK = (1 << _BITS_NOW["server"]) - 1


def server_facts(
    pages: Values, relevant: Values, failed: Values, called_relevant: Values, called_irrelevant: Values
) -> Values:
    """What is known of a link's server, packed; it was called so often on relevant and on irrelevant pages."""
    counted = np.minimum(pages, MOST_PAGES)
    share = SERVER_CLASS[counted, relevant * counted // np.maximum(pages, 1)]
    called = (
        CALL_CLASS[np.minimum(called_relevant, MOST_CALLS)] << _CALL_BITS
        | CALL_CLASS[np.minimum(called_irrelevant, MOST_CALLS)]
    )
    return share | AGE_CLASS[counted] << _SERVER_AGE | np.minimum(failed, MOST_FAILED) << _FAILED | called << _CALLED


def segment_facts(pages: Values, relevant: Values) -> Values:
    """What is known of a link's segment, packed."""
    counted = np.minimum(pages, MOST_PAGES)
    share = SEGMENT_CLASS[counted, relevant * counted // np.maximum(pages, 1)]
    return share << _SEGMENT | AGE_CLASS[counted] << _SEGMENT_AGE


def found_facts(relevant: Values, irrelevant: Values, elsewhere: Values, spoken: Values) -> Values:
    """On which pages a link was found, packed: the four counters of `FoundCounters`."""
    return (
        MANY_CLASS[relevant] << _RELEVANT
        | MANY_CLASS[irrelevant] << _IRRELEVANT
        | FEW_CLASS[elsewhere] << _ELSEWHERE
        | FEW_CLASS[spoken] << _SPOKEN
    )


def facts_of_source(
    source_note: Values, source_relevant: Values, same_server: Values, distance: Values, domain: Values
) -> Values:
    """What the source page says of a link, packed, with the bit of every note; `domain` is that of `domain_facts`."""
    return (
        (source_note & _SERVER_MASK) << _SOURCE_SERVER
        | source_relevant << _SOURCE_RELEVANT
        | same_server << _SAME_SERVER
        | np.minimum(distance, FARTHEST_CLASS) << _DISTANCE
        | domain
        | IS_NOTED
    )


def domain_facts(domains: Ids, own: Ids) -> Integers:
    """What the top-level domain of a link says, packed; `own` are those where a target language is common."""
    numbers = (domains % np.uint64(DOMAINS)).astype(np.int64)
    facts: Integers = numbers << _DOMAIN | np.isin(domains, own).astype(np.int64) << _OWN
    return facts


def word_facts(urls: Integers, anchors: Integers) -> Integers:
    """What the words of a link say, packed: the classes that `LinkWords` gives its URL now, and its anchor once."""
    facts: Integers = urls << _URL_WORDS | anchors << _ANCHOR_WORDS
    return facts


def facts_digest() -> str:
    """What weights learned elsewhere must have been learned about: the facts, and their classes; no words."""
    classes = (SERVER_CLASS, SEGMENT_CLASS, AGE_CLASS, MANY_CLASS, FEW_CLASS, CALL_CLASS)
    return xxh3_64_hexdigest(repr(_FACTS_OF_NUMBERS).encode() + b"".join(table.tobytes() for table in classes))


class PairTables:
    """Tables for pairs of facts: where each keeps its cells in one array, and which cells a note has."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        """`pairs` name facts; the second may be "" for a table by one fact."""
        self.pairs = tuple(pairs)
        places = [(*FACTS[first], *(FACTS[second] if second else (0, 0))) for first, second in pairs]
        sizes = [1 << (first_bits + second_bits) for _, first_bits, _, second_bits in places]
        self.begins: Integers = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self.cells = sum(sizes)
        columns = np.array(places, dtype=np.int64).T
        self.first_shift, first_bits, self.second_shift, self.second_bits = columns
        self.first_mask: Integers = (1 << first_bits) - 1
        self.second_mask: Integers = (1 << self.second_bits) - 1

    def part(self, pair: tuple[str, str]) -> slice:
        """Where the cells of a pair are."""
        number = self.pairs.index(pair)
        return slice(int(self.begins[number]), int([*self.begins, self.cells][number + 1]))

    def of(self, notes: Integers) -> NDArray[np.int64]:
        """The cells of each note, a row for each."""
        notes = notes[:, None]
        first = notes >> self.first_shift & self.first_mask
        second = notes >> self.second_shift & self.second_mask
        cells: Integers = self.begins + (first << self.second_bits | second)
        return cells
