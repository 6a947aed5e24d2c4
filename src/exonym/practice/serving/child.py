"""The child process that `server_process` starts: reads a line of JSON, writes a line of JSON, then serves."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from exonym.errors import ExonymError
from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.serving.server import BoundTo, ServedWeb, ServingOptions, serve
from exonym.practice.web import PracticeWeb
from exonym.practice.web_options import PracticeOptions
from exonym.webgraph import Graph


def main() -> None:
    """Serve the web that standard input describes, until standard input ends."""
    pipe = sys.stdin.fileno()
    # Unbuffered: a buffered reader could swallow the end of the pipe before the loop watches it.
    with open(pipe, "rb", buffering=0, closefd=False) as stream:
        request = json.loads(stream.readline())
    try:
        web: ServedWeb
        if "graph" in request:
            web = GraphWeb(Graph.open(Path(request["graph"])))
        else:
            web = PracticeWeb(request["seed"], request["pages"], PracticeOptions(**request["options"]))
        serve(web, ServingOptions(**request["serving"]), _report_ports, parent_pipe=pipe)
    except ExonymError as error:
        print(json.dumps({"error": str(error)}), flush=True)


def _report_ports(bound: BoundTo) -> None:
    print(json.dumps(asdict(bound)), flush=True)


if __name__ == "__main__":
    main()
