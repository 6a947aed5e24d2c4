"""The status line of long work on a terminal; nothing is shown if the standard error is not a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from exonym.web_text import clean


class ShowStatus(Protocol):
    """Serves as `exonym.progress.Tell` and as `exonym.progress.Progress`."""

    def __call__(self, what: str, done: int = 0, total: int = 0) -> None:
        """Show what is being done, and how much of it is done if there is a total."""


@contextmanager
def status_line(first: str) -> Iterator[ShowStatus]:
    """Show what is being done while the block runs, starting with `first`."""
    if not sys.stderr.isatty():
        yield lambda what, done=0, total=0: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.status import Status

    with Status(escape(clean(first)), console=Console(stderr=True)) as status:

        def show(what: str, done: int = 0, total: int = 0) -> None:
            status.update(escape(clean(f"{what}: {done:,} of {total:,}" if total else what)))

        yield show
