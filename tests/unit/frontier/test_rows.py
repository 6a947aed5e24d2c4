"""Waiting links as bytes come back as they were."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import LinkBatch, Visit, uncounted
from exonym.errors import DirectoryError
from exonym.frontier.base import LEVELS_PER_UNIT
from exonym.frontier.blocks import compressed, expanded
from exonym.frontier.link_rows import (
    ROW,
    arrival_at,
    offsets,
    packed_row,
    packed_rows,
    row_end,
    text_at,
    visit_at,
)
from exonym.urls import id_of, segment_of

SERVER = "www.example.org:8080"
PLACE = (id_of(SERVER), SERVER, 96, 1.0)

_paths = st.text("abc/.%;?=&~-", max_size=60).map(lambda tail: f"/{tail}")
_u64 = st.integers(0, 2**64 - 1)
_facts = st.fixed_dictionaries(
    {
        "scheme": st.sampled_from(["http", "https"]),
        "path": _paths,
        "arrival": _u64,
        "source": st.integers(-1, 2**63 - 1),
        "source_server": _u64,
        "note": _u64,
        "source_relevance": st.floats(0, 1, width=32),
        "source_relevant": st.booleans(),
        "source_language": st.integers(0, 27**3 - 1),
        "distance": st.integers(0, 65_535),
        "hops": st.integers(0, 255),
    }
)


def visit_of(facts: dict[str, object]) -> Visit:
    """The visit of these facts in PLACE."""
    facts = dict(facts)
    text = f"{facts.pop('scheme')}://{SERVER}{facts.pop('path')}"
    score = 1.0 + 96 / LEVELS_PER_UNIT
    segment = id_of(segment_of(text))
    return Visit(url=id_of(text), server=PLACE[0], segment=segment, text=text, score=score, level=96, **facts)  # type: ignore[arg-type]


def batch_of(visits: list[Visit]) -> LinkBatch:
    """The links that became these visits."""
    return LinkBatch(
        url=np.array([visit.url for visit in visits], dtype=np.uint64),
        server=np.array([visit.server for visit in visits], dtype=np.uint64),
        segment=np.array([visit.segment for visit in visits], dtype=np.uint64),
        distance=np.array([visit.distance for visit in visits], dtype=np.uint16),
        source=np.array([visit.source for visit in visits], dtype=np.int64),
        source_server=np.array([visit.source_server for visit in visits], dtype=np.uint64),
        source_relevance=np.array([visit.source_relevance for visit in visits], dtype=np.float32),
        source_relevant=np.array([visit.source_relevant for visit in visits], dtype=np.bool_),
        source_language=np.array([visit.source_language for visit in visits], dtype=np.uint16),
        hops=np.array([visit.hops for visit in visits], dtype=np.uint8),
        **uncounted(len(visits))._asdict(),
        text=[visit.text for visit in visits],
    )


@given(st.lists(_facts.map(visit_of), max_size=5))
def test_visits_come_back_from_rows(visits: list[Visit]) -> None:
    data = b"".join(packed_row(visit, SERVER) for visit in visits)
    starts = list(offsets(data))
    assert [visit_at(data, start, PLACE) for start in starts] == visits
    assert [arrival_at(data, start) for start in starts] == [visit.arrival for visit in visits]
    assert [text_at(data, start, SERVER) for start in starts] == [visit.text for visit in visits]
    assert [row_end(data, start) for start in starts] == [*starts[1:], len(data)][: len(starts)]


@given(st.lists(_facts.map(visit_of), max_size=5), st.integers(0, 2**63))
def test_links_packed_at_once_are_the_rows_of_their_visits(visits: list[Visit], first: int) -> None:
    notes = np.array([visit.note for visit in visits], dtype=np.uint64)
    rows = packed_rows(batch_of(visits), notes, first)
    numbered = [visit._replace(arrival=first + number) for number, visit in enumerate(visits)]
    assert rows == [packed_row(visit, SERVER) for visit in numbered]


def test_rows_are_read_from_where_they_are_asked_for() -> None:
    first = visit_of(dict.fromkeys(Visit._fields[4:12], 0) | {"arrival": 1, "scheme": "http", "path": "/a"})
    second = first._replace(arrival=2)
    data = bytearray(packed_row(first, SERVER) + packed_row(second, SERVER))
    assert list(offsets(data, row_end(data, 0))) == [len(data) // 2]


def test_layout_of_a_row_is_golden() -> None:
    visit = Visit(0, 0, 0, f"https://{SERVER}/a", 7, 2, 3, 0.5, True, 6, 8, 4, 0.0, 0, 1)
    fields = struct.pack("<Q", 1) + struct.pack("<q", 2) + struct.pack("<Q", 3) + struct.pack("<Q", 4)
    fields += struct.pack("<f", 0.5) + struct.pack("<H", 6) + struct.pack("<H", 7) + bytes([8, 1 + 2])
    assert packed_row(visit, SERVER) == fields + struct.pack("<H", 2) + b"/a"
    assert ROW.size == 44


@given(st.binary(max_size=500))
def test_compressed_bytes_come_back(data: bytes) -> None:
    assert expanded(compressed(data)) == data


def test_rows_that_share_much_become_small() -> None:
    facts = dict.fromkeys(Visit._fields[4:12], 0)
    rows = b"".join(
        packed_row(visit_of({**facts, "arrival": number, "scheme": "http", "path": f"/archive/{number}.html"}), SERVER)
        for number in range(300)
    )
    assert len(compressed(rows)) < len(rows) / 3


@pytest.mark.parametrize("damaged", [b"", b"x", b"no rows at all", bytes(8)])
def test_damaged_record_is_told_in_one_line(damaged: bytes) -> None:
    with pytest.raises(DirectoryError, match="damaged"):
        expanded(damaged)


def test_torn_record_is_told_in_one_line() -> None:
    with pytest.raises(DirectoryError, match="damaged"):
        expanded(compressed(b"0123456789" * 50)[:-3])
