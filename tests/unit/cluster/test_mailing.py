"""What is sent between two partitions: bounded, in order, again when no answer comes."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from exonym.cluster import mailing
from exonym.cluster.mailing import RESEND_SECONDS, Mailing
from exonym.cluster.worker_messages import Committed, Links
from exonym.crawl_directory.outbox import Outbox
from exonym.store import Store
from exonym.testing.random_batches import link_batch

ROUTES = {0: "here", 1: "there", 2: "elsewhere"}


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with Store.open(tmp_path) as store:
        made = Outbox(store)
        made.store_of_test = store  # type: ignore[attr-defined]
        yield made


def fill(outbox: Outbox, receiver: int, batches: int) -> None:
    for seed in range(batches):
        links = link_batch(random.Random(seed), 5)
        outbox.add(links, np.full(len(links), receiver))
        with outbox.store_of_test.writing() as txn:  # type: ignore[attr-defined]
            outbox.commit(txn)
        outbox.committed()


def sent(post: Mailing, now: float, routes: dict[int, str] = ROUTES) -> list[tuple[str, int, int]]:
    messages = []
    for worker, message in post.due(routes, now):
        assert isinstance(message, Links)
        messages.append((worker, message.receiver, message.number))
    return messages


def test_batches_leave_in_order_once_and_again_when_no_answer_comes(outbox: Outbox) -> None:
    post = Mailing(0, outbox)
    fill(outbox, 1, 3)
    all_three = [("there", 1, number) for number in (1, 2, 3)]
    assert sent(post, 100.0) == all_three
    assert sent(post, 100.0 + RESEND_SECONDS - 0.1) == []
    assert sent(post, 100.0 + RESEND_SECONDS) == all_three
    post.confirm(Committed(0, 1, 2), 106.0)
    assert sent(post, 106.0 + RESEND_SECONDS) == [("there", 1, 3)]
    post.confirm(Committed(0, 1, 3), 112.0)
    assert sent(post, 112.0 + 2 * RESEND_SECONDS) == []


def test_credit_bounds_what_is_under_way(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(outbox, 1, 6)
    fill(outbox, 2, 1)
    size = outbox.bytes_for(1) // 6
    monkeypatch.setattr(mailing, "CREDIT_BYTES", 2 * size + size // 2)
    post = Mailing(0, outbox)
    # The third batch begins within the credit and ends beyond it. The other receiver has a credit of its own.
    assert sent(post, 100.0) == [("there", 1, 1), ("there", 1, 2), ("there", 1, 3), ("elsewhere", 2, 1)]
    assert sent(post, 101.0) == []
    post.confirm(Committed(0, 1, 1), 102.0)
    assert sent(post, 102.0) == [("there", 1, 4)]


def test_batches_are_sent_to_the_worker_that_has_the_partition_now(outbox: Outbox) -> None:
    post = Mailing(0, outbox)
    fill(outbox, 1, 2)
    assert sent(post, 100.0, {}) == []
    assert sent(post, 100.1, {1: "first"}) == [("first", 1, 1), ("first", 1, 2)]
    assert sent(post, 100.2, {1: "second"}) == [("second", 1, 1), ("second", 1, 2)]


def test_a_lost_batch_is_sent_again_in_time_though_new_ones_leave_all_the_while(outbox: Outbox) -> None:
    post = Mailing(0, outbox)
    resent = 0
    for second in range(int(3 * RESEND_SECONDS)):  # the first is lost, so its receiver can take none of the others
        fill(outbox, 1, 1)
        resent += ("there", 1, 1) in sent(post, 100.0 + second)
    assert resent >= 3


def test_a_receiver_that_is_there_and_takes_nothing_stops_its_sender(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Mailing(0, outbox)
    fill(outbox, 1, 4)
    monkeypatch.setattr(mailing, "MOST_WAITING_BYTES", outbox.bytes_for(1) - 1)
    assert post.is_blocked(ROUTES)
    assert not post.is_blocked({2: "elsewhere"})  # nobody drives it: it may be away for days
    post.confirm(Committed(0, 1, 1), 100.0)
    assert not post.is_blocked(ROUTES)
