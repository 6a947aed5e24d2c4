"""Signals as wishes to stop: Ctrl-C once finishes, twice stops now, a third time breaks off."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from exonym.live.stop import StopLevel, StopRequest


@contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """A StopRequest that SIGINT and SIGTERM raise for as long as the block runs."""
    stop = StopRequest()

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
