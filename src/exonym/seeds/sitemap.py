"""Seeds from sitemaps: files or addresses, and the further sitemaps that an index lists."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from exonym.fetch import read_sitemap
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed
from exonym.system.files import reading
from exonym.urls import normal_form, server_of

MOST_SITEMAPS = 1_000  # in one run: an index may list itself under ever new names

_NOWHERE = "http://file.invalid/"

Fetch = Callable[[str], bytes | str]


def read_sitemaps(sources: Sequence[str], fetch: Fetch, tell: Callable[[str], None]) -> Iterator[FoundSeed]:
    """All pages in sitemaps, and in the sitemaps that these list; `fetch` returns bytes, or why there are none."""
    waiting = deque(normal_form(source) if is_address(source) else source for source in sources)
    known = set(waiting)
    read = 0
    while waiting and read < MOST_SITEMAPS:
        source, read = waiting.popleft(), read + 1
        tell(source)
        if is_address(source):
            content, base, name = fetch(source), source, source
        else:
            path, wanted = Path(source), "a file, or an address that begins with http:// or https://"
            with reading(path, wanted), path.open("rb") as file:
                content, base, name = file.read(SITEMAP_BYTES), _NOWHERE, path.name
        if isinstance(content, str):
            yield SkippedSeed(f"sitemap: {content}")
            continue
        sitemap = read_sitemap(content, base)
        if not sitemap.urls and not sitemap.sitemaps:
            yield SkippedSeed("sitemap: lists no page")
        for url in sitemap.urls:
            # A file does not name its server, so its relative addresses lead nowhere.
            is_whole = server_of(url) != server_of(_NOWHERE)
            yield Seed(url, name) if is_whole else SkippedSeed("path without a server")
        further = [url for url in sitemap.sitemaps if url not in known]
        known.update(further)
        waiting.extend(further)
    yield from (SkippedSeed(f"sitemap beyond the first {MOST_SITEMAPS:,}") for _ in waiting)


def is_address(source: str) -> bool:
    """Whether a source is to be fetched."""
    return source.lower().startswith(("http://", "https://"))
