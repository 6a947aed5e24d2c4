"""Areas: counts of the pages fetched around a segment, from its server or from neighbouring directories."""

import numpy as np

from exonym.batches import Flags, Floats, Ids, Rows
from exonym.strategies.numbering import Numbering, flattened, grown
from exonym.strategies.segment.page_counts import SegmentPages
from exonym.urls import id_of

_NOWHERE = -1


class Areas:
    """Segments grouped into areas (a server, or a directory), and the pages fetched from each area."""

    def __init__(self, pages: SegmentPages) -> None:
        self._pages = pages
        self._numbering = Numbering()
        self._area = np.zeros(0, dtype=np.int64)  # of each segment
        self._members: list[list[int]] = []
        self._counts = np.zeros((0, 2), dtype=np.int64)  # fetched, and relevant

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._area = grown(self._area, segments, _NOWHERE)

    def know(self, segments: Rows) -> Flags:
        """Whether the area of each segment is known; -1 is a segment that was never met."""
        known: Flags = (segments >= 0) & (self._area[segments] != _NOWHERE)
        return known

    def place(self, segments: Rows, areas: Ids) -> Rows:
        """Set the areas of distinct segments; the segments of all areas that changed."""
        fresh = self._area[segments] == _NOWHERE
        segments, rows = segments[fresh], self._numbering.take(areas[fresh])
        self._members += [[] for _ in range(len(self._numbering) - len(self._members))]
        self._counts = grown(self._counts, len(self._numbering))
        self._area[segments] = rows
        for segment, area in zip(segments.tolist(), rows.tolist(), strict=True):
            self._members[area].append(segment)
        return self.add(segments, self._pages.fetched(segments))

    def add(self, segments: Rows, counts: Rows) -> Rows:
        """Count pages fetched from segments; the segments of all areas that changed."""
        placed = self._area[segments] != _NOWHERE
        areas = self._area[segments[placed]]
        np.add.at(self._counts, areas, counts[placed])
        return flattened([self._members[area] for area in np.unique(areas).tolist()])

    def shares(self, segments: Rows, least: int) -> Floats:
        """The share of relevant pages around each segment; NaN where fewer than `least` were fetched."""
        area = self._area[segments]
        counts = self._counts[area] if len(self._counts) else np.zeros((len(area), 2), dtype=np.int64)
        known = (area != _NOWHERE) & (counts[:, 0] >= least)
        return np.where(known, counts[:, 1] / np.maximum(counts[:, 0], 1), np.nan)

    def ids(self, segments: Rows) -> Ids:
        """The area of each segment; 0 where it is not known."""
        area = self._area[segments]
        if not len(self._numbering):
            return np.zeros(len(area), dtype=np.uint64)
        return np.where(area == _NOWHERE, np.uint64(0), self._numbering.ids(np.maximum(area, 0)))


def beside(urls: list[str]) -> Ids:
    """The directory above that of each URL, as an id: segments in the same one are neighbours.

    >>> bool(beside(["http://a.th/x/b/1.html"])[0] == beside(["http://a.th/x/c/2.html?q=/y/"])[0])
    True
    """
    return np.array([id_of(_above(url.partition("?")[0])) for url in urls], dtype=np.uint64)


def _above(path: str) -> str:
    directory = path.rpartition("/")[0]
    above, slash, name = directory.rpartition("/")
    return (above if slash and name and not above.endswith(("/", ":")) else directory) + "/"
