"""Pieces of the pages that tell how a model was trained: figures of validations, tables, the frame of a page."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.report.curves import Curve, curve_svg, thinned
from exonym.training.scores import pr_curve
from exonym.training.validation import Validation

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
pre { background: #f5f5f5; padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { color: #555; max-width: 48rem; } .two { display: flex; flex-wrap: wrap; gap: 3rem; }
svg { width: 100%; max-width: 40rem; height: auto; } svg text { font-size: 13px; fill: #444; }
.grid { stroke: #e5e5e5; }
"""


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
    """As documents have it."""
    return None if value is None else round(value, 4)


def way_of(validation: dict[str, Any]) -> str:
    """How a validation was done, in a few words."""
    folds = "folds by site" if validation["by_site"] else "plain folds"
    return f"{validation['kind']}, {folds}"


def page_of(title: str, parts: Iterable[tuple[str, str]]) -> str:
    """A whole page of parts, each a heading ("" for none) and HTML."""
    body = "".join((f"<h2>{html.escape(heading)}</h2>\n" if heading else "") + f"{part}\n" for heading, part in parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head><body>\n<h1>{html.escape(title)}</h1>\n{body}</body></html>\n"
    )


def notes(texts: Iterable[str]) -> str:
    """Remarks, a paragraph each."""
    return "".join(f'<p class="note">{html.escape(text)}</p>\n' for text in texts)


def curves_of(document: dict[str, Any]) -> str:
    """The curves of all validations, drawn."""
    found = [Curve(way_of(one), one["curve"]["recall"], one["curve"]["precision"]) for one in document["validations"]]
    return curve_svg(found)


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are HTML already."""
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def figures_html(document: dict[str, Any]) -> str:
    """How well models do, by each validation; and the leak."""
    rows = [
        (
            html.escape(way_of(one)),
            f"{100 * one['g_mean']:.2f} % ± {100 * one['g_mean_deviation']:.2f}",
            f"{100 * one['precision']:.2f} %",
            f"{100 * one['recall']:.2f} %",
            f"{one['folds']} × {one['repeats']}",
        )
        for one in document["validations"]
    ]
    if document["leak"] is not None:
        rows.append(("leak (plain less by site)", f"{100 * document['leak']:+.2f} points", "", "", ""))
    return table_of(("held out by", "G-mean", "precision", "recall", "folds × repetitions"), rows)
