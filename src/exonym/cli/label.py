"""`exonym label DIR | FILE`: a person labels pages of a crawl or of archives as relevant or not, for training."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import LabelledBy, LabelsFile, random_seed
from exonym.cli.output import warn
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError, DirectoryError
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.labelling.order import Candidate, PagesToLabel
    from exonym.labelling.order_by_model import Scorer
    from exonym.training.examples import Example
    from exonym.training.labels import Label


def label(
    source: Annotated[
        Path,
        typer.Argument(metavar="DIR | FILE", help="A crawl, which may be running, or an archive or a folder of them."),
    ],
    output: LabelsFile = Path("labels.jsonl"),
    model: Annotated[
        Path | None, typer.Option(metavar="MODEL", help="Show first the pages that this topic model is least sure of.")
    ] = None,
    order: Annotated[
        str, typer.Option(metavar="informative|random", help="Which pages to show first.")
    ] = "informative",
    by: LabelledBy = "",
    language: Annotated[
        list[str] | None, typer.Option(metavar="LANGUAGE", help="Only pages in this language; may be given again.")
    ] = None,
    seed: Annotated[int, random_seed("Another number changes the order of equal pages.")] = 0,
) -> None:
    """Label pages of a crawl or of archives by hand; the same command continues.

    Keys: y (relevant), n (not relevant), s (skip), u (undo), m (more text), q (quit).
    """
    from exonym.cli.terminal.label_screen import LabellingTask, label_interactively
    from exonym.labelling.session import Session
    from exonym.models.topic_file import load_model

    if model is None and order == "informative":
        require("train")  # a model trained on the labels so far chooses the next page
    if model is not None and order == "random":
        raise ConfigError("--order random uses no model. Leave out one of the two.")
    known = _read_known_labels(output)
    scorer = load_model(model) if model else None
    with status_line(f"Reading {clean(str(source))} …"):
        pages, candidates = _candidates(source, language or [], known)
        rows = _ordered_rows(pages, candidates, scorer, (order, seed, output))
        yes = sum(label.positive for label in known)
        session = Session(rows, yes, len(known) - yes)
        is_over = session.is_over  # the first page may take a while to find
    if is_over:
        print(f"Every page is labelled, or a copy of one that is: {len(known):,} labels in {clean(str(output))}.")
        return
    label_interactively(LabellingTask(pages, session, output, sys.stdout, clean(by, 100), scorer))


def _read_known_labels(output: Path) -> "list[Label]":
    from exonym.system.files import disk_errors
    from exonym.training.labels import read_labels

    with disk_errors(output):
        is_there, has_place = output.exists(), output.parent.is_dir()
    if not is_there:
        if not has_place:
            raise DirectoryError(
                f"{output.parent} is not a directory, so no labels can be written there. Make it first."
            )
        return []
    return read_labels(output, warn)


def _candidates(source: Path, languages: list[str], known: "list[Label]") -> "tuple[PagesToLabel, list[Candidate]]":
    from exonym.archive.archive_files import archives_at, is_archive
    from exonym.crawl_directory.visited_pages import CrawlPages
    from exonym.labelling.archive_pages import ArchivePages
    from exonym.labelling.order import candidates_of
    from exonym.language_names import language_of
    from exonym.webgraph.importing.import_sources import is_crawl

    wanted = [language_of(name) for name in languages]
    has_archives = not is_crawl(source) and any(map(is_archive, archives_at(source)))
    pages = ArchivePages(source, warn) if has_archives else CrawlPages(source)
    candidates = candidates_of(pages, wanted)
    if not candidates:
        what = f"pages in {' or '.join(wanted)}" if wanted else "pages"
        raise DirectoryError(
            f"{source} has no {what}. Name another archive, or choose another language."
            if has_archives
            else f"{source} has no {what} yet. Run `exonym crawl {source}`, or choose another language."
        )
    labelled = {label.url for label in known}
    urls = pages.column("url")
    return pages, [candidate for candidate in candidates if urls[candidate.row] not in labelled]


def _ordered_rows(
    pages: "PagesToLabel", candidates: "list[Candidate]", scorer: "Scorer | None", how: tuple[str, int, Path]
) -> "Iterator[int]":
    from exonym.labelling.order import ordered
    from exonym.labelling.order_by_model import doubtful, taught
    from exonym.training.labels import read_labels

    order, seed, output = how
    if scorer is not None:
        return doubtful(candidates, pages.words, scorer, seed)
    if order != "informative":
        return ordered(candidates, order, seed)

    def examples() -> "list[Example]":
        return [label.example() for label in read_labels(output)] if output.exists() else []

    return taught(candidates, pages.words, examples, seed)
