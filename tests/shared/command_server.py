"""A server of `exonym` commands for scripts with many of them: forks a process that has imported all for each command.

A command takes half a second to start, and two where it simulates or trains: scripts would do little else.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import exonym
from exonym.cli import main

# What commands import when they need it, and what takes long to import.
_LATE = ["jinja2", "matplotlib.figure", "pydantic", "rich.live", "sklearn.linear_model", "sklearn.metrics"]


@contextmanager
def served_commands() -> Iterator[Path]:
    """A directory to be put first into PATH: the server runs its `exonym`, and ends with the block."""
    with tempfile.TemporaryDirectory(prefix="exonym-") as place:  # short: paths of sockets have 107 characters at most
        door, program, client = (
            Path(place, "door"),
            Path(place, "exonym"),
            Path(__file__).with_name("served_command.py"),
        )
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{client}" "{door}" "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        command = [sys.executable, __file__, str(door)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield Path(place)
            server.stdin.close()


def _import_all() -> None:
    """Import what any command may need, and load the compiled code of simulations."""
    ours = {module.name for module in pkgutil.walk_packages(exonym.__path__, "exonym.")}
    for module in [*sorted(ours - {"exonym.__main__"}), *_LATE]:
        importlib.import_module(module)
    importlib.import_module("exonym.simulation.engine.warm_up").warm_up()
    gc.freeze()


def _serve(door: str) -> None:
    """Fork for each command; return in the process that is to run it, with `sys.argv` set."""
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
                break
            connection.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    length, files, _, _ = socket.recv_fds(connection, 10, 3)
    with connection.makefile("rb") as requests:
        words, directory, environment = json.loads(requests.read(int(length)))
    if command := os.fork():
        connection.sendall(b"%d\n" % command)
        code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
        connection.sendall(b"%d\n" % (code if code >= 0 else 128 - code))
        os._exit(0)
    connection.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # Streams of its own: those of the server were pipes, and the files may be something else.
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", 1)  # noqa: SIM115
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = words


if __name__ == "__main__":
    _import_all()
    _serve(sys.argv[1])
    try:
        main()
    except SystemExit as left:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(left.code)  # the usual end would copy what was imported, to free it
