"""How long work reports its progress: one callback for everything that takes more than a second.

The work calls it often, which costs little; the code that shows progress decides how often to draw.
"""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much (0: unknown)
Tell = Callable[[str], None]  # one line of text about what is being done


def no_progress(what: str, done: int, total: int) -> None:
    """For callers that show nothing."""
