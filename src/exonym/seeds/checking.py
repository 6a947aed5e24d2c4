"""Seeds checked for language, as Chan and Yamana (2010) did: a crawl of the seeds alone, without their links.

It is a live crawl in a temporary directory: robots.txt, delays, retries and limits are those of every crawl.
"""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np

from exonym.archive.archived_responses import read_response
from exonym.batches import NO_ROW, Floats, LinkBatch, Outcome
from exonym.config import Settings
from exonym.config.loading import settings_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import DiskFullError, UrlError
from exonym.fetch.messages import header_value, location_text
from exonym.journal import JournalRow
from exonym.language_names import name_of
from exonym.metrics import Summary
from exonym.seeds.choosing import Choice, chance_of, domain_of, in_order
from exonym.seeds.domain_table import NO_PAGE, OTHER, PARTLY
from exonym.seeds.seed import Seed
from exonym.strategies.base import NOT_FOLLOWED, Rule, Strategy
from exonym.urls import normal_form
from exonym.web_text import one_line

_MOST_HOPS = 10
_LEAST_CHECKED = 100  # at a time, while a sample is being filled
_ENOUGH_BYTES = 1_000_000  # of a page: they show its language
_UNDONE = "not asked: interrupted"

# Runs a live crawl with these settings in a directory; the strategy takes the place of the settings' own.
RunCrawl = Callable[[Path, Settings, Strategy], Summary]


class SeedsOnly(Rule):
    """Follows no link, but the redirects of seeds."""

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source == NO_ROW, 0.0, NOT_FOLLOWED)


@dataclass(frozen=True, slots=True)
class Checked:
    """Seeds whose page is in the language, how many were requested, and why others are not kept."""

    seeds: list[Seed]
    asked: int
    rejected: dict[str, int] = field(default_factory=dict)
    # Seeds that were fetched, by top-level domain and language (OTHER, PARTLY, NO_PAGE): see `domain_table`.
    by_domain: dict[tuple[str, str], int] = field(default_factory=dict)
    is_interrupted: bool = False


class _CheckedSeed(NamedTuple):
    """A seed with what was found at its address."""

    seed: Seed
    why: str  # the reason against it; "" if it is kept
    language: str  # of its page, if that is a wanted one; else OTHER, PARTLY or NO_PAGE


def checking_settings(
    languages: Sequence[str], operator: str, more: dict[str, dict[str, Any]] | None = None
) -> Settings:
    """The settings of the crawl of seeds; `more` is as in crawl.toml."""
    own: dict[str, dict[str, Any]] = {
        "target": {"languages": list(languages)},
        "strategy": {"name": "bfs"},
        "seeds": {"sitemaps": False},
        "judge": {"inherit_language": False},
        "limits": {"pages_per_server": 0},
        "network": {"page_bytes": _ENOUGH_BYTES},
        # Redirects are read back from the archive, and some of them claim to be of any type.
        "archive": {"other_types": True},
        # A server that is down today is a poor place to begin: it gets one more chance, not three.
        "politeness": {"operator": operator, "retries": 1},
    }
    more = more or {}
    return settings_of({name: {**own.get(name, {}), **more.get(name, {})} for name in [*own, *more]}, "--check")


def check_seeds(seeds: Sequence[Seed], choice: Choice, settings: Settings, crawl: RunCrawl) -> Checked:
    """Fetch seeds, in a random order if a sample is wanted, until enough of their pages are in the languages."""
    waiting = sorted(seeds, key=lambda seed: chance_of(seed.url, choice.seed)) if choice.sample else list(seeds)
    kept: list[Seed] = []
    rejected: Counter[str] = Counter()
    by_domain: Counter[tuple[str, str]] = Counter()
    asked, is_interrupted = 0, False
    while waiting and not is_interrupted and not (choice.sample and len(kept) >= choice.sample):
        count = max(_LEAST_CHECKED, 2 * (choice.sample - len(kept))) if choice.sample else len(waiting)
        part, waiting = waiting[:count], waiting[count:]
        asked += len(part)
        verdicts, is_interrupted = _verdicts(part, settings, crawl)
        kept += [verdict.seed for verdict in verdicts if not verdict.why]
        rejected.update(verdict.why for verdict in verdicts if verdict.why)
        by_domain.update((domain_of(verdict.seed.url), verdict.language) for verdict in verdicts)
    wanted = kept[: choice.sample] if choice.sample else kept
    return Checked(in_order(wanted), asked, dict(rejected.most_common()), dict(by_domain), is_interrupted)


def _verdicts(seeds: Sequence[Seed], settings: Settings, crawl: RunCrawl) -> tuple[list[_CheckedSeed], bool]:
    """Each seed, checked; and whether the crawl was interrupted."""
    verdicts = []
    wanted = {language.partition("-")[0] for language in settings.target.languages}
    with TemporaryDirectory(prefix="exonym-seeds-") as name:
        directory, urls = Path(name), [seed.url for seed in seeds]
        with_seeds = msgspec.structs.replace(settings, seeds=msgspec.structs.replace(settings.seeds, urls=urls))
        reason = crawl(directory, with_seeds, SeedsOnly()).reason
        if reason == "disk full":
            raise DiskFullError(f"{directory} cannot grow: no room is left. Make room, then run the command again.")
        rows = {row.url: row for row in CrawlDirectory(directory).rows()}
        for seed in seeds:
            row = _row_after_redirects(rows, seed.url, directory / "warc")
            if row is None:
                why = _UNDONE if reason == "interrupted" else "lost in redirects"
                verdicts.append(_CheckedSeed(seed, why, NO_PAGE))
            else:
                title = seed.title or one_line(row.title)
                seen = replace(seed, title=title, checked=one_line(row.why))
                verdicts.append(_CheckedSeed(seen, _reason_against(row), _language_of(row, wanted)))
    return verdicts, reason == "interrupted"


def _row_after_redirects(rows: dict[str, JournalRow], url: str, archive: Path) -> JournalRow | None:
    """The row of the page that the redirects of a seed lead to; None if it was not fetched."""
    row = rows.get(url)
    for _ in range(_MOST_HOPS):
        if row is None or row.outcome != Outcome.REDIRECT:
            return row
        if not row.warc_file:
            return None
        head = read_response(archive, row.warc_file, row.warc_offset).head
        try:
            row = rows.get(normal_form(location_text(header_value(head, "location") or b""), row.url))
        except UrlError:
            return None
    return None


def _reason_against(row: JournalRow) -> str:
    if row.outcome == Outcome.FORBIDDEN:
        return "robots.txt forbids it"
    if row.outcome != Outcome.PAGE:
        return f"status {row.status}" if row.status else row.failure
    if row.relevant:
        return ""
    return f"page in {name_of(row.language)}" if row.language else row.failure or "language unknown"


def _language_of(row: JournalRow, wanted: Set[str]) -> str:
    if row.outcome != Outcome.PAGE:
        return NO_PAGE
    if not row.relevant:
        return OTHER
    return row.language if row.language in wanted else PARTLY
