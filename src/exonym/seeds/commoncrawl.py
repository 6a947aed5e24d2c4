"""Seeds from the index of Common Crawl: addresses of pages with the languages that were found in each.

Its index server lists addresses by domain, a page of answers at a time; the languages of a page are in the answer as
ISO 639-3 codes, the main one first (`tha,eng`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from exonym.errors import ConfigError
from exonym.language_names import known_language
from exonym.seeds.opening import DAMAGE, DAMAGED, open_input
from exonym.seeds.seed import FoundSeed, SkippedSeed, TellLine, seed_from
from exonym.seeds.services import AnswerCheck, AskService

INDEX = "https://index.commoncrawl.org"
NO_PAGE = SkippedSeed("no page: a redirect or an error")
NO_HTML = SkippedSeed("no HTML")
NO_LANGUAGE = SkippedSeed("no language told")
OTHER_LANGUAGE = SkippedSeed("in another language")
SUCCESS = "200"
HTML = ("text/html", "application/xhtml+xml")

_CRAWL = re.compile(r"CC-MAIN-\d{4}(?:-\d{2,4})?")
_LONGEST_LINE = 1 << 20
_NO_LINE = SkippedSeed("line that cannot be read")


def crawl_from(text: str) -> str:
    """A crawl by its name, as in CC-MAIN-2026-42."""
    name = text.strip().upper()
    if not _CRAWL.fullmatch(name):
        advice = f"Write it as {INDEX} lists it, as in CC-MAIN-2026-42, or leave it out for the newest."
        raise ConfigError(f"--crawl {text[:60]!r} is no crawl of Common Crawl. {advice}")
    return name


def index_url(index: str, crawl: str, domain: str, **more: str) -> str:
    """Where the index server answers for a top-level domain."""
    words = urlencode({"url": f"*.{domain}", "output": "json", **more}, quote_via=quote)
    return f"{index.rstrip('/')}/{crawl}-index?{words}"


def page_url(index: str, crawl: str, domain: str, language: str, page: int) -> str:
    """Where a page of the answer is, as far as the server can choose: successful, and partly in the language."""
    fields = quote("url,status,mime-detected,languages")
    chosen = f"&filter={quote('=status:' + SUCCESS)}&filter={quote('languages:' + long_code(language))}"
    return f"{index_url(index, crawl, domain, page=str(page))}&fl={fields}{chosen}"


def long_code(language: str) -> str:
    """The three letters of a language, as the index has them."""
    import pycountry

    stem = language.partition("-")[0]
    entry = pycountry.languages.get(alpha_2=stem) if len(stem) == 2 else None
    return str(entry.alpha_3) if entry else stem


def pages_in(content: bytes) -> int:
    """The number of pages in the server's answer; -1 if it has none."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return -1
    count = answer.get("pages") if isinstance(answer, dict) else answer
    return count if isinstance(count, int) and count >= 0 else -1


def spread(pages: int, most: int) -> list[int]:
    """Which pages to ask for: all, or as many as are wanted, evenly spread, since pages are sorted by server."""
    if not most or pages <= most:
        return list(range(pages))
    return [number * pages // most for number in range(most)]


def newest_in(content: bytes) -> str:
    """The newest crawl that the server's list (collinfo.json) names, "" if there is none."""
    try:
        listed = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    names = [crawl.get("id") for crawl in listed if isinstance(crawl, dict)] if isinstance(listed, list) else []
    known = [name for name in names if isinstance(name, str) and _CRAWL.fullmatch(name)]
    return max(known, default="")


def read_index_file(path: Path, language: str, tell: TellLine) -> Iterator[FoundSeed]:
    """The seeds in saved answers of the server, or in files of the index itself (cdx-00000.gz)."""
    try:
        with open_input(path, tell) as stream:
            lines = iter(lambda: stream.readline(_LONGEST_LINE), b"")
            yield from in_lines(lines, language, path.name)
    except DAMAGE:
        yield DAMAGED


def in_lines(lines: Iterable[bytes], language: str, source: str) -> Iterator[FoundSeed]:
    """The seeds in lines of the index: a JSON object each, behind a key and a time or not."""
    for line in lines:
        if line.strip():
            capture = capture_in(line)
            yield _NO_LINE if capture is None else seed_of(capture, language, source)


def capture_in(line: bytes) -> Mapping[str, Any] | None:
    """The JSON object in a line; None if the line is cut off or something else."""
    try:
        capture = json.loads(line[max(line.find(b"{"), 0) :])
    except (ValueError, RecursionError):
        return None
    return capture if isinstance(capture, dict) else None


def seed_of(capture: Mapping[str, Any], language: str, source: str) -> FoundSeed:
    """The seed that a page makes if it is one in the language, all or partly."""
    if str(capture.get("status", SUCCESS)) != SUCCESS:
        return NO_PAGE
    if capture.get("mime-detected", capture.get("mime", HTML[0])) not in HTML:
        return NO_HTML
    languages = capture.get("languages")
    if not isinstance(languages, str) or not languages:
        return NO_LANGUAGE
    if not is_in(languages, language):
        return OTHER_LANGUAGE
    return seed_from(str(capture.get("url", "")), source, languages)


@lru_cache(maxsize=16_384)
def is_in(languages: str, language: str) -> bool:
    """Whether a list of languages names one; the index does not distinguish the scripts of Chinese.

    >>> is_in("eng,tha", "th"), is_in("zho", "zh-Hant"), is_in("eng", "th")
    (True, True, False)
    """
    wanted = language.partition("-")[0]
    return any(known_language(code).partition("-")[0] == wanted for code in languages.split(","))


# Seeds from Common Crawl's index server, queried page by page; a page that fails is reported.

MOST_FAILURES = 3  # pages in a row: then the server is left alone

_NO_CAPTURES = 404


@dataclass(frozen=True, slots=True)
class IndexLookup:
    """A query to the index of a crawl."""

    index: str  # the server's address
    crawl: str
    language: str
    domains: tuple[str, ...]  # top-level
    most_pages: int = 0  # of a domain; 0: all


def newest_crawl(index: str, ask: AskService) -> str:
    """The newest crawl that the server has."""
    url = f"{index.rstrip('/')}/collinfo.json"
    reply = ask(url, lambda content: AnswerCheck(1) if newest_in(content) else AnswerCheck(0, "no list of crawls"))
    if reply.failure:
        raise ConfigError(f"{index} does not say which crawls it has ({reply.failure}). Name one with --crawl.")
    return newest_in(reply.content)


def read_index(lookup: IndexLookup, ask: AskService) -> Iterator[FoundSeed]:
    """The seeds in the index under all domains, in its order."""
    for domain in lookup.domains:
        url = index_url(lookup.index, lookup.crawl, domain, showNumPages="true")
        reply = ask(
            url, lambda content: AnswerCheck(1) if pages_in(content) >= 0 else AnswerCheck(0, "no number of pages")
        )
        if reply.status == _NO_CAPTURES:
            yield SkippedSeed(f"domain without a page in {lookup.crawl}")
        elif reply.failure:
            yield SkippedSeed(f"domain: {reply.failure}")
        else:
            yield from _seeds_under(domain, pages_in(reply.content), lookup, ask)


def _seeds_under(domain: str, pages: int, lookup: IndexLookup, ask: AskService) -> Iterator[FoundSeed]:
    chosen = spread(pages, lookup.most_pages)
    yield from (
        SkippedSeed("page of the index not asked for, by --max-index-pages") for _ in range(pages - len(chosen))
    )
    failures = 0
    for done, page in enumerate(chosen, 1):
        reply = ask(page_url(lookup.index, lookup.crawl, domain, lookup.language, page), _check_answer)
        yield from in_lines(reply.content.splitlines(), lookup.language, lookup.crawl)
        is_missing = bool(reply.failure) and reply.status != _NO_CAPTURES  # which here means: none in the language
        failures = failures + 1 if is_missing else 0
        if is_missing:
            yield SkippedSeed(f"page of the index: {reply.failure}")
        if failures >= MOST_FAILURES:
            yield from (SkippedSeed("page of the index not asked for, after failures") for _ in chosen[done:])
            return


def _check_answer(content: bytes) -> AnswerCheck:
    """Answers are lines: one that is cut off ends in half a line, an error page has none at all."""
    lines = content.strip().splitlines()
    if not lines or capture_in(lines[-1]) is not None:
        return AnswerCheck(len(lines))
    return AnswerCheck(sum(line[:1] == b"{" for line in lines), "cut off, or none at all")
