"""A request to stop, which a running crawl checks between batches; Ctrl-C makes one."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType


class StopLevel(IntEnum):
    """How soon to stop."""

    GO_ON = 0
    FINISH = 1  # fetch nothing new, finish what is in flight
    NOW = 2  # give up what is in flight too: it stays in the frontier


class StopRequest:
    """Carries the request from a signal handler, or a test, to the driver. Its level only ever rises."""

    __slots__ = ("level",)

    def __init__(self) -> None:
        self.level = StopLevel.GO_ON

    def finish(self) -> None:
        """Ask to stop when all visits in flight have ended."""
        self.level = max(self.level, StopLevel.FINISH)

    def press(self) -> None:
        """Ask one step more urgently: first to finish, then to stop now."""
        self.level = StopLevel.FINISH if self.level is StopLevel.GO_ON else StopLevel.NOW


@contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """A `StopRequest` whose level SIGINT and SIGTERM raise while the block runs.

    The first Ctrl-C finishes what is in flight, the second stops now, the third raises KeyboardInterrupt. Python gives
    signals to the main thread only: in other threads the level stays as it is.
    """
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.level is StopLevel.NOW:
            raise KeyboardInterrupt
        stop.press()

    def terminated(number: int, frame: FrameType | None) -> None:
        stop.finish()

    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, interrupted),
        signal.SIGTERM: signal.signal(signal.SIGTERM, terminated),
    }
    try:
        yield stop
    finally:
        for number, action in before.items():
            signal.signal(number, action)
