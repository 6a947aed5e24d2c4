"""`exonym status DIR`, and what a crawl prints when it ends: the figures of a crawl."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.cli.options import AsJson, CrawlArgument
from exonym.cli.output import OutputRows, emit
from exonym.report.number_text import byte_size, date_and_time, duration
from exonym.web_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.crawl_directory.crawl_reader import CrawlStatus
    from exonym.crawl_views.crawl_facts import CrawlFacts
    from exonym.crawl_views.quick_look import BestServer, QuickLook
    from exonym.metrics import Summary, Totals

_LANGUAGES_SHOWN = 6
_DEAD_SHOWN = 3
_KINDS_SHOWN = 6


def status(directory: CrawlArgument, as_json: AsJson = False) -> None:
    """Show what the crawl in DIR has done so far: what was asked, when, how it went, and how it ended."""
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.crawl_views.crawl_facts import crawl_facts
    from exonym.crawl_views.quick_look import quick_look

    crawl, facts, look = CrawlDirectory(directory).status, crawl_facts(directory), quick_look(directory)
    emit(_status_document(facts, look), [_status_rows(crawl, facts, look)], as_json)


def _status_document(facts: "CrawlFacts", look: "QuickLook") -> dict[str, Any]:
    names = ("target", "seeds", "warc_files", "warc_bytes", "is_running", "how_it_ended")
    return {**facts.totals, **{name: getattr(facts, name) for name in names}, **look.document()}


def _status_rows(crawl: "CrawlStatus", facts: "CrawlFacts", look: "QuickLook") -> list[tuple[str, str]]:
    files = "1 file" if facts.warc_files == 1 else f"{facts.warc_files:,} files"
    return [
        ("target", clean(facts.target)),
        ("strategy", crawl.strategy),
        ("began", date_and_time(facts.began) if facts.began else "not yet"),
        ("last commit", date_and_time(facts.ended) if facts.ended else "none"),
        ("running time", duration(facts.seconds)),
        ("state", f"the crawl {facts.how_it_ended}"),
        ("pages fetched", f"{crawl.totals.pages:,}"),
        *_total_rows(crawl.totals),
        ("best servers", _servers_line(look.best_servers)),
        ("dead seeds", _dead_line(look.dead_seeds, facts.seeds)),
        ("frontier", f"{crawl.totals.frontier:,} links waiting"),
        ("left out", f"{crawl.totals.aside:,} links, by {facts.scope_rules:,} rules of the scope"),
        ("received", byte_size(facts.bytes)),
        ("archive", f"{files}, {byte_size(facts.warc_bytes)}"),
        ("finished", "yes" if crawl.finished else "no"),
        *_partition_rows(crawl),
    ]


def _servers_line(servers: "tuple[BestServer, ...]") -> str:
    return ", ".join(f"{clean(one.server, 60)} {one.relevant:,} of {one.pages:,}" for one in servers) or "none"


def _dead_line(dead: tuple[str, ...], seeds: int) -> str:
    named = ", ".join([clean(url, 60) for url in dead[:_DEAD_SHOWN]] + ["…"] * (len(dead) > _DEAD_SHOWN))
    return f"{len(dead):,} of {seeds:,}" + (f": {named}" if dead else "")


def _partition_rows(crawl: "CrawlStatus") -> list[tuple[str, str]]:
    if crawl.partitions == 1:
        return []
    missing = len(crawl.missing_partitions)
    return [
        ("partitions", f"{crawl.partitions:,}" + (f", of which {missing:,} are not counted here" if missing else ""))
    ]


def emit_summary(summary: "Summary", resume: str, as_json: bool) -> None:
    """Print how a crawl ended; as JSON, the document of `exonym status`. `resume` is the command that resumes it."""
    document: dict[str, Any] = {}
    if as_json:
        from exonym.crawl_views.crawl_facts import crawl_facts
        from exonym.crawl_views.quick_look import quick_look

        directory = Path(summary.directory)
        document = _status_document(crawl_facts(directory), quick_look(directory))
    emit(document, _shown_summary(summary, resume), as_json)


def _total_rows(totals: "Totals") -> list[tuple[str, str]]:
    from exonym.metrics import harvest_of

    relevant, harvest, inherited = f"{totals.relevant:,}", f"{totals.harvest_rate:.1%}", totals.relevant_inherited
    if inherited:
        relevant += f", of which {inherited:,} inherited their language"
        harvest += f", without these {harvest_of(totals.relevant - inherited, totals.pages):.1%}"
    aliases = f"; {totals.aliases:,} servers are aliases of others" if totals.aliases else ""
    return [
        ("relevant", relevant),
        ("harvest rate", harvest),
        *_coverage_rows(totals),
        ("copies", f"{totals.copies:,} pages word for word as others{aliases}"),
        ("servers", f"{totals.servers:,}, of which {totals.relevant_servers:,} relevant"),
        ("failures", f"{totals.failures:,}{_kinds_line(totals.failure_kinds)}"),
        ("links not asked", _unasked_line(totals.unasked)),
        ("languages", languages_line(totals.languages, totals.inherited)),
    ]


def _coverage_rows(totals: "Totals") -> list[tuple[str, str]]:
    from exonym.probes.completeness import completeness_words

    return [] if totals.missing is None else [("found", completeness_words(totals.missing))]


def _kinds_line(kinds: dict[str, int]) -> str:
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{clean(kind, 40)} {count:,}" for kind, count in ordered[:_KINDS_SHOWN]]
    return f": {', '.join(shown + ['…'] * (len(ordered) > _KINDS_SHOWN))}" if ordered else ""


def _unasked_line(unasked: dict[str, int]) -> str:
    ordered = sorted(unasked.items(), key=lambda item: (-item[1], item[0]))
    return f"{sum(unasked.values()):,}" + "".join(f", {kind} {links:,}" for kind, links in ordered)


def languages_line(languages: dict[str, int], inherited: dict[str, int]) -> str:
    """The most frequent languages with their pages, and how many of these inherited it; "" is the unknown one."""
    ordered = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    shown = [
        f"{code or 'unknown'} {pages:,}" + (f" ({inherited[code]:,} inherited)" if inherited.get(code) else "")
        for code, pages in ordered[:_LANGUAGES_SHOWN]
    ]
    return ", ".join(shown + ["…"] * (len(ordered) > _LANGUAGES_SHOWN)) or "none"


def _shown_summary(summary: "Summary", resume: str) -> "Iterator[str | OutputRows]":
    totals, directory = summary.totals, Path(summary.directory)
    from exonym.crawl_directory.cluster_layout import PARTITIONS_NAME, is_cluster
    from exonym.metrics import REASON_WORDS

    archive = directory / PARTITIONS_NAME / "*" / "warc" if is_cluster(directory) else directory / "warc"
    files = "1 file" if summary.warc_files == 1 else f"{summary.warc_files:,} files"
    yield f"\nThe crawl {REASON_WORDS.get(summary.reason, summary.reason)}.\n"
    yield [
        ("pages fetched", f"{totals.pages:,} in {duration(totals.seconds)}"),
        *_total_rows(totals),
        ("left in frontier", f"{totals.frontier:,} links"),
        ("archive", f"{archive} ({files}, {byte_size(summary.warc_bytes)})"),
    ]
    quoted = shlex.quote(str(directory))
    quoted_archive = quoted + str(archive).removeprefix(str(directory))
    steps = [
        ("look at it", f"exonym serve {quoted} --open"),
        ("show these figures", f"exonym status {quoted}"),
        ("browse the pages", "with pywb (pip install pywb) in a separate environment:"),
        ("", f"wb-manager init nation && wb-manager add nation {quoted_archive}/*.warc.gz && wayback"),
    ]
    if summary.reason in ("interrupted", "disk full"):
        steps.append(("resume", resume))
    elif summary.reason in ("pages", "bytes", "seconds"):
        steps.append(("resume", f"raise limits.{summary.reason} in {directory / 'crawl.toml'}, then: {resume}"))
    yield "\nNext:"
    yield steps
