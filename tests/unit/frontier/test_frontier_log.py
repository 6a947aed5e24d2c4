"""Records of the frontier's log come back as they were."""

import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exonym.frontier.log import (
    NO_CHANGES,
    NO_RUNS,
    NO_SIZES,
    Changes,
    Record,
    Runs,
    Sizes,
    joined,
    packed,
    record_of,
    unpacked,
)

_ids = st.integers(0, 2**64 - 1)
_levels = st.integers(-32_768, 32_767)
_changes = st.lists(st.tuples(_ids, _levels, st.integers(0, 0xFFFF)), max_size=5)
_sizes = st.lists(st.tuples(_ids, st.integers(0, 2**32 - 1)), max_size=5)
_runs = st.lists(st.tuples(_ids, _levels, st.binary(max_size=20)), max_size=5)


def lists(record: Record) -> list[list[list[int]]]:
    return [[column.tolist() for column in table] for table in record[:3]]


def changes_of(rows: list[tuple[int, int, int]]) -> Changes:
    urls, levels, marks = zip(*rows, strict=True) if rows else ((), (), ())
    return Changes(np.array(urls, np.uint64), np.array(levels, np.int16), np.array(marks, np.uint16))


@given(_changes, _sizes, _runs)
def test_records_come_back(
    changes: list[tuple[int, int, int]], sizes: list[tuple[int, int]], runs: list[tuple[int, int, bytes]]
) -> None:
    groups, waiting = zip(*sizes, strict=True) if sizes else ((), ())
    rows = record_of(runs)
    counted = Sizes(np.array(groups, np.uint64), np.array(waiting, np.uint32))
    record = Record(changes_of(changes), counted, rows.runs, rows.rows)
    again = unpacked(packed(record))
    assert lists(again) == lists(record)
    assert again.rows == b"".join(rows for _, _, rows in runs)


def test_records_of_the_first_version_are_read_with_the_two_counters_that_they_have() -> None:
    urls, levels, marks = np.array([7], "<u8"), np.array([-5], "<i2"), np.array([0x52], "u1")
    old = struct.pack("<III", 1, 0, 0) + urls.tobytes() + levels.tobytes() + marks.tobytes()
    assert lists(unpacked(old)) == [[[7], [-5], [0x5200]], [[], []], [[], [], []]]


@given(st.lists(_runs, max_size=4))
def test_runs_are_joined_in_their_order(parts: list[list[tuple[int, int, bytes]]]) -> None:
    together = joined(record_of(part).runs for part in parts)
    expected = record_of([run for part in parts for run in part]).runs
    assert [column.tolist() for column in together] == [column.tolist() for column in expected]
    assert [column.dtype for column in together] == [column.dtype for column in NO_RUNS]


def test_record_of_nothing_need_not_be_written() -> None:
    nothing = Record(NO_CHANGES, NO_SIZES, NO_RUNS, b"")
    assert nothing.is_empty
    assert not nothing._replace(changes=changes_of([(1, 2, 3)])).is_empty
    assert not nothing._replace(rows=b"row", runs=Runs(*record_of([(1, 2, b"row")]).runs)).is_empty
