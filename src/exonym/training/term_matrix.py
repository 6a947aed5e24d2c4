"""Examples as one sparse matrix of term frequencies: counted once, then trained on again and again."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers
from exonym.errors import ConfigError
from exonym.models.terms import Fields, TermOptions, TermReader
from exonym.models.terms_by_number import UNKNOWN, TokenPlaces, counted
from exonym.progress import Progress, no_progress
from exonym.system.processes import cores, done_with_shared_data
from exonym.training.examples import Example, classes_and_sites

_PART = 1_000  # examples counted at a time
_WORTH_PROCESSES = 8_000  # examples; with fewer, starting processes takes longer than counting


@dataclass(frozen=True, slots=True, eq=False)
class TermMatrix:
    """Examples as a matrix, a row each, a column for each term."""

    terms: list[str]
    counts: Any  # scipy.sparse.csr_array, float64
    positives: NDArray[np.bool_]
    sites: Integers  # the number of each example's site

    def __len__(self) -> int:
        return len(self.positives)


class _PartCounts(NamedTuple):
    """Term counts of one part of the examples; terms are numbered within the part."""

    first: int
    terms: list[str]
    places: NDArray[np.int32]
    counts: NDArray[np.float64]
    lengths: NDArray[np.int64]


def count_terms(
    examples: Sequence[Example], options: TermOptions, progress: Progress = no_progress, jobs: int = 0
) -> TermMatrix:
    """Count the terms of the examples; ConfigError if they are too few to learn from."""
    positives, sites = classes_and_sites(examples)
    parts = (
        (first, [example.fields for example in examples[first : first + _PART]])
        for first in range(0, len(examples), _PART)
    )
    jobs, done, reads = cores(jobs) if len(examples) >= _WORTH_PROCESSES else 1, 0, []
    progress("Reading pages", 0, len(examples))
    for read in done_with_shared_data(_count_part, options, parts, jobs):
        done += len(read.lengths)
        progress("Reading pages", done, len(examples))
        reads.append(read)
    _numbering.cache_clear()
    terms, counts = _join_counts(sorted(reads, key=lambda read: read.first))
    return TermMatrix(terms, counts, positives, sites)


class _Numbering:
    """Numbers terms in the order in which they first occur."""

    def __init__(self, options: TermOptions) -> None:
        self.reader, self.terms = TermReader(options), list[str]()
        self._of_terms: dict[str, int] = {}
        self.places = TokenPlaces(self._place_of)

    def _place_of(self, token: str) -> int:
        term = self.reader.term_of(token)
        if not term:
            return UNKNOWN
        place = self._of_terms.setdefault(term, len(self.terms))
        if place == len(self.terms):
            self.terms.append(term)
        return place


# A process uses one numbering for all its parts: the terms that it remembers save a third of the time.
_numbering = lru_cache(maxsize=1)(_Numbering)


def _count_part(options: TermOptions, part: tuple[int, list[Fields]]) -> _PartCounts:
    own = _numbering(options)
    rows = [counted(own.reader, fields, own.places) for fields in part[1]]
    numbers, places = np.unique(np.concatenate([row[0] for row in rows]), return_inverse=True)
    return _PartCounts(
        first=part[0],
        terms=[own.terms[number] for number in numbers.tolist()],
        places=places.astype(np.int32),
        counts=np.concatenate([row[1] for row in rows]),
        lengths=np.array([len(row[0]) for row in rows], np.int64),
    )


def _join_counts(reads: list[_PartCounts]) -> tuple[list[str], Any]:
    """All terms, sorted so that they do not depend on how the work was shared out, and the matrix."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

    terms = sorted(set().union(*(read.terms for read in reads)))
    lengths = np.concatenate([read.lengths for read in reads])
    if not terms:
        raise ConfigError(f"no term is in any of the {len(lengths):,} pages. Do they have text?")
    place_of = {term: place for place, term in enumerate(terms)}
    places = [np.array([place_of[term] for term in read.terms], np.int32)[read.places] for read in reads if read.terms]
    counts = [read.counts for read in reads if read.terms]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    small = np.int32 if starts[-1] <= np.iinfo(np.int32).max else np.int64  # half the memory
    parts = (np.concatenate(counts), np.concatenate(places).astype(small), starts.astype(small))
    matrix = csr_array(parts, shape=(len(lengths), len(terms)))
    matrix.sort_indices()
    return terms, matrix
