"""Link readings: the numbers that a link model makes of each link of a graph.

Every page is fetched once at most, so every link is read once at most. For a crawl of most of the graph, all links are
read before it begins, in several processes; for a crawl with a small budget, the links of each page when it is fetched.
Of links with the same texts from one server to the same page, one is read. Links are not read at all where a strategy
multiplies their readings by 0, the relevance of their segment or server.
"""

import multiprocessing
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome, Readings, Rows
from exonym.errors import ColumnError
from exonym.models.links.base import LinkModel, NeutralModel, blank_reading
from exonym.progress import Progress, no_progress
from exonym.simulation.engine.arrays import groups_of
from exonym.simulation.engine.judge import judged_relevance
from exonym.strategies.base import Strategy, reads_links
from exonym.system.processes import cores, done_in_processes
from exonym.webgraph.graph import NOFOLLOW, Graph
from exonym.webgraph.link_texts import TextsOfGraph
from exonym.webgraph.ragged import spans
from exonym.webgraph.url_spelling import kept_texts

_PART = 20_000  # links read together
_FEW = 50_000  # links that are read in less time than processes take to start
_MOST = 0.3  # the share of pages from which on it is faster to read all links in several processes
_NEEDED = {"url": "Import it from archives", "anchor": "Import it with anchors", "around": "Import with --keep-around"}


def check_texts(graph: Graph, model: LinkModel) -> None:
    """Raise unless the graph has the texts that a model reads; a neutral model reads none."""
    missing = [] if isinstance(model, NeutralModel) else [name for name in _NEEDED if not graph.has(name)]
    if missing:
        raise ColumnError(
            f"the strategy's link model reads {missing[0]}, and {graph.directory} has none. {_NEEDED[missing[0]]}."
        )


def _pages_to_read(graph: Graph, strategy: Strategy, judged: Flags) -> Flags:
    """The pages whose links must be read: those in groups with a page of at least `least_relevance`."""
    pages = np.asarray(graph.outcome == Outcome.PAGE)
    relevance = np.asarray(graph.column("relevance")) if graph.has("relevance") else None
    judged_relevances = judged_relevance(relevance, judged, np.asarray(graph.relevant))
    group, groups = groups_of(graph, strategy.group)
    best = np.zeros(groups, np.float32)
    np.maximum.at(best, group[pages], judged_relevances[pages])
    wanted: Flags = pages & (best[group] >= reads_links(strategy).least_relevance)
    return wanted


class LinkReadings:
    """The readings of a graph's links by their numbers; links that are not read have the reading of an empty text."""

    def __init__(self, graph: Graph, model: LinkModel, pages: Flags) -> None:
        self._graph, self._model, self._pages = graph, model, pages
        self._all: Readings | None = None
        self._blank = blank_reading(model)
        self._width = self._blank.shape[1]
        self._reader = None if isinstance(model, NeutralModel) else _LinkReader(graph, model, self._width)

    def are_mostly_seen(self, budget: int) -> bool:
        """Whether a crawl of `budget` pages (0: of all) sees so many links that they are best read before it begins."""
        return not budget or budget >= _MOST * int(np.count_nonzero(self._pages))

    def use(self, readings: Readings) -> None:
        """Use what `read_all` gave in another process."""
        self._all = np.asarray(readings)  # indexing a memmap object costs microseconds more

    def read_all(self, progress: Progress = no_progress, jobs: int = 0) -> Readings:
        """Read every link of the chosen pages that could be followed; other links have zeros."""
        readings: Readings = np.zeros((self._graph.manifest.links, self._width), np.float32)
        if self._reader is None:
            return readings
        parts, done = list(_parts(self._graph, self._pages)), 0
        total = sum(len(part) for part in parts)
        # A model of the user's own may not be importable in another process, and a daemon process may start none.
        is_ours = type(self._model).__module__.startswith("exonym.")
        results: Iterator[Readings] = map(self._reader.read, parts)
        if total > _FEW and cores(jobs) > 1 and is_ours and not multiprocessing.current_process().daemon:
            make = partial(_open_reader, self._graph.directory, self._model, self._width)
            results = done_in_processes(_LinkReader.read, make, parts, cores(jobs), in_order=True)
        for part, of_part in zip(parts, results, strict=True):
            readings[part] = of_part
            done += len(part)
            progress("reading links", done, total)
        self._all = readings
        return readings

    def of(self, links: Rows, pages: NDArray[Any], has_texts: Flags) -> Readings:
        """The readings of links of pages; a link without texts (a seed, or behind a redirect) has a blank reading."""
        has_texts = has_texts & self._pages[pages]
        if self._reader is None or not has_texts.any():
            return np.repeat(self._blank, len(links), axis=0)
        if self._all is not None:
            readings: Readings = self._all[links]
        else:
            readings = np.empty((len(links), self._width), np.float32)
            readings[has_texts] = self._reader.read(links[has_texts])
        readings[~has_texts] = self._blank
        return readings


def link_readings(graph: Graph, strategy: Strategy, judged: Flags) -> LinkReadings:
    """The readings that a strategy needs, by its own model."""
    return LinkReadings(graph, reads_links(strategy).link_model, _pages_to_read(graph, strategy, judged))


class _LinkReader:
    """Reads links of a graph by a link model."""

    def __init__(self, graph: Graph, model: LinkModel, width: int) -> None:
        self._graph, self._model, self._width = graph, model, width
        self._texts = TextsOfGraph(graph)

    def read(self, links: Rows) -> Readings:
        """The readings of links."""
        if not len(links):
            return np.zeros((0, self._width), np.float32)
        first, places = self._distinct(links)
        readings = np.asarray(self._model.read(self._texts.of(links[first])), np.float32)
        if readings.shape != (len(first), self._width):
            raise ColumnError(
                f"the link model made {readings.shape} of {len(first)} links. It must give {self._width} a link."
            )
        of_links: Readings = readings[places]
        return of_links

    def _distinct(self, links: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The place of one link of each kind, and the kind of each link: links of one kind have the same reading."""
        graph = self._graph
        columns = [graph.targets[links], graph.server[self._texts.sources(links)]]
        for name in ("anchor", "around"):  # a number for each different text
            columns.append(kept_texts(graph, name, links).dictionary_encode().indices.to_numpy())
        kinds = np.stack([column.astype(np.int64) for column in columns], axis=1)
        order = np.lexsort(kinds.T)
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = (kinds[order][1:] != kinds[order][:-1]).any(axis=1)
        places = np.empty(len(order), np.intp)
        places[order] = np.cumsum(is_first) - 1
        return order[is_first], places


def _open_reader(directory: Path, model: LinkModel, width: int) -> _LinkReader:
    return _LinkReader(Graph.open(directory), model, width)


def _parts(graph: Graph, wanted: Flags) -> Iterator[Rows]:
    """Links of the wanted pages that could be followed, in parts; those of a server together, as many are the same."""
    pages = np.flatnonzero(wanted)
    pages = pages[np.argsort(graph.server[pages], kind="stable")]
    counts = graph.offsets[pages + 1] - graph.offsets[pages]
    ends = np.cumsum(counts)
    cuts = np.searchsorted(ends, np.arange(_PART, int(ends[-1]) if len(ends) else 0, _PART))
    flags = graph.column("link_flags") if graph.has("link_flags") else None
    for chosen, count in zip(np.split(pages, cuts), np.split(counts, cuts), strict=True):
        links = spans(graph.offsets[chosen], count)
        if flags is not None:
            links = links[flags[links] & NOFOLLOW == 0]
        if len(links):
            yield links
