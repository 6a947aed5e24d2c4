"""Measures the rules against judgements of relevance: does a table download the documents that answer a query?

Agreement with the paper's table shows how that table was made, not that the method is good. A collection such as CACM
has queries and, for each, the documents that people found relevant. For each query, a table is made from that query
alone, and decides about every document. Its threshold is the one that serves the other queries best.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.experiments.haprc.queries import IndexedMaterial
from exonym.models.weight_table import TableSettings
from exonym.report.table import Table, TableRow
from exonym.system.files import read_text

PAPER_THRESHOLDS = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0)
TYPICAL_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
RANKS = (1, 3, 5, 10, 20, 40, 80)
_TOPIC = re.compile(r"<DOC>\s*<DOCNO>\s*(\S+)\s*</DOCNO>(.*?)</DOC>", re.DOTALL)


class JudgedQuery(NamedTuple):
    """A query, and the documents that people found relevant to it."""

    query: str
    relevant: frozenset[str]


class Quality(NamedTuple):
    """Precision, recall and F1 of downloads; all 0 where nothing relevant is downloaded."""

    precision: float
    recall: float
    f1: float


# For a query and a threshold: the documents to download.
DecideDownloads = Callable[[int, float], frozenset[str]]


def read_judged_queries(queries: Path, judgements: Path) -> list[JudgedQuery]:
    """Queries in `<DOC><DOCNO> 1 </DOCNO> text </DOC>` and judgements in lines of query, Q0, document, 0 or 1 (TREC).

    A document may have the collection's name before it, as in CACM-1410. Queries without relevant documents are left
    out.
    """
    relevant = defaultdict(set)
    for number, line in enumerate(read_text(judgements, "a file of judgements").splitlines(), 1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 4 or not cells[3].isdigit():
            raise ConfigError(f"{judgements}, line {number}: not query, Q0, document, 0 or 1, as in 1 Q0 CACM-1410 1.")
        if int(cells[3]):
            relevant[cells[0]].add(cells[2].rpartition("-")[2])
    texts = dict(_TOPIC.findall(read_text(queries, "a file of queries")))
    judged = [JudgedQuery(" ".join(text.split()), frozenset(relevant[name])) for name, text in texts.items()]
    judged = [query for query in judged if query.relevant]
    if len(judged) < 2:
        raise ConfigError(f"{queries} and {judgements} have {len(judged)} queries in common; 2 or more are needed.")
    return judged


def relevance_table(read: IndexedMaterial, settings: TableSettings, judged: Sequence[JudgedQuery]) -> Table:
    """Precision, recall and F1 of each way to decide, means over all queries, with thresholds held out."""
    lines = list[TableRow]()
    for name, thresholds, decide in _ways(read, settings, judged):
        qualities, chosen = held_out_qualities(judged, thresholds, decide)
        means = [sum(values) / len(qualities) for values in zip(*qualities, strict=True)]
        lines.append((name, *(f"{mean:.3f}" for mean in means), f"{min(chosen):g} to {max(chosen):g}"))
    columns = ("decided by", "precision", "recall", "F1", "thresholds chosen")
    note = (
        f"{len(judged)} queries, {len(read.material.documents):,} documents, all words stemmed, without stop words and "
        "numbers. A table for each query, made from that query alone, decides about every document. The threshold of a "
        "query is the one with the best mean F1 over the other queries: for the paper's rule a weight, one of "
        f"{_listed(PAPER_THRESHOLDS)}; for ours a share of the typical weight, one of {_listed(TYPICAL_SHARES)}; for "
        f"the first documents of the ranking their number, one of {_listed(RANKS)}."
    )
    return Table("relevance", "Downloads compared with judgements of relevance", columns, tuple(lines), note)


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _ways(
    read: IndexedMaterial, settings: TableSettings, judged: Sequence[JudgedQuery]
) -> Iterator[tuple[str, Sequence[float], DecideDownloads]]:
    by_paper = [read.weights_for(query.query, replace(settings, rule="paper"))[0] for query in judged]
    yield (
        "the paper's rule, a term at a time",
        PAPER_THRESHOLDS,
        lambda at, least: frozenset(document for document, weight in by_paper[at].items() if weight > least),
    )
    by_sum = [read.weights_for(query.query, replace(settings, rule="weighted")) for query in judged]
    yield (
        "ours, the weighted sum",
        TYPICAL_SHARES,
        lambda at, share: frozenset(name for name, weight in by_sum[at][0].items() if weight > share * by_sum[at][1]),
    )
    ranked = [read.ranked(query.query, RANKS[-1]) for query in judged]
    yield "the first documents of the ranking", RANKS, lambda at, most: frozenset(ranked[at][: int(most)])


def held_out_qualities(
    judged: Sequence[JudgedQuery], thresholds: Sequence[float], decide: DecideDownloads
) -> tuple[list[Quality], list[float]]:
    """The quality for each query with the threshold that has the best mean F1 over the others; and these thresholds."""
    grid = {
        threshold: [quality(decide(at, threshold), query.relevant) for at, query in enumerate(judged)]
        for threshold in thresholds
    }
    sums = {threshold: sum(one.f1 for one in qualities) for threshold, qualities in grid.items()}
    chosen = [
        max(thresholds, key=lambda threshold: round(sums[threshold] - grid[threshold][at].f1, 9))
        for at in range(len(judged))
    ]
    return [grid[threshold][at] for at, threshold in enumerate(chosen)], chosen


def quality(downloads: frozenset[str], relevant: frozenset[str]) -> Quality:
    """How good some downloads are.

    >>> quality(frozenset("abcd"), frozenset("ax"))
    Quality(precision=0.25, recall=0.5, f1=0.3333333333333333)
    """
    right = len(downloads & relevant)
    if not right:
        return Quality(0.0, 0.0, 0.0)
    return Quality(right / len(downloads), right / len(relevant), 2 * right / (len(downloads) + len(relevant)))
