"""The seen-set remembers like a dict, grows, and forgets what was not committed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import FoundCounters, Ids
from exonym.errors import DirectoryError
from exonym.frontier.base import NOT_FOLLOWED, VISITED
from exonym.frontier.seen import SeenSet, SeenTable, counters_in, levels_on_disk, marks_of

# Ids that share their low bits fall on one slot and must probe.
_ids = st.integers(1, 40) | st.integers(1, 40).map(lambda low: low << 40 | 3) | st.integers(1, 2**64 - 1)
_batches = st.lists(st.dictionaries(_ids, st.tuples(st.integers(-32_767, 32_767), st.integers(0, 0xFFFF)), max_size=12))


def ids(*values: int) -> Ids:
    return np.array(values, dtype=np.uint64)


def put(target: SeenTable | SeenSet, batch: dict[int, tuple[int, int]]) -> None:
    levels = np.array([level for level, _ in batch.values()], dtype=np.int16)
    marks = np.array([mark for _, mark in batch.values()], dtype=np.uint16)
    target.put(ids(*batch), levels, marks)


@given(_batches.filter(lambda batches: sum(map(len, batches)) <= 120), _ids)
def test_table_remembers_like_a_dict(batches: list[dict[int, tuple[int, int]]], stranger: int) -> None:
    table, known = SeenTable.in_memory(128), dict[int, tuple[int, int]]()
    for batch in batches:
        put(table, batch)
        known |= batch
    slots = table.find(ids(*known, stranger)).tolist()
    found = {url: (int(table.levels[slot]), int(table.marks[slot])) for url, slot in zip(known, slots, strict=False)}
    assert found == known
    assert len(set(slots[: len(known)])) == len(known)
    assert (slots[-1] >= 0) == (stranger in known)
    assert table.slot(stranger) == slots[-1] if stranger in known else table.keys[table.slot(stranger)] == 0
    everything = [column.tolist() for column in table.entries()]
    assert {url: (level, mark) for url, level, mark in zip(*everything, strict=True)} == known


@given(st.sets(_ids, max_size=60), st.sets(_ids, max_size=60))
def test_claiming_says_which_ids_were_absent(first: set[int], second: set[int]) -> None:
    table = SeenTable.in_memory(256)
    _, fresh = table.claim(ids(*first))
    assert len(fresh) == len(first)
    wanted = list(second)
    slots, fresh = table.claim(ids(*wanted))
    assert {wanted[position] for position in fresh.tolist()} == second - first
    assert table.keys[slots].tolist() == wanted


_acts = st.lists(
    st.tuples(st.sampled_from(["set", "claim", "commit", "kill"]), st.lists(_ids, max_size=8, unique=True)), max_size=15
)


@given(_acts)
def test_set_is_as_it_was_at_the_last_commit_after_a_kill(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, list[int]]]
) -> None:
    path = tmp_path_factory.mktemp("seen") / "seen"
    seen, known, kept, level = SeenSet(path, capacity=16), dict[int, int](), dict[int, int](), 0
    for act, urls in acts:
        if act == "set":
            level += 1
            for url in urls:
                seen.set_level(url, level)
                known[url] = level
        elif act == "claim":
            slots = seen.claim(ids(*urls))
            assert seen.levels[slots].tolist() == [known.get(url, NOT_FOLLOWED) for url in urls]
            known = {**dict.fromkeys(urls, NOT_FOLLOWED), **known}
        elif act == "commit":
            seen.absorb()
            kept = dict(known)
        else:
            seen, known = SeenSet(path), dict(kept)
        assert {url: seen.level(url) for url in known} == known
    seen.absorb()
    assert SeenSet(path).count == len(known)


def test_unknown_url_was_never_followed(tmp_path: Path) -> None:
    assert SeenSet(tmp_path / "seen").level(7) == NOT_FOLLOWED


def test_counters_outlast_a_change_of_level(tmp_path: Path) -> None:
    seen = SeenSet(tmp_path / "seen")
    seen.marks[seen.claim(ids(7))] = 0x52
    seen.absorb()
    seen.set_level(7, VISITED)
    assert seen.marks[seen.claim(ids(7))].tolist() == [0x52]
    seen.absorb()
    again = SeenSet(tmp_path / "seen")
    assert again.marks[again.claim(ids(7))].tolist() == [0x52]
    assert again.level(7) == VISITED


def _written_by_the_first_version(path: Path, found: dict[int, tuple[int, int]]) -> None:
    """A file of 16 slots as version 0.1.0 wrote it: 8, 2 and 1 bytes a slot, column by column."""
    keys, levels, marks = np.zeros(16, "<u8"), np.zeros(16, "<i2"), np.zeros(16, "u1")
    for url, (level, mark) in found.items():
        keys[url], levels[url], marks[url] = url, level, mark
    head = (b"exonym-seen-1\0\0\0" + (16).to_bytes(8, "little")).ljust(4_096, b"\0")
    path.write_bytes(head + keys.tobytes() + levels.tobytes() + marks.tobytes())


def test_file_of_the_first_version_is_read_and_goes_on_with_four_counters(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    _written_by_the_first_version(path, {3: (VISITED, 0x52), 7: (-9, 0x0F)})
    seen = SeenSet(path)
    slots = seen.claim(ids(3, 7))
    assert seen.levels[slots].tolist() == [VISITED, -9]
    counters = counters_in(seen.marks[slots])
    assert [column.tolist() for column in counters] == [[5, 0], [2, 15], [0, 0], [0, 0]]
    seen.marks[slots] = marks_of(FoundCounters(*(np.array([1, 2], np.uint8) + at for at in range(4))))
    seen.absorb()
    again = SeenSet(path)
    assert again.marks[again.claim(ids(3, 7))].tolist() == [0x1234, 0x2345]
    assert not path.with_suffix(".new").exists()


def test_damaged_file_of_the_first_version_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    _written_by_the_first_version(path, {})
    os.truncate(path, path.stat().st_size - 1)
    with pytest.raises(DirectoryError, match=r"seen is damaged"):
        SeenSet(path)


def _levels_found(path: Path, *urls: int) -> list[int | None]:
    """The level of each URL by the file alone; None if it was not met."""
    is_met, levels = levels_on_disk(path, ids(*urls))
    assert (levels[~is_met] == NOT_FOLLOWED).all()
    return [level if met else None for met, level in zip(is_met.tolist(), levels.tolist(), strict=True)]


def test_file_tells_others_the_levels_of_the_last_commit(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    assert _levels_found(path, 7) == [None]
    seen = SeenSet(path, capacity=16)
    seen.set_level(7, 12)
    seen.claim(ids(8))
    seen.absorb()
    seen.set_level(7, VISITED)
    before = path.read_bytes()
    assert _levels_found(path, 7, 8, 9) == [12, NOT_FOLLOWED, None]
    assert path.read_bytes() == before
    seen.absorb()
    assert _levels_found(path, 7) == [VISITED]


def test_file_of_the_first_version_tells_others_its_levels_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    _written_by_the_first_version(path, {3: (VISITED, 0x52), 7: (-9, 0x0F)})
    before = path.read_bytes()
    assert _levels_found(path, 3, 7, 8) == [VISITED, -9, None]
    assert path.read_bytes() == before
    os.truncate(path, path.stat().st_size - 1)
    with pytest.raises(DirectoryError, match=r"seen is damaged"):
        levels_on_disk(path, ids(3))


def test_commit_logs_what_a_kill_must_not_lose(tmp_path: Path) -> None:
    seen = SeenSet(tmp_path / "seen")
    seen.set_level(1, 100)
    seen.set_level(2, 200)
    seen.absorb()
    seen.set_level(2, VISITED)
    seen.set_level(3, 300)
    urls, levels, _ = seen.recent()
    assert dict(zip(urls.tolist(), levels.tolist(), strict=True)) == {2: VISITED, 3: 300}


def test_many_urls_make_the_file_grow_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = SeenSet(path, capacity=64)
    small = path.stat().st_size
    urls = np.arange(1, 20_001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for part in np.array_split(urls, 7):
        slots = seen.claim(part)
        seen.levels[slots] = (part % np.uint64(1_000)).astype(np.int16)
        seen.absorb()
    assert seen.count == 20_000
    assert path.stat().st_size > small
    again = SeenSet(path)
    assert again.count == 20_000
    slots = again.claim(urls)
    assert again.levels[slots].tolist() == (urls % np.uint64(1_000)).astype(np.int16).tolist()
    assert not path.with_suffix(".new").exists()


def test_one_commit_may_be_larger_than_the_file(tmp_path: Path) -> None:
    seen = SeenSet(tmp_path / "seen", capacity=16)
    for url in range(1, 10_001):
        seen.set_level(url, url % 100)
    seen.absorb()
    assert SeenSet(tmp_path / "seen").count == 10_000


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _other_file(path: Path) -> None:
    path.write_bytes(b"GIF89a" + bytes(path.stat().st_size - 6))


def _odd_capacity(path: Path) -> None:
    header = path.read_bytes()[:16] + (3).to_bytes(8, "little")
    path.write_bytes(header.ljust(4_096 + 3 * 12, b"\0"))


def _no_capacity(path: Path) -> None:
    path.write_bytes((path.read_bytes()[:16] + bytes(8)).ljust(4_096, b"\0"))


@pytest.mark.parametrize("damage", [_cut, _empty, _other_file, _odd_capacity, _no_capacity])
def test_damaged_file_is_told_in_one_line(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "seen"
    SeenSet(path)
    damage(path)
    with pytest.raises(DirectoryError, match=r"seen is damaged"):
        SeenSet(path)


def test_file_left_half_made_by_a_kill_is_begun_again(tmp_path: Path) -> None:
    # A new file gets its name when it is whole; until then it is a draft.
    (tmp_path / "seen.new").write_bytes(b"exonym-seen-1")
    seen = SeenSet(tmp_path / "seen")
    seen.set_level(1, 5)
    seen.absorb()
    assert SeenSet(tmp_path / "seen").level(1) == 5
    assert [path.name for path in tmp_path.iterdir()] == ["seen"]


def test_missing_directory_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="cannot be used"):
        SeenSet(tmp_path / "absent" / "seen")


_TOO_LARGE = """
import resource, signal, sys
from pathlib import Path
from exonym.errors import DiskFullError
from exonym.frontier.seen import SeenSet

seen = SeenSet(Path(sys.argv[1]), capacity=64)
for url in range(1, 5_000):
    seen.set_level(url, 7)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    seen.absorb()
except DiskFullError as error:
    print("full:", error)
"""


def test_file_that_cannot_grow_is_told_as_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    command = [sys.executable, "-c", _TOO_LARGE, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("full: ")
    assert SeenSet(path).count == 0  # the old file is whole
