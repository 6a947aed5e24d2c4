"""The objects of a live crawl, made from its settings."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.archive import ArchiveOptions
from exonym.batches import LINK_COLUMNS, Group
from exonym.config import Settings, user_agent
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import ConfigError, DirectoryError
from exonym.extract.document import Wants
from exonym.fetch import Fetcher, Resolver
from exonym.fetch.transfer import fetch_options
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.look_ahead import look_ahead_of
from exonym.judges.by_name import judge_settings, make_judge
from exonym.judges.judge_settings import Plain, reads_anchors
from exonym.link_types import DOCUMENT_TYPES, LinkTypes
from exonym.live.requests import RequestOptions, RequestQueue
from exonym.politeness.delays import Politeness
from exonym.politeness.permissions import LEAST_KEPT_SECONDS, Permissions
from exonym.readers.pool import ReaderPool, ReaderPoolOptions
from exonym.seeds.seeds_file import seed_urls
from exonym.store import Store
from exonym.strategies import SAVED_AS
from exonym.strategies.base import Strategy
from exonym.strategies.by_name import check_live_columns, link_model_file, make_strategy
from exonym.system.processes import cores
from exonym.urls import SESSION_PARAMETERS
from exonym.version import __version__

if TYPE_CHECKING:
    from exonym.live.growing_table import TableGrowth

_GROUP = b"group"  # in the store: by what the waiting links are grouped
# Content types whose bodies are downloaded: HTML, and types under which HTML is often served.
_READ_TYPES = frozenset(["", "text/html", "application/xhtml+xml", "text/plain", "unknown/unknown"])


@dataclass(frozen=True, slots=True)
class LiveParts:
    """The objects of one live crawl."""

    crawl: Crawl
    frontier: DiskFrontier
    politeness: Politeness
    strategy: Strategy
    strategy_name: str  # with its options: what a strategy of another name learned is not restored
    writer: CrawlWriter
    fetcher: Fetcher
    resolver: Resolver
    requests: RequestQueue
    readers: ReaderPool
    connections: int
    seeds: list[str]
    session_parameters: frozenset[str]
    growth: "TableGrowth | None" = None  # of the judge's weight table, if the settings ask for it


@contextmanager
def open_parts(directory: Path, settings: Settings, strategy: Strategy | None = None) -> Iterator[LiveParts]:
    """Open the crawl in `directory`, and close it at the end; `strategy` replaces that of the settings."""
    choice = settings.strategy
    strategy = strategy or make_strategy(choice.name, choice.options, settings.target.languages, directory)
    check_live_columns(choice.name, strategy)
    seeds = seed_urls(settings, directory)
    # Each reader makes its own judge. This one shows, before anything is fetched or written, that the model is usable.
    judge = judge_settings(settings, directory)
    make_judge(judge)
    with ExitStack() as stack:
        writer = CrawlWriter(directory, _archive_options(settings))
        stack.callback(writer.close)
        frontier = DiskFrontier(writer.store, directory / "state" / "seen", strategy.group)
        _check_group(writer.store, frontier, strategy, choice.name)
        polite = Politeness(settings.politeness.delay_seconds, settings.politeness.address_delay_seconds)
        crawl = Crawl(frontier, strategy, polite, _bounds(settings), _link_types(settings))
        resolver = Resolver()
        stack.callback(resolver.close)
        fetcher = Fetcher(replace(fetch_options(settings), wanted_type=_wanted_type(settings)))
        stack.callback(fetcher.close)
        table = settings.table
        growth = _growth(directory, judge, table.grow) if table.file and table.grow else None
        judge = growth.judge if growth else judge
        more_parameters = {name.lower() for name in settings.urls.session_parameters}
        session_parameters = SESSION_PARAMETERS | more_parameters if more_parameters else SESSION_PARAMETERS
        keeps_files = crawl.types is None or bool(settings.archive.documents)
        wants = replace(_wants(strategy, reads_anchors(judge), session_parameters), files=keeps_files)
        model = link_model_file(strategy, directory)
        readers = ReaderPool(_reader_options(settings), judge, wants, link_model=str(model or ""))
        stack.callback(readers.close)
        yield LiveParts(
            crawl=crawl,
            frontier=frontier,
            politeness=polite,
            strategy=strategy,
            strategy_name=_strategy_with_options(settings),
            writer=writer,
            fetcher=fetcher,
            resolver=resolver,
            requests=RequestQueue(crawl, fetcher, resolver, _permissions(settings), polite, _request_options(settings)),
            readers=readers,
            connections=settings.network.connections,
            seeds=seeds,
            session_parameters=session_parameters,
            growth=growth,
        )


def _bounds(settings: Settings) -> Bounds:
    limits = settings.limits
    look_ahead = look_ahead_of(settings.strategy.eagerness, limits.pages, settings.network.connections)
    return Bounds(limits.pages, limits.pages_per_server, look_ahead)


def _growth(directory: Path, judge: Plain, pages_at_a_time: int) -> "TableGrowth":
    from exonym.live.growing_table import TableGrowth  # it parses pages, which other crawls leave to their readers

    return TableGrowth(directory, judge, pages_at_a_time)


def _check_group(store: Store, frontier: DiskFrontier, strategy: Strategy, name: str) -> None:
    """Raise if links that wait are grouped by server and the strategy groups by segment, or the other way round."""
    facts = store.table("facts")
    kept = Group(int(store.get(facts, _GROUP) or Group.SERVER))
    if kept == strategy.group:
        return
    if len(frontier):
        by, wanted = kept.name.lower(), strategy.group.name.lower()
        raise DirectoryError(
            f"What waits is grouped by {by}, and {name} groups it by {wanted}. Choose a strategy whose group is "
            f"{by} (see: exonym strategies) in crawl.toml, [strategy], or start in a new directory."
        )
    with store.writing() as txn:
        txn.put(_GROUP, b"%d" % strategy.group, db=facts)


def _strategy_with_options(settings: Settings) -> str:
    options = [f"{key}={value}" for key, value in sorted(settings.strategy.options.items())]
    name = settings.strategy.name
    return " ".join([SAVED_AS.get(name, name), *options])


def _archive_options(settings: Settings) -> ArchiveOptions:
    return ArchiveOptions(
        file_bytes=settings.archive.file_bytes,
        software=f"Exonym/{__version__}",
        user_agent=user_agent(settings),
        operator=settings.politeness.operator,
    )


def _reader_options(settings: Settings) -> ReaderPoolOptions:
    readers = settings.readers
    return ReaderPoolOptions(
        count=max(1, cores() - 1) if readers.count < 0 else readers.count,
        cpu_seconds=readers.cpu_seconds,
        memory_bytes=readers.memory_bytes,
        wall_seconds=readers.wall_seconds,
    )


def _wants(strategy: Strategy, judge_reads_anchors: bool, session_parameters: frozenset[str]) -> Wants:
    """What is extracted from pages: what the strategy's columns are made from, and what the judge reads."""
    extracted = {name for need in strategy.needs for name in LINK_COLUMNS[need].extracted}
    return Wants(
        around="around" in extracted,
        place="place" in extracted,
        anchor=judge_reads_anchors or "anchor" in extracted,
        anchor_language="anchor_language" in extracted,
        session_parameters=session_parameters,
    )


def _link_types(settings: Settings) -> LinkTypes | None:
    """What keeps links to files out of the frontier; None if all are followed."""
    if settings.archive.other_types or settings.urls.files == "follow":
        return None
    return LinkTypes(frozenset(_documents(settings)))


def _wanted_type(settings: Settings) -> Callable[[str], bool] | None:
    """Says of a content type whether such bodies are downloaded; None if all are."""
    if settings.archive.other_types:
        return None
    documents = _documents(settings)
    return (_READ_TYPES | {kind for types in documents.values() for kind in types}).__contains__


def _documents(settings: Settings) -> dict[str, tuple[str, ...]]:
    """The endings of the documents that are wanted, and the content types under which servers send them."""
    endings = [ending.strip().lower().removeprefix(".") for ending in settings.archive.documents]
    for ending in endings:
        if ending not in DOCUMENT_TYPES:
            raise ConfigError(
                f"archive.documents has {ending[:30]!r}, which is no kind of document that Exonym knows. "
                f"Choose from {', '.join(DOCUMENT_TYPES)}, or keep all types with archive.other_types."
            )
    return {ending: (DOCUMENT_TYPES[ending], "application/octet-stream") for ending in endings}


def _permissions(settings: Settings) -> Permissions:
    polite = settings.politeness
    kept_seconds = max(polite.robots_seconds, 2 * polite.delay_seconds, LEAST_KEPT_SECONDS)
    return Permissions(kept_seconds, polite.retries, polite.retry_seconds)


def _request_options(settings: Settings) -> RequestOptions:
    return RequestOptions(
        retries=settings.politeness.retries,
        retry_seconds=settings.politeness.retry_seconds,
        allow_private=settings.network.allow_private,
        through_one_address=bool(settings.network.connect_to),
        sitemaps=settings.seeds.sitemaps,
    )
