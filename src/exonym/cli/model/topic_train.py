"""`exonym model topic train -o MODEL --positive SOURCE… --negative SOURCE…`: a topic judge from examples of pages."""

import shlex
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.training_output import Outputs, check_outputs, figures_shown
from exonym.cli.options import (
    AnyLanguage,
    AsJson,
    Compare,
    Folds,
    Force,
    Jobs,
    Labels,
    ModelName,
    Negative,
    PlainFolds,
    Repeats,
    ReportPage,
    number,
    output,
    positive,
    random_seed,
)
from exonym.cli.output import Rows
from exonym.cli.terminal.numbers import byte_size
from exonym.cli.terminal.status_line import status_line
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.training.topic_command import TopicRequest

_MOST_SHOWN = 10  # terms on each side, and mistakes


class TopicModelKind(StrEnum):
    """Kinds of models."""

    LINEAR = "linear"
    NAIVE_BAYES = "naive-bayes"


class TermKind(StrEnum):
    """What terms are made of."""

    AUTO = "auto"
    WORDS = "words"
    CHARACTERS = "characters"


_Weight = Annotated[float, typer.Option(min=0.0, max=1_000.0, metavar="W", help="How much a term there counts.")]


def train_topic(
    output: Annotated[Path, output("MODEL", "The model file to write.")],
    positive: Annotated[list[str] | None, positive("Pages of the topic")] = None,
    negative: Negative = None,
    labels: Labels = None,
    kind: Annotated[
        TopicModelKind,
        typer.Option(metavar="linear|naive-bayes", help="The kind of model; naive-bayes is the thesis'."),
    ] = TopicModelKind.LINEAR,
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Of the pages and their terms; pages in others are left out.")
    ] = "en",
    any_language: AnyLanguage = False,
    term_kind: Annotated[
        TermKind, typer.Option(metavar="auto|words|characters", help="What terms are; auto goes by the language.")
    ] = TermKind.AUTO,
    title_weight: _Weight = 1.0,
    body_weight: _Weight = 1.0,
    anchor_weight: _Weight = 1.0,
    no_stemming: Annotated[bool, typer.Option("--no-stemming", help="Take words as they are written.")] = False,
    no_stop_words: Annotated[bool, typer.Option("--no-stop-words", help="Keep stop words as terms.")] = False,
    folds: Folds = 10,
    repeats: Repeats = 10,
    plain_folds: PlainFolds = False,
    compare: Compare = False,
    seed: Annotated[int, random_seed("The same number gives the same model.")] = 0,
    jobs: Jobs = 0,
    most_terms: Annotated[int, number("most-terms", "Terms to keep, the most frequent.", 10, 1_000_000)] = 50_000,
    name: ModelName = "",
    report: ReportPage = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Train a topic judge from pages of the topic and others, and tell how well it judges pages it has not seen."""
    require("train")
    from exonym.language_names import language_of
    from exonym.models.terms import TermOptions
    from exonym.training.material.gathering import MaterialRequest
    from exonym.training.options import TrainOptions
    from exonym.training.topic_command import TopicRequest

    check_outputs(output, report, force)
    code = language_of(language)
    terms = TermOptions(
        language=code,
        kind=term_kind.value,
        title_weight=title_weight,
        body_weight=body_weight,
        anchor_weight=anchor_weight,
        stem=not no_stemming,
        stop_words=not no_stop_words,
    )
    options = TrainOptions(
        kind.value,
        terms,
        folds=folds,
        repeats=repeats,
        seed=seed,
        jobs=jobs,
        most_terms=most_terms,
        by_site=not plain_folds,
    )
    material = MaterialRequest(
        tuple(positive or ()), tuple(negative or ()), tuple(labels or ()), "" if any_language else code, jobs
    )
    request = TopicRequest(
        material,
        options,
        name=name or output.stem,
        compare=compare,
        plain_only=plain_folds,
        command=shlex.join(["exonym", *sys.argv[1:]]),
    )
    _train(request, Outputs(output, report, as_json))


def _train(request: "TopicRequest", outputs: Outputs) -> None:
    from exonym.models.topic_file import save_model
    from exonym.training.topic_command import train_from
    from exonym.training.topic_report import document_of, html_of

    with status_line("reading") as tell:
        trained = train_from(request, tell)
        document = document_of(trained)
        save_model(trained.model, outputs.model)
    outputs.tell(document, html_of, _shown)


def _shown(document: dict[str, Any]) -> Iterator[str | Rows]:
    pages, sites = document["pages"], document["sites"]
    yield f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms"
    yield [
        ("pages of the topic", f"{pages['positive']:,} on {sites['positive']:,} sites"),
        ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
        *(("left out", _left_out(reason, count, document)) for reason, count in document["left_out"].items()),
        *(("in both classes", clean(url)) for url in document["in_both_classes"]),
    ]
    yield from figures_shown(document, "Pages", "knowing other pages of the same site")
    yield from _shown_terms(document)
    yield from _shown_mistakes(document)
    yield f"\nWrote {clean(document['model'])}, {byte_size(document['bytes'])}."
    if document["report"]:
        yield f"Look at {clean(document['report'])} in a browser."


def _left_out(reason: str, count: int, document: dict[str, Any]) -> str:
    from exonym.training.material.pages import IN_ANOTHER_LANGUAGE

    which = ", ".join(f"{code} {number:,}" for code, number in list(document["other_languages"].items())[:8])
    return f"{count:,} × {clean(reason)}" + (f" ({clean(which)})" if reason == IN_ANOTHER_LANGUAGE else "")


def _shown_terms(document: dict[str, Any]) -> Iterator[str | Rows]:
    yield "\nMost telling terms:"
    yield [
        (f"{side} the topic", ", ".join(clean(one["term"], 40) for one in document["telling"][side][:_MOST_SHOWN]))
        for side in ("for", "against")
    ]


def _shown_mistakes(document: dict[str, Any]) -> Iterator[str | Rows]:
    if not document["mistakes"]:
        return
    yield "\nWorst mistakes, by pages held out; look whether their labels are right:"
    yield [
        (
            f"{100 * one['probability']:.0f} % likely",
            f"{'of the topic' if one['positive'] else 'other'}: {clean(one['url'])}",
        )
        for one in document["mistakes"][:_MOST_SHOWN]
    ]
