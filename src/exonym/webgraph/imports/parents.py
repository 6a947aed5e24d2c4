"""The language of the page that linked to each URL, as a crawl's journal tells; kept as arrays, for all workers."""

from pathlib import Path

import numpy as np

from exonym.batches import Codes, Ids, language_name
from exonym.system.files import disk_errors
from exonym.urls import id_of


class Parents:
    """Languages of parents by URL."""

    def __init__(self, ids: Ids, languages: Codes) -> None:
        order = np.argsort(ids)
        self._ids, self._languages = ids[order], languages[order]

    def language_of(self, url: str) -> str:
        """The language of the page that linked to `url`, "" if unknown."""
        own = np.uint64(id_of(url))
        place = int(np.searchsorted(self._ids, own))
        is_known = place < len(self._ids) and self._ids[place] == own
        return language_name(int(self._languages[place])) if is_known else ""

    def save(self, path: Path) -> None:
        """Write for workers to load."""
        with disk_errors(path), path.open("wb") as file:
            np.savez(file, ids=self._ids, languages=self._languages)

    @classmethod
    def load(cls, path: Path) -> "Parents":
        """What `save` wrote."""
        with disk_errors(path), np.load(path, allow_pickle=False) as found:
            return cls(found["ids"], found["languages"])
