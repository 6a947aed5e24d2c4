"""`exonym coverage DIR …`: how complete a crawl is, by pages that were found without it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, CrawlArgument
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.coverage.known_pages import KnownShare, ListCoverage
    from exonym.coverage.two_crawls import CrawlCoverage, SharedFinds
    from exonym.intervals import Interval

_WORDS = {
    "relevant": "fetched, relevant",
    "irrelevant": "fetched, not relevant",
    "copies": "copies of other pages",
    "gone": "no such page or server",
    "redirects": "lead elsewhere",
    "failed": "failed",
    "forbidden": "forbidden by robots.txt",
    "waiting": "still wait",
    "not_followed": "known, not followed",
    "unknown": "never found",
    "left_out": "left out by the scope",
}
_BLIND = (
    "No figure counts pages that neither of them knows, such as islands to which no found page links. Pages that are "
    "easy to find are in both more often than others, so the true coverage is probably lower."
)
_OF_LIST = f"A list from the sources of the seeds, or of this crawl itself, tells nothing. {_BLIND}"
_OF_CRAWL = f"Crawls from the same seeds see the same part of the web, and tell little of the rest. {_BLIND}"
_NO_VISITS = "The crawl has fetched no page yet."


def coverage(
    directory: CrawlArgument,
    known: Annotated[
        Path | None,
        typer.Option(
            "--list", metavar="FILE", help="Known pages or sites, one address a line; made without the crawl."
        ),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(metavar="DIR2", help="Another crawl for the same pages, such as an earlier one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate how complete a crawl is, from a list of known pages or from another crawl.

    The coverage is the share of the relevant pages of the list that the crawl has fetched. Whether listed pages that it
    has not fetched are relevant is unknown: "coverage" takes them to be relevant as often as the listed pages whose
    fate is known, "at least" takes all of them to be relevant. A page counts as fetched if the crawl has it by http or
    https, with or without `www.`. Seeds are left out; pages that were found only through them cannot be told apart, and
    count. Intervals hold in 90 of 100 samples, and allow for pages of one site being found together.
    """
    from exonym.coverage.known_pages import list_coverage
    from exonym.coverage.recapture import CONFIDENCE
    from exonym.coverage.two_crawls import crawl_coverage

    if known is None and against is None:
        raise ConfigError("Name a list of known pages with --list FILE, or another crawl with --against DIR2.")
    document: dict[str, Any] = {"directory": str(directory), "confidence": CONFIDENCE}
    shown: list[str | OutputRows] = []
    with status_line("reading") as show:
        if known is not None:
            of_list = list_coverage(directory, known, show)
            document["list"] = of_list.document()
            shown += _shown_list(of_list)
        if against is not None:
            of_crawl = crawl_coverage(directory, against, show)
            document["against"] = of_crawl.document()
            shown += _shown_crawl(of_crawl)
    emit(document, shown, as_json)


def _shown_list(result: "ListCoverage") -> "Iterator[str | OutputRows]":
    pages = result.of_pages
    yield f"By the pages in {clean(result.name, 300)}:"
    yield [
        ("addresses", f"{result.named:,}, which name {_count(result.pages, 'different page')}"),
        ("seeds", f"{result.seeds:,} of them, left out: given to the crawl, not found by it"),
        *((words, f"{pages.counts[name]:,}") for name, words in _WORDS.items() if pages.counts[name]),
    ]
    yield "How many of the relevant pages of the list the crawl has:"
    yield [*_share_rows("", pages), *_share_rows("servers: ", result.of_servers)]
    if not result.has_visits:
        yield _NO_VISITS
    elif not pages.counts["relevant"] and pages.settled:
        yield "The crawl has found no relevant page among those of the list: look whether they are what it looks for."
    elif result.has_few_relevant:
        yield (
            f"Only {pages.harvest_rate:.0%} of the listed pages that were fetched are relevant. A focused crawl "
            "fetches relevant pages first, so fewer of the others are, and the figures are too low: take a list of "
            "relevant pages."
        )
    yield _OF_LIST


def _share_rows(of: str, share: "KnownShare") -> "Iterator[tuple[str, str]]":
    assumed = f", if {share.relevant_share:.0%} of those not fetched are relevant, as of the others"
    has_others = share.coverage is not None and share.settled > 0
    yield f"{of}coverage", _share_text(share.coverage, share) + assumed * has_others
    if share.at_least is not None:
        yield f"{of}at least", f"{_interval(share.at_least)}, if all of those not fetched are relevant"


def _share_text(coverage: "Interval | None", share: "KnownShare") -> str:
    from exonym.coverage.recapture import FEWEST_PAGES

    if coverage is not None:
        return _interval(coverage)
    if share.usable < FEWEST_PAGES:
        return f"too few to tell: {share.usable}, and {FEWEST_PAGES} are needed"
    return "unknown: none of those fetched is relevant"


def _shown_crawl(result: "CrawlCoverage") -> "Iterator[str | OutputRows]":
    yield f"By the relevant pages of the crawl in {clean(result.directory, 300)}:"
    yield [
        *_shared_rows("pages", result.of_pages),
        ("seeds", f"{result.seeds:,} of its pages, left out: given to this crawl, not found by it"),
        *_shared_rows("servers", result.of_servers),
    ]
    if not result.has_visits:
        yield _NO_VISITS
    if not result.has_same_target:
        yield "The two crawls look for different pages: the figures hold only if all of its pages are wanted here too."
    yield _OF_CRAWL


def _shared_rows(of: str, shared: "SharedFinds") -> "Iterator[tuple[str, str]]":
    from exonym.coverage.recapture import FEWEST_PAGES

    yield of, f"{shared.own:,} found by this crawl, {shared.of_other:,} by the other, {shared.both:,} by both"
    if shared.changed or shared.left_out:
        yield "", f"{shared.changed:,} are irrelevant or gone by now, {shared.left_out:,} left out by the scope"
    if shared.coverage is None:
        yield f"coverage of {of}", f"too few to tell: {shared.of_other:,} by the other, and {FEWEST_PAGES} are needed"
        return
    yield f"coverage of {of}", _interval(shared.coverage)
    if (size := shared.size) is not None:
        most = f"{size.high:,.0f}" if size.high != float("inf") else "any number"
        yield f"{of} that exist", f"{size.share:,.0f}  ({size.low:,.0f} to {most})"


def _interval(interval: "Interval") -> str:
    return f"{interval.share:.1%}  ({interval.low:.1%} to {interval.high:.1%})"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
