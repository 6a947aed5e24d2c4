"""A server of commands for scripts with many of them: each is a fork of a process that has imported what commands need.

`exonym` takes half a second to start, and two where it simulates or trains: scripts would do little else.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import exonym
from exonym.cli import main

# What commands import when they need it, and what takes long to import.
_LATE = ["jinja2", "matplotlib.figure", "pydantic", "rich.live", "sklearn.linear_model", "sklearn.metrics"]


@contextmanager
def served_commands() -> Iterator[Path]:
    """A directory to be put first into PATH: the server runs its `exonym` and `python`, and ends with the block."""
    client = Path(__file__).with_name("served_command.py")
    with tempfile.TemporaryDirectory(prefix="exonym-") as place:  # short: paths of sockets have 107 characters at most
        door = Path(place, "door")
        for name in ("exonym", "python"):
            words = f'"{sys.executable}" -I -S "{client}" "{door}" {name} "$@"'
            Path(place, name).write_text(f"#!/bin/sh\nexec {words}\n", encoding="utf-8")
            Path(place, name).chmod(0o755)
        command = [sys.executable, __file__, str(door)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield Path(place)
            server.stdin.close()


def _import_all() -> None:
    """Import what any command may need, and load the compiled code of simulations."""
    for module in pkgutil.walk_packages(exonym.__path__, "exonym."):
        # Ray reads the environment as it is imported, and commands set it before.
        if "__main__" not in module.name and ".ray_" not in module.name:
            importlib.import_module(module.name)
    for name in _LATE:
        importlib.import_module(name)
    assert "ray" not in sys.modules
    importlib.import_module("exonym.simulation.engine.warm_up").warm_up()
    gc.freeze()


def _accepted(door: str) -> socket.socket:
    """Fork for each connection, and return it there."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(door)
        listening.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for commands
        while True:
            if sys.stdin in select.select([listening, sys.stdin], [], [])[0]:
                sys.exit()
            connection, _ = listening.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return connection
            connection.close()


def _words_to_run(connection: socket.socket) -> list[str]:
    """Fork once more, tell how that process ends, and return there, where all is as the client has it."""
    length, files, _, _ = socket.recv_fds(connection, 10, 3)
    with connection, connection.makefile("rb") as requests:
        words, directory, environment = json.loads(requests.read(int(length)))
        if command := os.fork():
            connection.sendall(b"%d\n" % command)
            connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(command, 0)[1]))
            os._exit(0)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # Streams of its own: those of the server were pipes, and the files may be something else.
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", 1)  # noqa: SIM115
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    return words


def _run_python(words: list[str]) -> None:
    """What `python -c CODE`, `python -` and `python FILE` do."""
    first, path = words[0], ""
    if first == "-c":
        code = words.pop(1)
    elif first == "-":
        code = sys.stdin.read()
    else:
        code, path = Path(first).read_text(encoding="utf-8"), str(Path(first).parent)
    sys.argv, sys.path[0] = words, path
    script = sys.modules["__main__"] = ModuleType("__main__")
    script.__file__ = first
    exec(compile(code, first, "exec"), script.__dict__)


def _run(program: str, words: list[str]) -> None:
    code: object = 0
    try:
        if program == "python":
            _run_python(words)
        else:
            sys.argv = [program, *words]
            main()
    except SystemExit as left:
        code = left.code or 0
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    if not isinstance(code, int):
        print(code, file=sys.stderr)
    os._exit(code if isinstance(code, int) else 1)  # the usual end would copy what was imported, to free it


if __name__ == "__main__":
    _import_all()
    program, *words = _words_to_run(_accepted(sys.argv[1]))
    _run(program, words)
