"""The random sample of an audit: drawn once, written into the first line of its labels, and read from there later."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.errors import ConfigError
from exonym.training.labels import HEADER_KEY

KINDS = ("both", "all", "relevant", "irrelevant")


class Draw(msgspec.Struct, frozen=True):
    """A sample, and the counts of the crawl when it was drawn, by which the sample is weighted."""

    of: str  # one of KINDS
    size: int  # requested
    seed: int
    visits: int  # rows of the journal when it was drawn
    relevant: int  # pages that the crawl's judge said yes to
    irrelevant: int  # and no
    failures: int  # requests that brought no page
    sample: tuple[int, ...]  # rows, in the order in which they are shown
    drawn: str = ""  # when
    exonym: str = ""  # which version did it

    @property
    def pages(self) -> int:
        """Pages fetched, as harvest rates count them: with the failures."""
        return self.relevant + self.irrelevant + self.failures

    @property
    def counted_harvest_rate(self) -> float:
        """The harvest rate by the crawl's own judge."""
        return self.relevant / self.pages if self.pages else 0.0


def sample_of(relevant: Sequence[int], irrelevant: Sequence[int], of: str, size: int, seed: int) -> list[int]:
    """Rows drawn at random: from one kind of pages, from all, or half from each kind ("both"), mixed.

    If a kind has fewer pages than its half, more are drawn from the other.
    """
    chance = random.Random(seed)
    if of != "both":
        rows = {"relevant": relevant, "irrelevant": irrelevant, "all": [*relevant, *irrelevant]}[of]
        return chance.sample(sorted(rows), min(size, len(rows)))
    of_relevant = min(len(relevant), max(size - size // 2, size - len(irrelevant)))
    drawn = chance.sample(sorted(relevant), of_relevant)
    drawn += chance.sample(sorted(irrelevant), min(size - of_relevant, len(irrelevant)))
    chance.shuffle(drawn)
    return drawn


def draw_from(pages: CrawlPages, of: str, size: int, seed: int) -> Draw:
    """A sample of a crawl's pages."""
    if of not in KINDS:
        raise ConfigError(f"--of must be one of {', '.join(KINDS)}, got {of[:60]!r}.")
    rows = pages.pages
    yes, no = rows[pages.relevant[rows]].tolist(), rows[~pages.relevant[rows]].tolist()
    sample = tuple(sample_of(yes, no, of, size, seed))
    if not sample:
        kind = "" if of in ("both", "all") else f"that it judged {of} "
        raise ConfigError(f"{pages.directory} has no pages {kind}to draw from. Let the crawl run first.")
    return Draw(of, size, seed, len(pages), len(yes), len(no), pages.failures, sample)


def header_of(draw: Draw) -> dict[str, Any]:
    """The first line of an audit's labels."""
    return {HEADER_KEY: msgspec.to_builtins(draw)}


def draw_in(objects: Sequence[tuple[int, dict[str, Any]]], path: Path) -> Draw:
    """The draw that a file of labels begins with."""
    if not objects or HEADER_KEY not in objects[0][1]:
        raise ConfigError(
            f"{path} holds no sample of `exonym audit`, and a harvest rate needs a random one. Name another file."
        )
    try:
        draw = msgspec.convert(objects[0][1][HEADER_KEY], Draw)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path} line 1 is damaged: {error}. Restore the file from a copy.") from error
    if draw.of not in KINDS or min(draw.relevant, draw.irrelevant, draw.failures, *draw.sample, 0) < 0:
        raise ConfigError(f"{path} line 1 is damaged. Restore the file from a copy.")
    return draw


def check_same_crawl(draw: Draw, pages: CrawlPages, path: Path) -> None:
    """Raise ConfigError unless the sample is of this crawl: its rows are pages there, and as many were relevant."""
    rows = np.array(draw.sample, np.int64)
    known = pages.pages
    known = known[known < draw.visits]
    relevant = int(np.count_nonzero(pages.relevant[known]))
    if (
        draw.visits > len(pages)
        or (len(known), relevant) != (draw.relevant + draw.irrelevant, draw.relevant)
        or not np.isin(rows, known).all()
        or len(np.unique(rows)) != len(rows)
    ):
        raise ConfigError(f"{path} is the audit of another crawl than {pages.directory}. Name that, or another file.")
