"""A labelling session without a screen: keys go in, labels to keep or withdraw come out."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple


class Did(Enum):
    """What a key press did."""

    ANSWERED = "answered"  # keep the label, now
    SKIPPED = "skipped"
    UNDONE = "undone"  # withdraw the label of the page, which is shown again
    UNSKIPPED = "unskipped"  # the page is shown again
    MORE = "more"
    QUIT = "quit"
    NOTHING = "nothing"  # there is nothing to undo
    UNKNOWN = "unknown"


class Step(NamedTuple):
    """The effect of a key press, for which page, and the answer given."""

    did: Did
    row: int = -1
    positive: bool = False


KEYS = {"y": "yes", "n": "no", "s": "skip", "u": "undo", "m": "more", "q": "quit"}


class Session:
    """The state of a session: the page shown, the answers so far, and what can be undone."""

    def __init__(self, rows: Iterable[int], yes: int = 0, no: int = 0) -> None:
        self._coming: Iterator[int] = iter(rows)
        self._again: list[int] = []  # pages that undoing put back, the next one last
        self._past: list[Step] = []
        self.yes, self.no = yes, no
        self._row: int | None = None

    @property
    def row(self) -> int:
        """The page shown, -1 if none is left. Looking it up may take time, so answers are saved first."""
        if self._row is None:
            self._row = self._again.pop() if self._again else next(self._coming, -1)
        return self._row

    @property
    def is_over(self) -> bool:
        """Whether no page is left to show."""
        return self.row < 0

    @property
    def has_past(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def labelled(self) -> int:
        """How many pages have a label, those of earlier sessions included."""
        return self.yes + self.no

    def press(self, key: str) -> Step:
        """Apply a key (or its word in `KEYS`) to the page shown."""
        word = key.strip().lower()
        letter = word if word in KEYS else next((letter for letter, name in KEYS.items() if name == word), "")
        if letter in ("y", "n"):
            return self._go_on(Step(Did.ANSWERED, self.row, letter == "y"))
        if letter == "s":
            return self._go_on(Step(Did.SKIPPED, self.row))
        if letter == "u":
            return self._undo()
        return Step({"m": Did.MORE, "q": Did.QUIT}.get(letter, Did.UNKNOWN), self.row)

    def pass_over(self) -> None:
        """Go to the next page: this page has no words to judge, and undoing does not return to it."""
        self._row = None

    def _go_on(self, step: Step) -> Step:
        if self.is_over:
            return Step(Did.UNKNOWN)
        self._past.append(step)
        self._count(step, 1)
        self.pass_over()
        return step

    def _undo(self) -> Step:
        if not self._past:
            return Step(Did.NOTHING, self.row)
        step = self._past.pop()
        self._count(step, -1)
        if self._row is not None and self._row >= 0:
            self._again.append(self._row)
        self._row = step.row
        return step._replace(did=Did.UNDONE if step.did is Did.ANSWERED else Did.UNSKIPPED)

    def _count(self, step: Step, by: int) -> None:
        if step.did is Did.ANSWERED:
            self.yes += by if step.positive else 0
            self.no += 0 if step.positive else by
