"""All examples as numbers: read once, then trained on again and again."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers
from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts, places_of, steps_of
from exonym.models.links.reading import LinkReader, ReadLinks, ReadOptions
from exonym.progress import Progress, no_progress
from exonym.training.links.examples import LinkExamples

_PART = 2_000  # links read at a time
_FEWEST = 2  # of each class: one to train on, one to hold out


@dataclass(frozen=True, slots=True, eq=False)
class LinkMaterial:
    """Examples as numbers, a row each."""

    steps: Integers  # (links, 3): source's degree, names in texts, names in the URL
    places: Integers  # (links, 4): numbers in `levels`
    levels: tuple[list[str], ...]  # the countries and domains that there are, for each of PLACES
    terms: list[str]
    counts: Any  # scipy.sparse.csr_array: how often each term is in each link's texts
    relevant: NDArray[np.bool_]
    sites: NDArray[np.int64]  # from 0 on

    def __len__(self) -> int:
        return len(self.relevant)


def link_material(examples: LinkExamples, options: ReadOptions, progress: Progress = no_progress) -> LinkMaterial:
    """The examples as numbers; ConfigError if they are too few to learn from."""
    _check_classes(examples.relevant)
    numbers: dict[str, int] = {}
    links = _read(examples.texts, LinkReader(options, lambda term: numbers.setdefault(term, len(numbers))), progress)
    coded = [np.unique(np.array(column, np.str_), return_inverse=True) for column in places_of(examples.texts)]
    shares = links.shares
    steps = [steps_of(examples.degrees), steps_of(shares[:, 0]), steps_of(shares[:, 1])]
    return LinkMaterial(
        steps=np.stack(steps, axis=1),
        places=np.stack([codes for _, codes in coded], axis=1).astype(np.int64),
        levels=tuple([str(level) for level in levels] for levels, _ in coded),
        terms=list(numbers),
        counts=_matrix(links, len(numbers)),
        relevant=examples.relevant,
        sites=np.unique(examples.sites, return_inverse=True)[1].astype(np.int64),
    )


def _read(texts: LinkTexts, reader: LinkReader, progress: Progress) -> ReadLinks:
    whole, parts = len(texts.urls), []
    progress("Reading links", 0, whole)
    for first in range(0, whole, _PART):
        parts.append(reader.read(texts.rows(first, first + _PART)))
        progress("Reading links", min(first + _PART, whole), whole)
    return ReadLinks(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _matrix(links: ReadLinks, width: int) -> Any:
    from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

    rows, columns, counts = links.word_counts(width)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(links.lengths)))])
    parts = (counts, columns.astype(np.int32), starts.astype(np.int32))
    return csr_array(parts, shape=(len(links.lengths), width))


def _check_classes(relevant: NDArray[np.bool_]) -> None:
    for name, count in (("relevant", int(relevant.sum())), ("irrelevant", int((~relevant).sum()))):
        if count < _FEWEST:
            raise ConfigError(
                f"there are {count} links to {name} segments among {len(relevant):,} to learn from; "
                f"at least {_FEWEST} are needed, hundreds are good. Give a graph with more {name} segments."
            )
