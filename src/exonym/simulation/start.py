"""Other seeds than a graph's own: addresses, or files of them, looked up in the graph."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError, UrlError
from exonym.urls import normal_form
from exonym.webgraph import Graph
from exonym.webgraph.spelling import nodes_of


class FoundSeeds(NamedTuple):
    """Nodes to begin with, and addresses that are not in the graph."""

    nodes: tuple[int, ...]
    missing: tuple[str, ...]


def found_seeds(graph: Graph, texts: Sequence[str]) -> FoundSeeds:
    """The nodes of addresses and of files of addresses, in their order, each once."""
    urls = list(dict.fromkeys(_normal(address) for text in texts for address in _addresses(text)))
    nodes = nodes_of(graph, urls)
    missing = tuple(url for url in urls if url not in nodes)
    if texts and not nodes:
        first = f", {missing[0][:100]} for one" if missing else ""
        raise ConfigError(f"--seeds: none of {len(urls)} addresses is in the graph{first}. Name pages of the graph.")
    return FoundSeeds(tuple(nodes[url] for url in urls if url in nodes), missing)


def _addresses(text: str) -> list[str]:
    if "://" in text:
        return [text]
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise ConfigError(
            f"--seeds: {text[:100]} cannot be read: {reason}. Name a file of addresses, or an address with http://."
        ) from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _normal(address: str) -> str:
    try:
        return normal_form(address if "://" in address else f"http://{address}")
    except UrlError as error:
        raise ConfigError(f"--seeds: {error}") from None
