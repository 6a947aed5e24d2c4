"""Writes a practice web with topics as a graph, relevant by its own truth: to train link models on, and to simulate."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.cli.terminal.numbers import print_rows
from exonym.cli.terminal.status_line import telling
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph import Graph


FEWEST_PAGES, MOST_PAGES = 200, 1_000_000  # of a practice web


def write_practice_graph(directory: Path, target: str, pages: int, seed: int, as_json: bool) -> None:
    """Write the graph and tell what is in it."""
    from exonym.practice import PracticeOptions, PracticeWeb
    from exonym.practice.graph.write import write_topic_graph

    if not FEWEST_PAGES <= pages <= MOST_PAGES:
        raise ConfigError(f"--pages must be {FEWEST_PAGES} to {MOST_PAGES:,} for webs with texts, got {pages}.")
    web = PracticeWeb(seed, pages, PracticeOptions(topics=True))
    with telling("Writing pages") as tell:
        graph = write_topic_graph(
            web, directory, target, lambda done, every: tell(f"Writing pages: {done:,} of {every:,}")
        )
    facts = _facts(graph, target)
    if as_json:
        print(json.dumps(facts))
        return
    rows = [
        ("pages fetched", f"{facts['fetched']:,}, {facts['relevant']:,} of them relevant to {target}"),
        ("pages known", f"{facts['nodes']:,} on {facts['servers']:,} servers, in {facts['segments']:,} segments"),
        ("links", f"{facts['links']:,}, with anchors and the words around them"),
    ]
    print_rows(rows)
    print(f"\nWrote {clean(str(directory))}.")


def _facts(graph: "Graph", target: str) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    manifest = graph.manifest
    counts = {name: getattr(manifest, name) for name in ("nodes", "fetched", "links", "servers", "segments")}
    counts["relevant"] = int(graph.relevant.sum())
    return {"graph": str(graph.directory), "target": target, "seed": manifest.provenance["seed"], **counts}
