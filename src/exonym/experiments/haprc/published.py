"""Table 4.1 of Aggarwal, Nath and Bansal: which documents of CACM their HAPRC model downloads for six queries.

A file can give other decisions: lines of query, document and decision (download, skip, unclear, or none for a query
for which nothing is downloaded), separated by tabs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.system.files import read_text

PAPER = "Aggarwal, Nath, Bansal: Implementation of Hybrid Approach for Page Relevance Computation"
DOWNLOAD, SKIP, UNCLEAR, NONE = "download", "skip", "unclear", "none"
_KNOWN = (DOWNLOAD, SKIP, UNCLEAR, NONE)

# In the paper's order; "-" means skip. 1599 is printed "+++++Don't Download", which is unclear: "?".
_TABLE = {
    "portabl parallel algorithm": "1930 3127 2246 -3196 2714 2973 2433",
    "parallel oper appli stochast": "1696 -1194 1811 3059 1262 -1008 2342",
    "float point represent": "2525 1843 1634 -183 1705 -628 3131",
    "solut of polynomi equat": "1387 111 -342 -647 -325 -112 ?1599",
    "mobile crawler network load": "2951 2712 2892 2849 1685 2776 2860",
    "focused crawler relevance": "",
}
_MARKS = {"-": SKIP, "?": UNCLEAR}


class Decision(NamedTuple):
    """The decision on a document for a query; document "-" with NONE: nothing is downloaded for the query."""

    query: str
    document: str
    decision: str


def published_decisions() -> list[Decision]:
    """The paper's table, 36 rows."""
    rows = []
    for query, listed in _TABLE.items():
        rows += [Decision(query, entry.lstrip("-?"), _MARKS.get(entry[0], DOWNLOAD)) for entry in listed.split()]
        if not listed:
            rows.append(Decision(query, "-", NONE))
    return rows


def read_decisions(path: Path) -> list[Decision]:
    """A file of decisions."""
    return decisions_in(read_text(path, "a file of decisions"), str(path))


def decisions_in(text: str, source: str) -> list[Decision]:
    """The decisions of a text; the heading is left out."""
    rows = [
        _decision(line.split("\t"), f"{source}, line {number}")
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not (number == 1 and line.startswith("query\t"))
    ]
    if not rows:
        raise ConfigError(f"{source} contains no decisions. Write query, document and decision, separated by tabs.")
    return list(dict.fromkeys(rows))


def _decision(cells: Sequence[str], where: str) -> Decision:
    if len(cells) != 3 or cells[2].strip() not in _KNOWN or not cells[0].strip() or not cells[1].strip():
        known = ", ".join(_KNOWN)
        raise ConfigError(f"{where}: not query, document and decision ({known}) separated by tabs.")
    return Decision(" ".join(cells[0].split()), cells[1].strip(), cells[2].strip())
