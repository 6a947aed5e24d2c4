"""The result of training a link model, as plain data for scripts and as one page that needs no other file."""

from typing import Any

import numpy as np

from exonym.models.links.explain import telling_values
from exonym.models.links.trained import TrainedLinkModel
from exonym.published.thesis import TOPICS
from exonym.report.html_page import PagePart, Part, ShellLines, SideBySide, page
from exonym.report.table import Table
from exonym.training.links.back_links import Listed
from exonym.training.links.command import LinkModelTrained
from exonym.training.links.train import Ablation
from exonym.training.validation_report import (
    curves_of,
    facts_table,
    validation_table,
    validations_document,
    weight_table,
)

_MOST_VALUES = 20
_MEANINGS = (
    "G-mean is the geometric mean of recall and of the share of links to irrelevant targets recognised as such: "
    "it is fair where one kind of links is far more frequent. The figures are those of links that were held out. Folds "
    "by site hold out all links to a site together, as a crawl meets new sites; plain folds, as the thesis has them, "
    "leave links to the same site among the examples, which flatters every model. The difference is the leak."
)
_ABLATION = (
    "Models of all features but one, and models of one feature alone, by the first of the ways above. What is lost "
    "without a feature is what only this feature knows: two that say the same both seem to bring little."
)
_WEIGHTS = (
    "What a value adds to the log-odds that the target is relevant. Of countries and domains, the first is the "
    "source's and the second the target's."
)


# What the thesis reports of its predictor, on its data: naive Bayes, plain folds.
PUBLISHED = [
    {
        "topic": topic.name.replace("-", " "),
        "g_mean": topic.g_mean,
        "relevant": topic.relevant,
        "irrelevant": topic.irrelevant,
    }
    for topic in TOPICS.values()
]
NAMES = {
    "degree": "relevance degree of the source",
    "text_names": "share of names in texts",
    "url_names": "share of names in the URL",
    "source_country": "country of the source",
    "country": "country of the target",
    "source_domain": "domain of the source",
    "domain": "domain of the target",
    "words": "words",
}


def document_of(trained: LinkModelTrained) -> dict[str, Any]:
    """Everything as plain data. Scripts rely on these names; more may be added, none may go."""
    request, model, gathered = trained.request, trained.model, trained.gathered
    labels = gathered.examples.relevant
    relevant = int(labels.sum())
    return {
        "name": model.name,
        "kind": model.kind,
        "pool": model.pool,
        "unit": model.unit,
        "nation": trained.nation,
        "language": model.options.terms.language,
        "features": list(model.weights.features),
        "terms": len(model.weights.terms),
        "threshold": round(model.weights.calibration.threshold, 4),
        "seed": request.options.seed,
        "graph": str(request.graph),
        "relevant_if": trained.relevant_if,
        "degree_threshold": request.gathering.threshold,
        "hops": request.gathering.hops,
        "seeds": gathered.seeds,
        "back_links": gathered.back_links,
        "back_link_file": gathered.listed._asdict() if gathered.listed else None,
        "pages": gathered.pages,
        "segments": gathered.segments,  # or sites or pages, as `unit` says
        "relevant_segments": gathered.relevant_segments,
        "links": {"relevant": relevant, "irrelevant": len(labels) - relevant},
        "sites": len(np.unique(gathered.examples.sites)),
        **validations_document(trained.validations, model.kind, labels),
        "ablation": _ablation_document(trained.ablations),
        "telling": telling_document(model, _MOST_VALUES),
        "published": PUBLISHED if model.unit == "segment" else [],
        "remarks": list(trained.remarks),
        "command": request.command,
        "provenance": model.provenance,
    }


def _ablation_document(ablations: tuple[Ablation, ...]) -> list[dict[str, Any]]:
    """Each feature with the G-mean of models without it and of it alone."""
    by = {(ablated.feature, ablated.alone): ablated.validation for ablated in ablations}
    features = dict.fromkeys(feature for feature, _ in by if feature is not None)
    whole = by[None, False].g_mean if ablations else 0.0
    return [
        {
            "feature": feature,
            "g_mean_of_all": round(whole, 4),
            "g_mean_without": round(by[feature, False].g_mean, 4),
            "lost": round(whole - by[feature, False].g_mean, 4),
            "g_mean_alone": round(by[feature, True].g_mean, 4),
            "by_site": by[feature, False].by_site,
            "repeats": by[feature, False].repeats,
        }
        for feature in features
    ]


def telling_document(model: TrainedLinkModel, count: int) -> dict[str, Any]:
    """The strongest values of each column, as plain data."""
    return {
        name: {
            side: [{"value": value, "weight": round(weight, 4)} for value, weight in values]
            for side, values in zip(("for", "against"), sides, strict=True)
        }
        for name, sides in telling_values(model, count).items()
    }


def html_of(document: dict[str, Any]) -> str:
    """The report as a page of HTML."""
    made = document["provenance"]
    by = f"{made.get('made_by', '')}, {made.get('when', '')}, graph {document['graph']}, seed {document['seed']}"
    columns = ("the thesis, on its own data, plain folds", "G-mean", "links to relevant segments", "to others")
    rows = tuple((one["topic"], one["g_mean"], one["relevant"], one["irrelevant"]) for one in document["published"])
    telling = [
        PagePart(NAMES[name], [SideBySide([_weights(side, sides[side]) for side in ("for", "against")])])
        for name, sides in document["telling"].items()
    ]
    return page(
        f"Link model {document['name']}",
        [
            _facts_table(document),
            PagePart(
                "How well it predicts",
                [
                    *(validation_table(document), *document["remarks"], _MEANINGS),
                    *([Table("published", "", columns, rows)] if rows else []),
                ],
            ),
            PagePart(
                "What each feature brings", _ablation_parts(document) if document["ablation"] else ["Not requested."]
            ),
            PagePart("Precision and recall", [curves_of(document)]),
            PagePart("What says most", [_WEIGHTS, *telling]),
            PagePart("Where it comes from", [ShellLines(document["command"]), by]),
        ],
    )


def _facts_table(document: dict[str, Any]) -> Table:
    links, listed, units = document["links"], document["back_link_file"], f"{document['unit']}s"
    of_units = [
        (units, f"{document['segments']:,}, {document['relevant_segments']:,} of them relevant"),
        (f"a {document['unit']} is relevant", f"from a degree of {document['degree_threshold']:g} on"),
    ]
    if document["unit"] == "page":
        of_units = []  # a page is relevant or not, whatever the degree
    from_file = [("back-links of a file", f"{listed['file']}: {Listed(**listed).summary()}")] if listed else []
    return facts_table(
        [
            ("model", f"{document['kind']}, {document['terms']:,} terms, links pooled by {document['pool']}"),
            ("names of", document["nation"] or "no nation"),
            ("language of words", document["language"]),
            ("what is relevant", document["relevant_if"]),
            ("seeds", f"{document['seeds']:,} relevant pages, {document['back_links']:,} pages link to them"),
            *from_file,
            ("within hops", f"{document['hops']}: {document['pages']:,} pages"),
            *of_units,
            (f"links to relevant {units}", f"{links['relevant']:,}"),
            ("links to others", f"{links['irrelevant']:,}, all to {document['sites']:,} sites"),
        ]
    )


def _ablation_parts(document: dict[str, Any]) -> list[Part]:
    columns = ("feature", "G-mean without", "points lost", "G-mean alone")
    rows = [
        (one["feature"], one["g_mean_without"], f"{100 * one['lost']:+.2f}", one["g_mean_alone"])
        for one in document["ablation"]
    ]
    whole = ("all", document["ablation"][0]["g_mean_of_all"], "", "")
    return [Table("features", "", columns, (*rows, whole), formats=dict.fromkeys(columns, ".2%")), _ABLATION]


def _weights(side: str, values: list[dict[str, Any]]) -> Table:
    return weight_table(side, ((one["value"] or "unknown", one["weight"]) for one in values))
