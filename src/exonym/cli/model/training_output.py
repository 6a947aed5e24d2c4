"""What commands that train models have in common: options, the steps from request to report, and printed figures."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.options import AsJson, Force, ValidationOptions
from exonym.cli.output import OutputRows, emit, warn_each
from exonym.cli.terminal.status_line import ShowStatus, status_line
from exonym.errors import ConfigError, DirectoryError
from exonym.report.number_text import byte_size, percent
from exonym.web_text import clean

JsonDocument = dict[str, Any]
_MOST_MISTAKES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions(ValidationOptions):
    """The options that training a topic model and training a link model share."""

    plain_folds: Annotated[
        bool, typer.Option("--plain-folds", help="Use only the thesis' plain folds, not folds by site as well.")
    ] = False
    compare: Annotated[bool, typer.Option("--compare", help="Validate both kinds of models.")] = False
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")]
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the model; if not given, the name of the file.")
    ] = ""
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write an HTML page about the model.")
    ] = None
    force: Force = False
    as_json: AsJson = False

    def __post_init__(self) -> None:
        """Raise if the files cannot be written: before hours of work, not after."""
        if self.report is not None and os.path.abspath(self.report) == os.path.abspath(self.output):
            raise ConfigError(f"--report and --output are both {self.output}. Name two files.")
        for path in filter(None, (self.output, self.report)):
            if path.is_dir():
                raise DirectoryError(f"{path} is a directory. Name a file to write.")
            if path.exists() and not self.force:
                raise DirectoryError(f"{path} exists already. Name another file, or add --force to replace it.")
            if not path.parent.is_dir():
                raise DirectoryError(f"{path.parent} does not exist. Make the directory first; nothing was written.")

    @property
    def request(self) -> dict[str, Any]:
        """The fields of a `TrainRequest`."""
        return {
            "name": self.name or self.output.stem,
            "compare": self.compare,
            "plain_only": self.plain_folds,
            "command": shlex.join(["exonym", *sys.argv[1:]]),
        }

    @property
    def validation(self) -> dict[str, Any]:
        """The fields of `CommonOptions` that a person sets."""
        return {"folds": self.folds, "repeats": self.repeats, "seed": self.seed, "jobs": self.jobs}


@dataclass(frozen=True, slots=True)
class ModelTraining:
    """How one kind of model is trained, saved and described."""

    train: Callable[[ShowStatus], Any]  # returns an object with the trained `model`
    save: Callable[[Any, Path], None]
    document_of: Callable[[Any], JsonDocument]
    html_of: Callable[[JsonDocument], str]
    shown: Callable[[JsonDocument], Iterator[str | OutputRows]]

    def run(self, options: TrainingOptions) -> None:
        """Train the model, save it, write the page about it, and print the figures."""
        from exonym.system.files import disk_errors, replacing

        output, report = options.output, options.report
        with status_line("reading") as tell:
            trained = self.train(tell)
            document = self.document_of(trained)
            self.save(trained.model, output)
        warn_each(document.get("warnings", ()))
        if report is not None:
            with disk_errors(report), replacing(report) as draft:
                draft.write_text(self.html_of(document), encoding="utf-8", errors="replace")
        facts = {"model": str(output), "bytes": output.stat().st_size, "report": str(report or "")}
        emit(facts | document, self._lines(facts | document), options.as_json)

    def _lines(self, document: JsonDocument) -> Iterator[str | OutputRows]:
        yield from self.shown(document)
        yield f"\nWrote {clean(document['model'])}, {byte_size(document['bytes'])}."
        if document["report"]:
            yield f"Open {clean(document['report'])} in a browser."


def example_rows(document: JsonDocument, positive: str) -> list[tuple[str, str]]:
    """The example pages of both classes; `positive` names the first."""
    from exonym.training.material.page_examples import IN_ANOTHER_LANGUAGE

    pages, sites = document["pages"], document["sites"]
    counts = ", ".join(f"{code} {number:,}" for code, number in list(document["other_languages"].items())[:8])
    languages = f" ({clean(counts)})"
    return [
        (positive, f"{pages['positive']:,} on {sites['positive']:,} sites"),
        ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
        *(
            ("left out", f"{count:,} × {clean(reason)}{languages if reason == IN_ANOTHER_LANGUAGE else ''}")
            for reason, count in document["left_out"].items()
        ),
        *(("in both classes", clean(url)) for url in document["in_both_classes"]),
    ]


def folds_of(document: JsonDocument) -> str:
    """The number of folds and of repeats, in words."""
    folds, repeats = (document["validations"][0][name] for name in ("folds", "repeats"))
    return f"{folds} folds, {'once' if repeats == 1 else f'{repeats} times'}"


def rates_of(validation: JsonDocument) -> str:
    """G-mean, with its deviation if it has one, precision and recall."""
    deviation = f" ± {100 * validation['g_mean_deviation']:.2f}" if "g_mean_deviation" in validation else ""
    precision, recall = percent(validation["precision"]), percent(validation["recall"])
    return f"G-mean {percent(validation['g_mean'])}{deviation}, precision {precision}, recall {recall}"


def mistakes_shown(
    mistakes: list[JsonDocument], row: Callable[[JsonDocument], tuple[str, str]]
) -> Iterator[str | OutputRows]:
    """The worst mistakes, if there are any; `row` describes one."""
    if mistakes:
        yield "\nWorst mistakes on held-out pages; check whether their labels are right:"
        yield [row(mistake) for mistake in mistakes[:_MOST_MISTAKES]]


def figures_shown(document: JsonDocument, what: str, leak: str) -> Iterator[str | OutputRows]:
    """How well models judge held-out examples (`what`: pages or links), and where the `leak` comes from."""
    from exonym.training.validation_report import way_of

    yield f"\n{what} held out, in {folds_of(document)}:"
    yield [(way_of(validation), rates_of(validation)) for validation in document["validations"]]
    if document["leak"] is not None:
        yield f"Leak: {100 * document['leak']:+.2f} points of G-mean come from {leak}."
    for remark in document["remarks"]:
        yield clean(remark)
