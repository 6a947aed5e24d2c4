"""When something that takes long is done again: now and then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

_LEAST_SECONDS = 30.0  # between two times, …
_SHARE_OF_TIME = 50  # … and so many times as long as the last one took


class Occasion:
    """Remembers when something was done last, and how long it took."""

    def __init__(self) -> None:
        self._done, self._seconds = float("-inf"), 0.0

    @property
    def is_due(self) -> bool:
        """Whether it may be done again."""
        return time.monotonic() >= self._done + max(_LEAST_SECONDS, _SHARE_OF_TIME * self._seconds)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """It is done in this block."""
        began = time.monotonic()
        yield
        self._done = time.monotonic()
        self._seconds = self._done - began
