"""How many links to each URL a crawl has counted."""

from pathlib import Path

import numpy as np

from exonym.batches import Group
from exonym.crawl_directory.crawl_parts import parts_of
from exonym.frontier.base import LARGEST_COUNT
from exonym.frontier.disk import DiskFrontier


def counted_links(directory: Path) -> dict[int, int]:
    """By URL: on how many pages links to it were found, as the frontiers of all partitions count them, up to 15.

    Relevant and irrelevant pages are counted together: a redirect counts as the page that first linked to it, and who
    that is depends on the order of visits. Each of the two counters ends at 15, so larger sums depend on it, too.
    """
    counted: dict[int, int] = {}
    for part in parts_of(directory).parts:
        with part.store() as store:
            ids, _, marks = DiskFrontier(store, part.path / "state" / "seen", Group.SERVER).seen_urls()
        counted |= dict(zip(ids.tolist(), np.minimum((marks & 15) + (marks >> 4), LARGEST_COUNT).tolist(), strict=True))
    return counted
