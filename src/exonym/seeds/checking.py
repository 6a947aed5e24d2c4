"""Seeds checked for language, as Chan and Yamana (2010) did: a crawl of the seeds alone, without their links.

It is a live crawl in a directory that is thrown away: robots.txt, delays, retries and limits are those of every crawl.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from exonym.archive import ArchivePlace
from exonym.archive.reading import read_response
from exonym.batches import NO_ROW, Floats, LinkBatch, Outcome
from exonym.config import Settings
from exonym.config.loading import settings_of
from exonym.crawl import Bounds, Crawl
from exonym.errors import UrlError
from exonym.fetch.messages import header_value, location_text
from exonym.journal import Journal, JournalRow
from exonym.language_names import name_of
from exonym.live.assembly import LiveParts, open_parts
from exonym.live.driver import LiveDriver, ShowCrawl, StopRules
from exonym.live.requests import RequestQueue
from exonym.live.stop import StopRequest
from exonym.politeness.permissions import Permissions
from exonym.seeds.choosing import Choice, chance_of, in_order
from exonym.seeds.seed import Seed, one_line
from exonym.store import Store
from exonym.strategies.base import NOT_FOLLOWED, Rule
from exonym.urls import normal_form

_MOST_HOPS = 10
_LEAST_CHECKED = 100  # at a time, while a sample is being filled
_TOLD_BY = 1_000_000  # bytes: by then the language of a page shows
_UNDONE = "not asked: interrupted"


class SeedsOnly(Rule):
    """Follows no link, but the redirects of seeds."""

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source == NO_ROW, 0.0, NOT_FOLLOWED)


@dataclass(frozen=True, slots=True)
class Checked:
    """Seeds whose page is in the language, how many were asked for, and why others are not kept."""

    seeds: list[Seed]
    asked: int
    rejected: dict[str, int] = field(default_factory=dict)
    is_interrupted: bool = False


def checking_settings(language: str, operator: str, more: dict[str, dict[str, Any]] | None = None) -> Settings:
    """How seeds are asked for; `more` is as in crawl.toml."""
    own: dict[str, dict[str, Any]] = {
        "target": {"languages": [language]},
        "strategy": {"name": "bfs"},
        "seeds": {"sitemaps": False},
        "judge": {"hearsay": False},
        "limits": {"pages_per_server": 0},
        "network": {"page_bytes": _TOLD_BY},
        # Redirects are read back from the archive, and some of them claim to be of any type.
        "archive": {"other_types": True},
        # A server that is down today is a poor place to begin: it gets one more chance, not three.
        "politeness": {"operator": operator, "retries": 1},
    }
    more = more or {}
    return settings_of({name: {**own.get(name, {}), **more.get(name, {})} for name in [*own, *more]}, "--check")


def check_seeds(
    seeds: Sequence[Seed], choice: Choice, settings: Settings, show: ShowCrawl, stop: StopRequest
) -> Checked:
    """Ask for seeds, in a random order if a sample is wanted, until there are enough whose page is in the language."""
    waiting = sorted(seeds, key=lambda one: chance_of(one.url, choice.seed)) if choice.sample else list(seeds)
    kept: list[Seed] = []
    rejected: Counter[str] = Counter()
    asked = 0
    while waiting and not stop.level and not (choice.sample and len(kept) >= choice.sample):
        count = max(_LEAST_CHECKED, 2 * (choice.sample - len(kept))) if choice.sample else len(waiting)
        part, waiting = waiting[:count], waiting[count:]
        asked += len(part)
        for seed, why in _verdicts(part, settings, show, stop):
            if why:
                rejected[why] += 1
            else:
                kept.append(seed)
    wanted = kept[: choice.sample] if choice.sample else kept
    return Checked(in_order(wanted), asked, dict(rejected.most_common()), bool(stop.level))


def _verdicts(
    seeds: Sequence[Seed], settings: Settings, show: ShowCrawl, stop: StopRequest
) -> Iterator[tuple[Seed, str]]:
    """Each seed with what its page turned out to be, and why it is not kept ("" if it is)."""
    with TemporaryDirectory(prefix="exonym-seeds-") as name:
        directory = Path(name)
        _crawl(directory, [one.url for one in seeds], settings, show, stop)
        with Store.open(directory / "state", read_only=True) as store:
            rows = {row.url: row for row in Journal(store, directory / "journal").rows()}
        for seed in seeds:
            row = _arrived(rows, seed.url, directory / "warc")
            if row is None:
                yield seed, _UNDONE if stop.level else "lost in redirects"
            else:
                title = seed.title or one_line(row.title)
                yield replace(seed, title=title, checked=one_line(row.why)), _objection(row)


def _crawl(directory: Path, urls: list[str], settings: Settings, show: ShowCrawl, stop: StopRequest) -> None:
    asked = msgspec.structs.replace(settings, seeds=msgspec.structs.replace(settings.seeds, urls=urls))
    asked.check_live()
    with open_parts(directory, asked) as parts:
        driver = LiveDriver(_without_links(parts, asked), StopRules(), stop)
        driver.restore()
        driver.run(show)


def _without_links(parts: LiveParts, settings: Settings) -> LiveParts:
    """The parts of a crawl with our strategy, which no crawl.toml can name, in the place of its own."""
    strategy, polite = SeedsOnly(), settings.politeness
    crawl = Crawl(parts.frontier, strategy, parts.politeness, Bounds())
    permissions = Permissions(polite.robots_seconds, polite.retries, polite.retry_seconds)
    errands = RequestQueue(crawl, parts.fetcher, parts.resolver, permissions, parts.politeness)
    errands.habits = parts.errands.habits
    return replace(parts, crawl=crawl, strategy=strategy, strategy_name="seeds only", errands=errands)


def _arrived(rows: dict[str, JournalRow], url: str, archive: Path) -> JournalRow | None:
    """Where the redirects of a seed end."""
    row = rows.get(url)
    for _ in range(_MOST_HOPS):
        if row is None or row.outcome != Outcome.REDIRECT:
            return row
        row = rows.get(_target(row, archive))
    return None


def _target(row: JournalRow, archive: Path) -> str:
    if not row.warc_file:
        return ""
    head = read_response(archive, ArchivePlace(row.warc_file, row.warc_offset, 0, b"", False)).head
    try:
        return normal_form(location_text(header_value(head, "location") or b""), row.url)
    except UrlError:
        return ""


def _objection(row: JournalRow) -> str:
    if row.outcome == Outcome.FORBIDDEN:
        return "robots.txt forbids it"
    if row.outcome != Outcome.PAGE:
        return row.failure or f"status {row.status}"
    if row.relevant:
        return ""
    return f"page in {name_of(row.language)}" if row.language else row.failure or "language unknown"
