"""How weights make a score, and how a page corrects weights, in whole numbers.

Weights are multiples of 2⁻³², so that sums are the same in any order: on one machine, on a cluster, and in a compiled
simulation. `exonym.simulation.engine` compiles these functions. Those that correct weights are for single numbers: a
page has a dozen weights, and arrays of a dozen take longer.
"""

import math

import numpy as np

from exonym.batches import Floats
from exonym.strategies.adaptive.facts import Values

ONE = 1 << 32  # of a weight
STEPS_PER_UNIT = 4  # scores are rounded down to quarters: few levels, so that the frontier has few queues
STEP_SHIFT = 30
MOST_STEPS = 400  # scores are less than those of links that are drawn at random (`exonym.frontier.base`)
LARGEST_WEIGHT = 8 * ONE
RATE = 0.3  # of learning
AT_FIRST = 0.3  # what every cell is taken to have seen before its first page: the larger, the smaller its first steps
HARVEST_SHIFT = 9  # the harvest rate of late is that of about 2⁹ pages
ODDS_SHIFT = 26  # chances are looked up for odds in steps of 1/64
FARTHEST_ODDS = 16 * 64
CHANCE: Floats = 1 / (1 + np.exp(-np.arange(-FARTHEST_ODDS, FARTHEST_ODDS + 1) / 64))


def steps_of(odds: Values) -> Values:
    """The score of a sum of weights, in quarters."""
    return np.minimum(np.maximum(odds >> STEP_SHIFT, -MOST_STEPS), MOST_STEPS)


def score_of(chance: float) -> float:
    """The score that stands for this chance of being relevant, rounded down like all scores; -inf for 0."""
    if chance == 0:
        return -math.inf
    return math.floor(math.log(chance / (1 - chance)) * STEPS_PER_UNIT) / STEPS_PER_UNIT


def error_of(odds: Values, is_relevant: Values) -> float:
    """By how much the chance of a page, by the sum of its weights, was too high."""
    step = odds + (1 << ODDS_SHIFT - 1) >> ODDS_SHIFT
    too_high: float = float(CHANCE[min(max(step, -FARTHEST_ODDS), FARTHEST_ODDS) + FARTHEST_ODDS]) - is_relevant
    return too_high


def harvest_step(harvest: Values, is_relevant: Values) -> Values:
    """What a page adds to the harvest rate of late, in multiples of 2⁻³²: a mean in which old pages count ever less."""
    return is_relevant * ONE - harvest >> HARVEST_SHIFT


def square_of(error: float) -> int:
    """What an error adds to the sum of squares of each weight that made it."""
    return round(error * error * ONE)


def corrected(weight: Values, seen: Values, error: float) -> Values:
    """A weight after an error; `seen` is its sum of squares, this error's included."""
    after = weight - round(RATE * error * ONE / math.sqrt(seen / ONE + AT_FIRST))
    if -LARGEST_WEIGHT <= after <= LARGEST_WEIGHT:
        return after
    return LARGEST_WEIGHT if after > 0 else -LARGEST_WEIGHT
