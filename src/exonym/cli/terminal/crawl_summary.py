"""What a crawl says when it ends: what it found, where the archive is, what to do next."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.cli.output import print_rows
from exonym.cli.terminal.numbers import byte_size, duration

if TYPE_CHECKING:
    from exonym.metrics import Summary

_REASONS = {
    "empty frontier": "finished: no link is left to follow",
    "pages": "stopped: the page limit is reached (limits.pages)",
    "bytes": "stopped: the byte limit is reached (limits.bytes)",
    "seconds": "stopped: the time limit is reached (limits.seconds)",
    "interrupted": "was stopped by you; nothing is lost",
    "disk full": "paused: the disk is full; nothing is lost",
}
_LANGUAGES_SHOWN = 6


def print_summary(summary: "Summary", go_on: str) -> None:
    """The summary as a table, then the next steps; `go_on` is the command that resumes the crawl."""
    print(f"\nThe crawl {_REASONS.get(summary.reason, summary.reason)}.\n")
    print_rows(_rows(summary))
    print("\nNext:")
    print_rows(_next_steps(Path(summary.directory), summary.reason, go_on))


def _rows(summary: "Summary") -> list[tuple[str, str]]:
    totals = summary.totals
    return [
        ("pages fetched", f"{totals.pages:,} in {duration(totals.seconds)}"),
        ("relevant", f"{totals.relevant:,}"),
        ("harvest rate", f"{totals.harvest_rate:.1%}"),
        ("servers", f"{totals.servers:,}, of which {totals.relevant_servers:,} relevant"),
        ("failures", f"{totals.failures:,}"),
        ("languages", languages_line(totals.languages)),
        ("left in frontier", f"{totals.frontier:,} links"),
        (
            "archive",
            f"{Path(summary.directory) / 'warc'} ({_files(summary.warc_files)}, {byte_size(summary.warc_bytes)})",
        ),
    ]


def languages_line(languages: dict[str, int]) -> str:
    """The most frequent languages with their pages; "" is the unknown one."""
    ordered = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{code or 'unknown'} {pages:,}" for code, pages in ordered[:_LANGUAGES_SHOWN]]
    return ", ".join(shown + ["…"] * (len(ordered) > _LANGUAGES_SHOWN)) or "none"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _next_steps(directory: Path, reason: str, go_on: str) -> list[tuple[str, str]]:
    quoted = shlex.quote(str(directory))
    steps = [
        ("the figures again", f"exonym status {quoted}"),
        ("browse the pages", "with pywb (pip install pywb) in an environment of its own:"),
        ("", f"wb-manager init nation && wb-manager add nation {quoted}/warc/*.warc.gz && wayback"),
    ]
    if reason in ("interrupted", "disk full"):
        steps.append(("go on", go_on))
    elif reason in ("pages", "bytes", "seconds"):
        steps.append(("go on", f"raise limits.{reason} in {directory / 'crawl.toml'}, then: {go_on}"))
    return steps
