"""What a link promised: its score, the chance that the score stands for, and the facts that made it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from exonym.batches import NO_ROW
from exonym.strategies.adaptive.additive import Additive
from exonym.strategies.adaptive.explaining import WeighedNote, chances_of, weighed
from exonym.strategies.base import Strategy


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise of one link, to be visited or visited."""

    score: float  # with the rank of its group
    rank: float
    is_seed: bool
    is_drawn: bool  # at random, to estimate how complete the crawl is
    chances: tuple[float, float] | None  # of being relevant, from … to; None: the score is no probability
    facts: WeighedNote | None  # by the weights that were learned by the last commit; None: no fact was noted

    def document(self) -> dict[str, Any]:
        """The promise for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "score": self.score,
            "rank": self.rank,
            "seed": self.is_seed,
            "drawn": self.is_drawn,
            "chance": list(self.chances) if self.chances else None,
            "facts": [
                {"facts": list(facts.facts), "text": facts.text, "weight": facts.weight}
                for facts in (self.facts.weighed if self.facts else ())
            ],
            "sum": self.facts.total if self.facts else None,
            "chance_of_sum": self.facts.chance if self.facts else None,
        }


@dataclass(frozen=True, slots=True)
class PromisingLink:
    """What a journal or a frontier keeps of a link."""

    url: str
    source: int
    note: int
    score: float
    rank: float
    drawn_score: float = math.nan  # with which it was drawn at random, if it was


def promise_of(link: PromisingLink, strategy: Strategy | None) -> Promise:
    """What a link promised; `strategy` is as it learned so far, None if that cannot be known."""
    is_seed = link.source == NO_ROW
    is_drawn = isinstance(strategy, Additive) and not math.isnan(link.drawn_score)
    score = link.drawn_score if is_drawn else link.score
    facts = chances = None
    if isinstance(strategy, Additive) and not is_seed:
        facts = weighed(link.note, link.url, strategy.weights, strategy.tables)
        # Without facts, the score is that of another strategy, which this crawl had before.
        chances = chances_of(score) if facts else None
    rank = 0.0 if facts else link.rank  # the journal's is a difference of scores, one of which may have risen since
    return Promise(score, rank, is_seed, is_drawn, chances, facts)


def promise_words(promise: dict[str, Any]) -> str:
    """A score and what it stands for, by its document, in words."""
    if promise["seed"]:
        return "the score of a seed"
    chance = f" (a chance of {chance_words(*promise['chance'])} to be relevant)" if promise["chance"] else ""
    drawn = ", drawn at random to estimate how complete the crawl is" if promise["drawn"] else ""
    return f"score {promise['score']:g}{chance}{drawn}"


def chance_words(first: float, last: float) -> str:
    """A range of probabilities in words.

    >>> chance_words(0.501, 0.562), chance_words(0.0012, 0.0019), chance_words(0.991, 0.993), chance_words(0.2, 0.2)
    ('50 to 56 %', '0.12 to 0.19 %', '99 %', '20 %')
    """
    one, other = (f"{100 * chance:.2g}" if chance < 0.095 else f"{100 * chance:.0f}" for chance in (first, last))
    return f"{one} %" if one == other else f"{one} to {other} %"
