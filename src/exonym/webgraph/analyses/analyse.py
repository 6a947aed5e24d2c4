"""Runs the analyses of a graph by name."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from exonym.errors import ConfigError
from exonym.report.table import Table
from exonym.webgraph.analyses.best_servers import tables_of_servers
from exonym.webgraph.analyses.components import tables_of_components
from exonym.webgraph.analyses.degrees import tables_of_degrees
from exonym.webgraph.analyses.graph_subject import GraphSubject, subject_of
from exonym.webgraph.analyses.holdings import tables_of_holdings
from exonym.webgraph.analyses.languages import tables_of_languages
from exonym.webgraph.analyses.locality import tables_of_anchors, tables_of_locality
from exonym.webgraph.analyses.nearest_relevant import tables_of_nearest_relevant
from exonym.webgraph.analyses.overview import tables_of_facts
from exonym.webgraph.analyses.seed_distance import tables_of_seed_distance
from exonym.webgraph.analyses.segments import tables_of_segments
from exonym.webgraph.graph import Graph

if TYPE_CHECKING:
    from exonym.nations.matching.matcher import Matcher

ANALYSES: dict[str, Callable[[Graph, GraphSubject], list[Table]]] = {
    "facts": tables_of_facts,
    "servers": tables_of_servers,
    "languages": tables_of_languages,
    "seed-distance": tables_of_seed_distance,
    "nearest-relevant": tables_of_nearest_relevant,
    "locality": tables_of_locality,
    "anchors": tables_of_anchors,
    "segments": tables_of_segments,
    "holdings": tables_of_holdings,
    "degrees": tables_of_degrees,
    "components": lambda graph, subject: tables_of_components(graph),
}


def chosen_analyses(only: Sequence[str]) -> list[str]:
    """The names in `only`, in the order of ANALYSES; all names if `only` is empty."""
    unknown = [name for name in only if name not in ANALYSES]
    if unknown:
        raise ConfigError(f"there is no analysis {unknown[0]!r}. Choose from: {', '.join(ANALYSES)}.")
    return [name for name in ANALYSES if name in only or not only]


def analysed(
    graph: Graph, only: Sequence[str] = (), nation: "Matcher | None" = None, compared: Sequence[str] = ()
) -> Iterator[tuple[str, list[Table]]]:
    """Yield each analysis with its tables when it is done.

    `nation` finds its names in links and URLs; `compared` names published figures to show too (`COMPARISONS`).
    """
    names, subject = chosen_analyses(only), subject_of(graph.manifest, compared)
    graph.check_numbers()
    for name in names:
        if name == "segments" and nation is not None:
            yield name, tables_of_segments(graph, subject, lambda text: bool(nation.find(text).names))
        else:
            yield name, ANALYSES[name](graph, subject)
