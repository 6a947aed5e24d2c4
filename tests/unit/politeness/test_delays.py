"""Servers and addresses are asked no sooner than they should be."""

from hypothesis import given
from hypothesis import strategies as st

from exonym.politeness.delays import Politeness

SERVER, OTHER = 1, 2


def test_server_that_never_rested_does_not_rest() -> None:
    assert not Politeness(2.0).resting


def test_resting_server_is_rested_when_its_rest_ends_and_not_before() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 10.0)
    assert politeness.rested(9.999) == []
    assert politeness.resting == 1
    assert politeness.rested(10.0) == [SERVER]
    assert not politeness.resting


def test_rested_server_is_told_once() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 10.0)
    assert politeness.rested(9.0) == []
    assert politeness.rested(10.0) == [SERVER]
    assert politeness.rested(11.0) == []


def test_servers_are_told_in_the_order_in_which_their_rests_end() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 7.0)
    politeness.rest(OTHER, 5.0)
    assert politeness.rested(10.0) == [OTHER, SERVER]


def test_longer_rest_takes_the_place_of_a_shorter_one() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 5.0)
    politeness.rest(SERVER, 9.0)
    assert politeness.rested(5.0) == []
    assert politeness.next_rested() == 9.0
    assert politeness.rested(9.0) == [SERVER]


def test_shorter_rest_does_not_cut_a_longer_one() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 9.0)
    politeness.rest(SERVER, 5.0)
    assert politeness.rested(8.0) == []
    assert politeness.rested(9.0) == [SERVER]


def test_server_may_rest_again_after_it_was_told() -> None:
    politeness = Politeness()
    politeness.rest(SERVER, 9.0)
    politeness.rested(9.0)
    politeness.rest(SERVER, 5.0)
    assert politeness.rested(9.0) == [SERVER]


def test_delay_is_what_robots_txt_asks_but_never_less_than_ours() -> None:
    politeness = Politeness(delay_seconds=2.0)
    politeness.set_delay(SERVER, 30.0)
    politeness.set_delay(OTHER, 0.5)
    assert politeness.delay_of(SERVER) == 30.0
    assert politeness.delay_of(OTHER) == 2.0
    assert politeness.delay_of(3) == 2.0


def test_next_rested_is_the_end_of_the_shortest_rest() -> None:
    politeness = Politeness()
    assert politeness.next_rested() is None
    politeness.rest(SERVER, 7.0)
    politeness.rest(OTHER, 5.0)
    assert politeness.next_rested() == 5.0
    assert politeness.resting == 2
    politeness.rested(5.0)
    assert politeness.next_rested() == 7.0
    politeness.rested(7.0)
    assert politeness.next_rested() is None
    assert politeness.resting == 0


def test_requests_to_one_address_are_kept_apart() -> None:
    politeness = Politeness(address_delay_seconds=0.5)
    assert [politeness.reserve("192.0.2.1", 10.0) for _ in range(3)] == [10.0, 10.5, 11.0]
    assert politeness.reserve("192.0.2.2", 10.0) == 10.0
    assert politeness.reserve("192.0.2.1", 20.0) == 20.0


def test_without_an_address_delay_requests_start_at_once() -> None:
    politeness = Politeness()
    assert [politeness.reserve("192.0.2.1", 10.0) for _ in range(3)] == [10.0, 10.0, 10.0]


def test_addresses_whose_wait_is_over_are_forgotten_and_others_not() -> None:
    politeness = Politeness(address_delay_seconds=10.0)
    for number in range(100_000):
        politeness.reserve(f"old {number}", 0.0)
    politeness.reserve("late", 15.0)  # its wait ends at 25; those of the old ones ended at 10
    assert len(politeness._addresses) == 1
    assert politeness.reserve("late", 16.0) == 25.0


_acts = st.lists(st.tuples(st.sampled_from(["rest", "tell"]), st.integers(0, 3), st.integers(0, 10)), max_size=40)


@given(_acts)
def test_every_rest_ends_once_and_none_too_early(acts: list[tuple[str, int, int]]) -> None:
    politeness, until, now = Politeness(), dict[int, float](), 0.0
    for act, server, seconds in acts:
        if act == "rest":
            politeness.rest(server, now + seconds)
            until[server] = max(until.get(server, 0.0), now + seconds)
        else:
            now += seconds
            told = politeness.rested(now)
            assert sorted(told) == sorted(server for server, end in until.items() if end <= now)
            until = {server: end for server, end in until.items() if end > now}
        assert politeness.resting == len(until)
        assert politeness.next_rested() == min(until.values(), default=None)


def test_request_that_began_late_makes_the_next_one_wait_for_the_whole_delay() -> None:
    politeness = Politeness(address_delay_seconds=0.5)
    assert [politeness.reserve("192.0.2.1", 0.0) for _ in range(2)] == [0.0, 0.5]
    assert politeness.begin("192.0.2.1", 0.25) == 0.25
    assert politeness.begin("192.0.2.1", 0.5) == 0.75
    assert politeness.begin("192.0.2.2", 0.5) == 0.5
    assert politeness.begin("192.0.2.1", 0.75) == 0.75


def test_without_an_address_delay_requests_begin_at_any_time() -> None:
    assert [Politeness().begin("192.0.2.1", 1.0) for _ in range(2)] == [1.0, 1.0]
