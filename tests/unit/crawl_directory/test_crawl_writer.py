"""What a crawl keeps: all of a commit or nothing, and snapshots that are read safely."""

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exonym.archive import ArchiveOptions, Exchange
from exonym.batches import Group, Outcome
from exonym.crawl_directory.crawl_writer import (
    CrawlWriter,
    counted,
    packed_state,
    read_finished,
    read_totals,
    unpacked_state,
)
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.journal import Journal, JournalRow
from exonym.metrics import Totals
from exonym.store import Store
from exonym.strategies.base import State
from exonym.testing.random_batches import link_batch

STATE: dict[str, State] = {
    "strategy": {"ids": np.arange(5, dtype=np.uint64), "counts": np.ones((5, 2), dtype=np.int64)},
    "servers": {},
    "crawl": {"pages": np.array([3]), "names/with/slashes": np.array(["ก", "b"])},
}


def row(number: int, outcome: Outcome = Outcome.PAGE, language: str = "th", relevant: bool = False) -> JournalRow:
    url = f"http://www.example.org/{number}"
    return JournalRow(number, url, 0.0, outcome, language=language, relevant=relevant, length=100)


def open_all(path: Path) -> tuple[CrawlWriter, DiskFrontier]:
    keeper = CrawlWriter(path, ArchiveOptions())
    return keeper, DiskFrontier(keeper.store, path / "state" / "seen", Group.SERVER)


def no_snapshot() -> dict[str, State]:
    raise AssertionError("no snapshot is due")


# Totals


def test_totals_count_what_visits_turned_out_to_be() -> None:
    totals = Totals()
    rows = [
        row(0, relevant=True),
        row(1, language="en"),
        row(2, relevant=True),
        row(3, Outcome.FAILED, language=""),
        row(4, Outcome.REDIRECT, language=""),
        row(5, Outcome.FORBIDDEN, language=""),
        row(6, Outcome.SITEMAP, language=""),
    ]
    for one in rows:
        totals = counted(totals, [one])
    assert (totals.pages, totals.relevant, totals.failures) == (4, 2, 1)
    assert (totals.redirects, totals.forbidden, totals.bytes) == (1, 1, 700)
    assert totals.languages == {"th": 2, "en": 1}
    assert totals.harvest_rate == 0.5


def test_totals_count_pages_that_inherited_their_language_apart_and_in_their_language() -> None:
    rows = [row(0, relevant=True), row(1, relevant=True), row(2, language="en")]
    rows[1].inherited = rows[2].inherited = True
    totals = counted(counted(Totals(), rows[:2]), rows[2:])
    assert totals.languages == {"th": 2, "en": 1}
    assert totals.inherited == {"th": 1, "en": 1}
    assert (totals.relevant, totals.relevant_inherited) == (2, 1)


def test_totals_that_were_shown_do_not_change_later() -> None:
    shown = counted(Totals(), [row(0)])
    counted(shown, [row(1)])
    assert shown.languages == {"th": 1}


# Commits


def test_commit_keeps_rows_totals_and_reason_and_reopening_finds_them(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    assert (keeper.next_row, keeper.totals) == (0, Totals())
    keeper.add(row(0, relevant=True))
    keeper.add(row(1, Outcome.FAILED))
    assert (keeper.waiting_rows, keeper.next_row) == (2, 2)
    keeper.commit(frontier, lambda: STATE, keeper.totals, finished="pages")
    assert keeper.waiting_rows == 0
    totals = keeper.totals
    keeper.close()

    with Store.open(tmp_path / "state", read_only=True) as store:
        assert read_totals(store) == totals
        assert read_finished(store) == "pages"
    again, _ = open_all(tmp_path)
    assert again.totals == totals
    assert again.next_row == 2
    # A run that ends seals the journal: a snapshot stands for all rows, and Parquet has them.
    assert again.rows_since_snapshot() == []
    assert again.snapshot() is not None
    assert [one.url for one in again.journal.latest()] == ["http://www.example.org/0", "http://www.example.org/1"]
    again.close()


def test_what_was_not_committed_is_gone_after_a_kill(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    keeper.add(row(0))
    keeper.commit(frontier, no_snapshot, keeper.totals)
    archive_before = keeper.archive_size()
    keeper.add(row(1))
    keeper.archive(exchange(1))
    keeper._warc.flush()
    assert keeper.archive_size() != archive_before
    keeper.store.close()  # as a kill does: nothing is put in order

    again, _ = open_all(tmp_path)
    assert again.next_row == 1
    assert again.totals.pages == 1
    assert again.archive_size()[1] == archive_before[1]
    again.close()


# Link updates


def update(number: int) -> dict[str, State]:
    return {"lessons": {"ids": np.array([number], dtype=np.uint64)}, "about": {"strategy": np.array(["segment S=2"])}}


def numbers_of(updates: Iterable[dict[str, State]]) -> list[int]:
    return [int(one["lessons"]["ids"][0]) for one in updates]


def test_link_updates_are_kept_with_each_commit_until_a_snapshot_has_them(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    for number in range(12):
        keeper.add(row(number))
        keeper.commit(frontier, no_snapshot, keeper.totals, link_updates=update(number) if number != 3 else None)
    keeper.store.close()  # as a kill does
    again, frontier = open_all(tmp_path)
    assert numbers_of(again.link_updates()) == [0, 1, 2, *range(4, 12)]
    again.commit(frontier, no_snapshot, again.totals, link_updates=update(12))
    assert numbers_of(again.link_updates())[-2:] == [11, 12]  # the old ones are not written over
    again.commit(frontier, lambda: STATE, again.totals, finished="", link_updates=update(13))
    assert numbers_of(again.link_updates()) == []
    again.commit(frontier, no_snapshot, again.totals, link_updates=update(14))
    again.close()
    last, _ = open_all(tmp_path)
    assert numbers_of(last.link_updates()) == [14]
    last.close()


def test_damaged_link_updates_are_told_of_in_one_line(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    keeper.commit(frontier, no_snapshot, keeper.totals, link_updates=update(1))
    with keeper.store.writing() as txn:
        txn.put(b"%020d" % 7, b"no arrays", db=keeper.store.table("lessons"))
    with pytest.raises(DirectoryError, match="is damaged") as caught:
        list(keeper.link_updates())
    assert "\n" not in str(caught.value)
    keeper.close()


def exchange(number: int) -> Exchange:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    body = f"page {number}".encode()
    return Exchange(f"http://www.example.org/{number}", 1.0, "192.0.2.1", b"GET / HTTP/1.1\r\n\r\n", head, body)


def test_archived_pages_stay_where_their_rows_say(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    first = keeper.archive(exchange(1))
    keeper.commit(frontier, no_snapshot, keeper.totals)
    keeper.close()
    again, frontier = open_all(tmp_path)
    second = again.archive(exchange(2))
    again.commit(frontier, no_snapshot, again.totals)
    again.close()
    data = {path.name: path.read_bytes() for path in (tmp_path / "warc").glob("*.warc.gz")}
    for place in (first, second):
        assert data[place.file][place.offset : place.offset + 2] == b"\x1f\x8b"
    assert (first.file, first.offset) != (second.file, second.offset)


def test_frontier_and_rows_are_committed_together(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    links = link_batch(random.Random(1), 2)
    assert links.text is not None
    zeros = np.zeros(2)
    frontier.push(frontier.meet(links), zeros, np.zeros(2, dtype=np.uint64), zeros)
    visit = frontier.pop()
    assert visit is not None
    frontier.done(visit)
    keeper.add(row(0))
    keeper.commit(frontier, no_snapshot, keeper.totals)
    keeper.store.close()

    again, frontier = open_all(tmp_path)
    assert again.next_row == 1
    assert len(frontier) == 1
    left = frontier.pop()
    assert left is not None
    assert left.text == links.text[1]
    again.close()


def test_snapshot_is_taken_when_the_journal_is_sealed_and_covers_its_rows(tmp_path: Path) -> None:
    keeper, frontier = open_all(tmp_path)
    keeper.journal = Journal(keeper.store, tmp_path / "journal", seal_rows=3)
    for number in range(2):
        keeper.add(row(number))
    keeper.commit(frontier, no_snapshot, keeper.totals)
    keeper.add(row(2))
    keeper.commit(frontier, lambda: STATE, keeper.totals)
    keeper.add(row(3))
    keeper.commit(frontier, no_snapshot, keeper.totals)
    keeper.close()
    again, _ = open_all(tmp_path)
    snapshot = again.snapshot()
    assert snapshot is not None
    assert snapshot["strategy"]["ids"].tolist() == [0, 1, 2, 3, 4]
    assert [one.row for one in again.rows_since_snapshot()] == [3]
    again.close()


def test_second_crawl_on_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    keeper, _ = open_all(tmp_path)
    with pytest.raises(DirectoryError, match="in use"):
        CrawlWriter(tmp_path, ArchiveOptions())
    keeper.close()


@pytest.mark.parametrize("key", [b"totals", b"warc"])
def test_damaged_facts_are_told_in_one_line(tmp_path: Path, key: bytes) -> None:
    keeper, frontier = open_all(tmp_path)
    keeper.commit(frontier, no_snapshot, keeper.totals)
    with keeper.store.writing() as txn:
        txn.put(key, b"\x99nonsense", db=keeper.store.table("facts"))
    keeper.close()
    with pytest.raises(DirectoryError, match="damaged"):
        CrawlWriter(tmp_path, ArchiveOptions())
    Store.open(tmp_path / "state").close()  # whoever was refused let go of it


# Snapshots


def test_snapshot_comes_back_as_it_was() -> None:
    again = unpacked_state(packed_state(STATE))
    assert again.keys() == STATE.keys()
    for part, arrays in STATE.items():
        assert again[part].keys() == arrays.keys()
        for name, array in arrays.items():
            assert again[part][name].dtype == array.dtype
            assert again[part][name].tolist() == array.tolist()


def test_nothing_learned_comes_back_as_nothing() -> None:
    assert unpacked_state(packed_state({})) == {}
    assert unpacked_state(packed_state({"strategy": {}})) == {"strategy": {}}


def test_objects_are_not_kept() -> None:
    with pytest.raises(ValueError, match="Object arrays"):
        packed_state({"strategy": {"all": np.array([object()], dtype=object)}})


PACKED = packed_state(STATE)


@given(st.integers(0, len(PACKED) - 1))
def test_cut_snapshot_is_told_in_one_line(length: int) -> None:
    with pytest.raises(DirectoryError, match="snapshot is damaged"):
        unpacked_state(PACKED[:length])


@given(st.binary(max_size=100))
@example(b"PK\x03\x04")
@example(b"\x93NUMPY\x01\x00")
def test_bytes_that_are_no_snapshot_are_told_in_one_line(value: bytes) -> None:
    with pytest.raises(DirectoryError, match="snapshot is damaged"):
        unpacked_state(value)


@given(st.lists(st.tuples(st.integers(0, len(PACKED) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_snapshot_gives_the_true_arrays_or_is_told(changes: list[tuple[int, int]]) -> None:
    value = bytearray(PACKED)
    for place, byte in changes:
        value[place] = byte
    try:
        state = unpacked_state(bytes(value))
    except DirectoryError:
        return
    for part, arrays in state.items():
        for name, array in arrays.items():
            assert array.tolist() == STATE[part][name].tolist()
