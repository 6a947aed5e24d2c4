"""Batches of links as bytes: what was packed comes back, and nothing else does."""

import random
from dataclasses import fields, replace
from typing import Any

import msgspec
import numpy as np
import pyarrow
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.batches import FoundCounters, LinkBatch
from exonym.crawl_directory.link_bytes import packed_links, unpacked_links
from exonym.errors import DirectoryError
from exonym.testing.random_batches import link_batch

# Counters are those of the receiver's frontier; the other two exist in simulations alone.
NOT_SENT = {*FoundCounters._fields, "target_relevant", "on_path"}


def columns_of(links: LinkBatch) -> dict[str, Any]:
    columns = {item.name: getattr(links, item.name) for item in fields(links) if item.name not in NOT_SENT}
    return {
        name: None if column is None else column if isinstance(column, list) else (column.dtype, column.tolist())
        for name, column in columns.items()
    }


def sent(seed: int, count: int) -> LinkBatch:
    return replace(link_batch(random.Random(seed), count), target_relevant=None, on_path=None)


@given(st.integers(0, 1 << 30), st.integers(0, 20))
def test_links_come_back_as_they_were_packed(seed: int, count: int) -> None:
    links = sent(seed, count)
    back = unpacked_links(packed_links(links))
    assert columns_of(back) == columns_of(links)
    assert back.found_relevant.tolist() == back.found_irrelevant.tolist() == [0] * count


def test_columns_that_are_not_there_stay_away() -> None:
    links = replace(sent(1, 5), anchor=None, around=None, place=None, domain=None, reading=None, source_note=None)
    assert columns_of(unpacked_links(packed_links(links))) == columns_of(links)


@settings(max_examples=300)
@given(st.integers(0, 1 << 30), st.data())
def test_damaged_bytes_are_refused_and_never_taken_for_other_links(seed: int, data: st.DataObject) -> None:
    links = sent(seed, 3)
    packed = packed_links(links)
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "replace", "noise"]))
    at = data.draw(st.integers(0, len(packed) - 1))
    if kind == "flip":
        damaged = packed[:at] + bytes([packed[at] ^ data.draw(st.integers(1, 255))]) + packed[at + 1 :]
    elif kind == "cut":
        damaged = packed[:at]
    elif kind == "insert":
        damaged = packed[:at] + data.draw(st.binary(min_size=1, max_size=9)) + packed[at:]
    elif kind == "replace":
        damaged = packed[:at] + data.draw(st.binary(max_size=40)) + packed[at + 20 :]
    else:
        damaged = data.draw(st.binary(max_size=200))
    try:
        back = unpacked_links(damaged)
    except DirectoryError:
        return
    assert columns_of(back) == columns_of(links)


def enveloped(columns: list[Any]) -> bytes:
    """Columns in an envelope whose checksum is right, as a sender with a defect or an evil mind would make it."""
    data = msgspec.msgpack.encode(columns)
    compressed = pyarrow.compress(data, codec="lz4", asbytes=True)
    return msgspec.msgpack.encode([len(data), xxhash.xxh3_64_intdigest(data), compressed])


def numbers(count: int) -> dict[str, bytes]:
    wide = dict.fromkeys(["url", "server", "segment", "source", "source_server"], bytes(8 * count))
    return wide | {
        "distance": bytes(2 * count),
        "source_relevance": bytes(4 * count),
        "source_relevant": bytes(count),
        "source_language": bytes(2 * count),
        "hops": bytes(count),
    }


def test_envelope_of_this_test_is_read() -> None:
    assert len(unpacked_links(enveloped([2, numbers(2), {"text": ["a", "b"]}]))) == 2


@pytest.mark.parametrize(
    "columns",
    [
        [2, numbers(2) | {"hops": b"\0"}, {"text": ["a", "b"]}],
        [2, numbers(2) | {"url": bytes(15)}, {"text": ["a", "b"]}],
        [2, numbers(2) | {"unknown": bytes(2)}, {"text": ["a", "b"]}],
        [2, numbers(2), {"text": ["a"]}],
        [2, numbers(2), {"texts": ["a", "b"]}],
        [2, numbers(2), {"text": [1, 2]}],
        [2, {"url": bytes(16)}, {"text": ["a", "b"]}],
        [2, numbers(2) | {"reading": bytes(12)}, {"text": ["a", "b"]}],
        [-1, numbers(0), {"text": []}],
        [1 << 62, numbers(0), {"text": []}],
        [2, numbers(2)],
        [],
    ],
    ids=range(12),
)
def test_columns_that_do_not_fit_are_refused(columns: list[Any]) -> None:
    with pytest.raises(DirectoryError, match=r"^A batch of links is damaged: .*\. Restore state/ from a copy\.$"):
        unpacked_links(enveloped(columns))


@pytest.mark.parametrize("size", [-1, 0, 5, 1 << 29, 1 << 40, 1 << 63])
def test_wrong_sizes_are_refused(size: int) -> None:
    _, checksum, data = msgspec.msgpack.decode(packed_links(sent(1, 3)))
    with pytest.raises(DirectoryError):
        unpacked_links(msgspec.msgpack.encode([size, checksum, data]))


def test_arrays_that_come_back_can_be_changed() -> None:
    back = unpacked_links(packed_links(sent(1, 3)))
    back.found_relevant[0] = 1
    assert back.found_irrelevant[0] == 0
    assert np.array_equal(back.url, sent(1, 3).url)
