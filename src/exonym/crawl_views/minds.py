"""What the strategy of a crawl had learned, for views that explain scores: read from the store now and then."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import NamedTuple

from exonym.crawl_directory.crawl_parts import home_of, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_views.occasion import Occasion
from exonym.errors import ExonymError, PartialCrawlWarning
from exonym.live.learned_so_far import Mind, mind_of


class _Kept(NamedTuple):
    mind: Mind | None
    problem: str
    occasion: Occasion


class Minds:
    """The minds of the partitions of a crawl; several threads may ask."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}  # by partition

    def of(self, number: int) -> tuple[Mind | None, str]:
        """What the strategy of a partition had learned lately; or None, and why that cannot be known."""
        with self._lock:
            kept = self._kept.get(number)
            if kept is None or kept.occasion.is_due:
                occasion = kept.occasion if kept else Occasion()
                with occasion.taken():
                    kept = self._kept[number] = _Kept(*self._read(number), occasion)
            return kept.mind, kept.problem

    def _read(self, number: int) -> tuple[Mind | None, str]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PartialCrawlWarning)  # whoever reads the visits is told
                settings, parts = CrawlDirectory(self._directory).settings, parts_of(self._directory).parts
            return mind_of(home_of(self._directory), settings, parts, number), ""
        except ExonymError as error:
            return None, str(error)
