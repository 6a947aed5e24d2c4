"""What was asked of a crawl, when and by whom, what it has done, and how it ended; while it runs, too."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from exonym.config import CONFIG_NAME, Settings
from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory, CrawlStatus
from exonym.crawl_directory.progress_file import process_of, read_progress
from exonym.errors import ConfigError, DirectoryError
from exonym.language_names import name_of
from exonym.metrics import REASON_WORDS
from exonym.probes.completeness import completeness_document
from exonym.scope.scope_file import readable_scope
from exonym.seeds.seeds_file import seed_urls
from exonym.store.store import FORMAT as STORE_FORMAT
from exonym.system.files import read_text
from exonym.version import __version__

_TOTALS = (
    *("pages", "relevant", "harvest_rate", "servers", "relevant_servers", "frontier", "failures", "redirects"),
    *("forbidden", "bytes", "seconds", "relevant_inherited", "copies", "aliases", "inherited", "unasked"),
    *("failure_kinds", "aside"),
)


@dataclass(frozen=True, slots=True)
class CrawlFacts:
    """A crawl in a few facts."""

    name: str  # of the directory
    directory: str
    target: str  # in words
    strategy: str
    strategy_options: dict[str, Any]
    seeds: int
    limits: dict[str, float]  # those that are set
    scope_rules: int
    operator: str
    began: float | None  # seconds since 1970
    ended: float | None  # the last commit
    seconds: float  # of running, over all runs
    is_running: bool
    is_finished: bool  # it ended, and nothing waits
    reason: str  # one of `metrics.STOP_REASONS`; "": it runs, or was cut off
    how_it_ended: str  # the same in words
    totals: dict[str, Any]  # as in `exonym status --json`
    failure_kinds: dict[str, int]
    bytes: int
    warc_files: int
    warc_bytes: int
    partitions: int
    missing_partitions: tuple[int, ...]
    versions: dict[str, str]
    settings: str = field(repr=False, default="")  # crawl.toml as it is written

    def document(self) -> dict[str, Any]:
        """The facts for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {**asdict(self), "missing_partitions": list(self.missing_partitions)}


def crawl_facts(directory: Path) -> CrawlFacts:
    """The facts of the crawl in a directory, as of its last commit."""
    crawl = CrawlDirectory.open(directory)
    settings, status, home = crawl.settings, crawl.status, home_of(directory)
    is_running, reason = _state_of(directory, status)
    archives = crawl.archives()
    return CrawlFacts(
        name=directory.resolve().name,
        directory=str(directory),
        target=target_words(settings),
        strategy=settings.strategy.name,
        strategy_options=dict(settings.strategy.options),
        seeds=_seed_count(settings, home),
        limits={name: value for name in settings.limits.__struct_fields__ if (value := getattr(settings.limits, name))},
        scope_rules=len(readable_scope(home, settings.scope.rules).scope.rules),
        operator=settings.politeness.operator,
        began=status.totals.began or None,
        ended=status.totals.ended or None,
        seconds=status.totals.seconds,
        is_running=is_running,
        is_finished=status.finished,
        reason=reason,
        how_it_ended=_ending_words(is_running, reason),
        totals=totals_document(status),
        failure_kinds=_most_first(status.totals.failure_kinds),
        bytes=status.totals.bytes,
        warc_files=len(archives),
        warc_bytes=sum(path.stat().st_size for path in archives),
        partitions=status.partitions,
        missing_partitions=status.missing_partitions,
        versions=_versions(),
        settings=read_text(home / CONFIG_NAME, "the settings of the crawl"),
    )


def totals_document(crawl: CrawlStatus) -> dict[str, Any]:
    """The figures of a crawl for JSON. Scripts rely on these names: more may be added, none may be removed."""
    return {
        **{name: getattr(crawl.totals, name) for name in _TOTALS},
        "languages": {code or "unknown": pages for code, pages in crawl.totals.languages.items()},
        **{name: getattr(crawl, name) for name in ("strategy", "finished", "reason", "partitions")},
        "missing_partitions": list(crawl.missing_partitions),
        "began": crawl.totals.began or None,
        "ended": crawl.totals.ended or None,
        "coverage": completeness_document(crawl.totals.missing),
    }


def _state_of(directory: Path, status: CrawlStatus) -> tuple[bool, str]:
    """Whether the crawl runs now, and why its last run ended; "" if that is not known."""
    if process_of(directory) is not None:
        return True, ""
    last = read_progress(directory)
    return False, status.reason or (last.reason if last else "")


def _ending_words(is_running: bool, reason: str) -> str:
    if is_running:
        return "is running"
    return REASON_WORDS.get(reason, reason) or "has not ended: it runs elsewhere, or was cut off; nothing is lost"


def _seed_count(settings: Settings, home: Path) -> int:
    try:
        return len(set(seed_urls(settings, home)))
    except (ConfigError, DirectoryError):  # the file of seeds is gone
        return len(settings.seeds.urls)


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {
        "exonym": __version__,
        "python": platform.python_version(),
        "duckdb": version("duckdb"),
        "format": STORE_FORMAT.decode(),
    }


def _most_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


# What was asked, in words


def target_words(settings: Settings) -> str:
    """What a crawl looks for, in words.

    >>> from exonym.config.settings import Target
    >>> target_words(Settings(target=Target(languages=["th", "lo"])))
    'pages in Thai or Lao'
    """
    about, topic, table = settings.about, settings.topic, settings.table
    wanted = []
    if settings.target.languages:
        wanted.append(_in_languages(settings.target.languages))
    if about.nation:
        domains = f", or at servers in {_or([f'.{name}' for name in about.domains])}" if about.domains else ""
        topics = f" and on the topic of {about.topic}" if about.topic else ""
        wanted.append(f"about {about.nation}{topics}{_only_in(about.languages)}{domains}")
    if topic.model:
        words = f" with the words {_or(topic.words)}" if topic.words else ""
        wanted.append(f"on the topic of {topic.model}{words}{_only_in(topic.languages)}")
    if table.file:
        wanted.append(f"that weigh enough by {table.file}{_only_in(table.languages)}")
    return "pages " + (" and " if settings.target.match == "all" else " or ").join(wanted or ["of any kind"])


def _in_languages(languages: list[str]) -> str:
    return f"in {_or([name_of(code) for code in languages])}"


def _only_in(languages: list[str]) -> str:
    return f", {_in_languages(languages)}" if languages else ""


def _or(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
