"""Score tables of rules: scores are computed once for every combination of facts, and looked up for every link."""

import numpy as np

from exonym.batches import NO_ROW, Floats, LinkBatch, language_code, uncounted
from exonym.frontier.base import level_of
from exonym.simulation.engine.rounds import ScoreTable
from exonym.strategies.base import Counting, Rule, Standings, Strategy, overrides
from exonym.urls import id_of
from exonym.webgraph.graph import Graph

# In the order of `rounds.ScoreTable.strides`.
_FACTS = (
    *("source_relevant", "source_language", "distance", "same_server"),
    *("domain", "anchor_language", "standing", "target_relevant", "on_path"),
)
_LARGEST = 1 << 20  # combinations
_SIDE = 1024  # pages of a group up to which standings are tabulated
_CODES = 1 << 16
_HERE, _THERE = 1, 2


def is_tabular(strategy: Strategy) -> bool:
    """Whether a strategy says on which facts its scores and ranks depend, and so can have a table."""
    if not isinstance(strategy, Rule) or strategy.facts is None:
        return False
    if overrides(strategy, "meet") or overrides(strategy, "note"):
        return False
    base = Counting if isinstance(strategy, Counting) else Rule
    return not any(overrides(strategy, name, base) for name in ("learn", "rank"))


def table_of(strategy: Strategy, graph: Graph) -> ScoreTable | None:
    """The table of a rule for a graph; None if the strategy can have none, or it would be too large."""
    if not is_tabular(strategy):
        return None
    assert isinstance(strategy, Rule)
    if "source_relevance" in (strategy.facts or ()) and graph.has("relevance"):
        return None  # any number from 0 to 1: too many combinations
    sizes = [_size(fact, strategy, graph) for fact in _FACTS]
    if np.prod(sizes) > _LARGEST:
        return None
    strides = np.append(np.cumprod(sizes[::-1])[::-1][1:], 1)
    classes = np.zeros(_CODES, np.uint8)
    classes[[language_code(name) for name in strategy.languages]] = np.arange(1, len(strategy.languages) + 1)
    counting = strategy if isinstance(strategy, Counting) else None
    return ScoreTable(
        levels=level_of(_scores(strategy, graph, sizes, 0)),
        seed_levels=level_of(_scores(strategy, graph, sizes, NO_ROW)),
        strides=np.where(np.array(sizes) > 1, strides, 0),
        language_class=classes,
        domain_class=np.arange(len(graph.manifest.domains), dtype=np.uint16),
        standing_of=_standings(counting) if counting else np.zeros(1, np.uint8),
        rank_of=_ranks(counting) if counting else np.zeros(1),
        farthest=strategy.farthest,
        side=_SIDE if counting else 1,
    )


def _size(fact: str, rule: Rule, graph: Graph) -> int:
    facts = rule.facts or frozenset()
    if fact == "source_relevant" and "source_relevance" in facts:
        return 2  # in a graph without relevances, relevance is 1 or 0
    if fact not in facts:
        return 1
    languages = 1 + len(rule.languages)
    sizes = {"distance": rule.farthest + 1, "domain": len(graph.manifest.domains), "source_language": languages}
    sizes |= {"anchor_language": languages, "standing": rule.standings if isinstance(rule, Counting) else 1}
    return sizes.get(fact, 2)


def _scores(rule: Rule, graph: Graph, sizes: list[int], source: int) -> Floats:
    """The score of every combination, for links found in visit number `source`."""
    values = dict(zip(_FACTS, np.unravel_index(np.arange(np.prod(sizes)), sizes), strict=True))
    count = len(values["distance"])
    codes = np.array([0, *map(language_code, rule.languages)], np.uint16)
    domains = np.array([id_of(name) for name in graph.manifest.domains] or [0], np.uint64)
    relevant = values["source_relevant"].astype(np.bool_)
    links = LinkBatch(
        url=np.arange(count, dtype=np.uint64),
        server=np.full(count, _HERE, np.uint64),
        segment=np.full(count, _HERE, np.uint64),
        distance=values["distance"].astype(np.uint16),
        source=np.full(count, source, np.int64),
        source_server=np.where(values["same_server"] > 0, _HERE, _THERE).astype(np.uint64),
        source_relevance=relevant.astype(np.float32),
        source_relevant=relevant,
        source_language=codes[values["source_language"]],
        hops=np.zeros(count, np.uint8),
        **uncounted(count)._asdict(),
        domain=domains[values["domain"]],
        anchor_language=codes[values["anchor_language"]],
        target_relevant=values["target_relevant"].astype(np.bool_),
        on_path=values["on_path"].astype(np.bool_),
    )
    if isinstance(rule, Counting):
        return rule.score_of(links, values["standing"].astype(np.uint8))
    scores: Floats = rule.score(links)  # type: ignore[attr-defined]  # rules write it, their base has none
    return scores


def _standings(rule: Counting) -> Standings:
    pages, relevant = (column.ravel().astype(np.int64) for column in np.indices((_SIDE, _SIDE)))
    return rule.standing(pages, np.minimum(relevant, pages))


def _ranks(rule: Counting) -> Floats:
    """The rank of each standing; a single one if all are the same: then no group is ever moved."""
    ranks = rule.rank_of(np.arange(rule.standings, dtype=np.uint8))
    return ranks[:1] if bool((ranks == ranks[0]).all()) else ranks  # NaN equals nothing
