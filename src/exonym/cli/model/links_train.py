"""`exonym model links train -o MODEL GRAPH`: trains a model that predicts from a link if its target is relevant."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.model.links import strongest_values_shown
from exonym.cli.model.training_output import ModelTraining, TrainingOptions, figures_shown
from exonym.cli.options import ClusterOptions, Names, Relevance, RelevanceOptions, number
from exonym.cli.output import OutputRows
from exonym.report.number_text import percent
from exonym.system.extras import require
from exonym.web_text import clean

_MOST_SHOWN = 6  # values on each side


class LinkUnitOption(StrEnum):
    """What link models predict the relevance of."""

    SEGMENT = "segment"
    SITE = "site"
    PAGE = "page"


class LinkModelKindOption(StrEnum):
    """Kinds of link models."""

    BAYES = "bayes"
    LINEAR = "linear"


class PoolOption(StrEnum):
    """What a link model predicts from."""

    PAIR = "pair"
    LINK = "link"


def train_segments(
    graph: Annotated[
        Path, typer.Argument(metavar="GRAPH", help="A web graph with texts of links (graph import --keep-around).")
    ],
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="The nation whose names count; if not given, that of the judge.")
    ] = "",
    names: Names = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Language of the words in links.")] = "en",
    relevance: Relevance = None,
    kind: Annotated[
        LinkModelKindOption,
        typer.Option(metavar="bayes|linear", help="The kind of model: bayes is the thesis'; linear uses all features."),
    ] = LinkModelKindOption.BAYES,
    pool: Annotated[
        PoolOption,
        typer.Option(
            metavar="pair|link",
            help="Predict from all links between two segments together, as the thesis does, or link by link.",
        ),
    ] = PoolOption.PAIR,
    unit: Annotated[
        LinkUnitOption,
        typer.Option(
            metavar="segment|site|page", help="What is predicted: for the strategy segment, site, naive-bayes."
        ),
    ] = LinkUnitOption.SEGMENT,
    threshold: Annotated[
        float, number("threshold", "Segments or sites of at least this relevance degree are relevant.", 0.01, 1.0, "T")
    ] = 0.5,
    seeds: Annotated[int, number("start-pages", "Number of relevant pages to start from.", 1)] = 1_000,
    hops: Annotated[int, number("hops", "Hops from the pages that link to the start pages.", 0, 100)] = 2,
    back_links: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="More pages that link to start pages, one per line, or target and source."),
    ] = None,
    no_ablation: Annotated[
        bool, typer.Option("--no-ablation", help="Do not measure each feature, which takes ten more models.")
    ] = False,
    *,
    options: TrainingOptions,
    where: ClusterOptions,
) -> None:
    """Train a link model for a crawler from the links of a web graph, and measure how well it predicts."""
    require("train")
    from exonym.language_names import language_of
    from exonym.models.links.link_model_file import save_link_model
    from exonym.training.links.command import LinkModelRequest, train_links
    from exonym.training.links.link_examples import Gathering
    from exonym.training.links.link_report import document_of, html_of
    from exonym.training.train_options import LinkTrainOptions

    request = LinkModelRequest(
        graph=graph,
        gathering=Gathering(seeds, hops, threshold, options.seed, pool=pool.value, unit=unit.value),
        options=LinkTrainOptions(kind.value, **options.validation),
        nation=nation,
        names=names,
        language=language_of(language),
        judge=RelevanceOptions(relevance=relevance).judge(),
        back_links=back_links,
        ablation=not no_ablation,
        **options.request,
    )
    with where.runner(options.jobs) as runner:
        training = ModelTraining(
            lambda tell: train_links(request, tell, runner), save_link_model, document_of, html_of, _shown
        )
        training.run(options)


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    nation = f", with names of {document['nation']}" if document["nation"] else ""
    yield (
        f"Trained {clean(document['name'])}, a {document['kind']} model of {document['terms']:,} terms{clean(nation)}"
    )
    yield _fact_rows(document)
    yield from figures_shown(document, "Links", "knowing other links to the same site")
    if document["published"]:
        published = ", ".join(f"{100 * row['g_mean']:.1f} % ({row['topic']})" for row in document["published"])
        yield f"The thesis, on its own data and by plain folds: G-mean {published}."
    yield from _shown_features(document)
    yield from strongest_values_shown(document["telling"], _MOST_SHOWN)


def _fact_rows(document: dict[str, Any]) -> OutputRows:
    from exonym.training.links.back_links import Listed

    links, file, unit = document["links"], document["back_link_file"], document["unit"]
    units = f"{unit}s"
    relevant = (
        f"{document['segments']:,}, {document['relevant_segments']:,} of them relevant: "
        f"with a degree of {document['degree_threshold']:g} or more"
    )
    hops = "1 hop" if document["hops"] == 1 else f"{document['hops']} hops"
    return [
        ("relevant if", clean(document["relevant_if"])),
        ("start pages", f"{document['seeds']:,} relevant pages"),
        ("back-links", f"{document['back_links']:,} pages that link to them"),
        *([("from a file", clean(f"{file['file']}: {Listed(**file).summary()}"))] if file else []),
        ("pages", f"{document['pages']:,} within {hops} of these"),
        *([] if document["unit"] == "page" else [(units, relevant)]),
        ("an example is", f"all links from one {unit} to another" if document["pool"] == "pair" else "a link"),
        (f"links to relevant {units}", f"{links['relevant']:,}"),
        (f"links to other {units}", f"{links['irrelevant']:,}; all to {document['sites']:,} sites"),
    ]


def _shown_features(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    """The ablation: G-mean without each feature, and with that feature alone."""
    rows = document["ablation"]
    if not rows:
        return
    way = "folds by site" if rows[0]["by_site"] else "plain folds"
    g_mean = percent(rows[0]["g_mean_of_all"])
    yield f"\nWhat each feature adds ({document['kind']}, {way}; with all features {g_mean}):"
    yield [
        (
            row["feature"],
            f"G-mean {percent(row['g_mean_without']):>8} without it ({100 * row['lost']:+6.2f} points lost), "
            f"{percent(row['g_mean_alone']):>8} alone",
        )
        for row in rows
    ]
