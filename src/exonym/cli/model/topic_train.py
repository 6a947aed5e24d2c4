"""`exonym model topic train -o MODEL --positive SOURCE… --negative SOURCE…`: a topic judge from examples of pages."""

import shlex
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.model.training_output import ModelTraining, check_outputs, example_rows, figures_shown
from exonym.cli.options import (
    AnyLanguageOption,
    AsJson,
    Compare,
    FoldsOption,
    Force,
    Jobs,
    LabelsOption,
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
from exonym.cli.output import OutputRows
from exonym.system.extras import require
from exonym.web_text import clean

_MOST_SHOWN = 10  # terms on each side, and mistakes


class TopicModelKind(StrEnum):
    """Kinds of models."""

    LINEAR = "linear"
    NAIVE_BAYES = "naive-bayes"


class TermKind(StrEnum):
    """What terms are."""

    AUTO = "auto"
    WORDS = "words"
    CHARACTERS = "characters"


_Weight = Annotated[float, typer.Option(min=0.0, max=1_000.0, metavar="W", help="Weight of a term in that place.")]


def train_topic(
    output: Annotated[Path, output("MODEL", "The model file to write.")],
    positive: Annotated[list[str] | None, positive("Pages of the topic")] = None,
    negative: Negative = None,
    labels: LabelsOption = None,
    kind: Annotated[
        TopicModelKind,
        typer.Option(metavar="linear|naive-bayes", help="The kind of model; naive-bayes is the thesis'."),
    ] = TopicModelKind.LINEAR,
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Language of the pages; pages in other languages are left out.")
    ] = "en",
    any_language: AnyLanguageOption = False,
    term_kind: Annotated[
        TermKind, typer.Option(metavar="auto|words|characters", help="What terms are; auto goes by the language.")
    ] = TermKind.AUTO,
    title_weight: _Weight = 1.0,
    body_weight: _Weight = 1.0,
    anchor_weight: _Weight = 1.0,
    no_stemming: Annotated[bool, typer.Option("--no-stemming", help="Take words as they are written.")] = False,
    no_stop_words: Annotated[bool, typer.Option("--no-stop-words", help="Keep stop words as terms.")] = False,
    folds: FoldsOption = 10,
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
    from exonym.models.topic_file import save_model
    from exonym.training.material.gathering import MaterialRequest
    from exonym.training.options import TrainOptions
    from exonym.training.topic_command import TopicRequest, train_from
    from exonym.training.topic_report import document_of, html_of

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
    training = ModelTraining(lambda tell: train_from(request, tell), save_model, document_of, html_of, _shown)
    training.run(output, report, as_json)


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    yield f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms"
    yield example_rows(document, "pages of the topic")
    yield from figures_shown(document, "Pages", "knowing other pages of the same site")
    yield "\nMost telling terms:"
    yield [
        (f"{side} the topic", ", ".join(clean(one["term"], 40) for one in document["telling"][side][:_MOST_SHOWN]))
        for side in ("for", "against")
    ]
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
