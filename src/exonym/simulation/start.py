"""Seeds for a simulation in place of the graph's own: URLs, or files of URLs, looked up in the graph."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError, UrlError
from exonym.seeds.seeds_file import SEEDS_FILE, read_seeds
from exonym.system.files import read_text
from exonym.urls import url_from
from exonym.webgraph import Graph
from exonym.webgraph.url_spelling import nodes_of


class FoundSeeds(NamedTuple):
    """The seeds as nodes, addresses that the graph lacks, and those that it has with http in place of https."""

    nodes: tuple[int, ...]
    missing: tuple[str, ...]
    as_http: tuple[str, ...] = ()


def found_seeds(graph: Graph, texts: Sequence[str]) -> FoundSeeds:
    """The nodes of addresses and of files of addresses, in their order, each once.

    An address without a scheme is https, as in every seeds file; if the graph has only the one with http, it is http.
    """
    # By address as https: as http. An address with a scheme is the same in both.
    spellings = dict(pair for text in texts for pair in _addresses(text))
    nodes = nodes_of(graph, [*spellings, *spellings.values()])
    as_http = {url: http for url, http in spellings.items() if url not in nodes and http in nodes}
    urls = [as_http.get(url, url) for url in spellings]
    missing = tuple(url for url in urls if url not in nodes)
    if texts and not nodes:
        first = f", for example {missing[0][:100]}" if missing else ""
        raise ConfigError(f"--seeds: none of {len(urls)} addresses is in the graph{first}. Name pages of the graph.")
    found = dict.fromkeys(nodes[url] for url in urls if url in nodes)
    return FoundSeeds(tuple(found), missing, tuple(as_http.values()))


def _addresses(text: str) -> list[tuple[str, str]]:
    """The addresses that one value of `--seeds` names, each as https and as http."""
    if "://" in text:
        try:
            return [(url_from(text), url_from(text))]
        except UrlError as error:
            raise ConfigError(f"--seeds: {error}") from None
    lines, name = read_text(Path(text), f"{SEEDS_FILE}, or an address with http://"), f"--seeds {text[:100]}"
    return list(zip(read_seeds(lines, name), read_seeds(lines, name, "http"), strict=True))
