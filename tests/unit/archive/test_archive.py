"""The archive: what was fetched comes back byte for byte, and nothing is there twice after a kill."""

import base64
import gzip
import hashlib
import os
import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from full_disk import file_size_limit
from hypothesis import given
from hypothesis import strategies as st

from exonym.archive import (
    ArchiveOptions,
    ArchivePlace,
    Exchange,
    Original,
    Originals,
    Position,
    WarcWriter,
    digest_text,
)
from exonym.archive.archived_responses import ArchivedResponse, read_response, read_responses
from exonym.archive.records import ended, one_line
from exonym.errors import DirectoryError, DiskFullError
from exonym.store import Store

NOON = 1_794_744_000.0  # 2026-11-15T12:00:00Z
BODY = b"<html>" + b"<p>Where the river bends</p>" * 100
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY)
VISIT = Exchange(
    url="http://www.example.com/river.html",
    started_epoch_seconds=NOON,
    address="192.0.2.7",
    request_head=b"GET /river.html HTTP/1.1\r\nHost: www.example.com\r\n\r\n",
    head=HEAD,
    body=BODY,
    metadata={"fetchTimeMs": "12", "score": "0.75", "why": "script th 0.83"},
)


def members(path: Path) -> list[tuple[int, bytes]]:
    """Offset and content of every gzip member, by zlib: not by the library that wrote them."""
    data, offset, found = path.read_bytes(), 0, []
    while offset < len(data):
        inflater = zlib.decompressobj(31)
        content = inflater.decompress(data[offset:])
        assert inflater.eof
        found.append((offset, content))
        offset = len(data) - len(inflater.unused_data)
    return found


def fields(record: bytes) -> dict[str, str]:
    lines = record.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert lines[0] == "WARC/1.1"
    return dict(line.split(": ", 1) for line in lines[1:])


def block(record: bytes) -> bytes:
    content = record.partition(b"\r\n\r\n")[2]
    length = int(fields(record)["Content-Length"])
    assert content[length:] == b"\r\n\r\n"
    return content[:length]


def writer(directory: Path, position: Position | None = None, **options: int) -> WarcWriter:
    return WarcWriter(directory, ArchiveOptions(operator="https://example.org/", **options), position)


def read_at(directory: Path, place: ArchivePlace) -> ArchivedResponse:
    return read_response(directory, place.file, place.offset)


def test_an_exchange_becomes_three_records_behind_the_warcinfo(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
    assert place.file == "exonym-20261115T120000-00000.warc.gz"
    (_, info), (_, request), (offset, response), (end, metadata) = members(tmp_path / place.file)
    assert [fields(record)["WARC-Type"] for record in (info, request, response, metadata)] == [
        "warcinfo",
        "request",
        "response",
        "metadata",
    ]
    assert (place.offset, place.length) == (offset, end - offset)
    assert fields(info)["WARC-Filename"] == place.file
    assert b"operator: https://example.org/\r\n" in block(info)
    assert block(request) == VISIT.request_head
    assert block(response) == HEAD + BODY
    assert block(metadata) == b"fetchTimeMs: 12\r\nscore: 0.75\r\nwhy: script th 0.83\r\n"


def test_the_response_says_what_when_where_and_with_which_digest(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
    _, (_, request), (_, response), (_, metadata) = members(tmp_path / place.file)
    found = fields(response)
    assert found["WARC-Target-URI"] == "http://www.example.com/river.html"
    assert found["WARC-Date"] == "2026-11-15T12:00:00Z"
    assert found["WARC-IP-Address"] == "192.0.2.7"
    assert found["WARC-Payload-Digest"] == "sha1:" + base64.b32encode(hashlib.sha1(BODY).digest()).decode()
    assert found["Content-Type"] == "application/http;msgtype=response"
    assert re.fullmatch(
        r"<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}>", found["WARC-Record-ID"]
    )
    assert fields(request)["WARC-Concurrent-To"] == fields(metadata)["WARC-Concurrent-To"] == found["WARC-Record-ID"]
    assert place.digest == hashlib.sha1(BODY).digest()
    assert "WARC-Truncated" not in found


def test_the_digest_of_nothing_is_written_as_everybody_writes_it() -> None:
    assert digest_text(hashlib.sha1(b"").digest()) == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        places = [warc.write(replace(VISIT, url=f"http://a.example/{n}", body=BODY[n:])) for n in range(5)]
        for number, place in enumerate(places):  # while the file is open
            found = read_at(tmp_path, place)
            assert (found.url, found.head, found.body) == (f"http://a.example/{number}", HEAD, BODY[number:])
            assert found.is_verified
            assert found.digest == place.digest
    assert [found.offset for found in read_responses(tmp_path / places[0].file)] == [place.offset for place in places]


@given(st.binary(max_size=3_000))
def test_any_body_survives(tmp_path_factory: pytest.TempPathFactory, body: bytes) -> None:
    directory = tmp_path_factory.mktemp("any")
    with writer(directory) as warc:
        found = read_at(directory, warc.write(replace(VISIT, body=body)))
    assert found.body == body
    assert found.is_verified


@given(st.text(), st.text(), st.text())
def test_no_text_from_the_web_can_forge_a_header(
    tmp_path_factory: pytest.TempPathFactory, url: str, value: str, address: str
) -> None:
    directory = tmp_path_factory.mktemp("forged")
    evil = "x\r\nWARC-Type: conversion\r\n\r\n"
    visit = replace(
        VISIT, url=url + evil, address=address + evil, metadata={"why": value + evil, "via\n" + value: evil}
    )
    with writer(directory) as warc:
        place = warc.write(visit)
    _, (_, request), (_, response), (_, metadata) = members(directory / place.file)
    assert fields(request)["WARC-Type"] == "request"
    assert fields(response)["WARC-Type"] == "response"
    assert fields(metadata)["WARC-Type"] == "metadata"
    assert block(metadata).count(b"\r\n") == 2
    assert block(metadata).count(b"\n") == 2


def test_a_header_value_is_one_line_of_bounded_length() -> None:
    assert one_line("a\r\nb\x00c\u2028d") == b"a b c d"
    assert one_line("\ud800") == b"?"
    assert one_line("ก" * 10_000) == "ก".encode() * 4_096


@pytest.mark.parametrize(
    ("received", "archived"),
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n", b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nA: b", b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
        (b"HTTP/1.0 200 OK\nA: b\n\n", b"HTTP/1.0 200 OK\r\nA: b\r\n\r\n"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 No\r\n\r\n", b"HTTP/1.1 404 No\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\nTrailer: t\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"),
        (b"", b"\r\n\r\n"),
        (b"\r\n\r\n", b"\r\n\r\n"),
    ],
)
def test_a_head_ends_with_one_empty_line(received: bytes, archived: bytes) -> None:
    assert ended(received) == archived


@pytest.mark.parametrize(
    ("reason", "written"), [("length", "length"), ("time", "time"), ("disconnect", "disconnect"), ("?", "unspecified")]
)
def test_a_cut_response_says_why_and_is_nobodys_original(tmp_path: Path, reason: str, written: str) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(replace(VISIT, truncated=reason))
    assert not place.is_original
    assert read_at(tmp_path, place).truncated == written


def test_a_known_payload_becomes_a_revisit_with_the_head_only(tmp_path: Path) -> None:
    original = Original("http://old.example/", NOON - 60)
    known = {hashlib.sha1(BODY).digest(): original}
    with WarcWriter(tmp_path, ArchiveOptions(), None, known.get) as warc:
        place = warc.write(VISIT)
    record = members(tmp_path / place.file)[2][1]
    found = fields(record)
    assert found["WARC-Type"] == "revisit"
    assert found["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert found["WARC-Refers-To-Target-URI"] == "http://old.example/"
    assert found["WARC-Refers-To-Date"] == "2026-11-15T11:59:00Z"
    assert block(record) == HEAD
    assert not place.is_original
    response = read_at(tmp_path, place)
    assert (response.is_revisit, response.refers_to, response.body) == (True, "http://old.example/", b"")


def test_small_and_cut_payloads_are_always_written_in_full(tmp_path: Path) -> None:
    asked: list[bytes] = []

    def known(digest: bytes) -> Original | None:
        asked.append(digest)
        return Original("http://old.example/", NOON)

    with WarcWriter(tmp_path, ArchiveOptions(), None, known) as warc:
        small = warc.write(replace(VISIT, body=b"x" * 511))
        cut = warc.write(replace(VISIT, truncated="length"))
    assert asked == []
    assert not small.is_original
    assert not cut.is_original
    assert [found.is_revisit for found in read_responses(tmp_path / small.file)] == [False, False]


def test_originals_are_known_at_once_and_stay_known_when_committed(tmp_path: Path) -> None:
    digest, first = b"d" * 20, Original("http://a.example/ก", NOON + 0.25)
    with Store.open(tmp_path) as store:
        originals = Originals(store)
        assert originals.find(digest) is None
        originals.add(digest, first)
        originals.add(digest, Original("http://later.example/", NOON))
        assert originals.find(digest) == first
        with store.writing() as transaction:
            originals.commit(transaction)
    with Store.open(tmp_path) as store:
        assert Originals(store).find(digest) == first


def test_files_rotate_by_size_and_each_begins_with_a_warcinfo(tmp_path: Path) -> None:
    with writer(tmp_path, file_bytes=15_000) as warc:
        places = [warc.write(replace(VISIT, started_epoch_seconds=NOON + n, body=os.urandom(10_000))) for n in range(4)]
        assert warc.position.file == places[-1].file
    # noise cannot be compressed: one exchange leaves a file between 10,000 and 15,000 bytes, two above 20,000
    assert [place.file[-14:] for place in places] == [
        "-00000.warc.gz",
        "-00000.warc.gz",
        "-00001.warc.gz",
        "-00001.warc.gz",
    ]
    for path in tmp_path.iterdir():
        assert fields(members(path)[0][1])["WARC-Type"] == "warcinfo"


def test_position_is_the_file_and_its_length(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        assert warc.position == Position("", 0)
        place = warc.write(VISIT)
        warc.flush()
        assert warc.position == Position(place.file, (tmp_path / place.file).stat().st_size)


def test_after_a_kill_the_file_is_cut_back_to_the_commit_and_goes_on(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    first = warc.write(VISIT)
    committed = warc.position
    warc.write(replace(VISIT, url="http://a.example/lost"))
    warc.close()
    with (tmp_path / first.file).open("ab") as file:
        file.write(b"\x1f\x8b torn")
    with writer(tmp_path, committed) as warc:
        second = warc.write(replace(VISIT, url="http://a.example/again"))
    assert second.file == first.file
    urls = [found.url for found in read_responses(tmp_path / first.file)]
    assert urls == [VISIT.url, "http://a.example/again"]
    gzip.decompress((tmp_path / first.file).read_bytes())


def test_files_newer_than_the_commit_are_put_aside(tmp_path: Path) -> None:
    with writer(tmp_path, file_bytes=1) as warc:
        first = warc.write(VISIT)
        committed = warc.position
        lost = warc.write(replace(VISIT, url="http://a.example/lost"))
    assert lost.file != first.file
    with writer(tmp_path, committed, file_bytes=1) as warc:
        again = warc.write(replace(VISIT, url="http://a.example/lost"))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [first.file, again.file, lost.file + ".uncommitted"]
    )


def test_without_a_commit_all_files_of_ours_are_put_aside_and_others_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other-20261115T120000-00000.warc.gz").write_bytes(b"theirs")
    (tmp_path / "exonym-notes.txt").write_bytes(b"theirs")
    for _ in range(3):  # killed three times before the first commit
        with writer(tmp_path) as warc:
            place = warc.write(VISIT)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [
            "other-20261115T120000-00000.warc.gz",
            "exonym-notes.txt",
            place.file,
            place.file + ".uncommitted",
            place.file + ".uncommitted-2",
        ]
    )


def test_an_archive_that_lost_committed_bytes_is_refused(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
        committed = warc.position
    os.truncate(tmp_path / place.file, committed.length - 1)
    with pytest.raises(
        DirectoryError, match=f"has {committed.length - 1} bytes, but the journal knows {committed.length}"
    ):
        writer(tmp_path, committed)
    (tmp_path / place.file).unlink()
    with pytest.raises(DirectoryError, match="No such file"):
        writer(tmp_path, committed)


def test_a_full_disk_cuts_the_partial_record_off_again(tmp_path: Path) -> None:
    big = replace(VISIT, body=os.urandom(200_000))
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
        before = warc.position
        with file_size_limit(100_000), pytest.raises(DiskFullError, match="Make room"):
            warc.write(big)
        assert warc.position == before
        assert (tmp_path / place.file).stat().st_size == before.length
        assert read_at(tmp_path, warc.write(big)).body == big.body


def test_a_full_disk_leaves_no_half_begun_file(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        with file_size_limit(50), pytest.raises(DiskFullError):
            warc.write(VISIT)
        assert list(tmp_path.iterdir()) == []
        assert read_at(tmp_path, warc.write(VISIT)).is_verified


@pytest.mark.parametrize("damage", ["cut", "zeros", "elsewhere", "gone"])
def test_reading_a_damaged_place_is_an_error_in_words(tmp_path: Path, damage: str) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
    path = tmp_path / place.file
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: place.offset + place.length // 2])
    if damage == "zeros":
        data[place.offset : place.offset + place.length] = bytes(place.length)
        path.write_bytes(data)
    if damage == "elsewhere":
        place = ArchivePlace(place.file, place.offset + 7, place.length, place.digest, place.is_original)
    if damage == "gone":
        path.unlink()
    with pytest.raises(DirectoryError, match=re.escape(place.file)):
        read_at(tmp_path, place)


def test_a_changed_payload_is_read_but_not_verified(tmp_path: Path) -> None:
    with writer(tmp_path) as warc:
        place = warc.write(VISIT)
    path = tmp_path / place.file
    record = members(path)[2][1].replace(b"river", b"RIVER")
    (tmp_path / "forged.warc.gz").write_bytes(gzip.compress(record, mtime=0))
    forged = read_response(tmp_path, "forged.warc.gz", 0)
    assert forged.body == BODY.replace(b"river", b"RIVER")
    assert not forged.is_verified
