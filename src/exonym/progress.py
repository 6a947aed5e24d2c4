"""How long work says how far it has come: one callback for everything that takes more than a second.

Whoever works calls it often and cheaply; whoever shows it decides how often to draw.
"""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much (0: unknown)
Tell = Callable[[str], None]  # one line of text that says what is being done


def no_progress(what: str, done: int, total: int) -> None:
    """For callers that show nothing."""


def tell_nobody(text: str) -> None:
    """For callers that show nothing."""
