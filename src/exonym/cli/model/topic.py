"""`exonym model topic show|judge MODEL …`: what is in a topic model, and what it says of pages."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.numbers import byte_size, print_rows
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.cli.page_source import PageBytes
    from exonym.extract.document import Document
    from exonym.models.topic import TopicModel

_MOST_TERMS = 20
_MOST_LINES = 20

ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file, as `exonym model topic train` writes it.")
]


def show_topic(
    model: ModelArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Show what is in a topic model: how it reads pages, what it needs, its most telling terms, where it comes from."""
    from exonym.models.topic_file import load_model

    found = load_model(model)
    document = _described(found, model)
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        _print_model(document)


def _described(model: "TopicModel", path: Path) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
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


def _print_model(document: dict[str, Any]) -> None:
    options = document["options"]
    weights = ", ".join(f"{place} × {options[f'{place}_weight']:g}" for place in ("title", "body", "anchor"))
    needs = ", ".join(f"{name} {version}" for name, version in document["needs"].items())
    print(f"{clean(document['name'])}, a {document['kind']} model")
    print_rows(
        [
            ("file", f"{clean(document['model'])}, {byte_size(document['bytes'])}"),
            ("language", clean(options["language"])),
            ("terms", f"{document['terms']:,}; {clean(options['kind'])}, {weights}"),
            ("of the topic", f"from a probability of {document['threshold']:.2f} on"),
            ("needs", clean(needs) or "nothing"),
            *(("made with", clean(other)) for other in document["differing"]),
            *((f"{side} the topic", _terms(document["telling"][side])) for side in ("for", "against")),
            *origin_rows(document["provenance"]),
        ]
    )


def _terms(terms: list[dict[str, Any]]) -> str:
    return ", ".join(clean(one["term"], 40) for one in terms) or "none"


def origin_rows(provenance: dict[str, Any]) -> list[tuple[str, str]]:
    """What a file says of itself may be anything: it is shown as it is, a line each."""
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
    pages: Annotated[
        list[str], typer.Argument(metavar="PAGE…", help="HTML or text files, web addresses, - for input.")
    ],
    terms: Annotated[int, typer.Option(min=0, max=1_000, help="How many deciding terms to show.")] = 10,
    threshold: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Of the topic from this probability on, not the model's.")
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts, one line a page.")] = False,
) -> None:
    """Say how likely pages are of the topic, and which of their terms decided."""
    from exonym.cli.page_source import read_page_bytes
    from exonym.judges.by_name import make_identifier
    from exonym.judges.topic import fields_of
    from exonym.language.base import clues_of
    from exonym.models.topic_file import load_model

    found = load_model(model)
    least = found.threshold if threshold is None else threshold
    identifier = make_identifier("default")
    for number, source in enumerate(pages):
        page = _document(read_page_bytes(source, "", allow_private))
        language = identifier.identify(page.blocks, clues_of(page)).language
        fields = fields_of(page)
        probability = found.probability(fields)
        told = {
            "source": source,
            "probability": round(probability, 4),
            "positive": probability >= least,
            "threshold": round(least, 4),
            "language": language or "unknown",
            "model_language": found.options.language,
            "terms": [{"term": term, "says": round(says, 4)} for term, says in found.telling(fields, terms)],
        }
        if as_json:
            print(json.dumps(told, ensure_ascii=False))
        else:
            print("\n" * bool(number), end="")
            _print_judged(told)


def _document(page: "PageBytes") -> "Document":
    """The page as a crawl would read it; a text file is all body."""
    from exonym.extract.charset import decode
    from exonym.extract.content_kind import is_html
    from exonym.extract.document import Document, Wants
    from exonym.extract.html import extract

    if is_html(page.content_type.encode("latin-1", "replace"), page.body):
        return extract(page.body, page.url, page.content_type, Wants(around=False, place=False))
    decoded = decode(page.body, page.content_type)
    return Document(page.url, "", decoded.text, "", decoded.charset, decoded.evidence)


def _print_judged(told: dict[str, Any]) -> None:
    verdict = "of the topic" if told["positive"] else "not of the topic"
    is_foreign = told["language"].partition("-")[0] != told["model_language"].partition("-")[0]
    note = f"; the model is for pages in {told['model_language']}" if is_foreign else ""
    sides = [
        ", ".join(f"{clean(one['term'], 40)} {one['says']:+.2f}" for one in told["terms"] if (one["says"] > 0) == side)
        for side in (True, False)
    ]
    print(clean(told["source"]))
    print_rows(
        [
            (
                "judged",
                f"{verdict}: {told['probability']:.0%} likely, {told['threshold']:.0%} needed".replace("%", " %"),
            ),
            ("language", f"{clean(told['language'])}{clean(note)}"),
            ("for the topic", sides[0] or "no term"),
            ("against it", sides[1] or "no term"),
        ]
    )
