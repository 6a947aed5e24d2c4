"""The pages of a crawl that are worth a person's look: of each text one, in the languages asked for."""

from collections.abc import Sequence

import numpy as np

from exonym.batches import Rows
from exonym.crawl_directory.pages import CrawlPages
from exonym.labelling.order import Candidate
from exonym.training.labels import site_of


def candidates_of(pages: CrawlPages, languages: Sequence[str] = ()) -> list[Candidate]:
    """All pages, or those in `languages`, in the order of the crawl, without copies."""
    urls, rows = pages.column("url"), pages.pages
    if languages:
        spoken = pages.column("language")
        rows = np.array([row for row in rows.tolist() if _is_one_of(spoken[row], languages)], np.int64)
    rows = first_of_each(pages.column("digest"), rows)
    return [
        Candidate(row, site_of(urls[row]), float(pages.relevance[row]), bool(pages.relevant[row]))
        for row in rows.tolist()
    ]


def first_of_each(values: Sequence[str], rows: Rows) -> Rows:
    """Those of `rows` whose value ("" excepted) none of the earlier ones has."""
    seen: set[str] = set()
    kept = []
    for row in rows.tolist():
        if not values[row] or values[row] not in seen:
            seen.add(values[row])
            kept.append(row)
    return np.array(kept, np.int64)


def _is_one_of(language: str, wanted: Sequence[str]) -> bool:
    """Chinese is also Chinese in one of its scripts."""
    return any(language == code or language.startswith(f"{code}-") for code in wanted)
