"""The process that `running` starts: one line of JSON in, one line of JSON out, then serve."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from exonym.errors import ExonymError
from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.options import PracticeOptions
from exonym.practice.serving.server import BoundTo, ServedWeb, ServingOptions, serve
from exonym.practice.web import PracticeWeb
from exonym.webgraph import Graph


def main() -> None:
    """Serve the web that standard input tells, until standard input ends."""
    pipe = sys.stdin.fileno()
    told = json.loads(_line(pipe))
    try:
        serve(_web(told), ServingOptions(**told["serving"]), _report, parent_pipe=pipe)
    except ExonymError as error:
        _tell({"error": str(error)})


def _web(told: dict[str, Any]) -> ServedWeb:
    if "graph" in told:
        return GraphWeb(Graph.open(Path(told["graph"])))
    return PracticeWeb(told["seed"], told["pages"], PracticeOptions(**told["options"]))


def _line(pipe: int) -> bytes:
    # Unbuffered: a buffered reader could swallow the end of the pipe before the loop watches it.
    with open(pipe, "rb", buffering=0, closefd=False) as stream:
        return stream.readline()


def _report(bound: BoundTo) -> None:
    _tell(asdict(bound))


def _tell(told: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
