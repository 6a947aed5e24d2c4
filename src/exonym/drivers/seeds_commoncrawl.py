"""Seeds from Common Crawl's index server, asked page by page; a page that does not come is told."""

from collections.abc import Iterator
from dataclasses import dataclass

from exonym.drivers.seeds_asking import Ask, Worth
from exonym.errors import ConfigError
from exonym.seeds.commoncrawl import capture_in, in_lines, index_url, newest_in, page_url, pages_in, spread
from exonym.seeds.seed import Found, Skipped

MOST_FAILURES = 3  # pages in a row: then the server has enough of us

_NO_CAPTURES = 404


@dataclass(frozen=True, slots=True)
class Lookup:
    """What is looked up in the index of a crawl."""

    index: str  # the server's address
    crawl: str
    language: str
    domains: tuple[str, ...]  # top-level
    most_pages: int = 0  # of a domain; 0: all


def newest_crawl(index: str, ask: Ask) -> str:
    """The newest crawl that the server has."""
    url = f"{index.rstrip('/')}/collinfo.json"
    reply = ask(url, lambda content: Worth(1) if newest_in(content) else Worth(0, "no list of crawls"))
    if reply.failure:
        raise ConfigError(f"{index} does not say which crawls it has ({reply.failure}). Name one with --crawl.")
    return newest_in(reply.content)


def read_index(lookup: Lookup, ask: Ask) -> Iterator[Found]:
    """The seeds in the index under all domains, in its order."""
    for domain in lookup.domains:
        url = index_url(lookup.index, lookup.crawl, domain, showNumPages="true")
        reply = ask(url, lambda content: Worth(1) if pages_in(content) >= 0 else Worth(0, "no number of pages"))
        if reply.status == _NO_CAPTURES:
            yield Skipped(f"domain without a page in {lookup.crawl}")
        elif reply.failure:
            yield Skipped(f"domain: {reply.failure}")
        else:
            yield from _under(domain, pages_in(reply.content), lookup, ask)


def _under(domain: str, pages: int, lookup: Lookup, ask: Ask) -> Iterator[Found]:
    chosen = spread(pages, lookup.most_pages)
    yield from (Skipped("page of the index not asked for, by --pages") for _ in range(pages - len(chosen)))
    failures = 0
    for done, page in enumerate(chosen, 1):
        reply = ask(page_url(lookup.index, lookup.crawl, domain, lookup.language, page), _worth)
        yield from in_lines(reply.content.splitlines(), lookup.language, lookup.crawl)
        is_missing = bool(reply.failure) and reply.status != _NO_CAPTURES  # which here means: none in the language
        failures = failures + 1 if is_missing else 0
        if is_missing:
            yield Skipped(f"page of the index: {reply.failure}")
        if failures >= MOST_FAILURES:
            yield from (Skipped("page of the index not asked for, after failures") for _ in chosen[done:])
            return


def _worth(content: bytes) -> Worth:
    """Answers are lines: one that is cut off ends in half a line, an error page has none at all."""
    lines = content.strip().splitlines()
    is_whole = not lines or capture_in(lines[-1]) is not None
    return Worth(len(lines)) if is_whole else Worth(sum(line[:1] == b"{" for line in lines), "cut off, or none at all")
