"""Laws about copies of a strategy: one that was saved and restored, or merged with others, is like the original."""

import copy
import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from exonym.batches import Group, Ids, LinkBatch, PageBatch
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.strategies.base import Learner, MergesState, SharesLearning, State, Strategy, learner_of
from exonym.strategies.by_name import can_merge
from exonym.testing.random_batches import SERVERS, link_batch, page_batch

MakeStrategy = Callable[[], Strategy]

_ELSEWHERE = ("www.elsewhere.test",)
_HALVES = SERVERS[:3], SERVERS[3:]
_THIRDS = SERVERS[:2], SERVERS[2:4], SERVERS[4:]


def in_mid_crawl(make: MakeStrategy, chance: random.Random) -> Strategy:
    """A strategy in the middle of a crawl."""
    strategy = make()
    for _ in range(3):
        strategy.learn(page_batch(chance, 12))
        learner_of(strategy).meet(link_batch(chance, 12))
    return strategy


def pickled_copy_behaves_the_same(make: MakeStrategy, chance: random.Random) -> None:
    strategy = in_mid_crawl(make, chance)
    restored = pickle.loads(pickle.dumps(strategy))
    _assert_twins(strategy, restored, chance, "a pickled, restored copy")


def restored_state_behaves_the_same(make: MakeStrategy, chance: random.Random) -> None:
    if not isinstance(make(), Learner):  # after a restart it learns from every row again
        return
    strategy, fresh = in_mid_crawl(make, chance), make()
    learner_of(fresh).restore(state_from_disk(strategy))
    _assert_twins(strategy, fresh, chance, "a fresh strategy after restore(state())")
    untaught, fresh = make(), make()
    learner_of(fresh).restore(state_from_disk(untaught))
    _assert_twins(untaught, fresh, chance, "a fresh strategy after restore of a state that learned nothing")


def link_updates_can_be_repeated(make: MakeStrategy, chance: random.Random) -> None:
    """As after a kill: restore the last snapshot, then the link updates since then in any order, and the pages."""
    if not isinstance(make(), Learner):
        return
    strategy, fresh = in_mid_crawl(make, chance), make()
    learner_of(strategy).link_updates()  # begins the recording
    learner_of(strategy).meet(link_batch(chance, 12))
    learner_of(strategy).link_updates()  # in the snapshot
    learner_of(fresh).restore(state_from_disk(strategy))
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


def merged_copies_are_one(make: MakeStrategy, chance: random.Random) -> None:
    """As when partitions are joined: two copies, each with the pages of its own servers and the links to them.

    What one copy would have learned of all pages is the same, unless it learns in order; the merged copies always are.
    """
    if not isinstance(make(), Learner) or not can_merge(make()):
        return
    whole, *copies = make(), make(), make()
    batches = [(link_batch(chance, 30, servers), _pages_of_links(whole, chance, 30, servers)) for servers in _HALVES]
    for copied, (links, pages) in zip(copies, batches, strict=True):
        learner_of(copied).meet(links)
        copied.learn(pages)
    for links, _ in batches:
        learner_of(whole).meet(links)
    for _, pages in batches:
        whole.learn(pages)
    states = [state_from_disk(copied) for copied in copies]
    groups = np.unique(groups_of(whole, link_batch(chance, 400)))
    for copied, state in zip(copies, reversed(states), strict=True):
        before = copy.deepcopy(state)
        learner_of(copied).link_updates()  # begins the recording
        assert_all_named(copied, groups, "merge", partial(_merger(copied).merge, state))
        assert same_columns(state, before), "merge changed the state that was merged"
        assert not learner_of(copied).link_updates(), "what was merged is among the link updates"
        if not learns_in_order(whole):
            _assert_twins(
                copy.deepcopy(whole), copied, chance, "a copy that merged the state of another, of other servers,"
            )
    if learns_in_order(whole):
        _assert_twins(copies[0], copies[1], chance, "a copy that merged another one, in place of being merged,")
    untouched = copy.deepcopy(whole)
    _merger(whole).merge(state_from_disk(make()))
    _assert_twins(untouched, whole, chance, "a copy that merged a state that learned nothing")


def _pages_of_links(strategy: Strategy, chance: random.Random, count: int, servers: Sequence[str]) -> PageBatch:
    """Pages with the notes that the strategy gives to links."""
    return replace(page_batch(chance, count, servers), note=learner_of(strategy).note(link_batch(chance, count)))


def _merger(strategy: Strategy) -> MergesState:
    assert isinstance(strategy, MergesState)
    return strategy


def copies_that_exchange_differences_agree(make: MakeStrategy, chance: random.Random) -> None:
    """As on a cluster: each copy learns from its own servers' pages; differences reach the others in any order."""
    first = make()
    if not isinstance(first, SharesLearning):
        return
    links = link_batch(chance, 60)
    copies = [_sharer(make, links) for _ in _THIRDS]
    for sharer in copies:
        assert not sharer.differences(), "the first call of differences must give {}"
    letters: list[tuple[int, State]] = []
    groups = np.unique(groups_of(first, link_batch(chance, 400)))
    for _ in range(3):
        for at, servers in enumerate(_THIRDS):
            copies[at].learn(_pages_of_links(first, chance, 12, servers))
            told = _packed_and_unpacked(copies[at].differences(), "differences")
            letters += [(to, told) for to in range(len(copies)) if to != at]
        for at in sorted(chance.sample(range(len(letters)), len(letters) // 2), reverse=True):
            _deliver(copies, letters.pop(at), groups)
    for letter in chance.sample(letters, len(letters)):
        _deliver(copies, letter, groups)
    late, again = _sharer(make, links), _sharer(make, links)
    learner_of(again).restore(state_from_disk(copies[0]))
    for at, sharer in enumerate(copies):
        assert not sharer.differences(), "differences gives what came from others, or the same twice"
        late.add_differences(sharer.differences(everything=True))
        if at:
            again.add_differences(sharer.differences(everything=True))
    servers = _ELSEWHERE if learns_in_order(first) else SERVERS
    for other, which in (
        (copies[1], "copies"),
        (copies[2], "copies"),
        (late, "a new copy"),
        (again, "a restored copy"),
    ):
        message = f"after all differences were exchanged, {which} and others disagree on"
        _assert_alike(copies[0], other, link_batch(chance, 60, servers), message)


def _sharer(make: MakeStrategy, links: LinkBatch) -> Any:
    sharer = make()
    learner_of(sharer).meet(links)
    return sharer


def _deliver(copies: list[Any], letter: tuple[int, State], groups: Ids) -> None:
    to, told = letter
    before = copy.deepcopy(told)
    assert_all_named(copies[to], groups, "add_differences", partial(copies[to].add_differences, told))
    assert same_columns(told, before), "add_differences changed the differences"


def learns_in_order(strategy: Strategy) -> bool:
    """Whether what a page teaches a strategy depends on the pages before it.

    Copies on a cluster then tell each other what they learned in general, and the counts of a server stay where its
    pages are: they agree on servers of which none has a page.
    """
    return bool(getattr(strategy, "learns_in_order", False))


def _assert_alike(one: Strategy, other: Strategy, links: LinkBatch, which: str) -> None:
    """Both score and rank the same but for rounding: sums of fractions depend on their order."""
    groups = groups_of(one, links)
    for name, first, second in (
        ("scores", one.score(links), other.score(links)),
        ("ranks", one.rank(groups), other.rank(groups)),
    ):
        assert np.allclose(first, second, rtol=1e-6, atol=1e-9, equal_nan=True), f"{which} {name}"


def _assert_twins(one: Strategy, other: Strategy, chance: random.Random, which: str) -> None:
    """Both score, rank and learn the same, now and after more pages."""
    for _ in range(2):
        links, pages = link_batch(chance, 40), page_batch(chance, 20)
        groups = groups_of(one, links)
        for (name, first), (_, second) in zip(by_link(one), by_link(other), strict=True):
            assert same(first(links), second(links)), f"{which} gives other {name}"
        assert same(one.rank(groups), other.rank(groups)), f"{which} gives other ranks"
        for changed, again in (
            (one.learn(pages), other.learn(pages)),
            (learner_of(one).meet(links), learner_of(other).meet(links)),
        ):
            assert same(np.sort(changed), np.sort(again)), f"{which} learns other things"


def assert_all_named(strategy: Strategy, groups: Ids, name: str, teach: Callable[[], Ids]) -> None:
    before = strategy.rank(groups)
    changed = teach()
    after = strategy.rank(groups)
    moved = ~((before == after) | (np.isnan(before) & np.isnan(after)))
    missing = np.setdiff1d(groups[moved], changed)
    assert not len(missing), f"{name} does not name {len(missing)} groups whose rank changed"


def groups_of(strategy: Strategy, batch: LinkBatch | PageBatch) -> Ids:
    return batch.server if strategy.group == Group.SERVER else batch.segment


def by_link(strategy: Strategy) -> list[tuple[str, Callable[[LinkBatch], Any]]]:
    return [("scores", strategy.score), ("notes", learner_of(strategy).note)]


def state_from_disk(strategy: Strategy) -> State:
    """The state, written and read as in a crawl directory."""
    return _packed_and_unpacked(learner_of(strategy).state(), "state")


def _packed_and_unpacked(state: State, name: str) -> State:
    try:
        return unpacked_state(packed_state({"strategy": state}))["strategy"]
    except ValueError as error:
        raise AssertionError(f"{name} must be plain arrays that can be kept without pickle: {error}") from error


def same(one: Any, other: Any) -> bool:
    if one.dtype.kind == "f":
        return np.array_equal(one, other, equal_nan=True)
    return np.array_equal(one, other)


def same_columns(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        same(column, other[name]) if isinstance(column, np.ndarray) else column == other[name]
        for name, column in one.items()
    )
