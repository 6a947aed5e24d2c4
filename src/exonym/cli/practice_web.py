"""`exonym practice-web`: serves a made-up web of many hosts, or a web graph, on one port, for crawls without harm."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import FEWEST_PAGES, MOST_PAGES, AsJson, number, random_seed
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.practice import GraphWeb, PracticeWeb, ServingOptions

_SIZE, _SEED = 1_000, 7
_PROFILE, _SAMPLE = "thai-tourism", 500  # of labels
_STATUS_EVERY = 100  # labels
_WORDS = ("title", "text", "anchors", "language", "labelled_by")


def practice_web(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND…]", help="Serve while this command runs, as in -- exonym crawl DIR."),
    ] = None,
    size: Annotated[int | None, number("size", f"Pages in the web ({_SIZE}).", FEWEST_PAGES, MOST_PAGES)] = None,
    seed: Annotated[int | None, random_seed(f"Another number makes another web ({_SEED}).")] = None,
    graph: Annotated[
        Path | None,
        typer.Option(metavar="GRAPH", help="Serve the URLs, links and languages of this web graph instead."),
    ] = None,
    topics: Annotated[
        bool,
        typer.Option("--topics", help="Make most sites English, about tourism, houses, diving and other topics."),
    ] = False,
    real_size: Annotated[
        bool,
        typer.Option("--real-size", help="Give pages the size, scripts, menus and number of links of real ones."),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --topics: write labelled pages to train a judge with, and serve nothing."
        ),
    ] = None,
    sample: Annotated[int | None, number("sample", f"Pages to label, chosen at random ({_SAMPLE}).", 1)] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What is labelled relevant: thai-tourism, thai-estate, thai-diving or thai ({_PROFILE}).",
        ),
    ] = None,
    port: Annotated[int, number("port", "The port to listen on; 0 for any free port.", 0, 65_535)] = 8_080,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    as_json: AsJson = False,
) -> int:
    """Serve a practice web on this machine until Ctrl-C, or while a command runs."""
    from exonym.practice import (
        REAL_SIZE,
        BoundTo,
        GraphWeb,
        PracticeOptions,
        PracticeWeb,
        ServingOptions,
        describe,
        serve,
    )
    from exonym.webgraph import Graph

    if graph is not None and (size is not None or seed is not None or topics or real_size):
        raise ConfigError("--graph has its own pages: leave --size, --random-seed, --topics and --real-size out.")
    if labels is None and (sample is not None or profile is not None):
        raise ConfigError("--sample and --profile need --labels: name a file for the labels.")
    if labels is not None and not topics:
        raise ConfigError("--labels needs a web with topics: add --topics.")
    web: GraphWeb | PracticeWeb
    if graph is not None:
        web = GraphWeb(Graph.open(graph))
    else:
        options = replace(REAL_SIZE if real_size else PracticeOptions(), topics=topics)
        web = PracticeWeb(_SEED if seed is None else seed, size or _SIZE, options)
        if labels is not None:
            _write_labels(web, labels, (profile or _PROFILE, sample or _SAMPLE), as_json)
            return 0
    serving = ServingOptions(host=host, port=port)
    if command:
        return _serve_while(web, command, serving)

    def announce(bound: BoundTo) -> None:
        address = f"{bound.host}:{bound.port}"
        emit(_facts(web, address), [*describe(web, address), "", "Press Ctrl-C to stop."], as_json)
        sys.stdout.flush()

    serve(web, serving, announce)
    return 0


def _serve_while(web: "PracticeWeb | GraphWeb", command: list[str], options: "ServingOptions") -> int:
    """Serve while a command runs, and return its exit code. Ctrl-C is left to the command."""
    from exonym.practice import running_practice_web

    with running_practice_web(web, options):
        try:
            process = subprocess.Popen(command)
        except OSError as error:
            raise ConfigError(f"{command[0][:60]!r} cannot be run: {error.strerror}. Name a command.") from None
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the command received Ctrl-C as well, and ends in its own way


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


def _write_labels(web: "PracticeWeb", path: Path, choice: tuple[str, int], as_json: bool) -> None:
    """Label pages by what the web knows about them, so that a topic judge can be trained without a person."""
    from exonym.practice.labelling import labels_of
    from exonym.practice.topical.subjects import check_target
    from exonym.system.files import disk_errors, replacing
    from exonym.training.labels import line_of

    profile, sample = choice
    check_target(profile)
    if path.exists():
        raise ConfigError(f"{path} exists. Delete it or name another file: labels may be somebody's work.")
    written = relevant = 0
    when = datetime.now(UTC).isoformat(timespec="seconds")
    # All labels or none: a file cut short would look like a smaller sample. (`append_label` syncs the disk per label.)
    with status_line("Labelling pages") as show, disk_errors(path), replacing(path) as draft, draft.open("wb") as file:
        for label in labels_of(web, profile, sample, when):
            words = {name: getattr(label, name) for name in _WORDS}
            fields = {"url": label.url, "label": label.positive, **words, "when": label.when, "source": label.source}
            file.write(line_of(fields))
            written, relevant = written + 1, relevant + label.positive
            if written % _STATUS_EVERY == 0:
                show(f"Labelling pages: {written:,}")
    facts = {"labels": str(path), "pages": written, "relevant": relevant, "target": profile}
    shown: list[str | OutputRows] = [
        [("English pages labelled", f"{written:,}"), (f"relevant to {profile}", f"{relevant:,}")]
    ]
    if written < sample:
        shown.append(
            f"The web has no more English pages. For more labels, make it larger than {web.page_count:,} pages."
        )
    shown.append(f"\nWrote {path}.")
    emit({**facts, "seed": web.seed, "web_pages": web.page_count}, shown, as_json)
