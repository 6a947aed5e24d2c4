"""The part of what a crawl has learned that is about the servers of one partition.

States are arrays: `ids` of servers or segments (or `server`) with columns of the same length, and sometimes `ends`,
pairs of places in `ids`, with `sums` for each pair; of a pair, the second is the one that is learned about. A state
with columns such as `servers_ids` and `servers_counts` has several such tables; its other columns are about no
server: all partitions know them. But those with `learned` in their names partitions tell each other and add up, so the
first alone has them. Parts of a state have nothing in common but ids of which nobody knows the owner (only links that
were not followed lead there); so parts can be merged again, and what one partition tells others is told by no other.
"""

import numpy as np

from exonym.batches import Flags, Ids
from exonym.strategies.base import State

GroupOwners = dict[int, int]  # by id of a server or segment: the partition that owns it

_UNKNOWN = -1


def own_part(learned: dict[str, State], owners: GroupOwners, partition: int) -> dict[str, State]:
    """What was learned about the servers of a partition, and about those whose owner is unknown.

    What probes of other partitions told says nothing of one: each begins to make its own.
    """
    return {name: _own_state(state, owners, partition) for name, state in learned.items() if name != "probes"}


def _own_state(state: State, owners: GroupOwners, partition: int) -> State:
    tables, rest = _tables_in(state)
    if tables:
        own = {name: _own_state(table, owners, partition) for name, table in tables.items()}
        told = [name for name in rest if "learned" in name and partition != 0]
        return _joined(own, rest | {name: np.zeros_like(rest[name]) for name in told})
    return _with_ids(state, np.isin(_owners_of(state, owners), (partition, _UNKNOWN)))


def without_known(learned: dict[str, State], owners: GroupOwners, known: dict[str, Ids]) -> dict[str, State]:
    """What was learned, without ids of unknown owner in `known`, to which those of this state are added."""
    return {name: _state_without_known(name, state, owners, known) for name, state in learned.items()}


def _state_without_known(name: str, state: State, owners: GroupOwners, known: dict[str, Ids]) -> State:
    tables, rest = _tables_in(state)
    if tables:
        new = {key: _state_without_known(f"{name}/{key}", table, owners, known) for key, table in tables.items()}
        return _joined(new, rest)
    ids = _ids_of(state)
    is_unknown = _owners_of(state, owners) == _UNKNOWN
    before = known.get(name, ids[:0])
    known[name] = np.concatenate([before, ids[is_unknown]])
    return _with_ids(state, ~(is_unknown & np.isin(ids, before)))


def _tables_in(state: State) -> tuple[dict[str, State], State]:
    """The tables of a state that has several, by the beginning of their names; and the other columns."""
    prefixes = [name.removesuffix("ids") for name in state if name.endswith("_ids")]
    tables = {
        prefix: {name.removeprefix(prefix): column for name, column in state.items() if name.startswith(prefix)}
        for prefix in prefixes
    }
    return tables, {name: column for name, column in state.items() if not name.startswith(tuple(prefixes))}


def _joined(tables: dict[str, State], rest: State) -> State:
    return rest | {f"{prefix}{name}": column for prefix, table in tables.items() for name, column in table.items()}


def _ids_of(state: State) -> Ids:
    ids = state.get("ids", state.get("server"))
    return np.empty(0, np.uint64) if ids is None else ids.astype(np.uint64)


def _owners_of(state: State, owners: GroupOwners) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array([owners.get(key, _UNKNOWN) for key in _ids_of(state).tolist()], dtype=np.int64)


def _with_ids(state: State, is_kept: Flags) -> State:
    if not len(is_kept):
        return state
    if "ends" not in state:
        return {name: column[is_kept] if len(column) == len(is_kept) else column for name, column in state.items()}
    # Pairs name places in `ids`, so all ids stay, with counts of 0.
    pages = state["pages"].copy()
    pages[~is_kept] = 0
    pairs = state["ends"].astype(np.int64).reshape(-1, 2)
    is_own = is_kept[pairs[:, 1]]
    return {**state, "pages": pages, "ends": pairs[is_own], "sums": state["sums"][is_own]}
