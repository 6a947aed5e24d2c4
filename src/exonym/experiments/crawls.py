"""Two crawl directories side by side, in the form of the control experiment."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from exonym.crawl_directory.status import read_status
from exonym.experiments.comparing import OTHER, LanguageRow, compare_languages
from exonym.language_names import name_of
from exonym.report.findings import Findings
from exonym.report.table import Row, Table

_MOST = 5  # languages, if none is asked for


def compare_crawls(first: Path, second: Path, languages: Sequence[str] = ()) -> Findings:
    """Pages by language in both crawls; without `languages` those that are most often there."""
    found = [read_status(directory) for directory in (first, second)]
    counts, strategies = [one.totals.languages for one in found], [one.strategy for one in found]
    rows = compare_languages(counts[0], counts[1], languages or _most_often(counts))
    names = [f"{directory} ({name})" for directory, name in zip((first, second), strategies, strict=True)]
    columns = ("language", names[0], "share", names[1], "share, second", "difference")
    note = "Other: every other language, and pages of unknown language. Differences in points."
    table = Table("comparison", "Pages by language", columns, tuple(map(_row, rows)), note)
    document = {"crawls": [str(first), str(second)], "strategies": strategies, "languages": [*map(_values, rows)]}
    return Findings("Two crawls side by side", (table,), document)


def _most_often(counts: Sequence[Mapping[str, int]]) -> list[str]:
    both: Counter[str] = Counter()
    for one in counts:
        for code, pages in one.items():
            both[code.partition("-")[0]] += pages
    del both[""]
    return [code for code, _ in both.most_common(_MOST)]


def _row(row: LanguageRow) -> Row:
    name = OTHER if row.language == OTHER else name_of(row.language)
    points = "–" if row.difference is None else f"{100 * row.difference:+.2f}"
    return (name, row.pages[0], row.shares[0], row.pages[1], row.shares[1], points)


def _values(row: LanguageRow) -> dict[str, object]:
    return {**row._asdict(), "difference": row.difference}
