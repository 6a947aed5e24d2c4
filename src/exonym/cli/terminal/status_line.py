"""One line on a terminal that says what is being done, and changes; nothing elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from exonym.progress import Tell


@contextmanager
def telling(first: str) -> Iterator[Tell]:
    """Give a function that says what is being done now."""
    if not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.status import Status

    with Status(escape(first), console=Console(stderr=True)) as status:
        yield lambda doing: status.update(escape(doing))
