"""Archives cut into tasks: every record is read once, in its order, wherever the cuts are."""

import gzip
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.archive import ranges, recovery
from exonym.archive.any_warc import TORN, SkippedRecord
from exonym.archive.ranges import Stretch, cuts_of
from exonym.archive.recovery import next_record
from exonym.webgraph import Graph
from exonym.webgraph.importing import tasks
from exonym.webgraph.importing.from_warc import GraphPageReader, read_warc
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.record import PageRecord

READER = GraphPageReader(ImportOptions(("th",)))


def record(number: int, kind: str = "response", body: str = "") -> bytes:
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page {number} {body}".encode()
    fields = [f"WARC-Type: {kind}", f"WARC-Target-URI: http://a.example/{number}", f"Content-Length: {len(block)}"]
    return "\r\n".join(["WARC/1.0", *fields, "", ""]).encode() + block + b"\r\n\r\n"


RECORDS = [record(number, kind) for number, kind in enumerate(["warcinfo", *["request", "response", "metadata"] * 4])]
ANSWERS = [f"http://a.example/{number}" for number in (2, 5, 8, 11)]
PLAIN = b"".join(RECORDS)
PACKED = b"".join(map(gzip.compress, RECORDS))
TOGETHER = b"".join(gzip.compress(b"".join(RECORDS[first : first + 5]), mtime=0) for first in range(0, len(RECORDS), 5))
ONE_MEMBER = gzip.compress(PLAIN, mtime=0)


def urls_in(path: Path, stretch: Stretch) -> list[str]:
    found = list(read_warc(path, READER, None, stretch))
    assert TORN not in found
    return [one.url for one in found if isinstance(one, PageRecord)]


@pytest.mark.parametrize("data", [PLAIN, PACKED, TOGETHER, ONE_MEMBER], ids=["plain", "packed", "together", "one"])
def test_wherever_a_file_is_cut_its_parts_are_the_whole(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    cuts: set[int] = set()
    with path.open("rb") as stream:
        for position in range(1, len(data)):
            cuts.add(next_record(stream, position))
    for cut in cuts - {-1}:
        assert urls_in(path, Stretch(0, cut)) + urls_in(path, Stretch(cut, len(data))) == ANSWERS, cut


@given(size=st.integers(40, 3_000))
@settings(deadline=None, max_examples=30)
@pytest.mark.parametrize("data", [PLAIN, PACKED, TOGETHER, ONE_MEMBER], ids=["plain", "packed", "together", "one"])
def test_parts_of_any_size_are_the_whole(data: bytes, size: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.warc"
    path.write_bytes(data)
    cuts = cuts_of(path, size)
    assert cuts == sorted(set(cuts))
    assert [url for first, last in pairwise(cuts) for url in urls_in(path, Stretch(first, last))] == ANSWERS


@pytest.mark.parametrize("window", [20, 64, 1_000, 1 << 20])
@pytest.mark.parametrize("pieces", [RECORDS, list(map(gzip.compress, RECORDS))], ids=["plain", "packed"])
def test_next_record_is_the_next_one_from_every_place(
    pieces: list[bytes], window: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "_WINDOW_BYTES", window)
    (tmp_path / "a.warc").write_bytes(b"".join(pieces))
    starts = list(accumulate(map(len, pieces)))[:-1]
    with (tmp_path / "a.warc").open("rb") as stream:
        for position in range(starts[-1] + 10):
            expected = next((start for start in starts if start > position), -1)
            assert next_record(stream, position) == expected, position


def test_short_file_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(PLAIN)
    assert cuts_of(path) == [0, len(PLAIN)]


# What is told of wrong cuts


def imported(directory: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> tuple[Graph, dict[str, int]]:
    """A graph of the files in a directory, read in tasks of so many bytes."""
    monkeypatch.setattr(tasks, "cuts_of", lambda path: ranges.cuts_of(path, size))
    summary = import_graph(
        directory / f"graph-{size}", ImportRequest((directory / "files",), options=ImportOptions(("th",)), jobs=1)
    )
    return summary.graph, summary.skipped


def pages_of(graph: Graph) -> set[str]:
    return set(graph.texts("url").part(0, len(graph)))


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("kind", ["response", "resource"])
def test_archive_in_an_archive_is_no_place_to_cut(
    kind: str, is_packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = [record(number) for number in range(100, 104)]
    data = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"\r\n\r\n"
    data += b"".join(map(gzip.compress, inner) if is_packed else inner)
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://b.example/x\r\nContent-Length: {len(data)}"
    outer = head.encode() + b"\r\n\r\n" + data + b"\r\n\r\n"
    records = [record(1), record(2), outer, record(3), record(4)]
    (tmp_path / "files").mkdir()
    packed = [gzip.compress(one, 0, mtime=0) for one in records]  # stored as it is, as packers do with what is packed
    (tmp_path / "files" / "a.warc").write_bytes(b"".join(packed if is_packed else records))
    expected = {f"http://a.example/{number}" for number in (1, 2, 3, 4)}
    expected |= {"http://b.example/x"} if kind == "response" else set()
    sizes = (60, 200, 400, 500, 700, 900, 1_200)
    starts = {0, *accumulate(map(len, packed if is_packed else records))}
    assert any(not starts.issuperset(cuts_of(tmp_path / "files" / "a.warc", size)) for size in sizes), "no wrong cut"
    for size in sizes:
        graph, skipped = imported(tmp_path, monkeypatch, size)
        assert pages_of(graph) == expected, size
        assert skipped == {}, size


def test_revisits_find_originals_in_any_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    fields = "WARC-Target-URI: http://b.example/\r\nWARC-Refers-To-Target-URI: http://a.example/8"
    again = f"WARC/1.0\r\nWARC-Type: revisit\r\n{fields}\r\nContent-Length: {len(head)}\r\n\r\n".encode()
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.warc").write_bytes(again + head + b"\r\n\r\n" + PLAIN)
    graph, skipped = imported(tmp_path, monkeypatch, 300)
    assert pages_of(graph) == {*ANSWERS, "http://b.example/"}
    assert skipped == {}


def test_revisit_never_gets_the_body_of_another_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    fields = "WARC-Target-URI: http://b.example/\r\nWARC-Refers-To-Target-URI: http://a.example/5"
    again = f"WARC/1.0\r\nWARC-Type: revisit\r\n{fields}\r\nContent-Length: {len(head)}\r\n\r\n".encode()
    members = [RECORDS[2] + RECORDS[5], RECORDS[8] + RECORDS[11], again + head + b"\r\n\r\n"]
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, members)))
    graph, skipped = imported(tmp_path, monkeypatch, 10_000)
    assert pages_of(graph) == set(ANSWERS)
    assert skipped == {"revisit whose original cannot be read": 1}


def test_damage_is_told_once_wherever_cuts_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = [gzip.compress(record(number), mtime=0) for number in range(8)]
    damaged = bytearray(members[4])
    damaged[30:60] = bytes(30)
    members[4] = bytes(damaged)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.warc.gz").write_bytes(b"".join(members))
    for size in range(100, 1_500, 50):
        graph, skipped = imported(tmp_path, monkeypatch, size)
        assert pages_of(graph) == {f"http://a.example/{number}" for number in range(8) if number != 4}, size
        assert sum(skipped.values()) == 1, size


def test_records_passed_over_are_counted_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(PLAIN)
    found = list(read_warc(path, READER, None, Stretch(passed_over=(5,))))
    assert [one.url for one in found if isinstance(one, PageRecord)] == [ANSWERS[0], *ANSWERS[2:]]
    assert [one for one in found if isinstance(one, SkippedRecord)] == [
        SkippedRecord("record that ended the process reading it")
    ]
