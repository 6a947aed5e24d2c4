"""Writes labels of a practice web's pages by its own truth, so that a topic judge can be trained without a person."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.cli.terminal.numbers import print_rows
from exonym.cli.terminal.status_line import telling
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.practice import PracticeWeb
    from exonym.training.labels import Label

TARGET, SAMPLE = "thai-tourism", 500
_TOLD_EVERY = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """Which labels are wanted."""

    path: Path
    target: str
    sample: int


def write_practice_labels(web: "PracticeWeb", asked: Asked, as_json: bool) -> None:
    """Write the labels and tell how many there are."""
    from exonym.practice.topical.subjects import check_target

    check_target(asked.target)
    if asked.path.exists():
        raise ConfigError(f"{asked.path} exists. Delete it or name another file: labels may be somebody's work.")
    written, relevant = _write(web, asked)
    if as_json:
        facts = {"labels": str(asked.path), "pages": written, "relevant": relevant, "target": asked.target}
        print(json.dumps({**facts, "seed": web.seed, "web_pages": web.page_count}))
        return
    print_rows([("English pages labelled", f"{written:,}"), (f"relevant to {asked.target}", f"{relevant:,}")])
    if written < asked.sample:
        print(f"The web has no more English pages to label: ask for a larger one than {web.page_count:,} pages.")
    print(f"\nWrote {asked.path}.")


def _write(web: "PracticeWeb", asked: Asked) -> tuple[int, int]:
    """All labels or none: a file cut short would look like a smaller sample."""
    from exonym.system.files import disk_errors, sync_directory

    draft = asked.path.with_name(f".{asked.path.name}.{os.getpid()}.draft")
    with disk_errors(asked.path):
        try:
            counts = _write_lines(draft, _labels(web, asked))
            draft.replace(asked.path)
        finally:
            draft.unlink(missing_ok=True)
        sync_directory(asked.path.absolute().parent)
    return counts


def _labels(web: "PracticeWeb", asked: Asked) -> "Iterator[Label]":
    from exonym.practice.labelling import labels_of

    when = datetime.now(UTC).isoformat(timespec="seconds")
    return labels_of(web, asked.target, asked.sample, when)


def _write_lines(path: Path, labels: "Iterator[Label]") -> tuple[int, int]:
    from exonym.training.labels import line_of

    written = relevant = 0
    with telling("Labelling pages") as tell, path.open("wb") as file:
        for label in labels:
            file.write(line_of(_plain(label)))
            written, relevant = written + 1, relevant + label.positive
            if written % _TOLD_EVERY == 0:
                tell(f"Labelling pages: {written:,}")
        file.flush()
        os.fsync(file.fileno())
    return written, relevant


def _plain(label: "Label") -> dict[str, object]:
    """A label's line; `append_label` would sync the disk once a page."""
    words = {name: getattr(label, name) for name in ("title", "text", "anchors", "language", "labelled_by")}
    return {"url": label.url, "label": label.positive, **words, "when": label.when, "source": label.source}
