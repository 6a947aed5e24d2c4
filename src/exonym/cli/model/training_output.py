"""What commands that train models have in common: where they write, and the figures they print."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from exonym.cli.terminal.numbers import print_rows
from exonym.errors import ConfigError, DirectoryError
from exonym.web_text import clean

_Html = Callable[[dict[str, Any]], str]


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


def write_page(path: Path, text: str) -> None:
    """Write a page; nothing half written is left."""
    from exonym.system.files import disk_errors

    draft = path.with_name(path.name + ".draft")
    with disk_errors(path):
        try:
            draft.write_text(text, encoding="utf-8", errors="replace")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


class Outputs(NamedTuple):
    """Where a trained model goes, and what is told of it."""

    model: Path
    report: Path | None
    as_json: bool

    def tell(self, document: dict[str, Any], html_of: _Html, print_document: Callable[[dict[str, Any]], None]) -> None:
        """Write the page if there is to be one, and print; the model is there already."""
        if self.report is not None:
            write_page(self.report, html_of(document))
        facts = {"model": str(self.model), "bytes": self.model.stat().st_size, "report": str(self.report or "")}
        if self.as_json:
            print(json.dumps(facts | document, ensure_ascii=False))
        else:
            print_document(facts | document)


def print_figures(document: dict[str, Any], what: str, leak: str) -> None:
    """How well models do on `what` was held out, and where the `leak` comes from."""
    from exonym.training.validation_report import way_of

    first = document["validations"][0]
    times = "once" if first["repeats"] == 1 else f"{first['repeats']} times"
    print(f"\n{what} held out, in {first['folds']} folds, {times}:")
    print_rows(
        [
            (
                way_of(one),
                f"G-mean {percent(one['g_mean'])} ± {100 * one['g_mean_deviation']:.2f}, "
                f"precision {percent(one['precision'])}, recall {percent(one['recall'])}",
            )
            for one in document["validations"]
        ]
    )
    if document["leak"] is not None:
        print(f"Leak: {100 * document['leak']:+.2f} points of G-mean come from {leak}.")
    for remark in document["remarks"]:
        print(clean(remark))


def percent(share: float) -> str:
    """A share with two digits."""
    return f"{100 * share:.2f} %"
