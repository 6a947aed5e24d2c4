"""The result of training a topic model, as plain data for scripts and as one page that needs no other file."""

from typing import Any

import numpy as np

from exonym.models.topic import most_telling
from exonym.report.html_page import PagePart, ShellLines, SideBySide, page
from exonym.report.table import Table, WebLink
from exonym.training.topic_command import TopicTrained
from exonym.training.validation import worst_mistakes
from exonym.training.validation_report import (
    curves_of,
    facts_table,
    validation_table,
    validations_document,
    weight_table,
)

_MOST_TERMS = 30
_MOST_MISTAKES = 30
_LONGEST_TITLE = 120

_MEANINGS = (
    "G-mean is the geometric mean of recall and of the share of other pages recognised as such: it is fair where "
    "one kind of pages is far more frequent. The figures are those of pages that were held out: no page was judged by "
    "a model that had seen it. Folds by site hold out whole sites, as a crawl meets them; plain folds, as the thesis "
    "has them, leave pages of the same site among the examples, which flatters every model. The difference is the leak."
)


def document_of(trained: TopicTrained) -> dict[str, Any]:
    """Everything as plain data. Scripts rely on these names; more may be added, none may go."""
    model, material = trained.model, trained.material
    labels = np.array([example.positive for example in material.examples], np.bool_)
    titles = {example.url: example.fields.title[:_LONGEST_TITLE] for example in material.examples}
    return {
        "name": model.name,
        "kind": model.kind,
        "language": model.options.language,
        "terms": len(model.terms),
        "threshold": round(model.threshold, 4),
        "seed": trained.request.options.seed,
        **material.document(),
        **validations_document(trained.validations, model.kind, labels),
        "remarks": list(trained.remarks),
        "telling": {
            side: [{"term": term, "weight": round(weight, 4)} for term, weight in terms]
            for side, terms in zip(("for", "against"), most_telling(model, _MOST_TERMS), strict=True)
        },
        # The pages judged most wrongly while they were held out, by the first validation.
        "mistakes": [
            {
                "url": page.url,
                "title": titles[page.url],
                "positive": page.positive,
                "probability": round(page.probability, 4),
            }
            for page in worst_mistakes(material.examples, trained.validations[0], _MOST_MISTAKES)
        ],
        "command": trained.request.command,
        "provenance": model.provenance,
    }


def html_of(document: dict[str, Any]) -> str:
    """The report as a page of HTML."""
    telling = (
        weight_table(f"{side} the topic", ((term["term"], term["weight"]) for term in document["telling"][side]))
        for side in ("for", "against")
    )
    made = document["provenance"]
    sources = ((source["name"], _class_name(source["positive"]), source["pages"]) for source in document["sources"])
    return page(
        f"Topic model {document['name']}",
        [
            _facts_table(document),
            PagePart("How well it judges", [validation_table(document), *document["remarks"], _MEANINGS]),
            PagePart("Precision and recall", [curves_of(document)]),
            PagePart("Most telling terms", [SideBySide(list(telling))]),
            PagePart("Worst mistakes", [_mistakes_table(document)]),
            PagePart(
                "Where it comes from",
                [
                    Table("sources", "", ("source", "its pages are", "pages"), tuple(sources)),
                    ShellLines(document["command"]),
                    f"{made.get('made_by', '')}, {made.get('when', '')}, seed {document['seed']}",
                ],
            ),
        ],
    )


def _facts_table(document: dict[str, Any]) -> Table:
    pages, sites = document["pages"], document["sites"]
    return facts_table(
        [
            ("model", f"{document['kind']}, {document['terms']:,} terms"),
            ("language", document["language"]),
            ("a page is of the topic", f"from a probability of {document['threshold']:.2f} on"),
            ("pages of the topic", f"{pages['positive']:,} on {sites['positive']:,} sites"),
            ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
            *(("left out", f"{count:,} × {reason}") for reason, count in document["left_out"].items()),
        ]
    )


def _mistakes_table(document: dict[str, Any]) -> Table | str:
    if not document["mistakes"]:
        return "None: every page was judged rightly while it was held out."
    columns = ("page", "it was given as", "likely of the topic")
    rows = (
        (WebLink(mistake["url"], mistake["title"]), _class_name(mistake["positive"]), mistake["probability"])
        for mistake in document["mistakes"]
    )
    return Table("mistakes", "", columns, tuple(rows), formats=dict.fromkeys(columns, ".0%"))


def _class_name(positive: bool) -> str:
    return "of the topic" if positive else "other"
