"""Checked seeds by top-level domain and language, as in Table 1 of Chan and Yamana (2010)."""

from collections.abc import Mapping, Sequence

from exonym.language_names import name_of
from exonym.report.table import TOTAL, Table, TableRow

PARTLY, OTHER, NO_PAGE = "partly", "other", "no page"  # in the place of a language

_TOGETHER = ("com", "net")  # one row, as in the paper: neither says where a site is at home
_NOTE = (
    "All seeds that were fetched, by the top-level domain of the seed; com and net are one row, as in the paper. "
    "Partly: kept for a part of the page, which is mainly in another language. Other: in another language, or unknown. "
    "No page: failed, or forbidden by robots.txt."
)


def domain_table(
    by_domain: Mapping[tuple[str, str], int], languages: Sequence[str], domains: Sequence[str] = ()
) -> Table:
    """The table of these counts by domain and language.

    `domains` come first and in this order, even without a page; then the others, the most frequent first.
    """
    codes = list(dict.fromkeys(language.partition("-")[0] for language in languages))
    kinds = [*codes, PARTLY, OTHER, NO_PAGE]
    rows: dict[str, list[int]] = {_row_of(domain): [0] * len(kinds) for domain in domains}
    for (domain, kind), count in by_domain.items():
        rows.setdefault(_row_of(domain), [0] * len(kinds))[kinds.index(kind)] += count
    first = {_row_of(domain): place for place, domain in reversed(list(enumerate(domains)))}
    order = sorted(rows, key=lambda name: (first.get(name, len(domains)), -sum(rows[name]), name))
    counted: list[TableRow] = [(name, *rows[name], sum(rows[name])) for name in order]
    totals = [sum(row[place] for row in rows.values()) for place in range(len(kinds))]
    columns = ("domain", *map(name_of, codes), PARTLY, OTHER, NO_PAGE, "fetched")
    return Table(
        "domains_by_language",
        "Pages by top-level domain and language",
        columns,
        (*counted, (TOTAL, *totals, sum(totals))),
        _NOTE,
        paper="as in Table 1 of Chan and Yamana (2010)",
    )


def _row_of(domain: str) -> str:
    return "com & net" if domain in _TOGETHER else domain or "bare address"
