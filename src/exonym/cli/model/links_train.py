"""`exonym model links train -o MODEL GRAPH`: what tells from a link whether the segment it leads to is relevant."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.links import print_telling
from exonym.cli.model.training_output import Outputs, check_outputs, percent, print_figures
from exonym.cli.options import Target
from exonym.cli.terminal.numbers import byte_size, print_rows
from exonym.cli.terminal.status_line import telling
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.training.links.command import SegmentRequest

_MOST_SHOWN = 6  # values on each side


class LinkModelKind(StrEnum):
    """Kinds of link models."""

    BAYES = "bayes"
    LINEAR = "linear"


def train_segments(
    graph: Annotated[
        Path, typer.Argument(metavar="GRAPH", help="A web graph with texts of links (graph import --keep-around).")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")],
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="Whose names count; if not given, as the judge has it.")
    ] = "",
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Names to add, one a line, or to take out, as in -Hot.")
    ] = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Of the words of links.")] = "en",
    target: Annotated[
        Path | None,
        typer.Option(
            "--judge", "--target", metavar="FILE", help="A crawl.toml: its [target] and [judge] say what is relevant."
        ),
    ] = None,
    model: Annotated[
        LinkModelKind, typer.Option(help="The kind of model: bayes is the thesis', linear one over all features.")
    ] = LinkModelKind.BAYES,
    compare: Annotated[bool, typer.Option("--compare", help="Validate both kinds of models.")] = False,
    threshold: Annotated[
        float, typer.Option(min=0.01, max=1.0, help="The relevance degree from which on a segment is relevant.")
    ] = 0.5,
    seeds: Annotated[int, typer.Option(min=1, help="Relevant pages to begin from, at most.")] = 1_000,
    hops: Annotated[int, typer.Option(min=0, max=100, help="From the pages that link to them.")] = 2,
    back_links: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="More pages that link to them, one a line, or target, source."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of chance: the same seed gives the same model.")] = 0,
    folds: Annotated[int, typer.Option(min=2, max=100, help="Parts held out in turn.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="Times that all is divided anew.")] = 10,
    plain_folds: Annotated[
        bool, typer.Option("--plain-folds", help="Validate by the thesis' folds alone, not by site as well.")
    ] = False,
    no_ablation: Annotated[
        bool, typer.Option("--no-ablation", help="Do not try what each feature brings: ten more models.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=0, max=1_024, help="Processes; 0 for one a core.")] = 0,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the model is called; else as the file.")] = "",
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page about it, too.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Train what the segment crawler goes by, from the links of a web graph, and tell how well it predicts."""
    require("train")
    from exonym.language_names import language_of
    from exonym.training.links.command import SegmentRequest
    from exonym.training.links.examples import Gathering
    from exonym.training.options import LinkTrainOptions

    check_outputs(output, report, force)
    request = SegmentRequest(
        name=name or output.stem,
        graph=graph,
        gathering=Gathering(seeds, hops, threshold, seed),
        options=LinkTrainOptions(model.value, folds=folds, repeats=repeats, seed=seed, jobs=jobs),
        nation=nation,
        names=names,
        language=language_of(language),
        judge=Target([], file=target).judge(),
        back_links=back_links,
        compare=compare,
        plain_only=plain_folds,
        ablation=not no_ablation,
        command=shlex.join(["exonym", *sys.argv[1:]]),
    )
    _train(request, Outputs(output, report, as_json))


def _train(request: "SegmentRequest", outputs: Outputs) -> None:
    from exonym.models.links.file import save_link_model
    from exonym.training.links.command import train_segments
    from exonym.training.links.report import document_of, html_of

    with telling("reading") as tell:
        trained = train_segments(request, lambda what, done, total: tell(f"{what} {done:,} of {total:,}"))
        document = document_of(trained)
        save_link_model(trained.model, outputs.model)
    outputs.tell(document, html_of, _print)


def _print(document: dict[str, Any]) -> None:
    nation = f", with names of {document['nation']}" if document["nation"] else ""
    print(
        f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms{clean(nation)}"
    )
    _print_facts(document)
    print_figures(document, "Links", "knowing other links to the same site")
    _print_published(document)
    _print_features(document)
    print_telling(document["telling"], _MOST_SHOWN)
    print(f"\nWrote {clean(document['model'])}, {byte_size(document['bytes'])}.")
    if document["report"]:
        print(f"Look at {clean(document['report'])} in a browser.")


def _print_facts(document: dict[str, Any]) -> None:
    links = document["links"]
    hops = "1 hop" if document["hops"] == 1 else f"{document['hops']} hops"
    print_rows(
        [
            ("what is relevant", clean(document["relevant_if"])),
            ("seeds", f"{document['seeds']:,} relevant pages"),
            ("back-links", f"{document['back_links']:,} pages that link to them"),
            *_listed_rows(document["back_link_file"]),
            ("pages", f"{document['pages']:,} within {hops} of these"),
            (
                "segments",
                f"{document['segments']:,}, {document['relevant_segments']:,} of them relevant: "
                f"with a degree of {document['degree_threshold']:g} or more",
            ),
            ("links to relevant segments", f"{links['relevant']:,}"),
            ("links to other segments", f"{links['irrelevant']:,}; all to {document['sites']:,} sites"),
        ]
    )


def _listed_rows(found: dict[str, Any] | None) -> list[tuple[str, str]]:
    from exonym.training.links.back_links import Listed

    return [("of a file", clean(f"{found['file']}: {Listed(**found).told()}"))] if found else []


def _print_published(document: dict[str, Any]) -> None:
    theirs = ", ".join(f"{100 * one['g_mean']:.1f} % ({one['topic']})" for one in document["published"])
    print(f"The thesis, on its own data and by plain folds: G-mean {theirs}.")


def _print_features(document: dict[str, Any]) -> None:
    """What each feature brings: what is lost without it, and what it can do alone."""
    found = document["ablation"]
    if not found:
        return
    way = "folds by site" if found[0]["by_site"] else "plain folds"
    print(f"\nWhat each feature brings ({document['kind']}, {way}; all of them: {percent(found[0]['g_mean_of_all'])}):")
    print_rows(
        [
            (
                one["feature"],
                f"G-mean {percent(one['g_mean_without']):>8} without it ({100 * one['lost']:+6.2f} points lost), "
                f"{percent(one['g_mean_alone']):>8} of it alone",
            )
            for one in found
        ]
    )
