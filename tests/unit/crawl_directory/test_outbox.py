"""Links between partitions are taken exactly once and in order, whatever is killed, lost, doubled or reordered."""

import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.batches import LinkBatch
from exonym.crawl_directory.link_bytes import unpacked_links
from exonym.crawl_directory.outbox import Inbox, Outbox
from exonym.store import Store
from exonym.testing.random_batches import link_batch

PARTITIONS = 3


class Side:
    """A partition of which only the mail is there: what it found, what it took, and both as of the last commit."""

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        self.number = number
        self.found: dict[int, list[str]] = defaultdict(list)  # by receiver: URLs that were ever committed
        self.taken: list[str] = []  # committed
        self.open()

    def open(self) -> None:
        """Begin, or begin again after a kill: what was not committed is gone."""
        self.store = Store.open(self.path)
        self.outbox, self.inbox = Outbox(self.store), Inbox(self.store)
        self.new_found: list[tuple[int, str]] = []
        self.new_taken: list[str] = []

    def kill(self) -> None:
        self.store.close()
        self.open()

    def find(self, links: LinkBatch, owners: list[int]) -> None:
        assert links.text is not None
        self.outbox.add(links, np.array(owners, dtype=np.int64))
        self.new_found += zip(owners, links.text, strict=True)

    def take(self, sender: int, number: int, data: bytes) -> None:
        if self.inbox.is_next(sender, number):
            self.inbox.take(sender, number)
            texts = unpacked_links(data).text
            assert texts is not None
            self.new_taken += texts

    def commit(self) -> None:
        with self.store.writing() as txn:
            self.outbox.commit(txn)
            self.inbox.commit(txn)
        self.outbox.committed()
        self.inbox.committed()
        for receiver, text in self.new_found:
            self.found[receiver].append(text)
        self.taken += self.new_taken
        self.new_found, self.new_taken = [], []

    def die_in_commit(self) -> None:
        """A transaction that is written and never made durable."""
        try:
            with self.store.writing() as txn:
                self.outbox.commit(txn)
                self.inbox.commit(txn)
                raise InterruptedError
        except InterruptedError:
            self.kill()


@contextmanager
def sides() -> Iterator[list[Side]]:
    with tempfile.TemporaryDirectory() as place:
        made = [Side(Path(place) / str(number), number) for number in range(PARTITIONS)]
        try:
            yield made
        finally:
            for side in made:
                side.store.close()


ACTIONS = ["find", "find", "commit", "commit", "kill", "die in commit", "send", "send", "send", "deliver", "deliver"]


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from([*ACTIONS, "deliver", "lose", "news"]), st.integers(0, 1 << 30)), max_size=60)
)
def test_every_committed_link_is_taken_exactly_once_and_in_the_order_of_its_sender(
    script: list[tuple[str, int]],
) -> None:
    serial = iter(range(1_000_000))
    under_way: list[tuple[int, int, int, bytes]] = []  # sender, receiver, number, links: in any order, also twice
    with sides() as all_sides:
        for action, seed in [*script, *[("commit", number) for number in range(PARTITIONS)]]:
            chance = random.Random(seed)
            side = all_sides[seed % PARTITIONS]
            if action == "find":
                links = link_batch(chance, chance.randint(1, 4))
                assert links.text is not None
                links.text[:] = [f"http://server{side.number}.example/{next(serial)}" for _ in links.text]
                others = [number for number in range(PARTITIONS) if number != side.number]
                side.find(links, chance.choices(others, k=len(links)))
            elif action == "commit":
                side.commit()
            elif action == "kill":
                side.kill()
            elif action == "die in commit":
                side.die_in_commit()
            elif action == "send":
                send_all(side, under_way, most_bytes=chance.choice([1, 1_000, 1 << 30]))
            elif action == "lose" and under_way:
                under_way.pop(seed % len(under_way))
            elif action == "deliver" and under_way:
                sender, receiver, number, data = under_way[seed % len(under_way)]  # stays there: it may come again
                all_sides[receiver].take(sender, number, data)
            elif action == "news":
                confirm(side, all_sides)
        finish(all_sides)
        for receiver in all_sides:
            by_sender = defaultdict(list)
            for text in receiver.taken:
                by_sender[int(text[len("http://server")])].append(text)
            for sender in all_sides:
                assert by_sender[sender.number] == sender.found[receiver.number]
        assert sum(side.outbox.sent for side in all_sides) == sum(side.inbox.received for side in all_sides)
        assert not any(side.outbox.bytes for side in all_sides)


def send_all(side: Side, under_way: list[tuple[int, int, int, bytes]], most_bytes: int) -> None:
    for receiver in side.outbox.receivers:
        for batch in side.outbox.waiting(receiver, 0, most_bytes):
            under_way.append((side.number, receiver, batch.number, batch.links))


def confirm(side: Side, all_sides: list[Side]) -> None:
    for receiver in all_sides:
        side.outbox.acknowledge(receiver.number, receiver.inbox.committed_number(side.number))


def finish(all_sides: list[Side]) -> None:
    """Deliver what is left, as often as needed, and delete it, through one more restart of everybody."""
    for _ in range(2):
        for side in all_sides:
            under_way: list[tuple[int, int, int, bytes]] = []
            send_all(side, under_way, 1 << 30)
            for sender, receiver, number, data in under_way:
                all_sides[receiver].take(sender, number, data)
        for side in all_sides:
            side.commit()
        for side in all_sides:
            confirm(side, all_sides)
            side.commit()
            side.kill()
