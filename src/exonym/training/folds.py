"""Examples dealt into folds, each of which is held out once.

By site, all pages of a site are in one fold: they share menus and slogans, and a model that has seen one page knows the
rest. Plain folds, as in the thesis, let that leak. Decision 0018 explains why these are not scikit-learn's folds.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Integers

_TRIES = 20


class Folds(NamedTuple):
    """The number of folds, and whether all examples of a site go into the same fold."""

    number: int
    by_site: bool
    remark: str = ""  # why not as requested


def possible_folds(positives: Flags, sites: Integers, wanted: int, by_site: bool, examples: str = "pages") -> Folds:
    """As many folds as wanted, or as possible: each needs examples, or sites, of both classes."""
    fewest = min(int(positives.sum()), int((~positives).sum()))
    relevant, irrelevant = len(np.unique(sites[positives])), len(np.unique(sites[~positives]))
    most = min(relevant, irrelevant) if by_site else fewest
    if most >= wanted:
        return Folds(wanted, by_site)
    if most >= 2:
        what = "sites" if by_site else examples
        return Folds(most, by_site, f"{most} folds in place of {wanted}: one class has only {most} {what}.")
    side = "relevant" if relevant < 2 else "irrelevant"
    plain = possible_folds(positives, sites, wanted, False, examples)
    remark = f"plain folds: all {side} {examples} are of one site, so that no other site could be held out."
    return Folds(plain.number, False, f"{remark} {plain.remark}".strip())


def dealt(positives: Flags, sites: Integers, folds: Folds, seed: Sequence[int]) -> Integers:
    """The fold of each example, with the classes spread over the folds as evenly as possible."""
    chance = np.random.default_rng(tuple(seed))
    if not folds.by_site:
        fold_of = np.zeros(len(positives), np.int64)
        for side in (positives, ~positives):
            rows = chance.permutation(np.flatnonzero(side))
            fold_of[rows] = np.arange(len(rows)) % folds.number
        return fold_of
    for _ in range(_TRIES):
        fold_of = _deal_by_site(positives, sites, folds.number, chance)
        if _can_be_trained(fold_of, positives, folds.number):
            return fold_of
    # Very few sites, some of both classes. A solution exists (two sites of each class, two folds), so random draws
    # find it.
    while not _can_be_trained(fold_of, positives, folds.number):
        fold_of = chance.integers(0, folds.number, int(sites.max()) + 1)[sites]
    return fold_of


def _deal_by_site(positives: Flags, sites: Integers, count: int, chance: np.random.Generator) -> Integers:
    """Deal the largest sites first, each into the fold where it keeps all folds most even."""
    whole = int(sites.max()) + 1
    pages = np.stack([np.bincount(sites[positives], minlength=whole), np.bincount(sites[~positives], minlength=whole)])
    shares = pages / pages.sum(axis=1, keepdims=True)  # of each class, whatever its size
    order = chance.permutation(whole)
    order = order[np.argsort(-shares.max(axis=0)[order], kind="stable")]
    held, fold_of = np.zeros((2, count)), np.zeros(whole, np.int64)
    for site in order:
        # Growth of the sum of squares, which is least when all folds are alike.
        growth = (held * shares[:, site, None]).sum(axis=0)
        best = np.flatnonzero(growth <= growth.min() + 1e-15)
        fold = best[np.argmin(held[:, best].sum(axis=0))]
        held[:, fold] += shares[:, site]
        fold_of[site] = fold
    return fold_of[sites]


def _can_be_trained(fold_of: Integers, positives: Flags, count: int) -> bool:
    """Whether examples of both classes are left outside every fold, to train on."""
    return all(0 < int(positives[fold_of != fold].sum()) < int((fold_of != fold).sum()) for fold in range(count))
