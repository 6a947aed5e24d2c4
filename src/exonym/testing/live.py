"""Live crawls of practice webs, and a check that a crawl directory is consistent.

>>> with running_practice_web(web) as address:                       # doctest: +SKIP
...     write_crawl(directory, web, address, {"strategy": {"name": "bfs"}})
...     crawl(directory)
...     rows = check_directory(directory)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.archive.archived_responses import read_response, read_responses
from exonym.archive.records import digest_text
from exonym.config import CONFIG_NAME, load, template
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.journal import JournalRow
from exonym.live.driver import run
from exonym.live.stop import StopRequest
from exonym.metrics import Summary
from exonym.practice import PracticeWeb, running_practice_web

SettingsTables = Mapping[str, Mapping[str, Any]]

_OPERATOR = "https://exonym.example/tests"


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """How a crawl ended, its journal, and what the servers saw of it."""

    summary: Summary
    rows: list[JournalRow]
    stats: dict[str, Any]


def crawl_practice_web(directory: Path, web: PracticeWeb, asked: SettingsTables | None = None) -> CrawlResult:
    """Serve `web`, crawl it into `directory`, and check the directory; `asked` are settings as in crawl.toml."""
    with running_practice_web(web) as address:
        write_crawl(directory, web, address, asked)
        summary = crawl(directory)
        return CrawlResult(summary, check_directory(directory), address.stats())


def write_crawl(directory: Path, web: PracticeWeb, connect_to: str, asked: SettingsTables | None = None) -> None:
    """Write a crawl.toml for a crawl of `web` without delays; the settings `asked` replace others."""
    own: SettingsTables = {
        "seeds": {"urls": web.seeds()},
        "target": {"languages": [web.language]},
        "network": {"connect_to": str(connect_to)},
    }
    write_settings(directory, merged(own, asked or {}))


def crawl_from(
    seeds: list[str], directory: Path, connect_to: str, asked: SettingsTables | None = None
) -> list[JournalRow]:
    """Crawl all pages that `seeds` lead to, breadth first, for Thai pages, and check the directory; the journal."""
    own: SettingsTables = {
        "seeds": {"urls": seeds},
        "target": {"languages": ["th"]},
        "strategy": {"name": "bfs"},
        "network": {"connect_to": connect_to},
        "readers": {"count": 0},
    }
    write_settings(directory, merged(own, asked or {}))
    crawl(directory)
    return check_directory(directory)


def merged(own: SettingsTables, asked: SettingsTables) -> dict[str, dict[str, Any]]:
    """Settings by section and key; those of `asked` replace those of `own`."""
    return {name: {**own.get(name, {}), **asked.get(name, {})} for name in [*own, *asked]}


def write_settings(directory: Path, asked: SettingsTables) -> None:
    """Write a crawl.toml with the settings `asked`, an operator, and no delays."""
    polite = {"operator": _OPERATOR, "delay_seconds": 0.0, "address_delay_seconds": 0.0, "retry_seconds": 0.0}
    directory.mkdir(parents=True, exist_ok=True)
    (directory / CONFIG_NAME).write_text(template(merged({"politeness": polite}, asked)), encoding="utf-8")


def crawl(directory: Path, stop: StopRequest | None = None) -> Summary:
    """Run the crawl in `directory` in this process, without a display."""
    return run(directory, load(directory / CONFIG_NAME), lambda progress: None, stop or StopRequest())


def rows_of(directory: Path) -> list[JournalRow]:
    """The journal of a crawl, as of its last commit; the crawl may be running."""
    return list(CrawlDirectory(directory).rows())


def check_directory(directory: Path) -> list[JournalRow]:
    """The journal; raises AssertionError unless it agrees with the archive. The crawl must not be running.

    No URL has two rows, but for rows that say what the scope left out, which are no visits; the record of a row is at
    the row's offset and has its digest; no URL has two records; and there is no record without a row.
    """
    rows = rows_of(directory)
    assert [row.row for row in rows] == list(range(len(rows))), "rows are not numbered without gaps"
    _check_once([row.url for row in rows if not row.failure.startswith("scope:")], "rows")
    crawl, archived = CrawlDirectory(directory), [row for row in rows if row.warc_file]
    for row in archived:
        record = read_response(crawl.archive_folder(row.warc_file), row.warc_file, row.warc_offset)
        assert record.offset == row.warc_offset, f"{row.url} is not at its offset"
        assert record.url == row.url, f"{row.url} has the record of {record.url}"
        assert digest_text(record.digest) == row.digest, f"{row.url} has another digest than its record"
        assert record.is_verified or record.is_revisit, f"{row.url} has a record with a wrong digest"
    records = [record.url for path in crawl.archives() for record in read_responses(path)]
    _check_once(records, "records")
    assert set(records) == {row.url for row in archived}, "records and rows are of different URLs"
    return rows


def _check_once(urls: list[str], what: str) -> None:
    seen: set[str] = set()
    for url in urls:
        assert url not in seen, f"{url} has two {what}"
        seen.add(url)
