"""The contract of a frontier, and the rules that all frontiers share.

Links are ordered by `rank(group) + score(link)`, higher first, ties by arrival, and by nothing else. Scores are rounded
down to levels of 1/128, so that the links of one group and level form a plain queue.
"""

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from exonym.batches import NO_ROW, Counters, Flags, Floats, FoundCounters, Ids, LinkBatch, Rows, Visit

Levels = NDArray[np.int16]
IsOut = Callable[[int, str], bool]  # whether a group, and the server of this name that it belongs to, is out of scope
IsIn = Callable[[str], bool]  # whether a URL is in scope

LEVELS_PER_UNIT = 128
NOT_FOLLOWED = -32_768  # the level of a URL that was met and does not wait
VISITED = 32_767  # the level of a visited URL: no score is better, so it is never queued again
ASIDE = VISITED - 1  # the level of a URL that is set aside: it is not queued again before it comes back
LARGEST_LEVEL = ASIDE - 1
LARGEST_COUNT = 15
LEVELS_PER_STEP = 32  # of scores that may fall, which are rounded down to quarters
NO_FLOOR = float("-inf")

# Of links that were drawn at random, the score is this plus the one that they had, cut off: so they come before all
# others but seeds, and their level tells that score.
PROBE_BASE = 120
PROBE_LEVEL, SEED_LEVEL = (
    (PROBE_BASE - 8) * LEVELS_PER_UNIT,
    (PROBE_BASE + 8) * LEVELS_PER_UNIT,
)  # from, below
MOST_SAMPLED = 4_096  # links that wait, from which some are drawn
ALL_IDS = 0xFFFF_FFFF_FFFF_FFFF


class KnowsCounters(Protocol):
    """What knows on how many pages URLs were found: a frontier, or a look at one."""

    def counters_of(self, urls: Ids) -> FoundCounters:
        """On how many pages these URLs, which were met, were found so far."""


class Frontier(KnowsCounters, Protocol):
    """The links that wait to be visited, in the order of the strategy."""

    def meet(self, links: LinkBatch, spoken: Flags | None = None) -> LinkBatch:
        """Count that these links were found; the same links with their present counters.

        `spoken` says which have an anchor in a target language.
        """

    def push(self, links: LinkBatch, scores: Floats, notes: Ids, ranks: Floats, scores_fall: bool = False) -> int:
        """Queue links that are new or have a better score than before (NaN: do not follow); return how many.

        With `scores_fall`, scores are multiples of a quarter, and `lower` may be called for these links.
        """

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        """Give groups new ranks; NaN drops all links that wait there (found again, they may be queued again)."""

    def pop(self, park: bool = False, least: float = NO_FLOOR) -> Visit | None:
        """Take the best waiting link whose server is not parked; it is in flight until `done` or `put_back`.

        With `park`, its server is parked in the same step. Links whose rank + score is below `least` wait on.
        """

    def put_back(self, visit: Visit) -> None:
        """Return a visit that was not made: it waits again in its old place, unless its group was dropped since."""

    def lower(self, visit: Visit, score: float) -> None:
        """Return a visit that was not made with a lower score: it waits as if it had just been found with that score.

        Unless its group was dropped since, as in `put_back`.
        """

    def done(self, visit: Visit) -> None:
        """Note that the visit was made: its URL is never queued again."""

    def park(self, server: int) -> None:
        """Pop no link of this server until it is released."""

    def release(self, server: int) -> None:
        """End the parking of a server."""

    def set_aside(self, visit: Visit) -> None:
        """Take a visit that was not made out of the order; `rescope` may bring it back."""

    def exclude(self, visit: Visit) -> None:
        """Return a visit that was not made, and take all links of its group out of the order until `rescope`."""

    def rescope(self, is_out: IsOut, is_in: IsIn) -> Ids:
        """Take the groups that are out of scope out of the order, and bring all others back.

        Links that were set aside come back if they are in scope, as if they had just been found (after a restart, they
        may also be in their old place). Returns the groups that got such links: their ranks must be set again.
        """

    def keep_sample(self, most: int = MOST_SAMPLED) -> None:
        """From now on, remember links that wait and may be drawn: those whose mixed ids are below a threshold."""

    def sample(self) -> list[Visit]:
        """At most `most` links that wait, as `pop` would give them, drawn from all with equal chances.

        If more are remembered, those with the least mixed ids are kept, and the threshold becomes the largest of these.
        Seeds and links that were drawn before are not among them. The links come in the order of their mixed ids; those
        out of the order are left out.
        """

    def advance(self, visit: Visit, score: float) -> None:
        """Queue a link of the last `sample` again, with a better score, as if it had been found again."""

    @property
    def aside(self) -> int:
        """How many URLs are known and out of the order."""

    def __len__(self) -> int:
        """How many URLs wait, those out of the order not counted."""


def level_of(scores: Floats) -> Levels:
    """Scores rounded down to levels; NaN becomes NOT_FOLLOWED."""
    lowest = NOT_FOLLOWED + 1
    levels = np.clip(np.floor(scores * LEVELS_PER_UNIT), lowest, LARGEST_LEVEL)
    return np.where(np.isnan(levels), NOT_FOLLOWED, levels).astype(np.int16)


def priority_of(rank: float, level: int) -> float:
    """The number by which waiting links are ordered."""
    return rank + level / LEVELS_PER_UNIT


# A link that was queued again at a better level leaves its old row where it is. If links may be put back at lower
# levels, one could come back to the level of its old row, which would then seem to be current. So the levels within
# a quarter of a unit tell how often a link was put back: it never comes back to a level at which it was before.


def lowered_level(level: int, score: float) -> int:
    """The level at which a link waits on that had this level, and now has a lower score."""
    return rough_level(int(level_of(np.array([score]))[0])) | (level + 1) % LEVELS_PER_STEP


def raised_levels(levels: Levels, known: Levels) -> Levels:
    """The levels of links, if links may be put back; `known` are their levels so far."""
    raised: Levels = levels | known % np.int16(LEVELS_PER_STEP)  # 0 for links that do not wait
    return raised


def rough_level(level: int) -> int:
    """A level without what tells how often a link was put back."""
    return level // LEVELS_PER_STEP * LEVELS_PER_STEP


# Samples of the links that wait, from which some are drawn at random. Ids are mixed, so that it depends on nothing that
# is known of links which of them are in a sample. `exonym.simulation.engine` compiles this function.

_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
_STEP = np.uint64(0x9E37_79B9_7F4A_7C15)


def mixed(ids: Ids) -> Ids:
    """Other numbers for ids, each its own, as if drawn at random (the last step of SplitMix64, Steele et al. 2014)."""
    mixing = ids + _STEP
    mixing = (mixing ^ mixing >> _SHIFTS[0]) * _FIRST_FACTOR
    mixing = (mixing ^ mixing >> _SHIFTS[1]) * _SECOND_FACTOR
    return mixing ^ mixing >> _SHIFTS[2]


def drawn_score(level: int) -> float:
    """The score, cut off, that a link had when it was drawn at random, by its level since; NaN for other links."""
    return rough_level(level) / LEVELS_PER_UNIT - PROBE_BASE if PROBE_LEVEL <= level < SEED_LEVEL else math.nan


def are_drawable(levels: Levels, sources: Rows) -> Flags:
    """Which links may be drawn at random, by their levels and sources: no seeds, and no link that was drawn before."""
    drawable: Flags = (levels < PROBE_LEVEL) & (sources != NO_ROW)
    return drawable


def advanced_level(level: int, score: float) -> int:
    """The level at which a link waits on that had this level, and has a better score now."""
    return int(raised_levels(level_of(np.array([score])), np.array([level], dtype=np.int16))[0])


def is_found(links: LinkBatch, spoken: Flags | None) -> tuple[Flags, Flags, Flags, Flags]:
    """What each link adds to the counters of its target, in the order of `FoundCounters`; a seed has no source."""
    has_source = links.source >= 0
    relevant = has_source & links.source_relevant
    is_spoken = np.zeros(len(links), dtype=np.bool_) if spoken is None else has_source & spoken
    return relevant, has_source & ~links.source_relevant, relevant & (links.server != links.source_server), is_spoken


def best_of_each(urls: Ids, levels: Levels, candidates: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each URL, the position of its best link among the candidates, the earliest of equals; sorted."""
    order = candidates[np.lexsort((candidates, -levels[candidates].astype(np.int32), urls[candidates]))]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = urls[order][1:] != urls[order][:-1]
    return np.sort(order[first])


def saturated(counts: NDArray[Any]) -> Counters:
    """Counters cut off at LARGEST_COUNT: enough to distinguish none, few and many."""
    cut: Counters = np.minimum(counts, LARGEST_COUNT).astype(np.uint8)
    return cut
