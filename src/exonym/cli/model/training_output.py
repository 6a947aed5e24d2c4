"""What commands that train models have in common: where they write, and the figures they print."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from exonym.cli.output import Rows, emit
from exonym.cli.terminal.numbers import percent
from exonym.errors import ConfigError, DirectoryError
from exonym.web_text import clean

_Html = Callable[[dict[str, Any]], str]
_Shown = Callable[[dict[str, Any]], Iterator[str | Rows]]


def check_outputs(output: Path, report: Path | None, force: bool) -> None:
    """Before hours of work, not after."""
    if report is not None and os.path.abspath(report) == os.path.abspath(output):
        raise ConfigError(f"--report and --output are both {output}. Name two files.")
    for path in filter(None, (output, report)):
        if path.is_dir():
            raise DirectoryError(f"{path} is a directory. Name a file to write.")
        if path.exists() and not force:
            raise DirectoryError(f"{path} exists already. Name another file, or add --force to write over it.")
        if not path.parent.is_dir():
            raise DirectoryError(f"{path.parent} is not there. Make the directory first; nothing was written.")


class Outputs(NamedTuple):
    """Where a trained model goes, and what is told of it."""

    model: Path
    report: Path | None
    as_json: bool

    def tell(self, document: dict[str, Any], html_of: _Html, shown: _Shown) -> None:
        """Write the page if there is to be one, and print; the model is there already."""
        from exonym.system.files import disk_errors, replacing

        if self.report is not None:
            with disk_errors(self.report), replacing(self.report) as draft:
                draft.write_text(html_of(document), encoding="utf-8", errors="replace")
        facts = {"model": str(self.model), "bytes": self.model.stat().st_size, "report": str(self.report or "")}
        emit(facts | document, shown(facts | document), self.as_json)


def figures_shown(document: dict[str, Any], what: str, leak: str) -> Iterator[str | Rows]:
    """How well models do on `what` was held out, and where the `leak` comes from."""
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
