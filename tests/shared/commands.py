"""Commands run by tests: `run` as users do, in a process of their own; `run_here` in this one, which is faster."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from exonym.cli import main

EXONYM = str(Path(sys.executable).parent / "exonym")


def run(
    *words: object, cwd: Path | None = None, given: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """The installed command with these words, `given` on standard input."""
    command, environ = [EXONYM, *map(str, words)], os.environ | environment
    return subprocess.run(command, cwd=cwd, input=given, env=environ, capture_output=True, text=True)


def printed(*words: object, cwd: Path | None = None) -> str:
    """What a command prints that succeeds."""
    ran = run(*words, cwd=cwd)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def json_of(*words: object, cwd: Path | None = None) -> Any:
    """What a command prints as JSON and nothing else."""
    return json.loads(printed(*words, "--json", cwd=cwd))


def refused(*words: object, cwd: Path | None = None) -> str:
    """What a command says on stderr as it refuses: always one line, exit code 2."""
    ran = run(*words, cwd=cwd)
    assert ran.returncode == 2, ran
    assert len(ran.stderr.splitlines()) == 1, ran.stderr
    return ran.stderr


class Said(NamedTuple):
    """Exit code, standard output and standard error of a command."""

    code: int
    out: str
    err: str


class _Captured(io.TextIOWrapper):
    """A standard stream in memory that takes bytes as well, as a real one does."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)

    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def run_here(*words: object, given: str = "") -> Said:
    """A command in this process, which has imported and compiled what commands need; `given` is on standard input."""
    out, err, stdin = _Captured(), _Captured(), sys.stdin
    sys.stdin = io.StringIO(given)
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
            main([*map(str, words)])
    finally:
        sys.stdin = stdin
    assert left.value.code is None or isinstance(left.value.code, int)
    return Said(left.value.code or 0, out.text(), err.text())


def printed_here(*words: object) -> str:
    """What a command in this process prints that succeeds."""
    said = run_here(*words)
    assert said.code == 0, said
    return said.out


def json_here(*words: object) -> Any:
    """What a command in this process prints as JSON and nothing else."""
    return json.loads(printed_here(*words, "--json"))


def refused_here(*words: object) -> str:
    """What a command in this process says on stderr as it refuses: always one line, exit code 2, and nothing else."""
    said = run_here(*words)
    assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1), said
    return said.err
