"""The tables of the control experiment: Table 4, the shares of Figures 4 to 9, and whether each share rose."""

from collections.abc import Mapping, Sequence

from exonym.crawl_views.language_comparison import CJK, OTHER, compare_languages
from exonym.experiments.cjk2010.crawls import Pair
from exonym.experiments.cjk2010.published import PAPER
from exonym.report.table import Cell, Chart, Table, TableRow

_NAMES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", OTHER: "Other"}
_LETTERS = {"zh": "CN", "ja": "JP", "ko": "KR"}
_SHARES = ("baseline, published", "baseline", "baseline, cut", "rule, published", "rule")


def language_table(pairs: Sequence[Pair], note: str) -> Table:
    """Table 4, with our counts below each published row."""
    columns = ("crawl", "whose", *_NAMES.values(), "Total")
    rows = tuple(row for pair in pairs for row in _language_rows(pair))
    return Table("languages", "Table 4. The crawled web pages for each language", columns, rows, note, paper=PAPER)


def _language_rows(pair: Pair) -> list[TableRow]:
    letters, nation = _LETTERS[pair.nation.language], pair.nation
    return [
        _count_row(f"{letters}-C baseline", "published", nation.baseline),
        _count_row(f"{letters}-C baseline", "ours", pair.baseline),
        _count_row(f"{letters}-C baseline, cut to the rule's size", "ours", pair.cut),
        _count_row(f"{letters}-E rule", "published", nation.rule),
        _count_row(f"{letters}-E rule", "ours", pair.rule),
    ]


def _count_row(crawl: str, whose: str, counts: Mapping[str, int]) -> TableRow:
    return (crawl, whose, *(counts[language] for language in (*CJK, OTHER)), sum(counts.values()))


def share_table(pair: Pair) -> Table:
    """The shares in a pair of figures, with a bar chart."""
    nation = pair.nation
    crawls = (nation.baseline, pair.baseline, pair.cut, nation.rule, pair.rule)
    shares = [[row.shares[1] for row in compare_languages({}, counts)] for counts in crawls]
    rows = tuple((name, *column) for name, column in zip(_NAMES.values(), zip(*shares, strict=True), strict=True))
    caption = f"Figures {nation.figures[0]} and {nation.figures[1]}. Language distribution of {nation.name} results"
    chart = Chart("bar", ("language",), _SHARES)
    return Table(f"{nation.name.lower()}-shares", caption, ("language", *_SHARES), rows, chart=chart, paper=PAPER)


def verdict_table(pairs: Sequence[Pair]) -> Table:
    """Whether the rule raised the share of the language."""
    columns = ("share of", "published", "raised", "ours", "raised here", "from as many pages", "raised then")
    rows = tuple((pair.nation.name, *_verdicts(pair)) for pair in pairs)
    note = "Differences in points. From as many pages: the baseline is cut to the size of the rule's crawl."
    return Table("outcome", "Did the rule raise the share of the language?", columns, rows, note, paper=PAPER)


def _verdicts(pair: Pair) -> list[Cell]:
    nation, cells = pair.nation, list[Cell]()
    for before, after in ((nation.baseline, nation.rule), (pair.baseline, pair.rule), (pair.cut, pair.rule)):
        difference, shown = change_of(before, after, nation.language)
        cells += [shown, "yes" if difference > 0 else "no"]
    return cells


def change_of(before: Mapping[str, int], after: Mapping[str, int], language: str) -> tuple[float, str]:
    """By how much the share of a language rose from one crawl to the other, as a number and as text."""
    row = next(row for row in compare_languages(before, after) if row.language == language)
    first, second = row.shares
    if first is None or second is None:
        return 0.0, "–"
    return second - first, f"{first:.2%} → {second:.2%} ({100 * (second - first):+.2f})"
