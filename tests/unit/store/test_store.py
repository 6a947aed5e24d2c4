"""The store: what is committed stays, one crawl at a time, and damage is said in one line."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import lmdb
import pytest
from full_disk import file_size_limit

from exonym.errors import DirectoryError, DiskFullError
from exonym.store import Store, Table, Transaction

MIB = 1 << 20


def run_apart(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own: for limits, kills, and what happens between processes."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def put_all(transaction: Transaction, table: Table, values: dict[bytes, bytes]) -> None:
    for key, value in values.items():
        transaction.put(key, value, db=table)


def put_then_fail(transaction: Transaction, *tables: Table) -> None:
    for table in tables:
        transaction.put(b"k", b"v", db=table)
    raise ZeroDivisionError


def test_committed_values_are_there_after_reopening(tmp_path: Path) -> None:
    with Store.open(tmp_path / "state") as store:
        table = store.table("facts")
        with store.writing() as transaction:
            transaction.put(b"k", b"v", db=table)
    with Store.open(tmp_path / "state") as store:
        table = store.table("facts")
        with store.reading() as transaction:
            assert transaction.get(b"k", db=table) == b"v"


def test_an_error_inside_a_transaction_undoes_all_of_it(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        one, two = store.table("one"), store.table("two")
        with pytest.raises(ZeroDivisionError), store.writing() as transaction:
            put_then_fail(transaction, one, two)
        with store.reading() as transaction:
            assert transaction.get(b"k", db=one) is None
            assert transaction.get(b"k", db=two) is None


def test_sixteen_tables_fit_with_our_own_among_them(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert len({id(store.table(f"table{number}")) for number in range(15)}) == 15


def test_a_table_is_asked_for_before_a_transaction(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        with pytest.raises(ValueError, match="before a transaction"), store.writing():
            store.table("late")
        with store.writing():
            pass


def test_a_second_crawl_is_refused_and_told_who_has_the_directory(tmp_path: Path) -> None:
    with Store.open(tmp_path / "state"):
        with pytest.raises(DirectoryError) as caught:
            Store.open(tmp_path / "state")
        assert str(caught.value) == f"crawl {tmp_path} is in use by process {os.getpid()}. Wait for it or stop it."
        outcome = run_apart(
            """
            import pathlib, sys
            from exonym.errors import DirectoryError
            from exonym.store import Store
            try:
                Store.open(pathlib.Path(sys.argv[1]))
            except DirectoryError as error:
                print(error)
            """,
            tmp_path / "state",
        )
        assert outcome.stdout.strip() == str(caught.value)
    Store.open(tmp_path / "state").close()


def test_a_killed_crawl_leaves_no_lock_even_while_its_workers_live(tmp_path: Path) -> None:
    code = """
        import os, pathlib, sys, time
        from exonym.store import Store
        store = Store.open(pathlib.Path(sys.argv[1]))
        worker = os.fork()
        if worker == 0:
            sys.stdin.read()
            os._exit(0)
        print(worker, flush=True)
        sys.stdin.read()
        """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crawl:
        assert crawl.stdout is not None
        worker = int(crawl.stdout.readline())
        crawl.send_signal(signal.SIGKILL)
        crawl.wait()
        os.kill(worker, 0)  # it is alive
        Store.open(tmp_path).close()


def test_a_reader_in_another_process_works_while_the_crawl_writes(tmp_path: Path) -> None:
    code = """
        import pathlib, sys
        from exonym.store import Store
        store = Store.open(pathlib.Path(sys.argv[1]), read_only=True)
        table = store.table("facts")
        with store.reading() as transaction:
            print(transaction.get(b"k", db=table).decode())
        """
    with Store.open(tmp_path) as store:
        table = store.table("facts")
        with store.writing() as transaction:
            transaction.put(b"k", b"first", db=table)
        with store.writing() as transaction:
            transaction.put(b"k", b"second", db=table)
            assert run_apart(code, tmp_path).stdout.strip() == "first"
        assert run_apart(code, tmp_path).stdout.strip() == "second"


def test_reading_needs_no_right_to_write(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, store.writing():
        pass
    (tmp_path / "lock.mdb").unlink()
    with Store.open(tmp_path, read_only=True) as store, store.reading():
        pass
    assert not (tmp_path / "lock.mdb").exists()


def test_reading_where_nothing_was_crawled_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match=f"Run `exonym crawl {tmp_path}` first"):
        Store.open(tmp_path / "state", read_only=True)
    assert not (tmp_path / "state").exists()


def test_a_table_that_a_reader_misses_is_an_error_in_words(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with (
        Store.open(tmp_path, read_only=True) as store,
        pytest.raises(DirectoryError, match="has no table 'journal' yet"),
    ):
        store.table("journal")


def test_another_format_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with lmdb.open(str(tmp_path), max_dbs=16) as environment:
        meta = environment.open_db(b"meta")
        with environment.begin(write=True) as transaction:
            assert transaction.get(b"format", db=meta) == b"2"  # golden: the format's own mark
            transaction.put(b"format", b"99", db=meta)
    for read_only in (False, True):
        with pytest.raises(DirectoryError, match=r"has format 99, this Exonym reads 2\. Use the Exonym that made it"):
            Store.open(tmp_path, read_only)


@pytest.mark.parametrize("junk", [b"\0" * 20_000, b"not a database", bytes(range(256)) * 64])
def test_a_file_that_is_no_database_is_called_damaged(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "data.mdb").write_bytes(junk)
    for read_only in (False, True):
        with pytest.raises(DirectoryError, match="is damaged"):
            Store.open(tmp_path, read_only)


def test_an_empty_data_file_of_a_kill_at_birth_is_started_anew(tmp_path: Path) -> None:
    (tmp_path / "data.mdb").touch()
    with Store.open(tmp_path) as store, store.writing():
        pass


def test_a_data_file_cut_short_is_called_damaged_and_kills_nobody(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        table = store.table("facts")
        with store.writing() as transaction:
            for number in range(2_000):
                transaction.put(b"%08d" % number, b"x" * 500, db=table)
    os.truncate(tmp_path / "data.mdb", 100_000 // 4096 * 4096)
    for read_only in (False, True):
        with pytest.raises(DirectoryError, match="cut short"):
            Store.open(tmp_path, read_only)


def test_a_data_file_that_only_lacks_free_pages_is_opened(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        table = store.table("facts")
        with store.writing() as transaction:
            transaction.put(b"small", b"x", db=table)
            transaction.put(b"big", b"x" * 400_000, db=table)
            transaction.delete(b"big", db=table)
        assert store.used_bytes > (tmp_path / "data.mdb").stat().st_size  # LMDB never wrote the freed pages
    with Store.open(tmp_path) as store:
        table = store.table("facts")
        with store.reading() as transaction:
            assert transaction.get(b"small", db=table) == b"x"


def test_a_full_disk_is_said_and_the_last_commit_stays(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        table = store.table("facts")
        with store.writing() as transaction:
            transaction.put(b"k", b"before", db=table)
        with file_size_limit(MIB), pytest.raises(DiskFullError, match="full"), store.writing() as transaction:
            put_all(transaction, table, {b"k": b"after", b"big": b"x" * 4 * MIB})
        with store.reading() as transaction:
            assert transaction.get(b"k", db=table) == b"before"
        with store.writing() as transaction:
            transaction.put(b"k", b"again", db=table)


def test_a_small_map_grows_before_it_is_full(tmp_path: Path) -> None:
    with Store.open(tmp_path, map_bytes=MIB) as store:
        table = store.table("facts")
        for number in range(40):
            with store.writing() as transaction:
                transaction.put(b"%04d" % number, b"x" * 100_000, db=table)
        assert store.map_bytes >= 4_000_000


def test_a_transaction_too_large_for_the_map_succeeds_when_tried_again(tmp_path: Path) -> None:
    with Store.open(tmp_path, map_bytes=MIB) as store:
        table = store.table("facts")
        with pytest.raises(DiskFullError, match="address space"), store.writing() as transaction:
            transaction.put(b"k", b"x" * 1_500_000, db=table)
        with store.writing() as transaction:
            transaction.put(b"k", b"x" * 1_500_000, db=table)


def test_a_reader_follows_a_map_that_grew(tmp_path: Path) -> None:
    code = """
        import pathlib, sys
        from exonym.store import Store
        store = Store.open(pathlib.Path(sys.argv[1]), read_only=True, map_bytes=1 << 20)
        table = store.table("facts")
        print("open", flush=True)
        sys.stdin.readline()
        with store.reading() as transaction:
            print(len(transaction.get(b"k", db=table)), flush=True)
        """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)]
    with Store.open(tmp_path, map_bytes=MIB) as store:
        table = store.table("facts")
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
            assert reader.stdin is not None
            assert reader.stdout is not None
            assert reader.stdout.readline() == "open\n"
            for size in (600_000, 1_000_000, 3_000_000):
                store._must_grow = True
                with store.writing() as transaction:
                    transaction.put(b"k", b"x" * size, db=table)
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == "3000000\n"


def test_a_machine_that_grants_little_address_space_still_crawls(tmp_path: Path) -> None:
    outcome = run_apart(
        """
        import pathlib, resource, sys
        from exonym.store import Store
        resource.setrlimit(resource.RLIMIT_AS, (1 << 32, resource.RLIM_INFINITY))
        with Store.open(pathlib.Path(sys.argv[1])) as store:
            table = store.table("facts")
            with store.writing() as transaction:
                transaction.put(b"k", b"v", db=table)
            print(store.map_bytes < 1 << 32)
        """,
        tmp_path,
    )
    assert outcome.stdout == "True\n", outcome.stderr


def test_a_directory_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "crawl").write_text("a file")
    with pytest.raises(DirectoryError, match="cannot be used"):
        Store.open(tmp_path / "crawl" / "state")


def test_a_value_can_be_got_from_a_table_asked_for_after_another_value(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = store.table("first")
        assert store.get(first, b"key") is None
        second = store.table("second")
        assert store.get(second, b"key") is None
        with store.writing() as transaction:
            transaction.put(b"key", b"value", db=second)
        assert store.get(second, b"key") == b"value"
