"""Thresholds of names: from which share of words, and from how many different names on, pages are about a nation.

Shares come from a fixed list of round numbers, the same for all material: what is tried never depends on what is held
out. Pages are counted once; every pair of thresholds, for all pages or without a fold, is then a sum.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Integers, RowNumbers
from exonym.progress import no_progress
from exonym.training.folds import Folds, possible_folds
from exonym.training.scores import Scores, scores_of
from exonym.training.validation import AreProbabilities, Fold, Trial, Validation, validate

MOST_NAMES = 10  # the highest threshold for different names
_USUAL_NAMES = 2
_WORTH_DOMAINS = 0.005  # of G-mean, that counting a nation's own domains must gain
_SAME = 1e-12


# From 0.05 % to 50 % in steps of about 7 %, rounded to two digits.
SHARES: Floats = np.unique([float(f"{step:.1e}") for step in np.geomspace(0.0005, 0.5, 101)])


class Thresholds(NamedTuple):
    """When a page is about a nation."""

    share: float = 0.006
    variety: int = _USUAL_NAMES
    domains: bool = False  # whether pages in the nation's own domains count, whatever their text


@dataclass(frozen=True, slots=True, eq=False)
class NamedPages:
    """Counts of the nation's names in pages, a row for each page."""

    shares: Floats  # of words in names
    varieties: Integers  # different names
    homes: Flags  # in the nation's own domains
    positives: Flags
    sites: Integers

    def __len__(self) -> int:
        return len(self.positives)

    def relevance(self, thresholds: Thresholds) -> Floats:
        """The relevance that `AboutJudge` gives: one half at the share, less than half for too few names."""
        relevance = self.shares / (self.shares + thresholds.share)
        relevance = np.where(self.varieties >= thresholds.variety, relevance, np.minimum(relevance, 0.5) / 2)
        return np.maximum(relevance, 0.5 * self.homes) if thresholds.domains else relevance

    def scores(self, thresholds: Thresholds) -> Scores:
        """The scores of these thresholds on all pages."""
        return scores_of(self.relevance(thresholds) >= 0.5, self.positives)


def chosen(pages: NamedPages) -> Thresholds:
    """The thresholds with the best G-mean on these pages."""
    return _best_thresholds(_g_mean_of_each(pages, np.arange(len(pages))))


def validated(pages: NamedPages, wanted: Folds, repeats: int, seed: int) -> Validation:
    """How well thresholds do on pages, or sites, on which they were not chosen; probabilities are relevances."""
    trial = Trial(
        kind="about",
        positives=pages.positives,
        sites=pages.sites,
        folds=possible_folds(pages.positives, pages.sites, wanted.number, wanted.by_site),
        seed=seed,
        score=_score_fold,
        shared=pages,
        calibrate=lambda scores, positives: AreProbabilities(0.5),
    )
    return validate(trial, repeats, no_progress)


def _score_fold(pages: NamedPages, fold: Fold) -> Floats:
    """The relevance of the pages inside, by thresholds that were chosen outside."""
    return pages.relevance(_best_thresholds(_g_mean_of_each(pages, fold.outside)))[fold.inside]


def g_mean_of(pages: NamedPages, domains: bool) -> float:
    """The best G-mean that any thresholds have on these pages, with or without the nation's own domains."""
    return float(_g_mean_of_each(pages, np.arange(len(pages)))[int(domains)].max())


def neighbours(thresholds: Thresholds) -> list[Thresholds]:
    """Thresholds near these, to show how much depends on them: half to twice the share, fewer and more names."""
    place = int(np.argmin(np.abs(np.log(SHARES / thresholds.share))))
    places = sorted({min(max(place + step, 0), len(SHARES) - 1) for step in (-10, -5, 0, 5, 10)})
    varieties = [thresholds.variety + step for step in (-1, 0, 1, 2) if thresholds.variety + step >= 1]
    return [
        thresholds._replace(share=float(SHARES[place]), variety=variety) for variety in varieties for place in places
    ]


def _g_mean_of_each(pages: NamedPages, rows: RowNumbers) -> Floats:
    """G-mean on the rows of every pair of thresholds: by whether domains count, share and number of names."""
    relevant, others = (_count_reaching(pages, rows[pages.positives[rows] == is_one]) for is_one in (True, False))
    recall = relevant[:2] / np.maximum(relevant[2], 1)
    specificity = 1 - others[:2] / np.maximum(others[2], 1)
    return np.asarray(np.sqrt(recall * specificity), np.float64)


def _count_reaching(pages: NamedPages, rows: RowNumbers) -> Integers:
    """How many of the rows reach each share and number of names: without domains, with domains; and all rows."""
    places = np.searchsorted(SHARES, pages.shares[rows], side="right")  # how many of the shares are reached
    names, homes = np.minimum(pages.varieties[rows], MOST_NAMES), pages.homes[rows]
    shape = (2, len(SHARES) + 1, MOST_NAMES + 1)
    cells = np.ravel_multi_index((homes.astype(np.int64), places, names), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
    reached = counts[:, ::-1, ::-1].cumsum(axis=1).cumsum(axis=2)[:, ::-1, ::-1][:, 1:, 1:]
    without, at_home = reached.sum(axis=0), int(homes.sum())
    return np.stack([without, reached[0] + at_home, np.full_like(without, len(places))])


def _best_thresholds(g_means: Floats) -> Thresholds:
    """The pair with the best G-mean; of equals, the number of names nearest to the usual one and the middle share."""
    gain = g_means[1].max() - g_means[0].max()
    domains = bool(gain >= _WORTH_DOMAINS)
    layer = g_means[int(domains)]
    is_best = layer >= layer.max() - _SAME
    columns = np.flatnonzero(is_best.any(axis=0)) + 1
    variety = int(min(columns, key=lambda column: (abs(column - _USUAL_NAMES), column)))
    shares = np.flatnonzero(is_best[:, variety - 1])
    return Thresholds(float(SHARES[shares[(len(shares) - 1) // 2]]), variety, domains)
