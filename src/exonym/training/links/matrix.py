"""Examples of links as numbers: read once, then trained on again and again."""

from dataclasses import dataclass

import numpy as np

from exonym.batches import Integers
from exonym.models.links.features import places_of, steps_of
from exonym.models.links.link_reader import LinkReader, ReadLinks, ReadOptions
from exonym.progress import Progress, no_progress
from exonym.training.examples import check_classes
from exonym.training.links.link_examples import LinkExamples
from exonym.training.term_matrix import TermMatrix

_PART = 2_000  # links read at a time


@dataclass(frozen=True, slots=True, eq=False)
class LinkMatrix(TermMatrix):
    """Links as numbers, a row each: the terms of their texts, and their other features."""

    steps: Integers  # (links, 3): source's degree, names in texts, names in the URL
    places: Integers  # (links, 4): numbers in `levels`
    levels: tuple[list[str], ...]  # the countries and domains that there are, for each of PLACES


def link_matrix(examples: LinkExamples, options: ReadOptions, progress: Progress = no_progress) -> LinkMatrix:
    """The examples as numbers; ConfigError if they are too few to learn from."""
    check_classes(examples.relevant, "links to {} segments", "Give a graph with more {} segments.")
    from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

    numbers: dict[str, int] = {}
    reader = LinkReader(options, lambda term: numbers.setdefault(term, len(numbers)))
    total, parts = len(examples), []
    progress("Reading links", 0, total)
    for first in range(0, total, _PART):
        parts.append(reader.read(examples.texts.rows(first, first + _PART)))
        progress("Reading links", min(first + _PART, total), total)
    links = ReadLinks(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    rows, columns, counts = links.word_counts(len(numbers))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=total))])
    words = (counts, columns.astype(np.int32), starts.astype(np.int32))
    coded = [np.unique(np.array(column, np.str_), return_inverse=True) for column in places_of(examples.texts)]
    steps = [steps_of(examples.degrees), steps_of(links.shares[:, 0]), steps_of(links.shares[:, 1])]
    return LinkMatrix(
        steps=np.stack(steps, axis=1),
        places=np.stack([codes for _, codes in coded], axis=1).astype(np.int64),
        levels=tuple([str(level) for level in levels] for levels, _ in coded),
        terms=list(numbers),
        counts=csr_array(words, shape=(total, len(numbers))),
        positives=examples.relevant,
        sites=np.unique(examples.sites, return_inverse=True)[1].astype(np.int64),
    )
