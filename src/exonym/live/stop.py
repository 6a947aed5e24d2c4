"""A wish to stop that a running crawl looks at between batches. Who wishes (a signal, a test) is not its business."""

from enum import IntEnum


class StopLevel(IntEnum):
    """How soon to stop."""

    GO_ON = 0
    FINISH = 1  # fetch nothing new, finish what is in flight
    NOW = 2  # give up what is in flight too: it stays in the frontier


class StopRequest:
    """Carries the wish from a signal handler to the driver. It only ever rises."""

    __slots__ = ("level",)

    def __init__(self) -> None:
        self.level = StopLevel.GO_ON

    def finish(self) -> None:
        """Asks to stop once what is in flight has ended."""
        self.level = max(self.level, StopLevel.FINISH)

    def press(self) -> None:
        """Asks one step more urgently: first to finish, then to stop now."""
        self.level = StopLevel.FINISH if self.level is StopLevel.GO_ON else StopLevel.NOW
