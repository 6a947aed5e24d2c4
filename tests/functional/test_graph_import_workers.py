"""Importing in several processes: pages that end one cost themselves, and Ctrl-C loses nothing."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import json_of

from exonym.archive import ranges
from exonym.errors import ConfigError
from exonym.webgraph import Graph
from exonym.webgraph.importing import tasks
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions

DYING = Path(__file__).with_name("dying_import.py")
IN_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
CTRL_C = b"\x03"


def write_warc(path: Path, *names: str) -> None:
    """Pages of these names, packed each by itself."""
    with path.open("wb") as file:
        for name in names:
            block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{name}<a href=/of-{name}>x</a>".encode()
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{name}"
            file.write(
                gzip.compress(f"{head}\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n", mtime=0)
            )


def pages_of(graph: Path) -> set[str]:
    found = Graph.open(graph)
    return {url.rpartition("/")[2] for url in found.texts("url").part(0, len(found)) if "/of-" not in url}


def environment(directory: Path, wall_seconds: float) -> dict[str, str]:
    more = {"EXONYM_TEST_CRASHED": str(directory / "crashed"), "EXONYM_TEST_WALL_SECONDS": str(wall_seconds)}
    return os.environ | more


def test_page_that_ends_its_process_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    write_warc(tmp_path / "files" / "a.warc.gz", "1", "crash", "2", "crash-once", "3", "spin")
    write_warc(tmp_path / "files" / "b.warc.gz", "4", "fill", "5", "wait", "6")
    arguments = ["-o", tmp_path / "graph", tmp_path / "files", "--language", "th", "--jobs", "2", "--json"]
    command = [sys.executable, str(DYING), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path, 10.0))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["skipped"] == {"record that ended the process reading it": 4}
    assert pages_of(tmp_path / "graph") == {"1", "2", "3", "4", "5", "6", "crash-once"}


def test_processes_that_die_as_they_start_end_the_import_in_one_line(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", "1", "2")
    command = [
        sys.executable,
        str(DYING),
        "-o",
        str(tmp_path / "graph"),
        str(tmp_path / "a.warc.gz"),
        "--language",
        "th",
    ]
    stillborn = environment(tmp_path, 60.0) | {"EXONYM_TEST_STILLBORN": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=stillborn)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "a.warc.gz were ended" in done.stderr


def test_ctrl_c_at_a_terminal_ends_all_processes_and_the_next_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    write_warc(tmp_path / "files" / "a.warc.gz", "1", "2")
    write_warc(tmp_path / "files" / "b.warc.gz", "3", "wait")
    arguments = ["-o", tmp_path / "graph", tmp_path / "files", "--language", "th", "--jobs", "2"]
    command = [sys.executable, "-c", IN_TERMINAL, sys.executable, str(DYING), *map(str, arguments)]
    printed = b""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path, 1_000.0), bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        while b"1 of 2 files" not in printed:
            data = process.stdout.read(1_000)
            assert data, printed.decode()
            printed += data
        process.stdin.write(CTRL_C)
        printed += process.stdout.read()  # up to its end: no process has the terminal any more
        assert process.wait() == 130
    assert b"Traceback" not in printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "graph.import"]
    assert json_of("graph", "import", *arguments)["resumed"] == 1
    assert pages_of(tmp_path / "graph") == {"1", "2", "3", "wait"}


def test_parts_that_were_read_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "cuts_of", lambda path: ranges.cuts_of(path, 500))
    write_warc(tmp_path / "a.warc.gz", *map(str, range(20)))
    table = tmp_path / "pages.csv"
    table.write_text("nothing\n1\n")
    request = ImportRequest((tmp_path / "a.warc.gz",), (table,), options=ImportOptions(("th",)), jobs=1)
    with pytest.raises(ConfigError):
        import_graph(tmp_path / "graph", request)
    notes = sorted((tmp_path / "graph.import").glob("*.json"))
    assert len(notes) > 3
    kept = {path: path.stat().st_mtime_ns for path in notes[1:]}
    notes[0].unlink()
    with pytest.raises(ConfigError):
        import_graph(tmp_path / "graph", request)
    assert {path: path.stat().st_mtime_ns for path in notes[1:]} == kept
    assert notes[0].is_file()
    table.write_text("url\nhttp://b.example/\n")
    assert import_graph(tmp_path / "graph", request).resumed == 1
    assert pages_of(tmp_path / "graph") == {*map(str, range(20)), ""}
