"""`exonym model topic train -o MODEL --positive SOURCE… --negative SOURCE…`: a topic judge from examples of pages."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.training_output import Outputs, check_outputs, print_figures
from exonym.cli.terminal.numbers import byte_size, print_rows
from exonym.cli.terminal.status_line import telling
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.training.topic_command import TopicRequest

_MOST_SHOWN = 10  # terms on each side, and mistakes


class Model(StrEnum):
    """Kinds of models."""

    LINEAR = "linear"
    NAIVE_BAYES = "naive-bayes"


class Terms(StrEnum):
    """What terms are made of."""

    AUTO = "auto"
    WORDS = "words"
    CHARACTERS = "characters"


_SOURCES = "files or folders of pages, WARCs, .jsonl, CRAWL:relevant, GRAPH:irrelevant"
_Weight = Annotated[float, typer.Option(min=0.0, max=1_000.0, help="How much a term there counts.")]


def train_topic(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")],
    positive: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE", help=f"Pages of the topic: {_SOURCES}; may be given again.")
    ] = None,
    negative: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE", help="Pages of other things, from the same kinds of sources.")
    ] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="Labelled pages; they outrank all other sources.")
    ] = None,
    model: Annotated[Model, typer.Option(help="The kind of model; naive-bayes is the thesis'.")] = Model.LINEAR,
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Of the pages and their terms; pages in others are left out.")
    ] = "en",
    any_language: Annotated[bool, typer.Option("--any-language", help="Leave no page out for its language.")] = False,
    kind: Annotated[Terms, typer.Option(help="What terms are; auto goes by the language.")] = Terms.AUTO,
    title_weight: _Weight = 1.0,
    body_weight: _Weight = 1.0,
    anchor_weight: _Weight = 1.0,
    no_stemming: Annotated[bool, typer.Option("--no-stemming", help="Take words as they are written.")] = False,
    no_stop_words: Annotated[bool, typer.Option("--no-stop-words", help="Keep stop words as terms.")] = False,
    folds: Annotated[int, typer.Option(min=2, max=100, help="Parts held out in turn.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="Times that all is divided anew.")] = 10,
    plain_folds: Annotated[
        bool, typer.Option("--plain-folds", help="Validate by the thesis' folds alone, not by site as well.")
    ] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Validate both kinds of models.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of chance: the same seed gives the same model.")] = 0,
    jobs: Annotated[int, typer.Option(min=0, max=1_024, help="Processes; 0 for one a core.")] = 0,
    most_terms: Annotated[int, typer.Option(min=10, max=1_000_000, help="Terms to keep, the most frequent.")] = 50_000,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the topic is called; else as the file.")] = "",
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page about it, too.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
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
        kind=kind.value,
        title_weight=title_weight,
        body_weight=body_weight,
        anchor_weight=anchor_weight,
        stem=not no_stemming,
        stop_words=not no_stop_words,
    )
    options = TrainOptions(
        model.value,
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
    command = shlex.join(["exonym", *sys.argv[1:]])
    _train(
        TopicRequest(name or output.stem, material, options, compare, plain_folds, command),
        Outputs(output, report, as_json),
    )


def _train(request: "TopicRequest", outputs: Outputs) -> None:
    from exonym.models.topic_file import save_model
    from exonym.training.topic_command import train_from
    from exonym.training.topic_report import document_of, html_of

    with telling("reading") as tell:
        trained = train_from(request, lambda what, done, total: tell(f"{what} {done:,} of {total:,}"))
        document = document_of(trained)
        save_model(trained.model, outputs.model)
    outputs.tell(document, html_of, _print)


def _print(document: dict[str, Any]) -> None:
    pages, sites = document["pages"], document["sites"]
    print(f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms")
    print_rows(
        [
            ("pages of the topic", f"{pages['positive']:,} on {sites['positive']:,} sites"),
            ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
            *(("left out", _left_out(reason, count, document)) for reason, count in document["left_out"].items()),
            *(("in both classes", clean(url)) for url in document["in_both_classes"]),
        ]
    )
    print_figures(document, "Pages", "knowing other pages of the same site")
    _print_terms(document)
    _print_mistakes(document)
    print(f"\nWrote {clean(document['model'])}, {byte_size(document['bytes'])}.")
    if document["report"]:
        print(f"Look at {clean(document['report'])} in a browser.")


def _left_out(reason: str, count: int, document: dict[str, Any]) -> str:
    from exonym.training.material.pages import IN_ANOTHER_LANGUAGE

    which = ", ".join(f"{code} {number:,}" for code, number in list(document["other_languages"].items())[:8])
    return f"{count:,} × {clean(reason)}" + (f" ({clean(which)})" if reason == IN_ANOTHER_LANGUAGE else "")


def _print_terms(document: dict[str, Any]) -> None:
    print("\nMost telling terms:")
    print_rows(
        [
            (f"{side} the topic", ", ".join(clean(one["term"], 40) for one in document["telling"][side][:_MOST_SHOWN]))
            for side in ("for", "against")
        ]
    )


def _print_mistakes(document: dict[str, Any]) -> None:
    if not document["mistakes"]:
        return
    print("\nWorst mistakes, by pages held out; look whether their labels are right:")
    print_rows(
        [
            (
                f"{100 * one['probability']:.0f} % likely",
                f"{'of the topic' if one['positive'] else 'other'}: {clean(one['url'])}",
            )
            for one in document["mistakes"][:_MOST_SHOWN]
        ]
    )
