"""How much of what can be reached a crawl has found, estimated from random probes of the links that wait.

Three parts make up the relevant pages that exist: those *found*, those that *wait* to be fetched, and those that are
*unseen*, because no page that was fetched links to them.

*Waiting*: the strategy says with which probability each link of a random sample leads to a relevant page. It learned
from pages that it chose, so what it says of links that it did not choose may be wrong. Probes, drawn from those links
at random, show by how much: logistic regression with two coefficients (Platt 1999) corrects the probabilities. They
change during a crawl, so probes count less the longer ago they were made.

*Unseen*: relevant pages are linked to from other relevant pages, some by one, some by two, and so on. From those with
one, two and three such links follows how many have none, if these numbers fall off geometrically (Niwitpong, Boehning,
van der Heijden and Holling 2013; Chao's estimate of 1984, half of it, is right where all pages are linked to alike).

No estimate is made from a crawl that still finds as many relevant pages as ever: its end cannot be seen from there. And
pages that are linked to only from pages that nobody would fetch are beyond what can be seen at all. The constants were
chosen on generated webs with the seed numbers 1 and 2; `docs/why/coverage.md` has what they give on others.
"""

from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Integers
from exonym.intervals import unseen_factor

LOWEST, HIGHEST, STEPS_PER_UNIT = -8.0, 7.75, 4  # fresh scores, which are rounded down to quarters
STEPS = round((HIGHEST - LOWEST) * STEPS_PER_UNIT) + 1
FOUND_CLASSES = 5  # links to a page on relevant pages: 0, 1, 2, 3, 4 or more

MEMORY = 0.2  # of all pages so far: probes made so many pages ago count 1/e
FEWEST_PROBES = 15
STILL_RISING = 0.9  # of the harvest rate of the whole crawl: that of late is as good as ever
LEAST_SHARE = 0.7  # less than this is not told: it was found to be too uncertain
_SD_INTERCEPT, _SD_SLOPE = 0.7, 0.1  # how far the probabilities are expected to be wrong, in log-odds
_DOUBT_OF_PROBES = 2.0  # their variance is taken so many times
_DOUBT_OF_UNSEEN = 0.6  # standard deviations, relative to the number
_DOUBT_OF_ISLANDS = 0.015  # likewise, relative to the pages found
_ROUNDS = 30


class Review(NamedTuple):
    """What a crawl knew at a moment of itself, and of a random sample of the links that wait, scored afresh."""

    pages: int  # fetched
    relevant: int  # of them
    links: Floats  # links that wait, by step of the fresh score, and by how many relevant pages link to them
    sampled: float  # how many of the links that wait were looked at, as a share
    found: Floats  # relevant pages found, by how many relevant pages link to them
    recent_pages: int  # of the last tenth of the crawl
    recent_relevant: int


class ProbeRecords(NamedTuple):
    """Probes whose pages were fetched: the fresh score of each, whether it was relevant, and how long ago that was."""

    scores: Floats
    relevant: Flags
    pages: Integers  # how many the crawl had fetched then


class Missing(NamedTuple):
    """What follows from a review: sums, so that those of partitions can be added."""

    pages: int = 0
    relevant: int = 0  # found
    recent_pages: int = 0
    recent_relevant: int = 0
    probes: int = 0
    waiting: float = 0.0  # relevant pages that wait, estimated
    unseen: float = 0.0  # … that no page links to so far
    variance: float = 0.0  # of the sum of both


class Completeness(NamedTuple):
    """The share of the relevant pages within reach that was found, with its 90 % interval."""

    share: float
    low: float
    high: float


def missing_from(review: Review, records: ProbeRecords) -> Missing:
    """How many relevant pages are missing."""
    odds = LOWEST + (np.arange(STEPS) + 0.5) / STEPS_PER_UNIT
    intercept, slope, covariance = _calibrated(review.pages, records)
    chance = _chance(intercept + slope * odds)
    links, by_found = review.links.sum(axis=1), chance @ review.links
    of_calibration = np.array([links @ (chance * (1 - chance)), links @ (chance * (1 - chance) * odds)])
    variance = float(of_calibration @ covariance @ of_calibration)
    variance += (1 / review.sampled - 1) * float(links @ chance**2) if review.sampled > 0 else 0.0
    waiting = float(links @ chance)
    one, two, three = (review.found + by_found)[1:4].tolist()
    unseen = one * (one + two) / max(two + three, 1.0)
    return Missing(
        pages=review.pages,
        relevant=review.relevant,
        recent_pages=review.recent_pages,
        recent_relevant=review.recent_relevant,
        probes=len(records.scores),
        waiting=waiting,
        unseen=unseen,
        variance=_DOUBT_OF_PROBES * variance
        + (_DOUBT_OF_UNSEEN * unseen) ** 2
        + (_DOUBT_OF_ISLANDS * review.relevant) ** 2,
    )


def _calibrated(pages: int, records: ProbeRecords) -> tuple[float, float, Floats]:
    """Intercept and slope of the log-odds that probes showed by those that were promised, and their covariance.

    The mode of the posterior, by Newton's method, around promises that are right.
    """
    weights = np.exp((records.pages - pages) / (MEMORY * max(pages, 1)))
    odds = records.scores + 0.5 / STEPS_PER_UNIT
    at, usual = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    precision = np.diag([_SD_INTERCEPT**-2, _SD_SLOPE**-2])
    design = np.stack([np.ones(len(odds)), odds], axis=1)
    for _ in range(_ROUNDS):
        chance = _chance(design @ at)
        gradient = design.T @ (weights * (records.relevant - chance)) - precision @ (at - usual)
        hessian = (design.T * (weights * chance * (1 - chance))) @ design + precision
        step = np.linalg.solve(hessian, gradient)
        at = at + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-6:
            break
    return float(at[0]), float(at[1]), np.linalg.inv(hessian).astype(np.float64)


def _chance(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def sum_of_missing(parts: "list[Missing]") -> Missing:
    """What partitions that share no page miss together.

    >>> sum_of_missing([Missing(relevant=10, waiting=2.0), Missing(relevant=20, waiting=1.0)]).waiting
    3.0
    """
    return Missing(*map(sum, zip(*parts, strict=True))) if parts else Missing()


def completeness_of(missing: Missing) -> Completeness | None:
    """The share of relevant pages that was found; None if it is too early to tell.

    The interval is log-normal in the number of missing pages (Chao 1987).

    >>> completeness_of(Missing(2_000, 900, 200, 20, 40, waiting=60.0, unseen=40.0, variance=900.0))
    Completeness(share=0.9, low=0.847..., high=0.935...)
    >>> completeness_of(Missing(2_000, 900, 200, 90, 40, waiting=60.0, unseen=40.0, variance=900.0))
    """
    if why_too_early(missing):
        return None
    found, number = missing.relevant, missing.waiting + missing.unseen
    reach = unseen_factor(max(number, 1e-9), missing.variance)
    return Completeness(found / (found + number), found / (found + number * reach), found / (found + number / reach))


def why_too_early(missing: Missing) -> str:
    """Why nothing can be told of the share that was found; "" if it can."""
    found = missing.relevant
    if missing.probes < FEWEST_PROBES:
        return f"{missing.probes} of {FEWEST_PROBES} probes made"
    if not found:
        return "no relevant page found"
    if missing.recent_relevant * missing.pages > STILL_RISING * found * missing.recent_pages:
        return "the harvest rate is as high as ever"
    if found < LEAST_SHARE * (found + missing.waiting + missing.unseen):
        return f"less than {LEAST_SHARE:.0%} by a first estimate".replace("%", " %")
    return ""


def completeness_words(missing: Missing) -> str:
    """The same in words.

    >>> completeness_words(Missing(2_000, 900, 200, 20, 40, waiting=60.0, unseen=40.0, variance=900.0))
    'about 90 % of what can be reached (90 % interval 85 to 94)'
    >>> completeness_words(Missing(probes=6))
    'too early to tell how much of what can be reached (6 of 15 probes made)'
    """
    found = completeness_of(missing)
    if found is None:
        return f"too early to tell how much of what can be reached ({why_too_early(missing)})"
    share, low, high = (f"{100 * limit:.0f}" for limit in found)
    return f"about {share} % of what can be reached (90 % interval {low} to {high})"


def completeness_document(missing: Missing | None) -> dict[str, float | str | None] | None:
    """The same for JSON: figures of None while it is too early; None if the strategy makes no probes."""
    if missing is None:
        return None
    found = completeness_of(missing)
    figures = found._asdict() if found else dict.fromkeys(Completeness._fields)
    return {**figures, "probes": missing.probes, "words": completeness_words(missing)}
