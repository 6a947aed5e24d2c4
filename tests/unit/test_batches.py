"""Languages as numbers, and batches that are cut, picked and joined."""

import random
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import FoundCounters, LinkBatch, PageBatch, language_code, language_name
from exonym.testing.random_batches import link_batch, page_batch


def columns(batch: LinkBatch | PageBatch) -> dict[str, list[object] | None]:
    """All columns as lists, to compare."""
    values = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


# The numbers are in journals and frontiers: letters in base 27, a = 1.
@pytest.mark.parametrize(("language", "code"), [("", 0), ("a", 1), ("th", 548), ("en", 149), ("tha", 14_797)])
def test_language_number_is_golden(language: str, code: int) -> None:
    # th = 20 · 27 + 8; en = 5 · 27 + 14; tha = 548 · 27 + 1
    assert language_code(language) == code


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=3))
def test_language_comes_back_from_its_number(language: str) -> None:
    assert language_name(language_code(language)) == language


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=3), st.text("abcdefghijklmnopqrstuvwxyz", max_size=3))
def test_languages_share_no_number(one: str, other: str) -> None:
    assert (language_code(one) == language_code(other)) == (one == other)


@pytest.mark.parametrize("tag", ["th", "TH", "th-TH", "th_TH", "Th-x-private", "th1"])
def test_region_and_case_of_a_language_tag_do_not_matter(tag: str) -> None:
    assert language_code(tag) == language_code("th")


@given(st.text(max_size=10))
def test_any_tag_has_a_number_that_fits_its_column(tag: str) -> None:
    code = language_code(tag)
    assert 0 <= code < 27**3
    assert language_code(language_name(code)) == code


def test_unknown_language_has_no_letters() -> None:
    assert language_name(0) == ""
    assert language_code("?") == 0


def test_picked_rows_are_a_batch_of_their_own() -> None:
    links = link_batch(random.Random(1), 5)
    picked = links.pick(np.array([3, 0, 3]))
    assert len(picked) == 3
    for name, column in columns(links).items():
        assert column is not None
        assert columns(picked)[name] == [column[3], column[0], column[3]]


def test_rows_can_be_picked_by_a_mask() -> None:
    pages = page_batch(random.Random(1), 4)
    by_mask = pages.pick(np.array([True, False, False, True]))
    assert columns(by_mask) == columns(pages.pick(np.array([0, 3])))


def test_picking_leaves_absent_texts_absent() -> None:
    links = replace(link_batch(random.Random(1), 3), anchor=None)
    picked = links.pick(np.array([1]))
    assert picked.anchor is None
    assert picked.text == [links.text[1] if links.text else ""]


@given(st.integers(0, 20), st.integers(0, 20), st.integers())
def test_batch_cut_in_two_and_joined_is_itself(count: int, cut: int, seed: int) -> None:
    chance = random.Random(seed)
    batch: LinkBatch | PageBatch
    for batch in (link_batch(chance, count), page_batch(chance, count)):
        parts = [batch.pick(np.arange(min(cut, count))), batch.pick(np.arange(min(cut, count), count))]
        joined = type(batch).join(parts)  # type: ignore[arg-type]
        assert columns(joined) == columns(batch)
        types = [getattr(joined, field.name).dtype for field in fields(batch) if field.name in ("url", "distance")]
        assert types == [np.uint64, np.uint16]


def test_text_column_stays_only_if_every_batch_has_it() -> None:
    chance = random.Random(1)
    links, bare = link_batch(chance, 2), replace(link_batch(chance, 3), anchor=None)
    joined = LinkBatch.join([links, bare])
    assert joined.anchor is None
    assert joined.text == (links.text or []) + (bare.text or [])
    assert len(joined) == 5


def test_fresh_counters_change_nothing_else() -> None:
    links = link_batch(random.Random(1), 3)
    counters = FoundCounters(*(np.full(3, count, dtype=np.uint8) for count in (4, 3, 2, 1)))
    counted = links.counted(counters)
    expected = {**columns(links), **{name: column.tolist() for name, column in counters._asdict().items()}}
    assert columns(counted) == expected
