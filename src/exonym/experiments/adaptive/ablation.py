"""`adaptive` without some of what it knows, or does: what each is worth.

All begin without a prior, as the shipped one was learned with all facts. Where a fact is left out, the other one of its
pair stays. Generated webs have no texts, so nothing can be said of words here: see docs/why/link-texts.md.
"""

from collections.abc import Callable

import numpy as np

from exonym.batches import Floats, Ids, WaitingBatch
from exonym.simulation.side_by_side import strategy_of
from exonym.strategies.adaptive.additive import SEED_SCORE
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.webgraph import Graph

COLD = "adaptive:prior=none"
FACTS = {
    "found elsewhere": ("found_elsewhere",),
    "anchors": ("found_spoken",),
    "calls": ("called",),
    "domains": ("domain", "own_domain"),
    "segments": ("segment", "segment_age"),
    "source": ("source_server", "source_relevant", "same_server", "distance"),
}
FALLING = "falling scores"


class OnlyRising(Adaptive):
    """Never puts a link back that surfaced. Compiled rounds would: it must be asked."""

    def again(self, waiting: WaitingBatch) -> tuple[Floats, Ids]:
        scores, notes = super().again(waiting)
        return np.full_like(scores, SEED_SCORE), notes


def without(facts: tuple[str, ...]) -> type[Adaptive]:
    """`Adaptive` whose tables leave these facts out."""
    kept = [tuple(fact for fact in pair if fact and fact not in facts) for pair in Adaptive.pairs]
    pairs = dict.fromkeys((pair[0], pair[1] if len(pair) > 1 else "") for pair in kept if pair)
    return type("Ablated", (Adaptive,), {"pairs": tuple(pairs)})


def made_for(graph: Graph, kind: type[Adaptive]) -> Adaptive:
    """A strategy of a kind for the languages of a graph, without a prior."""
    usual = strategy_of(COLD, graph)
    assert isinstance(usual, Adaptive)
    return kind(usual.language, usual.domains)


ABLATIONS: dict[str, Callable[[], type[Adaptive]]] = {
    FALLING: lambda: OnlyRising,
    **{name: lambda facts=facts: without(facts) for name, facts in FACTS.items()},  # type: ignore[misc]
}
