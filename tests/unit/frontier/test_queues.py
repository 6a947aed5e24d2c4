"""Turns sort as the frontier's only order says."""

from hypothesis import given
from hypothesis import strategies as st

from exonym.frontier.queues import group_of_turn, turn_of

_u64 = st.integers(0, 2**64 - 1)
_priorities = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.5, 0.25, 1.0])
_turns = st.tuples(_priorities, _u64, _u64)


@given(st.lists(_turns, max_size=8))
def test_higher_priority_comes_first_and_then_the_earlier_arrival(turns: list[tuple[float, int, int]]) -> None:
    expected = sorted(turns, key=lambda turn: (-turn[0], turn[1], turn[2]))
    assert sorted(turns, key=lambda turn: turn_of(*turn)) == expected


@given(_priorities, _u64, _u64)
def test_turn_says_whose_it_is(priority: float, arrival: int, group: int) -> None:
    assert group_of_turn(turn_of(priority, arrival, group)) == group
