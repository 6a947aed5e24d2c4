"""The laws that every strategy must keep, as a check to run on one's own strategies.

`check_strategy` tries each law on random links and pages; the AssertionError says which one is broken. A strategy that
keeps them can be run in batches of any size, killed, resumed, and spread over a cluster without a change to its order.
"""

import copy
import pickle
import random
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from exonym.batches import LINK_COLUMNS, Floats, Group, Ids, LinkBatch, PageBatch
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.strategies.base import LEARNER_METHODS, Learner, State, Strategy, learner_of
from exonym.testing.random_batches import link_batch, page_batch
from exonym.testing.rules import counts_matter_through_standing, scores_depend_on_facts_alone

MakeStrategy = Callable[[], Strategy]
Law = Callable[[MakeStrategy, random.Random], None]

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
    strategy = _in_mid_crawl(make, chance)
    for count in (0, 1, 40):
        links = link_batch(chance, count)
        _assert_floats(strategy.score(links), count, "score must give one finite float64 or NaN a link")
        notes = learner_of(strategy).note(links)
        assert notes.dtype == np.uint64, "note must give one uint64 a link"
        assert notes.shape == (count,), "note must give one uint64 a link"


def _ranks_are_numbers_or_nan(make: MakeStrategy, chance: random.Random) -> None:
    strategy = _in_mid_crawl(make, chance)
    for count in (0, 1, 40):
        groups = _groups_of(strategy, link_batch(chance, count))
        _assert_floats(strategy.rank(groups), count, "rank must give one finite float64 or NaN a group")
        learned = "learn", "pages", strategy.learn(page_batch(chance, count))
        met = "meet", "links", learner_of(strategy).meet(link_batch(chance, count))
        for name, material, changed in (learned, met):
            assert changed.dtype == np.uint64, f"{name} must give group ids as uint64"
            assert changed.ndim == 1, f"{name} must give group ids as one column"
            assert count or not len(changed), f"{name} must give no groups when there are no {material}"


def _splitting_changes_no_score(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = _in_mid_crawl(make, chance), link_batch(chance, 40)
    cut = chance.randint(0, 40)
    parts = [links.pick(np.arange(cut)), links.pick(np.arange(cut, 40))]
    for name, function in _by_link(strategy):
        joined = np.concatenate([function(part) for part in parts])
        assert _same(function(links), joined), f"splitting a batch of links changes their {name}"
        single = np.concatenate([function(links.pick(np.array([at]))) for at in range(40)])
        assert _same(function(links), single), f"links given one by one have another {name}"


def _reordering_permutes_scores(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = _in_mid_crawl(make, chance), link_batch(chance, 40)
    order = np.array(chance.sample(range(40), 40))
    for name, function in _by_link(strategy):
        assert _same(function(links.pick(order)), function(links)[order]), f"reordering links changes their {name}"
    groups = _groups_of(strategy, links)
    assert _same(strategy.rank(groups[order]), strategy.rank(groups)[order]), "reordering groups changes their ranks"


def _inputs_are_left_alone(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links, pages = _in_mid_crawl(make, chance), link_batch(chance, 40), page_batch(chance, 40)
    groups, state = _groups_of(strategy, links), _state_from_disk(strategy)
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
        assert _same_columns(column, old), f"{name}; batches must not be mutated"


def _pickled_copy_behaves_the_same(make: MakeStrategy, chance: random.Random) -> None:
    strategy = _in_mid_crawl(make, chance)
    restored = pickle.loads(pickle.dumps(strategy))
    _assert_twins(strategy, restored, chance, "a pickled, restored copy")


def _restored_state_behaves_the_same(make: MakeStrategy, chance: random.Random) -> None:
    if not isinstance(make(), Learner):  # after a restart it learns from every row again
        return
    strategy, fresh = _in_mid_crawl(make, chance), make()
    learner_of(fresh).restore(_state_from_disk(strategy))
    _assert_twins(strategy, fresh, chance, "a fresh strategy after restore(state())")
    untaught, fresh = make(), make()
    learner_of(fresh).restore(_state_from_disk(untaught))
    _assert_twins(untaught, fresh, chance, "a fresh strategy after restore of a state that learned nothing")


def _link_updates_can_be_repeated(make: MakeStrategy, chance: random.Random) -> None:
    """As after a kill: restore the last snapshot, then the link updates since then in any order, and the pages."""
    if not isinstance(make(), Learner):
        return
    strategy, fresh = _in_mid_crawl(make, chance), make()
    learner_of(strategy).link_updates()  # begins the recording
    learner_of(strategy).meet(link_batch(chance, 12))
    learner_of(strategy).link_updates()  # in the snapshot
    learner_of(fresh).restore(_state_from_disk(strategy))
    assert not learner_of(strategy).link_updates(), (
        "link_updates gives the same updates twice, or some where nothing was met"
    )
    taught: list[tuple[str, Any]] = []
    for _ in range(3):
        pages = page_batch(chance, 12)
        strategy.learn(pages)
        learner_of(strategy).meet(link_batch(chance, 12))
        taught += [
            ("pages", pages),
            ("updates", _packed_and_unpacked(learner_of(strategy).link_updates(), "link_updates")),
        ]
    order = [at for at, (kind, _) in enumerate(taught) if kind == "pages"]
    for at in chance.sample([at for at in range(len(taught)) if taught[at][0] == "updates"], 3):
        order.insert(chance.randint(0, len(order)), at)  # pages stay in their order
    for kind, what in (taught[at] for at in order):
        fresh.learn(what) if kind == "pages" else learner_of(fresh).apply_link_updates(what)
    _assert_twins(strategy, fresh, chance, "a fresh strategy after restore, and apply_link_updates in any order,")


def _learn_names_every_group_that_moved(make: MakeStrategy, chance: random.Random) -> None:
    strategy = make()
    groups = np.unique(_groups_of(strategy, link_batch(chance, 400)))
    for count in (1, 1, 3, 10, 30, 100):
        pages, links = page_batch(chance, count), link_batch(chance, count)
        _assert_all_named(strategy, groups, "learn", partial(strategy.learn, pages))
        _assert_all_named(strategy, groups, "meet", partial(learner_of(strategy).meet, links))


def _assert_all_named(strategy: Strategy, groups: Ids, name: str, teach: Callable[[], Ids]) -> None:
    before = strategy.rank(groups)
    changed = teach()
    after = strategy.rank(groups)
    moved = ~((before == after) | (np.isnan(before) & np.isnan(after)))
    missing = np.setdiff1d(groups[moved], changed)
    assert not len(missing), f"{name} does not name {len(missing)} groups whose rank changed"


def _learning_one_by_one_is_learning_at_once(make: MakeStrategy, chance: random.Random) -> None:
    at_once, one_by_one, pages = make(), make(), page_batch(chance, 60)
    at_once.learn(pages)
    for at in range(len(pages)):
        one_by_one.learn(pages.pick(np.array([at])))
    groups = np.unique(_groups_of(at_once, link_batch(chance, 400)))
    assert _same(at_once.rank(groups), one_by_one.rank(groups)), "pages learned one by one give other ranks"
    links = link_batch(chance, 60)
    learner_of(at_once).meet(links)
    for at in chance.sample(range(len(links)), len(links)):
        learner_of(one_by_one).meet(links.pick(np.array([at])))
    assert _same(at_once.rank(groups), one_by_one.rank(groups)), "links met one by one, in any order, give other ranks"


def _learning_stays_with_its_server(make: MakeStrategy, chance: random.Random) -> None:
    strategy = make()
    if hasattr(strategy, "merge"):  # what it learns is about more than a server, and can be put together
        return
    links = link_batch(chance, 40, _ELSEWHERE)
    groups = _groups_of(strategy, links)
    before = strategy.score(links), strategy.rank(groups)
    changed = np.concatenate(
        [strategy.learn(page_batch(chance, 60, _HERE)), learner_of(strategy).meet(link_batch(chance, 60, _HERE))]
    )
    assert _same(strategy.rank(groups), before[1]), (
        "pages of one server, or links to it, change the ranks of another, without merge"
    )
    assert _same(strategy.score(links), before[0]), (
        "pages of one server, or links to it, change scores of another, without merge"
    )
    assert not len(np.intersect1d(changed, groups)), "learn or meet name groups of a server that had no pages or links"


def _needs_name_every_column_read(make: MakeStrategy, chance: random.Random) -> None:
    strategy, links = _in_mid_crawl(make, chance), link_batch(chance, 40)
    assert isinstance(strategy.needs, frozenset), "needs must be a frozenset of column names"
    unknown = strategy.needs - LINK_COLUMNS.keys()
    assert not unknown, f"needs names {sorted(unknown)}, but LinkBatch has only {sorted(LINK_COLUMNS)}"
    unasked: dict[str, Any] = dict.fromkeys(LINK_COLUMNS.keys() - strategy.needs)
    bare = replace(links, **unasked)
    twin = copy.deepcopy(strategy)
    for name, function in [*_by_link(strategy), ("meet", learner_of(strategy).meet)]:
        fair = learner_of(twin).meet if name == "meet" else function
        try:
            result = function(bare)
        except Exception as error:
            raise AssertionError(f"{name} reads a column that needs does not name: {error!r}") from error
        assert _same(result, fair(links)), f"{name} reads a column that needs does not name"


LAWS: tuple[Law, ...] = (
    _learners_have_all_of_it,
    _scores_are_numbers_or_nan,
    _ranks_are_numbers_or_nan,
    _splitting_changes_no_score,
    _reordering_permutes_scores,
    _inputs_are_left_alone,
    _pickled_copy_behaves_the_same,
    _restored_state_behaves_the_same,
    _link_updates_can_be_repeated,
    _learn_names_every_group_that_moved,
    _learning_one_by_one_is_learning_at_once,
    _learning_stays_with_its_server,
    _needs_name_every_column_read,
    scores_depend_on_facts_alone,
    counts_matter_through_standing,
)


def _in_mid_crawl(make: MakeStrategy, chance: random.Random) -> Strategy:
    """A strategy in the middle of a crawl."""
    strategy = make()
    for _ in range(3):
        strategy.learn(page_batch(chance, 12))
        learner_of(strategy).meet(link_batch(chance, 12))
    return strategy


def _groups_of(strategy: Strategy, batch: LinkBatch | PageBatch) -> Ids:
    return batch.server if strategy.group == Group.SERVER else batch.segment


def _by_link(strategy: Strategy) -> list[tuple[str, Callable[[LinkBatch], Any]]]:
    return [("scores", strategy.score), ("notes", learner_of(strategy).note)]


def _state_from_disk(strategy: Strategy) -> State:
    """The state, written and read as in a crawl directory."""
    return _packed_and_unpacked(learner_of(strategy).state(), "state")


def _packed_and_unpacked(state: State, name: str) -> State:
    try:
        return unpacked_state(packed_state({"strategy": state}))["strategy"]
    except ValueError as error:
        raise AssertionError(f"{name} must be plain arrays that can be kept without pickle: {error}") from error


def _assert_twins(one: Strategy, other: Strategy, chance: random.Random, which: str) -> None:
    """Both score, rank and learn the same, now and after more pages."""
    for _ in range(2):
        links, pages = link_batch(chance, 40), page_batch(chance, 20)
        groups = _groups_of(one, links)
        for (name, first), (_, second) in zip(_by_link(one), _by_link(other), strict=True):
            assert _same(first(links), second(links)), f"{which} gives other {name}"
        assert _same(one.rank(groups), other.rank(groups)), f"{which} gives other ranks"
        for changed, again in (
            (one.learn(pages), other.learn(pages)),
            (learner_of(one).meet(links), learner_of(other).meet(links)),
        ):
            assert _same(np.sort(changed), np.sort(again)), f"{which} learns other things"


def _assert_floats(values: Floats, count: int, law: str) -> None:
    assert values.dtype == np.float64, f"{law}, got {values.dtype}"
    assert values.shape == (count,), f"{law}, got shape {values.shape} for {count}"
    assert not np.isinf(values).any(), f"{law}, got an infinite one"


def _columns(batch: LinkBatch | PageBatch) -> dict[str, Any]:
    return {column.name: getattr(batch, column.name) for column in fields(batch)}


def _same(one: Any, other: Any) -> bool:
    if one.dtype.kind == "f":
        return np.array_equal(one, other, equal_nan=True)
    return np.array_equal(one, other)


def _same_columns(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        _same(column, other[name]) if isinstance(column, np.ndarray) else column == other[name]
        for name, column in one.items()
    )
