"""A crawl's journal: the visits that left no record in the archive, the seeds, and who linked to whom."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.config import CONFIG_NAME, load
from exonym.errors import ConfigError
from exonym.journal import Journal
from exonym.model import NO_ROW, Outcome, language_code
from exonym.store import Store
from exonym.urls import id_of
from exonym.webgraph.imports.parents import Parents
from exonym.webgraph.imports.record import PageRecord


class JournalFacts(NamedTuple):
    """What the journal says beyond the archive."""

    parents: Parents
    seeds: list[str]


def journal_records(directory: Path) -> Iterator[PageRecord]:
    """Visits without an answer, and sitemaps: an archive alone takes these for pages."""
    with Store.open(directory / "state", read_only=True) as store:
        for table in Journal(store, directory / "journal").tables(["url", "outcome", "warc_file"]):
            urls, outcomes, files = (table[name].to_pylist() for name in table.column_names)
            for url, outcome, file in zip(urls, outcomes, files, strict=True):
                if not file or outcome == Outcome.SITEMAP:
                    yield PageRecord(url, Outcome(outcome))


def journal_facts(directory: Path) -> JournalFacts:
    """Languages of parents, and the visits that began the crawl."""
    ids: list[int] = []
    seeds: list[str] = []
    sources, languages = [], []
    codes: dict[str, int] = {}
    with Store.open(directory / "state", read_only=True) as store:
        for table in Journal(store, directory / "journal").tables(["url", "outcome", "source", "language"]):
            urls, outcomes, from_rows, names = (table[name].to_pylist() for name in table.column_names)
            ids += map(id_of, urls)
            for name in set(names) - codes.keys():
                codes[name] = language_code(name)
            sources.append(np.array(from_rows, np.int64))
            languages.append(np.array([codes[name] for name in names], np.uint16))
            begun = zip(urls, outcomes, from_rows, strict=True)
            seeds += [url for url, outcome, row in begun if row == NO_ROW and outcome != Outcome.SITEMAP]
    source, language = np.concatenate(sources), np.concatenate(languages)
    has_parent = (source >= 0) & (source < len(language))
    of_parent = np.where(has_parent, language[np.where(has_parent, source, 0)] if len(language) else 0, 0)
    return JournalFacts(Parents(np.array(ids, np.uint64), of_parent.astype(np.uint16)), seeds)


def languages_of(directory: Path) -> tuple[str, ...]:
    """The languages that the crawl was for, as far as its crawl.toml can be read."""
    try:
        return tuple(load(directory / CONFIG_NAME).target.languages)
    except ConfigError:
        return ()
