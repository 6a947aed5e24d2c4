"""The journal: rows are there once committed, in order, in the store or in Parquet, and never twice."""

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest
from full_disk import file_size_limit
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome
from exonym.errors import DirectoryError, DiskFullError
from exonym.journal import Journal, JournalRow
from exonym.journal.row import decoded, encoded
from exonym.store import Store

FULL_ROW = JournalRow(
    row=0,
    url="http://www.example.com/",
    when=1_794_744_000.25,
    outcome=Outcome.REDIRECT,
    status=301,
    content_type="text/html",
    charset="tis-620",
    length=20_000,
    seconds=0.1,
    language="th",
    shares="th:0.83 en:0.17",
    relevance=0.9,
    relevant=True,
    distance=2,
    score=1.3,
    source=-1,
    why="script",
    failure="none",
    truncated="length",
    title="หน้าแรก",
    links=55,
    note=2**64 - 1,
    attempts=1,
    digest="sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
    warc_file="exonym-20261115T120000-00000.warc.gz",
    warc_offset=2**40,
)


def row(number: int) -> JournalRow:
    return msgspec.structs.replace(FULL_ROW, row=number, url=f"http://www.example.com/{number}", note=number)


def rows(first: int, count: int) -> list[JournalRow]:
    return [row(number) for number in range(first, first + count)]


@contextmanager
def journal(crawl: Path, seal_rows: int = 5) -> Iterator[tuple[Store, Journal]]:
    with Store.open(crawl / "state") as store:
        yield store, Journal(store, crawl / "journal", seal_rows)


def append(store: Store, book: Journal, more: list[JournalRow]) -> None:
    with store.writing() as transaction:
        book.append(transaction, more)


def seal(store: Store, book: Journal) -> None:
    with store.writing() as transaction:
        book.seal(transaction)


def test_rows_are_numbered_without_gaps_across_seals_and_restarts(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        assert book.count() == 0
        append(store, book, rows(0, 3))
        assert book.count() == 3
        seal(store, book)
        assert book.count() == 3
        append(store, book, rows(3, 2))
    with journal(tmp_path) as (store, book):
        assert book.count() == 5
        with store.reading() as transaction:
            assert book.next_row(transaction) == 5


@pytest.mark.parametrize("number", [2, 4])
def test_a_row_out_of_turn_is_refused(tmp_path: Path, number: int) -> None:
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        with pytest.raises(ValueError, match=f"row {number} cannot follow row 2"):
            append(store, book, [row(number)])
        assert book.count() == 3


def test_rows_of_a_transaction_that_failed_are_not_there(tmp_path: Path) -> None:
    def append_and_fail(store: Store, book: Journal) -> None:
        with store.writing() as transaction:
            book.append(transaction, rows(0, 3))
            raise KeyboardInterrupt

    with journal(tmp_path) as (store, book):
        with pytest.raises(KeyboardInterrupt):
            append_and_fail(store, book)
        assert book.count() == 0


def test_the_tail_is_what_came_after_the_last_seal(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 4))
        seal(store, book)
        append(store, book, rows(4, 2))
        with store.reading() as transaction:
            assert book.tail(transaction) == rows(4, 2)


def test_a_seal_is_due_when_the_tail_is_long_enough(tmp_path: Path) -> None:
    with journal(tmp_path, seal_rows=5) as (store, book):
        for number, due in [(0, False), (4, True)]:
            append(store, book, rows(number, 4 - number // 4 * 3))
            with store.reading() as transaction:
                assert book.seal_due(transaction) is due
        seal(store, book)
        with store.reading() as transaction:
            assert not book.seal_due(transaction)


def test_sealing_an_empty_tail_makes_no_file(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        seal(store, book)
        assert not (tmp_path / "journal").exists()


def test_all_rows_come_back_the_same_from_parts_and_tail(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 6))
        seal(store, book)
        append(store, book, rows(6, 5))
        seal(store, book)
        append(store, book, rows(11, 3))
        assert list(book.rows()) == rows(0, 14)
        table = book.table(["title", "row"])  # in the order asked for
        assert table.column_names == ["title", "row"]
        assert table["row"].to_pylist() == list(range(14))
        assert [part.num_rows for part in book.tables(["url"])] == [6, 5, 3]
    assert sorted(os.listdir(tmp_path / "journal")) == ["part-000000.parquet", "part-000001.parquet"]


def test_an_empty_journal_is_an_empty_table(tmp_path: Path) -> None:
    with journal(tmp_path) as (_, book):
        assert book.table().num_rows == 0
        assert list(book.rows()) == []


def test_a_column_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with journal(tmp_path) as (_, book), pytest.raises(ValueError, match="no column 'colour'"):
        book.table(["colour"])


def test_a_kill_between_file_and_commit_leaves_a_part_that_is_never_read(tmp_path: Path) -> None:
    def seal_and_die(store: Store, book: Journal) -> None:
        with store.writing() as transaction:
            book.seal(transaction)
            raise KeyboardInterrupt

    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        with pytest.raises(KeyboardInterrupt):
            seal_and_die(store, book)
        assert (tmp_path / "journal" / "part-000000.parquet").exists()
    with journal(tmp_path) as (store, book):
        assert list(book.rows()) == rows(0, 3)
        append(store, book, rows(3, 2))
        seal(store, book)
        assert list(book.rows()) == rows(0, 5)
    assert os.listdir(tmp_path / "journal") == ["part-000000.parquet"]


def test_a_draft_that_a_killed_crawl_left_is_gone_after_the_next_seal(tmp_path: Path) -> None:
    killed = """
import os, pathlib, sys
from exonym.system.files import replacing
with replacing(pathlib.Path(sys.argv[1])) as draft:
    draft.write_bytes(b"PAR1 half of a part")
    os._exit(1)
"""
    (tmp_path / "journal").mkdir()
    part = tmp_path / "journal" / "part-000000.parquet"
    subprocess.run([sys.executable, "-c", killed, str(part)], check=False)
    assert len(os.listdir(tmp_path / "journal")) == 1
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        seal(store, book)
        assert list(book.rows()) == rows(0, 3)
    assert os.listdir(tmp_path / "journal") == ["part-000000.parquet"]


def test_the_journal_is_read_while_the_crawl_goes_on(tmp_path: Path) -> None:
    code = """
import pathlib, sys
from exonym.journal import Journal
from exonym.store import Store
crawl = pathlib.Path(sys.argv[1])
with Store.open(crawl / "state", read_only=True) as store:
    book = Journal(store, crawl / "journal")
    print(book.count(), [row.row for row in book.rows()])
"""
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        seal(store, book)
        append(store, book, rows(3, 2))
        with store.writing() as transaction:
            book.append(transaction, rows(5, 1))
            command = [sys.executable, "-c", code, str(tmp_path)]
            printed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert printed.stdout == "5 [0, 1, 2, 3, 4]\n", printed.stderr


@pytest.mark.parametrize("damage", ["gone", "empty", "junk", "cut", "flipped", "other rows", "other columns"])
def test_a_damaged_part_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal" / "part-000000.parquet"
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 300))
        seal(store, book)
        data = bytearray(path.read_bytes())
        match damage:
            case "gone":
                path.unlink()
            case "empty":
                path.write_bytes(b"")
            case "junk":
                path.write_bytes(b"PAR1" + bytes(1_000) + b"PAR1")
            case "cut":
                path.write_bytes(data[: len(data) // 2])
            case "flipped":
                urls = pyarrow.parquet.read_metadata(path).row_group(0).column(1)
                data[urls.data_page_offset + urls.total_compressed_size // 2] ^= 0xFF
                path.write_bytes(data)
            case "other rows":
                pyarrow.parquet.write_table(book.table().slice(0, 299), path)
            case "other columns":
                pyarrow.parquet.write_table(book.table().drop_columns(["title"]), path)
        with pytest.raises(DirectoryError, match=r"part-000000\.parquet is damaged"):
            book.table()


def test_a_damaged_tail_is_an_error_in_words(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        table = store.table("journal-tail")
        with store.writing() as transaction:
            transaction.put(struct.pack(">Q", 0), b"\x91\xc1", db=table)
        with pytest.raises(DirectoryError, match="tail is damaged"):
            book.table()


def test_a_full_disk_while_sealing_leaves_the_tail_as_it_was(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 50))
        with file_size_limit(1_000), pytest.raises(DiskFullError):
            seal(store, book)
        assert os.listdir(tmp_path / "journal") == []
        assert list(book.rows()) == rows(0, 50)


def test_texts_from_the_web_are_cut_and_cleaned() -> None:
    long = msgspec.structs.replace(FULL_ROW, title="ก" * 5_000, content_type="x" * 5_000, why="\ud800y", charset="")
    kept = decoded(encoded(long))
    assert kept.title == "ก" * 200
    assert kept.content_type == "x" * 100
    assert kept.why == "?y"


@given(st.text(max_size=200), st.integers(0, 2**64 - 1), st.floats(allow_nan=False))
def test_a_row_comes_back_as_it_was_written(title: str, note: int, score: float) -> None:
    one = msgspec.structs.replace(FULL_ROW, title=title, note=note, score=score)
    assert decoded(encoded(one)) == one


def test_golden_the_tails_encoding_never_changes(tmp_path: Path) -> None:
    """MessagePack written out by hand: 0xdc 0x001f is an array of 31, in the order of the fields.

    Version 0.1.0 wrote the first 26 of them.
    """
    short = JournalRow(
        row=7, url="u", when=1.5, outcome=Outcome.FAILED, status=404, language="th", relevant=True, note=2**63
    )
    fields = bytes.fromhex(
        "07 a175 cb3ff8000000000000 01 cd0194 a0 a0 00 cb0000000000000000 a27468 a0 cb0000000000000000 c3 00"
        "cb0000000000000000 ff a0 a0 a0 a0 00 cf8000000000000000 00 a0 a0 ff"
    )
    assert encoded(short) == bytes.fromhex("dc001f") + fields + bytes.fromhex("c2c2 cb0000000000000000 a0 a0")
    assert decoded(bytes.fromhex("dc001a") + fields) == short
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        table = store.table("journal-tail")
        with store.reading() as transaction:
            assert transaction.get(b"\0\0\0\0\0\0\0\2", db=table) == encoded(row(2))


def test_golden_the_parts_columns_and_types_never_change(tmp_path: Path) -> None:
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 1))
        seal(store, book)
    schema = pyarrow.parquet.read_schema(tmp_path / "journal" / "part-000000.parquet")
    assert [f"{field.name} {field.type}" for field in schema] == [
        "row int64",
        "url string",
        "when double",
        "outcome uint8",
        "status int32",
        "content_type string",
        "charset string",
        "length int64",
        "seconds double",
        "language string",
        "shares string",
        "relevance double",
        "relevant bool",
        "distance int32",
        "score double",
        "source int64",
        "why string",
        "failure string",
        "truncated string",
        "title string",
        "links int32",
        "note uint64",
        "attempts int32",
        "digest string",
        "warc_file string",
        "warc_offset int64",
        "inherited bool",
        "copy bool",
        "rank double",
        "rule string",
        "address string",
    ]


def test_part_of_version_0_1_0_has_no_inherited_pages(tmp_path: Path) -> None:
    path = tmp_path / "journal" / "part-000000.parquet"
    with journal(tmp_path) as (store, book):
        append(store, book, rows(0, 3))
        seal(store, book)
        old = pyarrow.parquet.read_table(path).drop_columns(["inherited"])
        pyarrow.parquet.write_table(old, path)
        assert list(book.rows()) == rows(0, 3)
        assert book.table(["inherited", "url"]).column("inherited").to_pylist() == [False] * 3


@pytest.mark.parametrize("first", [0, 1, 99, 100, 149, 250, 259, 260, 999])
def test_rows_are_read_from_any_row_on(tmp_path: Path, first: int) -> None:
    with journal(tmp_path) as (store, book):
        for start, count in ((0, 100), (100, 150)):
            append(store, book, rows(start, count))
            seal(store, book)
        append(store, book, rows(250, 10))
        read = [number for table in book.tables(["row"], first) for number in table["row"].to_pylist()]
        assert read == list(range(first, 260))
        assert book.row(first) == (row(first) if first < 260 else None)
