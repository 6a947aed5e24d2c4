"""Messages arrive whole and in order, whichever way a pipe sends them."""

import socket

from hypothesis import given
from hypothesis import strategies as st

from exonym.readers.pipe import SHARED_BYTES, Pipe

# Around the sizes at which a message goes another way: 64 kB, and what is left of the shared memory.
_sizes = st.sampled_from([0, 1, 5_000, 65_535, 65_536, 300_000, SHARED_BYTES // 2, SHARED_BYTES, SHARED_BYTES + 1])


def message(number: int, size: int) -> bytes:
    return (b"%d," % number * (size // 2 + 1))[:size]


@given(st.lists(st.tuples(_sizes, st.integers(0, 3)), max_size=12))
def test_lent_messages_arrive_whole_and_in_order_however_many_are_out(steps: list[tuple[int, int]]) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    driver, worker = Pipe(ours), Pipe(theirs)
    driver.share()
    arrived: list[bytes] = []
    unanswered = 0
    for number, (size, answers) in enumerate(steps):
        driver.lend(message(number, size))
        driver.flush()
        while len(arrived) <= number:
            arrived += worker.receive() or []
            driver.flush()
        unanswered += 1
        for _ in range(min(answers, unanswered)):
            driver.returned()
            unanswered -= 1
    assert arrived == [message(number, size) for number, (size, _) in enumerate(steps)]
    driver.close()
    assert worker.receive() is None
    worker.close()


def test_message_that_is_not_answered_yet_is_not_overwritten() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    driver, worker = Pipe(ours), Pipe(theirs)
    driver.share()
    sizes = [SHARED_BYTES // 3] * 3 + [SHARED_BYTES // 4]  # the fourth finds no room in the ring
    for number, size in enumerate(sizes):
        driver.lend(message(number, size))
    driver.flush()
    arrived: list[bytes] = []
    while len(arrived) < len(sizes):
        arrived += worker.receive() or []
        driver.flush()
    assert arrived == [message(number, size) for number, size in enumerate(sizes)]
    driver.close()
    worker.close()
