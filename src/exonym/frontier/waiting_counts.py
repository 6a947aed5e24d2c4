"""How many links wait at each server, read from the store of a disk frontier without restoring it.

To restore a frontier is to read every link in it. For those who only look at a crawl, the counts in the log and the
names of the groups are enough.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from exonym.errors import DirectoryError
from exonym.frontier.aside import AsideLinks
from exonym.frontier.blocks import FrontierTables
from exonym.store import Store


@dataclass(frozen=True, slots=True)
class WaitingCounts:
    """Links by server, as of the last commit; those in flight then are counted as waiting."""

    queued: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)  # set aside one by one, because the scope leaves them out


def waiting_counts(store: Store) -> WaitingCounts:
    """The links in the store of a crawl."""
    try:
        tables = FrontierTables(store)
    except DirectoryError:  # no link was ever queued
        return WaitingCounts()
    counts = WaitingCounts(tables.waiting_by_server())
    with suppress(DirectoryError):  # version 0.1.0 sets no links aside
        counts.aside.update(AsideLinks(store).servers())
    return counts
