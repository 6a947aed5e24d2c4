"""`exonym model topic show|judge MODEL …`: what is in a topic model, and how it judges pages."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.options import PAGES_HELP, AllowPrivate, AsJson, AsJsonLines, number
from exonym.cli.output import OutputRows, emit
from exonym.report.number_text import byte_size
from exonym.web_text import clean

_MOST_TERMS = 20
_MOST_LINES = 20

ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file written by `exonym model topic train`.")
]


def show_topic(
    model: ModelArgument,
    as_json: AsJson = False,
) -> None:
    """Show what is in a topic model: how it reads pages, what it needs, its most informative terms, its origin."""
    from exonym.models.topic import most_telling
    from exonym.models.topic_file import differing_versions, load_model

    loaded = load_model(model)
    document = {
        "model": str(model),
        "bytes": model.stat().st_size,
        "name": loaded.name,
        "kind": loaded.kind,
        "terms": len(loaded.terms),
        "threshold": round(loaded.threshold, 4),
        "options": asdict(loaded.options),
        "needs": loaded.needs,
        "differing": differing_versions(loaded),
        "telling": {
            side: [{"term": term, "weight": round(weight, 4)} for term, weight in terms]
            for side, terms in zip(("for", "against"), most_telling(loaded, _MOST_TERMS), strict=True)
        },
        "provenance": loaded.provenance,
    }
    emit(document, _shown_model(document), as_json)


def _shown_model(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    options = document["options"]
    weights = ", ".join(f"{place} × {options[f'{place}_weight']:g}" for place in ("title", "body", "anchor"))
    needs = ", ".join(f"{name} {version}" for name, version in document["needs"].items())
    yield f"{clean(document['name'])}, a {document['kind']} model"
    yield [
        ("file", f"{clean(document['model'])}, {byte_size(document['bytes'])}"),
        ("language", clean(options["language"])),
        ("terms", f"{document['terms']:,}; {clean(options['kind'])}, {weights}"),
        ("of the topic", f"at a probability of {document['threshold']:.2f} or more"),
        ("needs", clean(needs) or "nothing"),
        *(("made with", clean(version)) for version in document["differing"]),
        *(
            (f"{side} the topic", ", ".join(clean(term["term"], 40) for term in document["telling"][side]) or "none")
            for side in ("for", "against")
        ),
        *origin_rows(document["provenance"]),
    ]


def origin_rows(provenance: dict[str, Any]) -> list[tuple[str, str]]:
    """The provenance in a model file, a row for each fact; its values may be anything."""
    rows: list[tuple[str, str]] = []
    for key, value in provenance.items():
        entries = value[:_MOST_LINES] if isinstance(value, list) else [value]
        rows += [(clean(key.replace("_", " "), 30), clean(_plain(entry), 300)) for entry in entries]
    return rows


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_plain(inner)}" for key, inner in value.items() if inner != "")
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def judge_topic(
    model: ModelArgument,
    pages: Annotated[list[str], typer.Argument(metavar="PAGE…", help=PAGES_HELP)],
    terms: Annotated[int, number("terms", "Deciding terms to show.", 0, 1_000)] = 10,
    threshold: Annotated[
        float | None, number("threshold", "Least probability of a page of the topic (the model's).", 0.0, 1.0, "P")
    ] = None,
    allow_private: AllowPrivate = False,
    as_json: AsJsonLines = False,
) -> None:
    """Show how likely pages are of the topic, and which of their terms decided."""
    from exonym.cli.page_source import read_document
    from exonym.judges.by_name import make_identifier
    from exonym.judges.topic import fields_of
    from exonym.language.base import clues_of
    from exonym.models.topic_file import load_model

    loaded = load_model(model)
    least = loaded.threshold if threshold is None else threshold
    identifier = make_identifier("default")
    for place, source in enumerate(pages):
        page = read_document(source, allow_private=allow_private)
        language = identifier.identify(page.blocks, clues_of(page)).language
        fields = fields_of(page)
        probability = loaded.probability(fields)
        document = {
            "source": source,
            "probability": round(probability, 4),
            "positive": probability >= least,
            "threshold": round(least, 4),
            "language": language or "unknown",
            "model_language": loaded.options.language,
            "terms": [{"term": term, "says": round(says, 4)} for term, says in loaded.telling(fields, terms)],
        }
        emit(document, _shown_verdict(document, is_first=not place), as_json)


def _shown_verdict(document: dict[str, Any], is_first: bool) -> Iterator[str | OutputRows]:
    verdict = "of the topic" if document["positive"] else "not of the topic"
    is_foreign = document["language"].partition("-")[0] != document["model_language"].partition("-")[0]
    note = f"; the model is for pages in {document['model_language']}" if is_foreign else ""
    terms = {term["term"]: term["says"] for term in document["terms"]}
    sides = [
        ", ".join(f"{clean(term, 40)} {says:+.2f}" for term, says in terms.items() if (says > 0) == side)
        for side in (True, False)
    ]
    yield clean(document["source"]) if is_first else f"\n{clean(document['source'])}"
    yield [
        (
            "judged",
            f"{verdict}: {document['probability']:.0%} likely, {document['threshold']:.0%} needed".replace("%", " %"),
        ),
        ("language", f"{clean(document['language'])}{clean(note)}"),
        ("for the topic", sides[0] or "no term"),
        ("against it", sides[1] or "no term"),
    ]
