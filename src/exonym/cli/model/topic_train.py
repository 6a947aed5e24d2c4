"""`exonym model topic train -o MODEL --positive SOURCE…`: trains a topic model from examples of pages."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from exonym.cli.model.training_output import (
    ModelTraining,
    TrainingOptions,
    example_rows,
    figures_shown,
    mistakes_shown,
)
from exonym.cli.options import ClusterOptions, ExampleOptions, number
from exonym.cli.output import OutputRows
from exonym.system.extras import require
from exonym.web_text import clean

_MOST_SHOWN = 10  # terms on each side


class TopicModelKind(StrEnum):
    """Kinds of models."""

    LINEAR = "linear"
    NAIVE_BAYES = "naive-bayes"


class TermKind(StrEnum):
    """What terms are."""

    AUTO = "auto"
    WORDS = "words"
    CHARACTERS = "characters"


def train_topic(
    examples: ExampleOptions,
    kind: Annotated[
        TopicModelKind,
        typer.Option(metavar="linear|naive-bayes", help="The kind of model; naive-bayes is the thesis'."),
    ] = TopicModelKind.LINEAR,
    term_kind: Annotated[
        TermKind, typer.Option(metavar="auto|words|characters", help="What terms are; auto depends on the language.")
    ] = TermKind.AUTO,
    title_weight: Annotated[float, number("title-weight", "Weight of a term in the title.", 0, 1_000, "W")] = 1.0,
    body_weight: Annotated[float, number("body-weight", "Weight of a term in the text.", 0, 1_000, "W")] = 1.0,
    anchor_weight: Annotated[
        float, number("anchor-weight", "Weight of a term in the page's links.", 0, 1_000, "W")
    ] = 1.0,
    no_stemming: Annotated[bool, typer.Option("--no-stemming", help="Do not stem words.")] = False,
    no_stop_words: Annotated[bool, typer.Option("--no-stop-words", help="Keep stop words as terms.")] = False,
    most_terms: Annotated[int, number("most-terms", "Most frequent terms to keep.", 10, 1_000_000)] = 50_000,
    *,
    options: TrainingOptions,
    where: ClusterOptions,
) -> None:
    """Train a topic model from examples of pages, and measure how well it judges held-out pages."""
    require("train")
    from exonym.models.terms import TermOptions
    from exonym.models.topic_file import save_model
    from exonym.training.topic_command import TopicRequest, train_from
    from exonym.training.topic_report import document_of, html_of
    from exonym.training.train_options import TrainOptions

    terms = TermOptions(
        language=examples.code,
        kind=term_kind.value,
        title_weight=title_weight,
        body_weight=body_weight,
        anchor_weight=anchor_weight,
        stem=not no_stemming,
        stop_words=not no_stop_words,
    )
    how = TrainOptions(kind.value, terms, most_terms=most_terms, by_site=not options.plain_folds, **options.validation)
    request = TopicRequest(examples.material(options.jobs), how, **options.request)
    with where.runner(options.jobs) as runner:
        training = ModelTraining(
            lambda tell: train_from(request, tell, runner), save_model, document_of, html_of, _shown
        )
        training.run(options)


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    yield f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms"
    yield example_rows(document, "pages of the topic")
    yield from figures_shown(document, "Pages", "knowing other pages of the same site")
    yield "\nMost informative terms:"
    yield [
        (f"{side} the topic", ", ".join(clean(term["term"], 40) for term in document["telling"][side][:_MOST_SHOWN]))
        for side in ("for", "against")
    ]
    yield from mistakes_shown(
        document["mistakes"],
        lambda page: (
            f"{100 * page['probability']:.0f} % likely",
            f"{'of the topic' if page['positive'] else 'other'}: {clean(page['url'])}",
        ),
    )
