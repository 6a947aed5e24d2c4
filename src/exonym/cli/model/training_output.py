"""What commands that train models have in common: the steps from request to report, and the figures they print."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.numbers import byte_size, percent
from exonym.cli.terminal.status_line import ShowStatus, status_line
from exonym.errors import ConfigError, DirectoryError
from exonym.web_text import clean

JsonDocument = dict[str, Any]


def check_outputs(output: Path, report: Path | None, force: bool) -> None:
    """Raise if the files cannot be written: before hours of work, not after."""
    if report is not None and os.path.abspath(report) == os.path.abspath(output):
        raise ConfigError(f"--report and --output are both {output}. Name two files.")
    for path in filter(None, (output, report)):
        if path.is_dir():
            raise DirectoryError(f"{path} is a directory. Name a file to write.")
        if path.exists() and not force:
            raise DirectoryError(f"{path} exists already. Name another file, or add --force to write over it.")
        if not path.parent.is_dir():
            raise DirectoryError(f"{path.parent} is not there. Make the directory first; nothing was written.")


@dataclass(frozen=True, slots=True)
class ModelTraining:
    """How one kind of model is trained, saved and described."""

    train: Callable[[ShowStatus], Any]  # gives an object with the trained `model`
    save: Callable[[Any, Path], None]
    document_of: Callable[[Any], JsonDocument]
    html_of: Callable[[JsonDocument], str]
    shown: Callable[[JsonDocument], Iterator[str | OutputRows]]

    def run(self, output: Path, report: Path | None, as_json: bool) -> None:
        """Train the model, save it to `output`, write the page about it to `report`, and print the figures."""
        from exonym.system.files import disk_errors, replacing

        with status_line("reading") as tell:
            trained = self.train(tell)
            document = self.document_of(trained)
            self.save(trained.model, output)
        if report is not None:
            with disk_errors(report), replacing(report) as draft:
                draft.write_text(self.html_of(document), encoding="utf-8", errors="replace")
        facts = {"model": str(output), "bytes": output.stat().st_size, "report": str(report or "")}
        emit(facts | document, self._lines(facts | document), as_json)

    def _lines(self, document: JsonDocument) -> Iterator[str | OutputRows]:
        yield from self.shown(document)
        yield f"\nWrote {clean(document['model'])}, {byte_size(document['bytes'])}."
        if document["report"]:
            yield f"Look at {clean(document['report'])} in a browser."


def example_rows(document: JsonDocument, positive: str) -> list[tuple[str, str]]:
    """The example pages of both classes; `positive` names the first."""
    pages, sites = document["pages"], document["sites"]
    return [
        (positive, f"{pages['positive']:,} on {sites['positive']:,} sites"),
        ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
        *(("left out", _left_out(reason, count, document)) for reason, count in document["left_out"].items()),
        *(("in both classes", clean(url)) for url in document["in_both_classes"]),
    ]


def _left_out(reason: str, count: int, document: JsonDocument) -> str:
    from exonym.training.material.pages import IN_ANOTHER_LANGUAGE

    which = ", ".join(f"{code} {number:,}" for code, number in list(document["other_languages"].items())[:8])
    return f"{count:,} × {clean(reason)}" + (f" ({clean(which)})" if reason == IN_ANOTHER_LANGUAGE else "")


def figures_shown(document: JsonDocument, what: str, leak: str) -> Iterator[str | OutputRows]:
    """How well models judge held-out examples (`what`: pages or links), and where the `leak` comes from."""
    from exonym.training.validation_report import way_of

    first = document["validations"][0]
    times = "once" if first["repeats"] == 1 else f"{first['repeats']} times"
    yield f"\n{what} held out, in {first['folds']} folds, {times}:"
    yield [
        (
            way_of(one),
            f"G-mean {percent(one['g_mean'])} ± {100 * one['g_mean_deviation']:.2f}, "
            f"precision {percent(one['precision'])}, recall {percent(one['recall'])}",
        )
        for one in document["validations"]
    ]
    if document["leak"] is not None:
        yield f"Leak: {100 * document['leak']:+.2f} points of G-mean come from {leak}."
    for remark in document["remarks"]:
        yield clean(remark)
