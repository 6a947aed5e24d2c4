"""Has a command run by a server of commands: `python served_command.py SOCKET PROGRAM WORDS …`, which ends as it does.

It imports little, because scripts start it for each of their commands.
"""

import json
import os
import signal
import socket
import sys


def run_by_server(door: str, words: list[str]) -> int:
    """Hand words, directory, environment and open files to the server, pass signals on, and wait for the exit code."""
    process, early = 0, list[int]()

    def pass_on(number: int, frame: object) -> None:
        if process:
            os.kill(process, number)
        else:
            early.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(door)
        request = json.dumps([words, os.getcwd(), dict(os.environ)]).encode()
        socket.send_fds(connection, [b"%10d" % len(request)], [0, 1, 2])
        connection.sendall(request)
        with connection.makefile("r") as answers:
            process = int(answers.readline())
            for number in early:
                os.kill(process, number)
            return int(answers.readline())


if __name__ == "__main__":
    code = run_by_server(sys.argv[1], sys.argv[2:])
    if code < 0:  # ended by a signal
        os.kill(os.getpid(), -code)
    sys.exit(code)
