"""Reads answers from a person: single key presses on a terminal, lines from any other input.

The terminal is restored however the session ends: by the last page, an error, Ctrl-C, or a signal.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

Ask = Callable[[], str]

_ESCAPE, _END_OF_INPUT = "\x1b", "\x04"
_MOST_BYTES = 64
_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def asking_keys() -> Iterator[Ask]:
    """A function that waits for the next answer; "" is the end of input."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield _line
        return
    handle = sys.stdin.fileno()
    with _ending_by_exception(), _single_keys(handle):
        yield _Keys(handle)


def _line() -> str:
    """The next line, stripped; an empty line gives a space, because "" is the end of input."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    return line.strip() or " " if line else ""


class _Keys:
    """Reads keys, also those typed ahead. Arrow and function keys give a space, which answers nothing."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._waiting: list[str] = []

    def __call__(self) -> str:
        while not self._waiting:
            try:
                read = os.read(self._handle, _MOST_BYTES)
            except OSError:  # the terminal is gone
                read = b""
            if not read:
                return ""
            text = read.decode("utf-8", "replace")
            self._waiting = [" "] if text.startswith(_ESCAPE) else list(text)
        key = self._waiting.pop(0)
        return "" if key == _END_OF_INPUT else key


@contextmanager
def _single_keys(handle: int) -> Iterator[None]:
    import termios
    import tty

    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSANOW)
        yield
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


@contextmanager
def _ending_by_exception() -> Iterator[None]:
    """Turn signals that would end the process at once into exceptions, so that the terminal is restored."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, end) for number in _ENDING}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
