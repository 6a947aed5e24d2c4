"""What came of training a topic model: as plain data for scripts, and as one page that needs no other file."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from exonym.drivers.topic_curve import Curve, curve_svg, thinned
from exonym.drivers.topic_training import TopicTrained
from exonym.learning.examples import Example
from exonym.learning.scores import pr_curve
from exonym.learning.topic_model import most_telling
from exonym.learning.validation import Validation, worst_mistakes

_MOST_TERMS = 30
_MOST_MISTAKES = 30
_LONGEST_TITLE = 120

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
_MEANINGS = (
    "G-mean is the geometric mean of recall and of the share of other pages that are told to be so: it is fair where "
    "one kind of pages is far more frequent. The figures are those of pages that were held out: no page was judged by "
    "a model that had seen it. Folds by site hold out whole sites, as a crawl meets them; plain folds, as the thesis "
    "has them, leave pages of the same site among the examples, which flatters every model. The difference is the leak."
)


def document_of(trained: TopicTrained) -> dict[str, Any]:
    """Everything as plain data. Scripts rely on these names; more may be added, none may go."""
    model, material = trained.model, trained.material
    positives = material.positives
    speaking = most_telling(model, _MOST_TERMS)
    return {
        "name": model.name,
        "kind": model.kind,
        "language": model.options.language,
        "terms": len(model.terms),
        "threshold": round(model.threshold, 4),
        "seed": trained.request.options.seed,
        "pages": {"positive": positives, "negative": len(material.examples) - positives},
        "sites": {"positive": _sites(material.examples, True), "negative": _sites(material.examples, False)},
        "sources": [{"name": one.name, "positive": one.positive, "pages": one.pages} for one in material.sources],
        "left_out": material.left_out,
        "other_languages": material.other_languages,
        "in_both_classes": material.contradictory,
        "validations": [_validation(one, material.examples) for one in trained.validations],
        "leak": _rounded(trained.leak),
        "remarks": list(trained.remarks),
        "telling": {side: _terms(terms) for side, terms in zip(("for", "against"), speaking, strict=True)},
        "mistakes": _mistakes(trained),
        "command": trained.request.command,
        "provenance": model.provenance,
    }


def _sites(examples: Sequence[Example], positive: bool) -> int:
    return len({example.site for example in examples if example.positive == positive})


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _terms(terms: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"term": term, "weight": round(weight, 4)} for term, weight in terms]


def _validation(found: Validation, examples: Sequence[Example]) -> dict[str, Any]:
    positives = np.array([example.positive for example in examples], np.bool_)
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


def _mistakes(trained: TopicTrained) -> list[dict[str, Any]]:
    """The pages judged most wrongly while they were held out, by the first validation."""
    titles = {example.url: example.fields.title for example in trained.material.examples}
    worst = worst_mistakes(trained.material.examples, trained.validations[0], _MOST_MISTAKES)
    return [
        {
            "url": one.url,
            "title": titles[one.url][:_LONGEST_TITLE],
            "positive": one.positive,
            "probability": round(one.probability, 4),
        }
        for one in worst
    ]


def way_of(validation: dict[str, Any]) -> str:
    """How a validation was done, in a few words."""
    folds = "folds by site" if validation["by_site"] else "plain folds"
    return f"{validation['kind']}, {folds}"


def html_of(document: dict[str, Any]) -> str:
    """The whole page."""
    title = html.escape(f"Topic model {document['name']}")
    curves = [Curve(way_of(one), one["curve"]["recall"], one["curve"]["precision"]) for one in document["validations"]]
    remarks = "".join(f'<p class="note">{html.escape(remark)}</p>\n' for remark in document["remarks"])
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>{_STYLE}</style></head><body>\n<h1>{title}</h1>\n{_facts(document)}\n"
        f'<h2>How well it judges</h2>\n{_figures(document)}\n{remarks}<p class="note">{_MEANINGS}</p>\n'
        f"<h2>Precision and recall</h2>\n{curve_svg(curves)}\n"
        f"<h2>Most telling terms</h2>\n{_telling(document)}\n<h2>Worst mistakes</h2>\n{_wrong(document)}\n"
        f"<h2>Where it comes from</h2>\n{_origin(document)}\n</body></html>\n"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are HTML already."""
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def _facts(document: dict[str, Any]) -> str:
    pages, sites = document["pages"], document["sites"]
    rows = [
        ("model", f"{html.escape(document['kind'])}, {document['terms']:,} terms"),
        ("language", html.escape(document["language"])),
        ("a page is of the topic", f"from a probability of {document['threshold']:.2f} on"),
        ("pages of the topic", f"{pages['positive']:,} on {sites['positive']:,} sites"),
        ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
        *(("left out", f"{count:,} × {html.escape(reason)}") for reason, count in document["left_out"].items()),
    ]
    return _table(("", ""), rows)


def _figures(document: dict[str, Any]) -> str:
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
    return _table(("held out by", "G-mean", "precision", "recall", "folds × repetitions"), rows)


def _telling(document: dict[str, Any]) -> str:
    columns = [
        _table(
            (f"{side} the topic", "weight"),
            [(html.escape(one["term"]), f"{one['weight']:+.3f}") for one in document["telling"][side]],
        )
        for side in ("for", "against")
    ]
    return f'<div class="two">{"".join(columns)}</div>'


def _wrong(document: dict[str, Any]) -> str:
    if not document["mistakes"]:
        return '<p class="note">None: every page was judged rightly while it was held out.</p>'
    rows = [
        (
            _link(one["url"]) + (f"<br>{html.escape(one['title'])}" if one["title"] else ""),
            "of the topic" if one["positive"] else "other",
            f"{100 * one['probability']:.0f} %",
        )
        for one in document["mistakes"]
    ]
    return _table(("page", "it was given as", "likely of the topic"), rows)


def _link(url: str) -> str:
    """A page's name, to be followed only where that can lead nowhere but to the web."""
    name = html.escape(url)
    if not url.startswith(("http://", "https://")):
        return name
    return f'<a href="{name}" rel="noreferrer noopener nofollow">{name}</a>'


def _origin(document: dict[str, Any]) -> str:
    rows = [
        (html.escape(one["name"]), "of the topic" if one["positive"] else "other", f"{one['pages']:,}")
        for one in document["sources"]
    ]
    made = document["provenance"]
    by = html.escape(f"{made.get('made_by', '')}, {made.get('when', '')}, seed {document['seed']}")
    sources = _table(("source", "its pages are", "pages"), rows)
    return f'{sources}\n<pre>{html.escape(document["command"])}</pre>\n<p class="note">{by}</p>'
