"""The objects of a live crawl, made from its settings."""

import itertools
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
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.frontier.look_ahead import look_ahead_of
from exonym.judges.by_name import judge_settings, make_judge
from exonym.judges.judge_settings import Plain, reads_anchors
from exonym.link_types import DOCUMENT_TYPES, LinkTypes
from exonym.live.requests import AddressTurns, RequestOptions, RequestQueue
from exonym.partitions import Partition
from exonym.politeness.delays import Politeness
from exonym.politeness.permissions import LEAST_KEPT_SECONDS, Permissions
from exonym.readers.pool import ReaderPool, ReaderPoolOptions
from exonym.seeds.seeds_file import seed_urls
from exonym.store import Store
from exonym.strategies import SAVED_AS
from exonym.strategies.base import Strategy
from exonym.strategies.by_name import check_live_columns, link_model_file, make_strategy
from exonym.system.processes import cores
from exonym.urls import session_parameters_with
from exonym.version import __version__

if TYPE_CHECKING:
    from exonym.live.growing_table import TableGrowth

_GROUP = b"group"  # in the store: by what the waiting links are grouped
# Content types whose bodies are downloaded: HTML, and types under which HTML is often served.
_READ_TYPES = frozenset(["", "text/html", "application/xhtml+xml", "text/plain", "unknown/unknown"])


KEYS_PER_PARTITION = 1 << 40  # of requests and pages to read: by its number, an answer finds its partition


@dataclass(frozen=True, slots=True)
class Equipment:
    """What all partitions of one process share."""

    fetcher: Fetcher
    resolver: Resolver
    readers: ReaderPool
    connections: int
    keys: Iterator[int]  # the first key of each partition
    turns: AddressTurns | None = None  # of addresses that several partitions ask; None: each partition has its own


@dataclass(frozen=True, slots=True)
class LiveParts:
    """The objects of one partition of a live crawl."""

    crawl: Crawl
    frontier: DiskFrontier
    politeness: Politeness
    strategy: Strategy
    strategy_name: str  # with its options: what a strategy of another name learned is not restored
    writer: CrawlWriter
    requests: RequestQueue
    seeds: list[str]
    session_parameters: frozenset[str]
    equipment: Equipment
    first_key: int
    partition: Partition | None = None  # None: the crawl has one alone
    growth: "TableGrowth | None" = None  # of the judge's weight table, if the settings ask for it


@dataclass(frozen=True, slots=True)
class PartitionPlace:
    """Where a partition has its store, archive and journal."""

    directory: Path
    partition: Partition | None  # None: it is the only one
    archive_prefix: str  # with what the names of its WARC files begin
    frontier: DiskFrontierOptions


@contextmanager
def open_parts(
    directory: Path,
    settings: Settings,
    strategy: Strategy | None = None,
    place: PartitionPlace | None = None,
    equipment: Equipment | None = None,
) -> Iterator[LiveParts]:
    """Open the crawl in `directory`, or one partition of it, and close it at the end.

    `strategy` replaces that of the settings; partitions of one process share an `equipment`.
    """
    strategy = strategy or strategy_of(directory, settings)
    check_live_columns(settings.strategy.name, strategy)
    seeds = seed_urls(settings, directory)
    judge = judge_settings(settings, directory)
    if equipment is None:
        # Each reader makes its own judge. This one shows, before anything is fetched or written, that it can be made.
        make_judge(judge)
    place = place or PartitionPlace(directory, None, ArchiveOptions().prefix, DiskFrontierOptions())
    home, partition = place.directory, place.partition
    with ExitStack() as stack:
        writer = CrawlWriter(home, _archive_options(settings, place.archive_prefix))
        stack.callback(writer.close)
        frontier = DiskFrontier(writer.store, home / "state" / "seen", strategy.group, place.frontier)
        check_group(writer.store, frontier, strategy, settings.strategy.name)
        polite = Politeness(settings.politeness.delay_seconds, settings.politeness.address_delay_seconds)
        crawl = Crawl(frontier, strategy, polite, _bounds(settings, partition), link_types_of(settings), partition)
        table = settings.table
        growth = _growth(directory, judge, table.grow) if table.file and table.grow else None
        if equipment is None:
            judge = growth.judge if growth else judge
            equipment = stack.enter_context(open_equipment(directory, settings, strategy, judge))
        fetcher, resolver, first_key = equipment.fetcher, equipment.resolver, next(equipment.keys)
        permissions, request_options = _permissions(settings), _request_options(settings)
        yield LiveParts(
            crawl=crawl,
            frontier=frontier,
            politeness=polite,
            strategy=strategy,
            strategy_name=strategy_with_options(settings),
            writer=writer,
            requests=RequestQueue(
                crawl, fetcher, resolver, permissions, polite, request_options, first_key, equipment.turns
            ),
            seeds=seeds,
            session_parameters=session_parameters_with(settings.urls.session_parameters),
            equipment=equipment,
            first_key=first_key,
            partition=partition,
            growth=growth,
        )


@contextmanager
def open_equipment(
    directory: Path,
    settings: Settings,
    strategy: Strategy,
    judge: Plain | None = None,
    turns: AddressTurns | None = None,
) -> Iterator[Equipment]:
    """Connections, name look-ups and reader processes, closed at the end; `judge` replaces that of the settings."""
    judge = judge or judge_settings(settings, directory)
    with ExitStack() as stack:
        resolver = Resolver()
        stack.callback(resolver.close)
        fetcher = Fetcher(replace(fetch_options(settings), wanted_type=_wanted_type(settings)))
        stack.callback(fetcher.close)
        keeps_files = link_types_of(settings) is None or bool(settings.archive.documents)
        wants = replace(
            _wants(strategy, reads_anchors(judge), session_parameters_with(settings.urls.session_parameters)),
            files=keeps_files,
        )
        model = link_model_file(strategy, directory)
        readers = ReaderPool(_reader_options(settings), judge, wants, link_model=str(model or ""))
        stack.callback(readers.close)
        connections = settings.network.connections
        yield Equipment(fetcher, resolver, readers, connections, itertools.count(0, KEYS_PER_PARTITION), turns)


def strategy_of(directory: Path, settings: Settings) -> Strategy:
    """The strategy that the settings name."""
    choice = settings.strategy
    return make_strategy(choice.name, choice.options, settings.target.languages, directory)


def _bounds(settings: Settings, partition: Partition | None) -> Bounds:
    limits = settings.limits
    own_pages = -(-limits.pages // partition.count) if partition else limits.pages
    look_ahead = look_ahead_of(settings.strategy.eagerness, own_pages, settings.network.connections)
    return Bounds(limits.pages, limits.pages_per_server, look_ahead)


def _growth(directory: Path, judge: Plain, pages_at_a_time: int) -> "TableGrowth":
    from exonym.live.growing_table import TableGrowth  # it parses pages, which other crawls leave to their readers

    return TableGrowth(directory, judge, pages_at_a_time)


def check_group(store: Store, frontier: DiskFrontier, strategy: Strategy, name: str) -> None:
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


def strategy_with_options(settings: Settings) -> str:
    """The name of the strategy, with its options."""
    options = [f"{key}={value}" for key, value in sorted(settings.strategy.options.items())]
    name = settings.strategy.name
    return " ".join([SAVED_AS.get(name, name), *options])


def _archive_options(settings: Settings, prefix: str) -> ArchiveOptions:
    return ArchiveOptions(
        prefix=prefix,
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


def link_types_of(settings: Settings) -> LinkTypes | None:
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
