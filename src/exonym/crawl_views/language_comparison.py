"""Compares two crawls by language, as in Table 4 of Chan and Yamana (2010): crawl directories, or counts of pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.language_names import name_of
from exonym.report.findings import Findings
from exonym.report.table import Table, TableRow, share

# Counts are by language code, "" for unknown, as in `exonym status --json` and in results of simulations: so any two
# crawls can be compared.

OTHER = "other"  # all languages that are not compared; pages of unknown language too
CJK = ("zh", "ja", "ko")


class LanguageRow(NamedTuple):
    """The pages in one language in both crawls."""

    language: str  # a code, or OTHER
    pages: tuple[int, int]
    shares: tuple[float | None, float | None]  # None for a crawl without pages
    inherited: tuple[int, int] = (0, 0)  # of the pages, those taken to be in the language of the page that linked there

    @property
    def difference(self) -> float | None:
        """By how much the share is larger in the second crawl."""
        before, after = self.shares
        return None if before is None or after is None else after - before


def compare_languages(a: Mapping[str, int], b: Mapping[str, int], languages: Sequence[str] = CJK) -> list[LanguageRow]:
    """A row for each of the languages, and one for all others."""
    first, second = grouped(a, languages), grouped(b, languages)
    totals = sum(first.values()), sum(second.values())
    return [
        LanguageRow(code, (first[code], second[code]), (share(first[code], totals[0]), share(second[code], totals[1])))
        for code in first
    ]


def grouped(counts: Mapping[str, int], languages: Sequence[str] = CJK) -> dict[str, int]:
    """Pages in each of the languages, and in all others together; variants (zh-Hant) belong to their language."""
    grouped_counts = dict.fromkeys([*languages, OTHER], 0)
    for code, pages in counts.items():
        language = code.partition("-")[0]
        grouped_counts[language if language in languages else OTHER] += pages
    return grouped_counts


MOST = 5  # languages that are compared if none is named


def compare_crawls(first: Path, second: Path, languages: Sequence[str] = ()) -> Findings:
    """Pages by language in both crawls; without `languages`, the languages with most pages."""
    statuses = [CrawlDirectory(directory).status for directory in (first, second)]
    counts, strategies = [status.totals.languages for status in statuses], [status.strategy for status in statuses]
    languages = languages or most_frequent(counts)
    inherited = [grouped(status.totals.inherited, languages) for status in statuses]
    rows = [
        row._replace(inherited=(inherited[0][row.language], inherited[1][row.language]))
        for row in compare_languages(counts[0], counts[1], languages)
    ]
    names = [f"{directory} ({name})" for directory, name in zip((first, second), strategies, strict=True)]
    columns = ("language", names[0], "share", "inherited", names[1], "share, second", "inherited, second", "difference")
    note = (
        "Other: every other language, and pages of unknown language. Inherited: of the pages, those that show no "
        "language and were taken to be in that of the page that linked to them. Differences in points."
    )
    table = Table("comparison", "Pages by language", columns, tuple(map(_row, rows)), note)
    document = {
        "crawls": [str(first), str(second)],
        "strategies": strategies,
        "languages": [{**row._asdict(), "difference": row.difference} for row in rows],
    }
    return Findings("Two crawls side by side", (table,), document)


def most_frequent(counts: Sequence[Mapping[str, int]]) -> list[str]:
    """The languages with most pages in all crawls together."""
    both: Counter[str] = Counter()
    for crawl in counts:
        for code, pages in crawl.items():
            both[code.partition("-")[0]] += pages
    del both[""]
    return [code for code, _ in both.most_common(MOST)]


def _row(row: LanguageRow) -> TableRow:
    name = OTHER if row.language == OTHER else name_of(row.language)
    points = "–" if row.difference is None else f"{100 * row.difference:+.2f}"
    first, second = zip(row.pages, row.shares, row.inherited, strict=True)
    return (name, *first, *second, points)
