"""What an import takes from a crawl besides its archive: visits without a record, seeds, parents, the judge."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import NO_ROW, Codes, Ids, Outcome, language_name
from exonym.config import CONFIG_NAME, Settings, load
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError
from exonym.judges.by_name import judge_settings
from exonym.judges.judge_settings import Plain, languages_of
from exonym.system.files import disk_errors
from exonym.urls import id_of
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.record import PageRecord, code_of


class Parents:
    """The languages of parents (the pages that linked to a page), by URL."""

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
        """Write to a file for workers to load."""
        with disk_errors(path), path.open("wb") as file:
            np.savez(file, ids=self._ids, languages=self._languages)

    @classmethod
    def load(cls, path: Path) -> "Parents":
        """Read what `save` wrote."""
        with disk_errors(path), np.load(path, allow_pickle=False) as file:
            return cls(file["ids"], file["languages"])


def journal_records(directory: Path) -> Iterator[PageRecord]:
    """Visits without a response, and sitemaps: by their records alone, sitemaps would be taken for pages."""
    for table in CrawlDirectory(directory).tables(["url", "outcome", "warc_file"]):
        urls, outcomes, files = (table[name].to_pylist() for name in table.column_names)
        for url, outcome, file in zip(urls, outcomes, files, strict=True):
            if not file or outcome == Outcome.SITEMAP:
                yield PageRecord(url, Outcome(outcome))


def journal_facts(directory: Path) -> tuple[Parents, list[str]]:
    """The languages of parents, and the seeds (visits that no page led to)."""
    ids: list[int] = []
    seeds: list[str] = []
    sources, languages = [], []
    for table in CrawlDirectory(directory).tables(["url", "outcome", "source", "language"]):
        urls, outcomes, from_rows, names = (table[name].to_pylist() for name in table.column_names)
        ids += map(id_of, urls)
        sources.append(np.array(from_rows, np.int64))
        languages.append(np.array(list(map(code_of, names)), np.uint16))
        visits = zip(urls, outcomes, from_rows, strict=True)
        seeds += [url for url, outcome, row in visits if row == NO_ROW and outcome != Outcome.SITEMAP]
    source, language = np.concatenate(sources), np.concatenate(languages)
    has_parent = (source >= 0) & (source < len(language))
    of_parent = np.where(has_parent, language[np.where(has_parent, source, 0)] if len(language) else 0, 0)
    return Parents(np.array(ids, np.uint64), of_parent.astype(np.uint16)), seeds


def as_crawled(options: ImportOptions, crawls: list[Path]) -> ImportOptions:
    """The options; where they name no judge, with the judge of the crawls and the languages of all of them."""
    if options.judge or (options.languages and options.identifier and options.inherit_language is not None):
        return options
    settings_of = {crawl: load(crawl / CONFIG_NAME) for crawl in crawls if (crawl / CONFIG_NAME).exists()}
    judges = {crawl: judge_settings(settings, crawl) for crawl, settings in settings_of.items()}
    if not options.languages and any(judge["kind"] != "language" for judge in judges.values()):
        return _with_shared_judge(options, judges)
    languages = dict.fromkeys(language for settings in settings_of.values() for language in settings.target.languages)
    identifier, inherits = options.identifier, options.inherit_language
    return replace(
        options,
        languages=options.languages or tuple(languages),
        identifier=identifier or _shared_setting(settings_of, "identifier") or "",
        inherit_language=_shared_setting(settings_of, "inherit_language") if inherits is None else inherits,
    )


def _with_shared_judge(options: ImportOptions, judges: dict[Path, Plain]) -> ImportOptions:
    """The options with the judge of crawls that look at more than languages; raises if crawls have different ones."""
    first = next(iter(judges))
    for crawl, judge in judges.items():
        if judge != judges[first]:
            raise ConfigError(
                f"{first} and {crawl} do not look for the same pages. "
                "State what is relevant by --language, --about-nation or --relevance."
            )
    return replace(options, judge=json.dumps(judges[first]), languages=tuple(languages_of(judges[first])))


def _shared_setting(settings_of: dict[Path, Settings], key: str) -> Any:
    """The value that a key of [judge] has in all crawls; None if there are no crawls; raises if the crawls differ."""
    values = {crawl: getattr(settings.judge, key) for crawl, settings in settings_of.items()}
    first = next(iter(values), None)
    for crawl, value in values.items():
        if first and value != values[first]:
            differing = f"{first} has judge.{key} = {json.dumps(values[first])}, {crawl} has {json.dumps(value)}"
            raise ConfigError(f"{differing}. Choose the one that judges all pages by --{key.replace('_', '-')}.")
    return values[first] if first else None
