"""Tries the settings of the reproduction on queries that had no say in their choice: leave one query out.

The paper gives neither the parameters of its ranking nor its threshold. We found settings that give its Table 4.1 by
looking at that table. Here, the settings for each query are those that fit the other queries best.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from exonym.experiments.haprc.agreement import retrieved_in_common, retrieved_in_place, table_agreement
from exonym.experiments.haprc.published import NONE, Decision
from exonym.experiments.haprc.queries import IndexedMaterial
from exonym.models.weight_table import TableSettings
from exonym.report.table import TOTAL, Table, TableRow
from exonym.training.retrieval import Ranking

K1S = (0.5, 1.0, 1.2, 1.5, 2.0)
BS = (0.25, 0.5, 0.75, 1.0)
THRESHOLDS = (0.0, 1.0, 2.0, 3.0)


class HaprcSetting(NamedTuple):
    """The parameters of BM25, and the threshold for pages."""

    k1: float
    b: float
    threshold: float


class QueryFit(NamedTuple):
    """How well a setting fits the listed documents of a query: the more the better, the first first."""

    in_common: int = 0
    in_place: int = 0
    agreed: int = 0


def held_out_settings_table(read: IndexedMaterial, settings: TableSettings) -> Table:
    """For each query, the setting that fits the other queries best, and how well it fits this one."""
    rows = read.material.decisions
    fits = _fits(read, settings, rows)
    queries = read.material.queries
    lines, held_out, listed, decided = list[TableRow](), list[QueryFit](), 0, 0
    for query in queries:
        chosen = max(fits, key=lambda setting: _sum([fits[setting][other] for other in queries if other != query]))
        fit, own = fits[chosen][query], [row for row in rows if row.query == query and row.decision != NONE]
        count = sum(row.decision in ("download", "skip") for row in own)
        lines.append((query, f"{chosen.k1:g}", f"{chosen.b:g}", f"{chosen.threshold:g}", len(own), *fit, count))
        held_out.append(fit)
        listed, decided = listed + len(own), decided + count
    columns = (
        "query held out",
        "k1",
        "b",
        "threshold",
        "listed",
        "in common",
        "in the same place",
        "agreed",
        "decided",
    )
    note = (
        f"The rule of the paper and classic BM25; k1 is one of {', '.join(f'{k1:g}' for k1 in K1S)}, b one of "
        f"{', '.join(f'{b:g}' for b in BS)}, the threshold one of {', '.join(f'{least:g}' for least in THRESHOLDS)}. "
        "Fits best: most documents in common, then most in the same place, then most decisions agreed; of equal "
        "settings, the first."
    )
    total: TableRow = (TOTAL, "", "", "", listed, *_sum(held_out), decided)
    return Table("held_out_settings", "Settings chosen on the other queries", columns, (*lines, total), note)


def _fits(
    read: IndexedMaterial, settings: TableSettings, rows: Sequence[Decision]
) -> dict[HaprcSetting, dict[str, QueryFit]]:
    fits: dict[HaprcSetting, dict[str, QueryFit]] = {}
    for k1, b in product(K1S, BS):
        ranked = read.ranked_by(Ranking("robertson", k1, b))
        for threshold in THRESHOLDS:
            answers = ranked.answers(replace(settings, rule="paper", page_threshold=threshold))
            fits[HaprcSetting(k1, b, threshold)] = {
                answer.query: QueryFit(
                    retrieved_in_common(answer, rows),
                    retrieved_in_place(answer, rows),
                    table_agreement([answer], [row for row in rows if row.query == answer.query]).agreed,
                )
                for answer in answers
            }
    return fits


def _sum(fits: Sequence[QueryFit]) -> QueryFit:
    return QueryFit(*(sum(counts) for counts in zip(*fits, strict=True)))
