"""What came of training a topic model: as plain data for scripts, and as one page that needs no other file."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from exonym.models.topic import most_telling
from exonym.training.examples import Example
from exonym.training.topic_command import TopicTrained
from exonym.training.validation import worst_mistakes
from exonym.training.validation_report import (
    curves_of,
    figures_html,
    notes,
    page_of,
    rounded,
    table_of,
    validation_document,
)

_MOST_TERMS = 30
_MOST_MISTAKES = 30
_LONGEST_TITLE = 120

_MEANINGS = (
    "G-mean is the geometric mean of recall and of the share of other pages that are told to be so: it is fair where "
    "one kind of pages is far more frequent. The figures are those of pages that were held out: no page was judged by "
    "a model that had seen it. Folds by site hold out whole sites, as a crawl meets them; plain folds, as the thesis "
    "has them, leave pages of the same site among the examples, which flatters every model. The difference is the leak."
)


def document_of(trained: TopicTrained) -> dict[str, Any]:
    """Everything as plain data. Scripts rely on these names; more may be added, none may go."""
    model, material = trained.model, trained.material
    positives, labels = material.positives, np.array([example.positive for example in material.examples], np.bool_)
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
        "validations": [validation_document(one, labels) for one in trained.validations],
        "leak": rounded(trained.leak),
        "remarks": list(trained.remarks),
        "telling": {side: _terms(terms) for side, terms in zip(("for", "against"), speaking, strict=True)},
        "mistakes": _mistakes(trained),
        "command": trained.request.command,
        "provenance": model.provenance,
    }


def _sites(examples: Sequence[Example], positive: bool) -> int:
    return len({example.site for example in examples if example.positive == positive})


def _terms(terms: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"term": term, "weight": round(weight, 4)} for term, weight in terms]


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


def html_of(document: dict[str, Any]) -> str:
    """The whole page."""
    return page_of(
        f"Topic model {document['name']}",
        [
            ("", _facts(document)),
            ("How well it judges", f"{figures_html(document)}\n{notes([*document['remarks'], _MEANINGS])}"),
            ("Precision and recall", curves_of(document)),
            ("Most telling terms", _telling(document)),
            ("Worst mistakes", _wrong(document)),
            ("Where it comes from", _origin(document)),
        ],
    )


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
    return table_of(("", ""), rows)


def _telling(document: dict[str, Any]) -> str:
    columns = [
        table_of(
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
    return table_of(("page", "it was given as", "likely of the topic"), rows)


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
    sources = table_of(("source", "its pages are", "pages"), rows)
    return f'{sources}\n<pre>{html.escape(document["command"])}</pre>\n<p class="note">{by}</p>'
