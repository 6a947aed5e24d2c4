"""Pieces of the pages that show how a model was trained: figures and tables of validations."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.report.figures import COLOURS, Figure, Line
from exonym.report.table import Table, TableRow
from exonym.training.scores import pr_curve
from exonym.training.validation import Validation


def validation_document(found: Validation, positives: NDArray[np.bool_]) -> dict[str, Any]:
    """A validation as plain data, with its curve of precision against recall."""
    thresholds, precision, recall = (thinned(column.tolist()) for column in pr_curve(found.probabilities, positives))
    return {
        "kind": found.kind,
        "by_site": found.by_site,
        "folds": found.folds,
        "repeats": found.repeats,
        "g_mean": round(found.g_mean, 4),
        "g_mean_deviation": round(found.g_mean_deviation, 4),
        "precision": round(found.precision, 4),
        "recall": round(found.recall, 4),
        "specificity": round(float(np.mean([scores.specificity for scores in found.rounds])), 4),
        "remark": found.remark,
        "curve": {
            "threshold": [round(value, 4) for value in thresholds],
            "precision": [round(value, 4) for value in precision],
            "recall": [round(value, 4) for value in recall],
        },
    }


def rounded(value: float | None) -> float | None:
    """A figure with four decimals, as documents have it."""
    return None if value is None else round(value, 4)


def way_of(validation: dict[str, Any]) -> str:
    """How a validation was done, in a few words."""
    folds = "folds by site" if validation["by_site"] else "plain folds"
    return f"{validation['kind']}, {folds}"


def curves_of(document: dict[str, Any]) -> Figure:
    """Precision against recall of all validations."""
    lines = (
        Line(way_of(one), one["curve"]["recall"], one["curve"]["precision"], COLOURS[number % len(COLOURS)])
        for number, one in enumerate(document["validations"])
    )
    return Figure("precision-recall", tuple(lines), "recall", "precision", shares=True, x_end=1.0, y_end=1.02)


def thinned(values: list[Any], most: int = 200) -> list[Any]:
    """At most `most` of the values, evenly chosen, with the first and the last."""
    if len(values) <= most:
        return values
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]


def validation_table(document: dict[str, Any]) -> Table:
    """How well models do, by each validation; and the leak."""
    rows: list[TableRow] = [
        (
            way_of(one),
            f"{one['g_mean']:.2%} ± {100 * one['g_mean_deviation']:.2f}",
            one["precision"],
            one["recall"],
            f"{one['folds']} × {one['repeats']}",
        )
        for one in document["validations"]
    ]
    if document["leak"] is not None:
        rows.append(("leak (plain less by site)", f"{100 * document['leak']:+.2f} points", "", "", ""))
    columns = ("held out by", "G-mean", "precision", "recall", "folds × repetitions")
    return Table("validations", "", columns, tuple(rows), formats=dict.fromkeys(columns, ".2%"))


def weight_table(side: str, weights: Iterable[tuple[str, float]]) -> Table:
    """What speaks for or against, with its weight."""
    return Table("weights", "", (side, "weight"), tuple(weights), formats={"weight": "+.3f"})


def facts_table(rows: Iterable[TableRow]) -> Table:
    """Names with what is known under them."""
    return Table("facts", "", ("", ""), tuple(rows))
