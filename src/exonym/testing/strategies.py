"""The laws that every strategy must keep, as a check to run on one's own strategies.

`check_strategy` tries each law on random links and pages; the AssertionError says which one is broken. A strategy that
keeps them can be run in batches of any size, killed, resumed, and spread over a cluster without a change to its order.
"""

import copy
import random
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from exonym.batches import LINK_COLUMNS, NO_ROW, Floats, FoundCounters, LinkBatch, PageBatch, WaitingBatch
from exonym.strategies.base import LEARNER_METHODS, ScoresAgain, SharesLearning, learner_of
from exonym.testing.random_batches import link_batch, page_batch, waiting_batch
from exonym.testing.rules import counts_matter_through_standing, scores_depend_on_facts_alone
from exonym.testing.strategy_copies import (
    MakeStrategy,
    assert_all_named,
    by_link,
    copies_that_exchange_differences_agree,
    groups_of,
    in_mid_crawl,
    link_updates_can_be_repeated,
    merged_copies_are_one,
    pickled_copy_behaves_the_same,
    restored_state_behaves_the_same,
    same,
    same_columns,
    state_from_disk,
)

Law = Callable[[MakeStrategy, random.Random], None]

_COUNTERS = FoundCounters._fields
_HERE, _ELSEWHERE = ("www.here.example",), ("www.elsewhere.test",)


def check_strategy(make: MakeStrategy, rounds: int = 5) -> None:
    """Raise AssertionError, saying which law is broken, unless the strategies that `make` makes keep them all."""
    for seed in range(rounds):
        for law in LAWS:
            law(make, random.Random(seed))


def _learners_have_all_of_it(make: MakeStrategy, chance: random.Random) -> None:
    strategy = make()
    there = [name for name in LEARNER_METHODS if hasattr(strategy, name)]
    missing = sorted(set(LEARNER_METHODS).difference(there))
    assert not there or not missing, (
        f"{there[0]} is there and {missing[0]} is not: a Learner has all, or derive from Rule"
    )


def _scores_are_numbers_or_nan(make: MakeStrategy, chance: random.Random) -> None:
    strategy = in_mid_crawl(make, chance)
    for count in (0, 1, 40):
        links = link_batch(chance, count)
        _assert_floats(strategy.score(links), count, "score must give one finite float64 or NaN a link")
        notes = learner_of(strategy).note(links)
        assert notes.dtype == np.uint64, "note must give one uint64 a link"
        assert notes.shape == (count,), "note must give one uint64 a link"


def _ranks_are_numbers_or_nan(make: MakeStrategy, chance: random.Random) -> None:
    strategy = in_mid_crawl(make, chance)
    for count in (0, 1, 40):
        groups = groups_of(strategy, link_batch(chance, count))
        _assert_floats(strategy.rank(groups), count, "rank must give one finite float64 or NaN a group")
        learned = "learn", "pages", strategy.learn(page_batch(chance, count))
        met = "meet", "links", learner_of(strategy).meet(link_batch(chance, count))
        for name, material, changed in (learned, met):
            assert changed.dtype == np.uint64, f"{name} must give group ids as uint64"
            assert changed.ndim == 1, f"{name} must give group ids as one column"
            assert count or not len(changed), f"{name} must give no groups when there are no {material}"


def _splitting_changes_no_score(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = in_mid_crawl(make, chance), link_batch(chance, 40)
    cut = chance.randint(1, 39)
    parts = [links.pick(np.arange(cut)), links.pick(np.arange(cut, 40))]
    for name, function in by_link(strategy):
        joined = np.concatenate([function(part) for part in parts])
        assert same(function(links), joined), f"splitting a batch of links changes their {name}"
        single = np.concatenate([function(links.pick(np.array([at]))) for at in range(40)])
        assert same(function(links), single), f"links given one by one have another {name}"


def _reordering_permutes_scores(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = in_mid_crawl(make, chance), link_batch(chance, 40)
    order = np.array(chance.sample(range(40), 40))
    for name, function in by_link(strategy):
        assert same(function(links.pick(order)), function(links)[order]), f"reordering links changes their {name}"
    groups = groups_of(strategy, links)
    assert same(strategy.rank(groups[order]), strategy.rank(groups)[order]), "reordering groups changes their ranks"


def _inputs_are_left_alone(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links, pages = in_mid_crawl(make, chance), link_batch(chance, 40), page_batch(chance, 40)
    groups, state = groups_of(strategy, links), state_from_disk(strategy)
    inputs: list[dict[str, Any]] = [_columns(links), _columns(pages), {"groups": groups}, dict(state)]
    before = copy.deepcopy(inputs)
    learner_of(strategy).restore(state)
    learner_of(strategy).meet(links)
    strategy.score(links)
    learner_of(strategy).note(links)
    strategy.rank(groups)
    strategy.learn(pages)
    names = ("meet, score or note changed its links", "learn changed its pages", "rank changed its groups")
    for name, column, old in zip(
        (*names, "meet or learn changed the state that was restored"), inputs, before, strict=True
    ):
        assert same_columns(column, old), f"{name}; batches must not be mutated"


def _asking_again_is_scoring(make: MakeStrategy, chance: random.Random) -> None:
    strategy = in_mid_crawl(make, chance)
    if not isinstance(strategy, ScoresAgain):
        return
    links = link_batch(chance, 40)
    links = links.pick(links.source != NO_ROW)  # seeds are never asked about
    notes = learner_of(strategy).note(links)
    waiting = replace(waiting_batch(chance, links, notes), **{name: getattr(links, name) for name in _COUNTERS})
    before, state = copy.deepcopy(_columns(waiting)), state_from_disk(strategy)
    scores, present = strategy.again(waiting)
    assert same(scores, strategy.score(links)), "again gives other scores than score, and nothing has changed"
    assert same(present, notes), "again gives other notes than note, and nothing has changed"
    assert same_columns(_columns(waiting), before), "again changed its links; batches must not be mutated"
    assert same_columns(state_from_disk(strategy), state), "again changed what was learned"
    strategy.learn(page_batch(chance, 60))
    waiting = waiting_batch(chance, links, notes)
    at_once = strategy.again(waiting)
    single = [strategy.again(waiting.pick(np.array([at]))) for at in range(len(links))]
    for whole, parts in zip(at_once, zip(*single, strict=True), strict=True):
        assert same(whole, np.concatenate(parts)), "links asked about one by one have another score or note"
    _assert_floats(at_once[0], len(links), "again must give one finite float64 or NaN a link")
    assert at_once[1].dtype == np.uint64, "again must give one uint64 a link as note"


def _learn_names_every_group_that_moved(make: MakeStrategy, chance: random.Random) -> None:
    strategy = make()
    groups = np.unique(groups_of(strategy, link_batch(chance, 400)))
    for count in (1, 1, 3, 10, 30, 100):
        pages, links = page_batch(chance, count), link_batch(chance, count)
        assert_all_named(strategy, groups, "learn", partial(strategy.learn, pages))
        assert_all_named(strategy, groups, "meet", partial(learner_of(strategy).meet, links))


def _learning_one_by_one_is_learning_at_once(make: MakeStrategy, chance: random.Random) -> None:
    at_once, one_by_one, pages = make(), make(), page_batch(chance, 60)
    at_once.learn(pages)
    for at in range(len(pages)):
        one_by_one.learn(pages.pick(np.array([at])))
    groups = np.unique(groups_of(at_once, link_batch(chance, 400)))
    assert same(at_once.rank(groups), one_by_one.rank(groups)), "pages learned one by one give other ranks"
    links = link_batch(chance, 60)
    learner_of(at_once).meet(links)
    for at in chance.sample(range(len(links)), len(links)):
        learner_of(one_by_one).meet(links.pick(np.array([at])))
    assert same(at_once.rank(groups), one_by_one.rank(groups)), "links met one by one, in any order, give other ranks"


def _learning_stays_with_its_server(make: MakeStrategy, chance: random.Random) -> None:
    strategy = make()
    if isinstance(strategy, SharesLearning):  # what it learns is about more than a server, and is told to others
        return
    links = link_batch(chance, 40, _ELSEWHERE)
    groups = groups_of(strategy, links)
    before = strategy.score(links), strategy.rank(groups)
    changed = np.concatenate(
        [strategy.learn(page_batch(chance, 60, _HERE)), learner_of(strategy).meet(link_batch(chance, 60, _HERE))]
    )
    assert same(strategy.rank(groups), before[1]), (
        "pages of one server, or links to it, change the ranks of another, without differences"
    )
    assert same(strategy.score(links), before[0]), (
        "pages of one server, or links to it, change scores of another, without differences"
    )
    assert not len(np.intersect1d(changed, groups)), "learn or meet name groups of a server that had no pages or links"


def _needs_name_every_column_read(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = in_mid_crawl(make, chance), link_batch(chance, 40)
    assert isinstance(strategy.needs, frozenset), "needs must be a frozenset of column names"
    unknown = strategy.needs - LINK_COLUMNS.keys()
    assert not unknown, f"needs names {sorted(unknown)}, but LinkBatch has only {sorted(LINK_COLUMNS)}"
    unasked: dict[str, Any] = dict.fromkeys(LINK_COLUMNS.keys() - strategy.needs)
    bare = replace(links, **unasked)
    twin = copy.deepcopy(strategy)
    for name, function in [*by_link(strategy), ("meet", learner_of(strategy).meet)]:
        fair = learner_of(twin).meet if name == "meet" else function
        try:
            result = function(bare)
        except Exception as error:
            raise AssertionError(f"{name} reads a column that needs does not name: {error!r}") from error
        assert same(result, fair(links)), f"{name} reads a column that needs does not name"


LAWS: tuple[Law, ...] = (
    _learners_have_all_of_it,
    _scores_are_numbers_or_nan,
    _ranks_are_numbers_or_nan,
    _splitting_changes_no_score,
    _reordering_permutes_scores,
    _inputs_are_left_alone,
    pickled_copy_behaves_the_same,
    restored_state_behaves_the_same,
    link_updates_can_be_repeated,
    merged_copies_are_one,
    copies_that_exchange_differences_agree,
    _asking_again_is_scoring,
    _learn_names_every_group_that_moved,
    _learning_one_by_one_is_learning_at_once,
    _learning_stays_with_its_server,
    _needs_name_every_column_read,
    scores_depend_on_facts_alone,
    counts_matter_through_standing,
)


def _assert_floats(values: Floats, count: int, law: str) -> None:
    assert values.dtype == np.float64, f"{law}, got {values.dtype}"
    assert values.shape == (count,), f"{law}, got shape {values.shape} for {count}"
    assert not np.isinf(values).any(), f"{law}, got an infinite one"


def _columns(batch: LinkBatch | PageBatch | WaitingBatch) -> dict[str, Any]:
    return {column.name: getattr(batch, column.name) for column in fields(batch)}
