"""The webs of experiments: made once, then used again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from exonym.errors import DirectoryError
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import MADE_BY, Order, generate
from exonym.webgraph.manifest import MANIFEST

Tell = Callable[[str], None]


def web_at(directory: Path, order: Order, tell: Tell) -> Graph:
    """The web that was ordered: the one in `directory` if it is that, else a new one."""
    if not (directory / MANIFEST).exists():
        generate(directory, order, lambda doing: tell(f"{order.profile_name} web: {doing}"))
    graph = Graph.open(directory)
    if graph.manifest.provenance.get("made_by") != MADE_BY or not _is_as_ordered(graph.manifest.provenance, order):
        raise DirectoryError(f"{directory} is not the web that is asked for. Remove it, and it is made anew.")
    return graph


def _is_as_ordered(provenance: dict[str, Any], order: Order) -> bool:
    asked = (order.profile_name, order.seed, order.pages, msgspec.json.decode(msgspec.json.encode(order.profile)))
    return tuple(provenance.get(key) for key in ("profile", "seed", "pages", "parameters")) == asked
