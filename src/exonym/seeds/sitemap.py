"""Seeds from sitemaps: files or addresses, and the further sitemaps that an index lists."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from exonym.fetch import Sitemap, SitemapLimits, read_sitemap
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed
from exonym.system.files import reading
from exonym.urls import normal_form, server_of

MOST_SITEMAPS = 1_000  # in one run: an index may list itself under ever new names

_NOWHERE = "http://file.invalid/"

Fetch = Callable[[str], bytes | str]


def read_sitemaps(sources: Sequence[str], fetch: Fetch, tell: Callable[[str], None]) -> Iterator[FoundSeed]:
    """All pages that sitemaps list, and the sitemaps that these list; `fetch` gives what is at an address."""
    waiting = deque(normal_form(source) if is_address(source) else source for source in sources)
    known = set(waiting)
    read = 0
    while waiting and read < MOST_SITEMAPS:
        source, read = waiting.popleft(), read + 1
        tell(source)
        content = fetch(source) if is_address(source) else _read_file(Path(source))
        if isinstance(content, str):
            yield SkippedSeed(f"sitemap: {content}")
            continue
        sitemap = read_sitemap(content, source if is_address(source) else _NOWHERE)
        yield from _seeds(sitemap, source)
        further = [url for url in sitemap.sitemaps if url not in known]
        known.update(further)
        waiting.extend(further)
    yield from (SkippedSeed(f"sitemap beyond the first {MOST_SITEMAPS:,}") for _ in waiting)


def is_address(source: str) -> bool:
    """Whether a source is to be fetched."""
    return source.lower().startswith(("http://", "https://"))


def _seeds(sitemap: Sitemap, source: str) -> Iterator[FoundSeed]:
    if not sitemap.urls and not sitemap.sitemaps:
        yield SkippedSeed("sitemap: lists no page")
    name = source if is_address(source) else Path(source).name
    for url in sitemap.urls:
        # A file does not say whose it is, so paths alone lead nowhere.
        is_whole = server_of(url) != server_of(_NOWHERE)
        yield Seed(url, name) if is_whole else SkippedSeed("path without a server")


def _read_file(path: Path) -> bytes:
    with reading(path, "a file, or an address that begins with http:// or https://"), path.open("rb") as file:
        return file.read(SitemapLimits().size_bytes)
