"""Pages that somebody names, by a list or by what another crawl found, as columns to look up in a crawl.

A page is the same whatever its scheme and with or without a leading `www.`: it has four spellings. Ids are xxh3-64, as
everywhere, so a million pages take some sixty megabytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from exonym.batches import Flags, Ids
from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError, DirectoryError
from exonym.progress import Progress, no_progress
from exonym.scope import CrawlScope
from exonym.scope.scope_file import readable_scope
from exonym.urls import (
    SESSION_PARAMETERS,
    bare_server_of,
    bare_url_of,
    host_of,
    id_of,
    session_parameters_with,
    site_of_host,
    spellings_of,
    tidied,
)

SPELLINGS = 4
_BATCH_PAGES = 50_000


@dataclass(frozen=True, slots=True)
class CrawlWishes:
    """What a crawl asks for, as far as it matters for pages that somebody names."""

    scope: CrawlScope
    session_parameters: frozenset[str]
    target: tuple[object, ...] = ()

    def tidied(self, urls: Iterable[str]) -> Iterator[str]:
        """URLs in the normal form of the crawl."""
        if self.session_parameters is SESSION_PARAMETERS:
            return iter(urls)
        return (tidied(url, self.session_parameters) for url in urls)


def wishes_of(directory: Path) -> CrawlWishes:
    """What the crawl in a directory asks for."""
    crawl = CrawlDirectory.open(directory)
    try:
        settings = crawl.settings
        scope = readable_scope(home_of(directory), settings.scope.rules).scope
    except (ConfigError, DirectoryError):  # crawl.toml is gone: the visits remain
        return CrawlWishes(CrawlScope(), SESSION_PARAMETERS)
    target = (settings.target, settings.about, settings.topic, settings.table)
    return CrawlWishes(scope, session_parameters_with(settings.urls.session_parameters), target)


@dataclass(frozen=True, slots=True, eq=False)
class ListedPages:
    """Pages that somebody names, each once, as columns."""

    page: Ids
    server: Ids  # without `www.`
    site: Ids  # the registered domain
    spellings: Ids  # four a page: the ids of its URLs
    left_out: Flags  # by the scope of the crawl in which they are looked up
    named: int  # how many addresses there were, repeated ones included

    def __len__(self) -> int:
        return len(self.page)

    def pick(self, chosen: Flags) -> "ListedPages":
        """Some of the pages."""
        return ListedPages(
            self.page[chosen],
            self.server[chosen],
            self.site[chosen],
            self.spellings[chosen],
            self.left_out[chosen],
            self.named,
        )


def listed_pages(urls: Iterable[str], wishes: CrawlWishes, progress: Progress = no_progress) -> ListedPages:
    """The pages at these URLs, which are in normal form."""
    left, named = wishes.tidied(urls), 0
    batches = [_pages_at([], wishes.scope)]
    while batch := list(islice(left, _BATCH_PAGES)):
        batches.append(_pages_at(batch, wishes.scope))
        named += len(batch)
        progress(f"reading the known pages, {named:,} so far", 0, 0)
    joined = ListedPages(
        np.concatenate([batch.page for batch in batches]),
        np.concatenate([batch.server for batch in batches]),
        np.concatenate([batch.site for batch in batches]),
        np.concatenate([batch.spellings for batch in batches]),
        np.concatenate([batch.left_out for batch in batches]),
        named,
    )
    return joined.pick(first_of_each(joined.page))


def first_of_each(ids: Ids) -> Flags:
    """Where each id is for the first time."""
    is_first = np.zeros(len(ids), dtype=np.bool_)
    is_first[np.unique(ids, return_index=True)[1]] = True
    return is_first


def _pages_at(urls: list[str], scope: CrawlScope) -> ListedPages:
    bare = list(map(bare_url_of, urls))
    places = np.array([_place_of(bare_server_of(url)) for url in urls], dtype=np.uint64).reshape(-1, 2)
    spellings = np.array([id_of(spelling) for text in bare for spelling in spellings_of(text)], dtype=np.uint64)
    left_out = [bool(scope) and scope.decide(url).drop is not None for url in urls]
    return ListedPages(
        np.array(list(map(id_of, bare)), dtype=np.uint64),
        places[:, 0],
        places[:, 1],
        spellings.reshape(-1, SPELLINGS),
        np.array(left_out, dtype=np.bool_),
        len(urls),
    )


@lru_cache(maxsize=65_536)
def _place_of(server: str) -> tuple[int, int]:
    """The ids of a server and of its site."""
    return id_of(server), id_of(site_of_host(host_of(server)))


def servers_of(pages: ListedPages, without: Ids) -> ListedPages:
    """A page of each of their servers, but of those to leave out."""
    return pages.pick(first_of_each(pages.server) & ~np.isin(pages.server, without))
