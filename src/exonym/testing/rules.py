"""Checks that the attributes of a rule are true: simulations make tables of scores from them.

`Rule.facts` names all that scores depend on; `languages` and `farthest` say which differences in them matter; the ranks
and scores of a `Counting` rule depend on its `standing` alone. For other strategies there is nothing to check.
"""

import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import NO_ROW, Floats, Group, Ids, LinkBatch, Outcome, language_code
from exonym.strategies.base import FACTS, Counting, Rule, Standings, Strategy, is_download
from exonym.testing.random_batches import SERVERS, link_batch, page_batch

_COUNT = 60
_OTHER_LANGUAGES = [0, *map(language_code, ("th", "en", "ja", "vi", "is", "zh"))]


def scores_depend_on_facts_alone(make: Callable[[], Strategy], chance: random.Random) -> None:
    """Links that agree in the facts of a rule have the same score, whatever their other columns are."""
    rule = make()
    if not isinstance(rule, Rule) or rule.facts is None:
        return
    unknown = rule.facts - FACTS
    assert not unknown, f"facts names {sorted(unknown)}, but there are only {sorted(FACTS)}"
    rule.learn(page_batch(chance, 30))
    links, others = link_batch(chance, _COUNT), link_batch(chance, _COUNT)
    standings = _standings(rule, chance)
    elsewhere = standings if "standing" in rule.facts else _standings(rule, chance)
    alike = _alike(links, others, rule, chance)
    same = np.array_equal(_scores(rule, links, standings), _scores(rule, alike, elsewhere), equal_nan=True)
    assert same, f"scores depend on more than the facts {sorted(rule.facts)}, languages and farthest say"


def _standings(rule: Rule, chance: random.Random) -> Standings | None:
    """Random standings: a rule that counts must not use the counts themselves."""
    if not isinstance(rule, Counting):
        return None
    return np.array([chance.randrange(rule.standings) for _ in range(_COUNT)], dtype=np.uint8)


def _scores(rule: Rule, links: LinkBatch, standings: Standings | None) -> Floats:
    if isinstance(rule, Counting) and standings is not None:
        return rule.score_of(links, standings)
    scores: Floats = rule.score(links)  # type: ignore[attr-defined]
    return scores


def _alike(links: LinkBatch, others: LinkBatch, rule: Rule, chance: random.Random) -> LinkBatch:
    """Other links that agree with `links` in the facts of `rule`. Seeds stay seeds: they are no links of the web."""
    facts = rule.facts or frozenset()
    columns: dict[str, Any] = {column.name: getattr(others, column.name) for column in fields(LinkBatch)}
    columns |= {name: getattr(links, name) for name in facts & columns.keys()}
    columns["source"] = np.where(links.source == NO_ROW, NO_ROW, np.abs(others.source))
    for name in facts & {"source_language", "anchor_language"}:
        columns[name] = _with_other_languages(columns[name], rule.languages, chance)
    if "distance" in facts:
        beyond = np.array([rule.farthest + chance.randint(0, 9) for _ in range(len(links))])
        columns["distance"] = np.where(links.distance < rule.farthest, links.distance, beyond).astype(np.uint16)
    if "same_server" in facts:
        same = links.server == links.source_server
        columns["source_server"] = np.where(same, others.server, others.server + np.uint64(1))
    return replace(links, **columns)


def _with_other_languages(codes: Any, told_apart: tuple[str, ...], chance: random.Random) -> NDArray[np.uint16]:
    known = {language_code(name) for name in told_apart} - {0}
    others = [code for code in _OTHER_LANGUAGES if code not in known]
    return np.array([code if code in known else chance.choice(others) for code in codes.tolist()], dtype=np.uint16)


def counts_matter_through_standing(make: Callable[[], Strategy], chance: random.Random) -> None:
    """Scores and ranks of a counting rule are those of the standing that follows from its pages, counted here."""
    rule = make()
    if not isinstance(rule, Counting):
        return
    pages = np.array([chance.choice([0, 1, 2, 3, 10, 10**12]) for _ in range(200)], dtype=np.int64)
    relevant = np.array([chance.randint(0, int(most)) for most in pages], dtype=np.int64)
    standings = rule.standing(pages, relevant)
    assert standings.dtype == np.uint8, "standing must give one uint8 a pair of counts"
    assert standings.shape == pages.shape, "standing must give one uint8 a pair of counts"
    highest = standings.max()
    assert highest < rule.standings, f"standing gives {highest}, but standings says there are {rule.standings}"
    batch, links = page_batch(chance, 80, SERVERS[:4]), link_batch(chance, _COUNT)
    rule.learn(batch)
    counted = is_download(batch) if rule.counts_failures else batch.outcome == Outcome.PAGE
    fetched = (batch.server if rule.group == Group.SERVER else batch.segment)[counted]
    groups = links.server if rule.group == Group.SERVER else links.segment
    standings = rule.standing(_count(fetched, groups), _count(fetched[batch.relevant[counted]], groups))
    ranks, scores = rule.rank_of(standings), rule.score_of(links, standings)
    assert _same(rule.rank(groups), ranks), "the rank of a group is not that of its standing"
    assert _same(rule.score(links), scores), "the score of a link is not that of its group's standing"


def _count(found: Ids, groups: Ids) -> NDArray[np.int64]:
    return np.array([np.count_nonzero(found == group) for group in groups], dtype=np.int64)


def _same(one: Floats, other: Floats) -> bool:
    return np.array_equal(one, other, equal_nan=True)
