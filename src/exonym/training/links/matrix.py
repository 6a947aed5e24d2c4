"""Examples of links as numbers: read once, then trained on again and again.

Of a pair of segments whose links are pooled, words are counted over all links, shares of names are those of all words,
and the places are the same for all. Logistic models take the mean of the links' word vectors, each of length 1, which
a crawl can compute without keeping words.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from exonym.batches import Floats, Integers, RowNumbers
from exonym.models.links.base import LinkUnit
from exonym.models.links.features import places_of, steps_of
from exonym.models.links.link_reader import LinkReader, ReadLinks, ReadOptions, name_shares
from exonym.progress import Progress, no_progress
from exonym.training.examples import check_classes
from exonym.training.fit_terms import scaled
from exonym.training.links.link_examples import LinkExamples
from exonym.training.term_matrix import TermMatrix

_PART = 2_000  # links read at a time


@dataclass(frozen=True, slots=True, eq=False)
class LinkMatrix(TermMatrix):
    """Pairs of segments as numbers, a row each: the terms of their links' texts, and their other features."""

    steps: Integers  # (links, 3): source's degree, names in texts, names in the URL
    places: Integers  # (links, 4): numbers in `levels`
    levels: tuple[list[str], ...]  # the countries and domains that there are, for each of PLACES
    link_counts: Any = None  # terms of each link, like `counts`; None: each pair has one link, not pooled
    lengths: Integers | None = None  # links of each pair, if they are pooled
    unit: LinkUnit = "segment"  # what the links lead to

    def scaled_words(self, rows: RowNumbers, columns: RowNumbers, rarity: Floats) -> Any:
        """Some terms of some pairs as logistic models learn them: the mean of the links' vectors (`scaled`)."""
        if self.lengths is None:
            return scaled(self.counts[rows][:, columns], rarity)
        from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        links = np.arange(int(lengths.sum())) + np.repeat(np.cumsum(self.lengths)[rows] - ends, lengths)
        words = scaled(self.link_counts[links][:, columns], rarity)
        shares = (np.repeat(1 / lengths, lengths), np.arange(len(links)), np.concatenate([[0], ends]))
        return csr_array(shares, shape=(len(rows), len(links))) @ words


def link_matrix(examples: LinkExamples, options: ReadOptions, progress: Progress = no_progress) -> LinkMatrix:
    """The examples as numbers; ConfigError if they are too few to learn from."""
    units = f"{examples.unit}s"
    check_classes(examples.relevant, f"links to {{}} {units}", f"Give a graph with more {{}} {units}.")
    numbers: dict[str, int] = {}
    reader = LinkReader(options, lambda term: numbers.setdefault(term, len(numbers)))
    total, parts = len(examples.texts.urls), []
    progress("Reading links", 0, total)
    for first in range(0, total, _PART):
        parts.append(reader.read(examples.texts.rows(first, first + _PART)))
        progress("Reading links", min(first + _PART, total), total)
    links = ReadLinks(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    counts, names, firsts = _word_counts(links, len(numbers)), links.names, examples.first_links
    pooled: dict[str, Any] = {}
    if examples.lengths is not None:
        pooled = {"link_counts": counts, "lengths": examples.lengths}
        names = np.add.reduceat(names, firsts, axis=0)
        counts = _word_counts(ReadLinks(names, links.words, np.add.reduceat(links.lengths, firsts)), len(numbers))
    shares = name_shares(names)
    places = [np.array(column, np.str_)[firsts] for column in places_of(examples.texts)]
    coded = [np.unique(column, return_inverse=True) for column in places]
    return LinkMatrix(
        steps=np.stack([steps_of(examples.degrees), steps_of(shares[:, 0]), steps_of(shares[:, 1])], axis=1),
        places=np.stack([codes for _, codes in coded], axis=1).astype(np.int64),
        levels=tuple([str(level) for level in levels] for levels, _ in coded),
        terms=list(numbers),
        counts=counts,
        positives=examples.relevant,
        sites=np.unique(examples.sites, return_inverse=True)[1].astype(np.int64),
        **pooled,
        unit=examples.unit,
    )


def _word_counts(links: ReadLinks, width: int) -> Any:
    """How often each term is in each row, as a matrix."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

    rows, columns, counts = links.word_counts(width)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(links.lengths)))])
    words = (counts, columns.astype(np.int32), starts.astype(np.int32))
    return csr_array(words, shape=(len(links.lengths), width))
