"""`exonym model topic show|judge MODEL …`: what is in a topic model, and how it judges pages."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJson, AsJsonLines, PagesArgument, number
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.numbers import byte_size
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.models.topic import TopicModel

_MOST_TERMS = 20
_MOST_LINES = 20

ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file, as `exonym model topic train` writes it.")
]


def show_topic(
    model: ModelArgument,
    as_json: AsJson = False,
) -> None:
    """Show what is in a topic model: how it reads pages, what it needs, its most telling terms, where it comes from."""
    from exonym.models.topic_file import load_model

    document = _model_document(load_model(model), model)
    emit(document, _shown_model(document), as_json)


def _model_document(model: "TopicModel", path: Path) -> dict[str, Any]:
    from dataclasses import asdict

    from exonym.models.topic import most_telling
    from exonym.models.topic_file import differing_versions

    speaking = most_telling(model, _MOST_TERMS)
    return {
        "model": str(path),
        "bytes": path.stat().st_size,
        "name": model.name,
        "kind": model.kind,
        "terms": len(model.terms),
        "threshold": round(model.threshold, 4),
        "options": asdict(model.options),
        "needs": model.needs,
        "differing": differing_versions(model),
        "telling": {
            side: [{"term": term, "weight": round(weight, 4)} for term, weight in terms]
            for side, terms in zip(("for", "against"), speaking, strict=True)
        },
        "provenance": model.provenance,
    }


def _shown_model(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    options = document["options"]
    weights = ", ".join(f"{place} × {options[f'{place}_weight']:g}" for place in ("title", "body", "anchor"))
    needs = ", ".join(f"{name} {version}" for name, version in document["needs"].items())
    yield f"{clean(document['name'])}, a {document['kind']} model"
    yield [
        ("file", f"{clean(document['model'])}, {byte_size(document['bytes'])}"),
        ("language", clean(options["language"])),
        ("terms", f"{document['terms']:,}; {clean(options['kind'])}, {weights}"),
        ("of the topic", f"from a probability of {document['threshold']:.2f} on"),
        ("needs", clean(needs) or "nothing"),
        *(("made with", clean(other)) for other in document["differing"]),
        *((f"{side} the topic", _terms(document["telling"][side])) for side in ("for", "against")),
        *origin_rows(document["provenance"]),
    ]


def _terms(terms: list[dict[str, Any]]) -> str:
    return ", ".join(clean(one["term"], 40) for one in terms) or "none"


def origin_rows(provenance: dict[str, Any]) -> list[tuple[str, str]]:
    """The provenance in a model file, a row for each fact; its values may be anything."""
    rows: list[tuple[str, str]] = []
    for key, value in provenance.items():
        several = value[:_MOST_LINES] if isinstance(value, list) else [value]
        rows += [(clean(key.replace("_", " "), 30), clean(_plain(one), 300)) for one in several]
    return rows


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_plain(inner)}" for key, inner in value.items() if inner != "")
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def judge_topic(
    model: ModelArgument,
    pages: PagesArgument,
    terms: Annotated[int, number("terms", "How many deciding terms to show.", 0, 1_000)] = 10,
    threshold: Annotated[
        float | None, number("threshold", "Of the topic from this probability on, not the model's.", 0.0, 1.0, "P")
    ] = None,
    allow_private: AllowPrivate = False,
    as_json: AsJsonLines = False,
) -> None:
    """Say how likely pages are of the topic, and which of their terms decided."""
    from exonym.cli.page_source import read_document
    from exonym.judges.by_name import make_identifier
    from exonym.judges.topic import fields_of
    from exonym.language.base import clues_of
    from exonym.models.topic_file import load_model

    found = load_model(model)
    least = found.threshold if threshold is None else threshold
    identifier = make_identifier("default")
    for place, source in enumerate(pages):
        page = read_document(source, allow_private=allow_private)
        language = identifier.identify(page.blocks, clues_of(page)).language
        fields = fields_of(page)
        probability = found.probability(fields)
        document = {
            "source": source,
            "probability": round(probability, 4),
            "positive": probability >= least,
            "threshold": round(least, 4),
            "language": language or "unknown",
            "model_language": found.options.language,
            "terms": [{"term": term, "says": round(says, 4)} for term, says in found.telling(fields, terms)],
        }
        emit(document, _shown_verdict(document, is_first=not place), as_json)


def _shown_verdict(document: dict[str, Any], is_first: bool) -> Iterator[str | OutputRows]:
    verdict = "of the topic" if document["positive"] else "not of the topic"
    is_foreign = document["language"].partition("-")[0] != document["model_language"].partition("-")[0]
    note = f"; the model is for pages in {document['model_language']}" if is_foreign else ""
    terms = document["terms"]
    sides = [
        ", ".join(f"{clean(one['term'], 40)} {one['says']:+.2f}" for one in terms if (one["says"] > 0) == side)
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
