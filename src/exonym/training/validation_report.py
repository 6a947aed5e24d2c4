"""The parts of reports on training that all kinds of models share: figures and tables of validations."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.report.figures import Figure, Line
from exonym.report.table import Table, TableRow
from exonym.training.provenance import validation_figures
from exonym.training.scores import pr_curve
from exonym.training.validation import Validation, leak_of


def validations_document(validations: Sequence[Validation], kind: str, positives: NDArray[np.bool_]) -> dict[str, Any]:
    """All validations as plain data, and the leak of models of the given kind."""
    leak = leak_of(validations, kind)
    return {
        "validations": [_validation_document(validation, positives) for validation in validations],
        "leak": None if leak is None else round(leak, 4),
    }


def _validation_document(validation: Validation, positives: NDArray[np.bool_]) -> dict[str, Any]:
    """A validation as plain data, with its curve of precision against recall; numbers are rounded to four digits."""
    figures = {**validation_figures(validation), "specificity": validation.mean_of("specificity")}
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in figures.items()}
    curve = zip(("threshold", "precision", "recall"), pr_curve(validation.probabilities, positives), strict=True)
    columns = {name: [round(value, 4) for value in thinned(column.tolist())] for name, column in curve}
    return {"kind": validation.kind, **rounded, "curve": columns}


def way_of(validation: dict[str, Any]) -> str:
    """How a validation was done, in a few words."""
    folds = "folds by site" if validation["by_site"] else "plain folds"
    return f"{validation['kind']}, {folds}"


def curves_of(document: dict[str, Any]) -> Figure:
    """Precision against recall of all validations."""
    lines = (Line(way_of(one), one["curve"]["recall"], one["curve"]["precision"]) for one in document["validations"])
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
    """Values and their weights; `side` heads the first column."""
    return Table("weights", "", (side, "weight"), tuple(weights), formats={"weight": "+.3f"})


def facts_table(rows: Iterable[TableRow]) -> Table:
    """Facts about a model: a name and a value in each row."""
    return Table("facts", "", ("", ""), tuple(rows))
