"""Workers that share addresses never ask one at the same time, nor sooner than its delay; and all get to ask."""

import math
import random
from collections import Counter
from collections.abc import Collection

import msgspec
import pytest
from lending_cluster import Chaos, LendingCluster, too_soon

from exonym.politeness.address_borrower import AddressBorrower
from exonym.politeness.address_messages import Borrow, EndedTurn, Lend, LendingTerms, WantedTurn
from exonym.politeness.address_owner import AddressOwner

DELAY_SECONDS = 0.5
TERMS = LendingTerms(partitions=8, delay_seconds=DELAY_SECONDS)
SLOWEST_CLOCK = 0.99  # the clocks of the workers run at 0.995 to 1.005 of true time
ADDRESSES = [f"192.0.2.{number}" for number in range(6)]
A = ADDRESSES[0]

TROUBLES = {
    "none": Chaos(),
    "bad network": Chaos(loss=0.3, doubling=0.3, latency_seconds=(0.001, 3.0)),
    "slow servers": Chaos(loss=0.05, doubling=0.05, request_seconds=(0.1, 30.0)),
    "kills": Chaos(loss=0.02, kills=0.15),
    "cuts": Chaos(loss=0.02, cuts=0.1, request_seconds=(0.1, 10.0)),
    "all": Chaos(0.1, 0.1, (0.001, 1.0), kills=0.1, cuts=0.05, request_seconds=(0.05, 20.0)),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_two_workers_ask_an_address_at_once_nor_too_soon_and_all_are_served(trouble: str, seed: int) -> None:
    chance = random.Random(seed)
    cluster = LendingCluster(TERMS, 4, chance, TROUBLES[trouble])
    wanted: Counter[str] = Counter()
    for worker in cluster.workers.values():
        requests = Counter(chance.choices(ADDRESSES, weights=[8, 2, 1, 1, 1, 1], k=50))
        worker.waiting.update(requests)
        wanted.update(requests)
    cluster.run(90)
    cluster.finish(600)
    assert not too_soon(cluster.arrivals, DELAY_SECONDS * SLOWEST_CLOCK)
    assert not [worker.name for worker in cluster.workers.values() if worker.wanted or worker.in_flight]
    got = Counter(arrival.address for arrival in cluster.arrivals)
    assert all(got[address] >= count for address, count in wanted.items())  # more, where requests were broken off


def test_an_address_that_two_workers_want_gets_four_fifths_of_the_requests_that_its_delay_permits() -> None:
    # A turn is 10 s: 20 requests, 0.5 s apart. Then the last of them has to end (0.6 s at most), its worker says so
    # (0.1 s between messages, 0.02 s under way), and the other one asks (every 0.5 s, and 0.04 s for question and
    # answer) before it may begin. In that time of 1.26 s at most, one request would have been permitted after 0.5 s:
    # so a turn takes 10.76 s at most, and 10 / 10.76 = 0.93 of the requests are made. With steps of 0.05 s a request
    # begins up to a step late, every 0.55 s: 0.5 / 0.55 · 0.93 = 0.84.
    cluster = LendingCluster(TERMS, 2, random.Random(1), Chaos())
    for worker in cluster.workers.values():
        worker.waiting[A] = 1_000
    cluster.run(300)
    permitted = 300 / DELAY_SECONDS
    by_worker = Counter(arrival.worker for arrival in cluster.arrivals)
    assert len(cluster.arrivals) >= 0.8 * permitted
    assert min(by_worker.values()) >= 0.3 * permitted  # in turn: each about half of them
    assert not too_soon(cluster.arrivals, DELAY_SECONDS * SLOWEST_CLOCK)


def test_messages_do_not_grow_with_the_number_of_requests() -> None:
    # 2 workers with 2 owners each (itself and the other), one message a second for what is held, two while something
    # is waited for, and ten when there is news; however many of the 200 addresses are asked.
    cluster = LendingCluster(LendingTerms(8, 0.1), 2, random.Random(1), Chaos())
    for worker in cluster.workers.values():
        worker.waiting.update({f"198.51.100.{number}": 25 for number in range(worker.place, 200, 2)})
    cluster.run(10)
    assert len(cluster.arrivals) == 200 * 25
    assert cluster.messages <= 2 * 2 * 10 * 10


def borrowing(name: str = "borrower") -> AddressBorrower:
    borrower = AddressBorrower(name, TERMS)
    borrower.assign(dict.fromkeys(range(8), "owner"))
    return borrower


def lending(unlent: Collection[int] = range(8)) -> AddressOwner:
    owner = AddressOwner("owner", TERMS)
    owner.own(dict.fromkeys(range(8), 0), 0.0, 0.0, unlent)
    return owner


def ask(owner: AddressOwner, message: Borrow, now: float) -> Lend:
    """The answer of an owner whom the coordinator has just confirmed."""
    owner.own(dict.fromkeys(range(8), 0), now, now)
    answer = owner.answer(message, now)
    assert answer is not None
    return answer


def wants(name: str, number: int, *addresses: str) -> Borrow:
    return Borrow(name, number, [WantedTurn(address, 1) for address in addresses], [], [])


def test_address_that_nobody_has_is_lent_at_once() -> None:
    borrower = borrowing()
    assert borrower.reserve(A, 100.0) is None
    answer = ask(lending(), borrower.messages({A}, 100.0)["owner"], 7.0)
    borrower.receive(answer, 100.2)
    assert borrower.reserve(A, 100.3) == 100.3
    assert borrower.begin(A, 100.3) == 100.3
    assert borrower.reserve(A, 100.4) == 100.3 + DELAY_SECONDS
    assert borrower.begin(A, 100.4) == 100.3 + DELAY_SECONDS  # not yet


def test_lease_is_counted_from_when_the_question_was_sent() -> None:
    borrower = borrowing()
    answer = ask(lending(), borrower.messages({A}, 100.0)["owner"], 0.0)
    borrower.receive(answer, 103.0)
    assert borrower.begin(A, 100.0 + TERMS.start_seconds - 0.01) is not None
    assert borrower.begin(A, 100.0 + TERMS.start_seconds) is None
    assert borrower.overdue(100.0 + TERMS.lease_seconds - 0.01) == []
    assert borrower.overdue(100.0 + TERMS.lease_seconds) == [A]


def test_answer_that_comes_after_its_lease_has_ended_lends_nothing() -> None:
    borrower = borrowing()
    answer = ask(lending(), borrower.messages({A}, 100.0)["owner"], 0.0)
    borrower.receive(answer, 100.0 + TERMS.lease_seconds)
    assert borrower.begin(A, 100.0 + TERMS.lease_seconds) is None


def test_turn_that_was_given_back_is_not_taken_back_by_a_late_answer() -> None:
    owner, borrower = lending(), borrowing()
    first = borrower.messages({A}, 100.0)["owner"]
    second = borrower.messages({A}, 100.6)["owner"]
    late = (ask(owner, first, 0.0), ask(owner, second, 0.6))
    borrower.receive(late[0], 100.7)
    assert borrower.messages(set(), 104.6)["owner"].ended == [EndedTurn(A, 1, math.inf)]
    assert borrower.messages({A}, 104.7)["owner"].wanted[0].number != first.wanted[0].number
    borrower.receive(late[1], 104.7)
    assert borrower.begin(A, 104.7) is None


def test_address_is_given_back_only_when_no_request_is_in_flight() -> None:
    borrower = borrowing()
    borrower.receive(ask(lending(), borrower.messages({A}, 0.0)["owner"], 0.0), 0.0)
    borrower.begin(A, 0.1)
    late = TERMS.lease_seconds + 1.0
    message = borrower.messages(set(), late)["owner"]
    assert message.held
    assert not message.ended
    borrower.end(A, late)
    assert borrower.messages(set(), late + 1.1)["owner"].ended == [EndedTurn(A, 1, late + 1.0)]


def test_address_is_lent_to_another_when_it_comes_back_and_no_sooner_than_its_delay_permits() -> None:
    owner = lending()
    assert ask(owner, wants("first", 1, A), 0.0).lent
    assert not ask(owner, wants("second", 1, A), 0.1).lent
    back = Borrow("first", 2, [], [], [EndedTurn(A, 1, 0.2)])
    assert not ask(owner, back, 1.0).lent
    (lent,) = ask(owner, wants("second", 2, A), 1.1).lent
    assert lent.wait_seconds == pytest.approx(1.0 - 0.2 + DELAY_SECONDS - 1.1)


def test_address_of_a_borrower_that_fell_silent_is_lent_again_after_its_lease_and_a_spare() -> None:
    owner = lending()
    assert ask(owner, wants("first", 1, A), 0.0).lent
    end = TERMS.lease_seconds + TERMS.spare_seconds
    assert not ask(owner, wants("second", 1, A), end - 0.01).lent
    (lent,) = ask(owner, wants("second", 2, A), end).lent
    assert lent.wait_seconds == DELAY_SECONDS


def test_borrowers_get_their_turns_in_the_order_of_asking() -> None:
    owner = lending()
    assert ask(owner, wants("first", 1, A), 0.0).lent
    for number, name in enumerate(["second", "third"]):
        assert not ask(owner, wants(name, 1, A), 0.1 + number).lent
    ask(owner, Borrow("first", 2, [], [], [EndedTurn(A, 1)]), 2.0)
    assert not ask(owner, wants("third", 2, A), 2.1).lent
    assert ask(owner, wants("second", 2, A), 2.2).lent


def test_borrower_that_asks_no_more_keeps_nobody_waiting() -> None:
    owner = lending()
    assert ask(owner, wants("first", 1, A), 0.0).lent
    assert not ask(owner, wants("dead", 1, A), 0.1).lent
    ask(owner, Borrow("first", 2, [], [], [EndedTurn(A, 1)]), 2.0)
    assert ask(owner, wants("third", 1, A), 4.0).lent


def test_turn_ends_when_others_wait_and_lasts_when_nobody_does() -> None:
    owner = lending()
    assert ask(owner, wants("first", 1, A), 0.0).lent
    for number in range(2, 40):
        (lent,) = ask(owner, Borrow("first", number, [], [WantedTurn(A, 1)], []), number - 1.0).lent
        assert lent.start_seconds == TERMS.start_seconds
    ask(owner, wants("second", 1, A), 39.0)
    (lent,) = ask(owner, Borrow("first", 40, [], [WantedTurn(A, 1)], []), 39.1).lent
    assert lent.start_seconds == 0.0
    assert lent.lease_seconds == TERMS.lease_seconds  # requests in flight may end


def test_turn_is_counted_from_when_the_address_may_be_asked() -> None:
    # The delay is six times a turn: counted from the loan, turns would be over before a request may begin.
    owner = AddressOwner("owner", LendingTerms(partitions=8, delay_seconds=60.0))
    owner.own(dict.fromkeys(range(8), 0), 0.0, 0.0, range(8))
    assert ask(owner, wants("first", 1, A), 0.0).lent
    ask(owner, Borrow("first", 2, [], [], [EndedTurn(A, 1, 2.0)]), 2.0)  # it began a request at 0.0
    (lent,) = ask(owner, wants("second", 1, A), 2.5).lent
    assert lent.wait_seconds == 57.5
    for now in range(3, 66):
        ask(owner, wants("first", now, A), float(now))
        (lent,) = ask(owner, Borrow("second", now, [], [WantedTurn(A, 1)], []), float(now)).lent
        assert lent.start_seconds == TERMS.start_seconds
    (lent,) = ask(owner, Borrow("second", 66, [], [WantedTurn(A, 1)], []), 66.0).lent
    assert lent.start_seconds == 60.0 + TERMS.turn_seconds - 66.0


def test_new_owner_lends_nothing_until_all_leases_of_the_old_one_are_over_but_confirms_those_reported() -> None:
    owner = lending(unlent=())
    other = ADDRESSES[1]
    held = Borrow("holder", 1, [], [WantedTurn(A, 1)], [])
    assert not ask(owner, held, TERMS.tenure_seconds - 0.1).lent  # the old owner may still lend
    assert ask(owner, Borrow("holder", 2, [], [WantedTurn(A, 1)], []), TERMS.tenure_seconds).lent
    assert ask(owner, Borrow("holder", 3, [], [WantedTurn(A, 1)], []), TERMS.silence_seconds - 1.0).lent
    assert not ask(owner, wants("asker", 1, A, other), TERMS.silence_seconds - 0.1).lent
    (lent,) = ask(owner, wants("asker", 2, A, other), TERMS.silence_seconds).lent
    assert lent.address == other


def test_new_owner_need_not_wait_for_the_longest_request() -> None:
    assert LendingTerms(partitions=8, delay_seconds=0.5).silence_seconds == 3.0 + 6.0 + 1.5 + 0.5


def test_owner_that_is_not_confirmed_lends_and_renews_nothing() -> None:
    owner = lending()
    assert owner.answer(wants("first", 1, A), 0.1) == Lend("owner", 1, [(A, 1, 4.5, 6.0, 0.0)])  # type: ignore[list-item]
    late = TERMS.tenure_seconds
    assert owner.answer(Borrow("first", 2, [], [WantedTurn(A, 1)], []), late) == Lend("owner", 2, [])
    assert owner.answer(wants("second", 1, ADDRESSES[1]), late) == Lend("owner", 1, [])


def test_owner_whose_share_went_elsewhere_and_came_back_begins_anew() -> None:
    owner = lending()
    owner.own(dict.fromkeys(range(8), 1), 50.0, 50.0)
    assert owner.answer(wants("first", 1, A), 50.1) == Lend("owner", 1, [])


def test_doubled_message_is_answered_once() -> None:
    owner = lending()
    assert owner.answer(wants("first", 1, A), 0.0) is not None
    assert owner.answer(wants("first", 1, A), 0.1) is None


def test_borrower_keeps_an_address_for_a_while_and_then_gives_it_back() -> None:
    borrower = borrowing()
    owner = lending()
    borrower.receive(ask(owner, borrower.messages({A}, 0.0)["owner"], 0.0), 0.0)
    borrower.begin(A, 0.0)
    borrower.end(A, 0.5)
    for now in (1.0, 2.0, 3.0):
        message = borrower.messages(set(), now)["owner"]
        assert message.held
        borrower.receive(ask(owner, message, now), now)
    assert borrower.messages(set(), 3.6)["owner"].ended == [EndedTurn(A, 1, 3.6)]


def test_address_whose_owner_does_not_answer_cannot_be_had() -> None:
    borrower = borrowing()
    borrower.messages({A}, 0.0)
    assert borrower.reserve(A, 10.0) is None
    assert borrower.reserve(A, 10.1) == math.inf


def test_address_whose_share_nobody_owns_cannot_be_had() -> None:
    assert AddressBorrower("borrower", TERMS).reserve(A, 0.0) == math.inf


def test_messages_survive_packing() -> None:
    for message in (Borrow("a", 1, [WantedTurn(A, 2)], [], [EndedTurn(A, 1)]), Lend("b", 1, [])):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=type(message)) == message
