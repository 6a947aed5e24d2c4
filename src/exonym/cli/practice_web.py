"""`exonym practice-web`: serves a made-up web of many hosts, or a web graph, on one port, to crawl without harm."""

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import FEWEST_PAGES, MOST_PAGES, AsJson, number, random_seed
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.practice import GraphWeb, PracticeWeb
    from exonym.training.labels import Label

_SIZE, _SEED = 1_000, 7
_PROFILE, _SAMPLE = "thai-tourism", 500  # of labels
_STATUS_EVERY = 100  # labels


def practice_web(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND…]", help="Serve while this command runs, as in -- exonym crawl DIR."),
    ] = None,
    size: Annotated[int | None, number("size", f"Pages in the web ({_SIZE}).", FEWEST_PAGES, MOST_PAGES)] = None,
    seed: Annotated[int | None, random_seed(f"Another number makes another web ({_SEED}).")] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            help="Serve this graph (of `exonym graph generate` or `import`) instead: its URLs, links and languages.",
            metavar="GRAPH",
        ),
    ] = None,
    topics: Annotated[
        bool,
        typer.Option("--topics", help="Most sites are English: tourism, houses, diving and others, here and there."),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --topics: write labelled pages to train a judge from, and serve nothing."
        ),
    ] = None,
    sample: Annotated[int | None, number("sample", f"Pages to label, chosen by chance ({_SAMPLE}).", 1)] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What labels go by: thai-tourism, thai-estate, thai-diving or thai ({_PROFILE}).",
        ),
    ] = None,
    port: Annotated[int, number("port", "The port to listen at; 0 takes any free one.", 0, 65_535)] = 8_080,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen at.")] = "127.0.0.1",
    as_json: AsJson = False,
) -> int:
    """Serve a practice web on this machine until Ctrl-C, or while a command runs."""
    from exonym.practice import GraphWeb
    from exonym.webgraph import Graph

    if graph is not None and (size is not None or seed is not None or topics):
        raise ConfigError("--graph has its own pages: leave --size, --random-seed and --topics out.")
    if labels is None and (sample is not None or profile is not None):
        raise ConfigError("--sample and --profile are about labels: name a file for them with --labels.")
    if labels is not None and not topics:
        raise ConfigError("--labels needs a web with topics: add --topics.")
    if labels is not None:
        request = LabelRequest(labels, profile or _PROFILE, sample or _SAMPLE)
        _write_labels(_practice_web(size, seed, topics), request, as_json)
        return 0
    web = GraphWeb(Graph.open(graph)) if graph is not None else _practice_web(size, seed, topics)
    if command:
        return _serve_while(web, command, host, port)
    _serve(web, host, port, as_json)
    return 0


def _serve_while(web: "PracticeWeb | GraphWeb", command: list[str], host: str, port: int) -> int:
    """Serve while a command runs, and return its exit code. Ctrl-C is left to the command."""
    from exonym.practice import ServingOptions, running_practice_web

    with running_practice_web(web, ServingOptions(host=host, port=port)):
        try:
            process = subprocess.Popen(command)
        except OSError as error:
            raise ConfigError(f"{command[0][:60]!r} cannot be run: {error.strerror}. Name a command.") from None
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the command received Ctrl-C as well, and ends in its own way


def _serve(web: "PracticeWeb | GraphWeb", host: str, port: int, as_json: bool) -> None:
    from exonym.practice import BoundTo, ServingOptions, describe, serve

    def announce(bound: BoundTo) -> None:
        address = f"{bound.host}:{bound.port}"
        emit(_facts(web, address), [*describe(web, address), "", "Ctrl-C ends it."], as_json)
        sys.stdout.flush()

    serve(web, ServingOptions(host=host, port=port), announce)


def _practice_web(size: int | None, seed: int | None, topics: bool) -> "PracticeWeb":
    from exonym.practice import PracticeOptions, PracticeWeb

    return PracticeWeb(_SEED if seed is None else seed, size or _SIZE, PracticeOptions(topics=topics))


def _facts(web: "PracticeWeb | GraphWeb", address: str) -> dict[str, Any]:
    from exonym.practice import PracticeWeb

    if isinstance(web, PracticeWeb):
        origin: dict[str, Any] = {"seed": web.seed, "topics": web.options.topics}
    else:
        origin = {"graph": str(web.directory)}
    return {
        "address": address,
        "seeds": web.seeds(),
        "language": web.language,
        "languages": web.languages,
        "pages": web.page_count,
        "servers": len(web.servers),
        **origin,
    }


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """The labels to write: file, profile, and how many."""

    path: Path
    profile: str
    sample: int


def _write_labels(web: "PracticeWeb", request: LabelRequest, as_json: bool) -> None:
    """Label pages by the web's own truth, so that a topic judge can be trained without a person."""
    from exonym.practice.labelling import labels_of
    from exonym.practice.topical.subjects import check_target
    from exonym.system.files import disk_errors, replacing
    from exonym.training.labels import line_of

    check_target(request.profile)
    if request.path.exists():
        raise ConfigError(f"{request.path} exists. Delete it or name another file: labels may be somebody's work.")
    written = relevant = 0
    when = datetime.now(UTC).isoformat(timespec="seconds")
    # All labels or none: a file cut short would look like a smaller sample.
    with (
        status_line("Labelling pages") as show,
        disk_errors(request.path),
        replacing(request.path) as draft,
        draft.open("wb") as file,
    ):
        for label in labels_of(web, request.profile, request.sample, when):
            file.write(line_of(_fields(label)))
            written, relevant = written + 1, relevant + label.positive
            if written % _STATUS_EVERY == 0:
                show(f"Labelling pages: {written:,}")
    facts = {"labels": str(request.path), "pages": written, "relevant": relevant, "target": request.profile}
    shown: list[str | OutputRows] = [
        [("English pages labelled", f"{written:,}"), (f"relevant to {request.profile}", f"{relevant:,}")]
    ]
    if written < request.sample:
        shown.append(f"The web has no more English pages to label: ask for a larger one than {web.page_count:,} pages.")
    shown.append(f"\nWrote {request.path}.")
    emit({**facts, "seed": web.seed, "web_pages": web.page_count}, shown, as_json)


def _fields(label: "Label") -> dict[str, object]:
    """The fields of a label's line. (`append_label` would sync the disk for every page.)"""
    words = {name: getattr(label, name) for name in ("title", "text", "anchors", "language", "labelled_by")}
    return {"url": label.url, "label": label.positive, **words, "when": label.when, "source": label.source}
