"""`exonym model links train -o MODEL GRAPH`: a model that predicts from a link if its segment is relevant."""

import shlex
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.model.links import strongest_values_shown
from exonym.cli.model.training_output import ModelTraining, check_outputs, figures_shown
from exonym.cli.options import (
    AsJson,
    Compare,
    FoldsOption,
    Force,
    Jobs,
    ModelName,
    Names,
    PlainFolds,
    Relevance,
    RelevanceOptions,
    Repeats,
    ReportPage,
    number,
    output,
    random_seed,
)
from exonym.cli.output import OutputRows
from exonym.cli.terminal.numbers import percent
from exonym.system.extras import require
from exonym.web_text import clean

_MOST_SHOWN = 6  # values on each side


class LinkModelKindOption(StrEnum):
    """Kinds of link models."""

    BAYES = "bayes"
    LINEAR = "linear"


def train_segments(
    graph: Annotated[
        Path, typer.Argument(metavar="GRAPH", help="A web graph with texts of links (graph import --keep-around).")
    ],
    output: Annotated[Path, output("MODEL", "The model file to write.")],
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="Whose names count; if not given, as the judge has it.")
    ] = "",
    names: Names = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Language of the words of links.")] = "en",
    relevance: Relevance = None,
    kind: Annotated[
        LinkModelKindOption,
        typer.Option(metavar="bayes|linear", help="The kind of model: bayes is the thesis'; linear uses all features."),
    ] = LinkModelKindOption.BAYES,
    compare: Compare = False,
    threshold: Annotated[
        float, number("threshold", "The relevance degree from which on a segment is relevant.", 0.01, 1.0, "T")
    ] = 0.5,
    seeds: Annotated[int, number("start-pages", "Relevant pages to begin from, at most.", 1)] = 1_000,
    hops: Annotated[int, number("hops", "Hops from the pages that link to them.", 0, 100)] = 2,
    back_links: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="More pages that link to them, one a line, or target, source."),
    ] = None,
    seed: Annotated[int, random_seed("The same number gives the same model.")] = 0,
    folds: FoldsOption = 10,
    repeats: Repeats = 10,
    plain_folds: PlainFolds = False,
    no_ablation: Annotated[
        bool, typer.Option("--no-ablation", help="Do not try what each feature brings: ten more models.")
    ] = False,
    jobs: Jobs = 0,
    name: ModelName = "",
    report: ReportPage = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Train what the segment crawler goes by, from the links of a web graph, and tell how well it predicts."""
    require("train")
    from exonym.language_names import language_of
    from exonym.models.links.file import save_link_model
    from exonym.training.links.command import LinkModelRequest, train_links
    from exonym.training.links.examples import Gathering
    from exonym.training.links.report import document_of, html_of
    from exonym.training.options import LinkTrainOptions

    check_outputs(output, report, force)
    request = LinkModelRequest(
        name=name or output.stem,
        graph=graph,
        gathering=Gathering(seeds, hops, threshold, seed),
        options=LinkTrainOptions(kind.value, folds=folds, repeats=repeats, seed=seed, jobs=jobs),
        nation=nation,
        names=names,
        language=language_of(language),
        judge=RelevanceOptions([], file=relevance).judge(),
        back_links=back_links,
        compare=compare,
        plain_only=plain_folds,
        ablation=not no_ablation,
        command=shlex.join(["exonym", *sys.argv[1:]]),
    )
    training = ModelTraining(lambda tell: train_links(request, tell), save_link_model, document_of, html_of, _shown)
    training.run(output, report, as_json)


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    nation = f", with names of {document['nation']}" if document["nation"] else ""
    yield (
        f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms{clean(nation)}"
    )
    yield from _shown_facts(document)
    yield from figures_shown(document, "Links", "knowing other links to the same site")
    theirs = ", ".join(f"{100 * one['g_mean']:.1f} % ({one['topic']})" for one in document["published"])
    yield f"The thesis, on its own data and by plain folds: G-mean {theirs}."
    yield from _shown_features(document)
    yield from strongest_values_shown(document["telling"], _MOST_SHOWN)


def _shown_facts(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.training.links.back_links import Listed

    links, file = document["links"], document["back_link_file"]
    hops = "1 hop" if document["hops"] == 1 else f"{document['hops']} hops"
    yield [
        ("what is relevant", clean(document["relevant_if"])),
        ("seeds", f"{document['seeds']:,} relevant pages"),
        ("back-links", f"{document['back_links']:,} pages that link to them"),
        *([("of a file", clean(f"{file['file']}: {Listed(**file).summary()}"))] if file else []),
        ("pages", f"{document['pages']:,} within {hops} of these"),
        (
            "segments",
            f"{document['segments']:,}, {document['relevant_segments']:,} of them relevant: "
            f"with a degree of {document['degree_threshold']:g} or more",
        ),
        ("links to relevant segments", f"{links['relevant']:,}"),
        ("links to other segments", f"{links['irrelevant']:,}; all to {document['sites']:,} sites"),
    ]


def _shown_features(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    """What each feature brings: what is lost without it, and what it can do alone."""
    found = document["ablation"]
    if not found:
        return
    way = "folds by site" if found[0]["by_site"] else "plain folds"
    yield f"\nWhat each feature brings ({document['kind']}, {way}; all of them: {percent(found[0]['g_mean_of_all'])}):"
    yield [
        (
            one["feature"],
            f"G-mean {percent(one['g_mean_without']):>8} without it ({100 * one['lost']:+6.2f} points lost), "
            f"{percent(one['g_mean_alone']):>8} of it alone",
        )
        for one in found
    ]
