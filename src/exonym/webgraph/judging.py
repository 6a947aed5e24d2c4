"""`judge_again`: the kept texts of a graph judged anew, as a new graph.

All other columns are those of the old graph, as hard links where the file system has them, so that they take no space.
Texts are judged part by part, in parallel; memory grows with the size of a part and by a few bytes for every node.
"""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from exonym.batches import Outcome, language_code, language_name
from exonym.errors import GraphError
from exonym.judges.by_name import make_judge
from exonym.judges.judge_settings import languages_of, parts_of
from exonym.system.processes import cores, done_in_processes
from exonym.version import __version__
from exonym.webgraph.graph import OPTIONAL, REQUIRED, Graph
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.record import Clue, clue_in, kept_page

_PART_NODES = 500
_PART_BYTES = 4 << 20  # of text; a part is at least one node
_JUDGED = ("language", "relevant", "relevance", "inherited")  # the columns that a judge fills

NodeRange = tuple[int, int]
Verdicts = dict[str, NDArray[Any]]  # the columns of _JUDGED
ShowJudged = Callable[[int], None]  # gets the number of nodes judged so far


def judge_settings(graph: Graph) -> dict[str, Any]:
    """The judge of a graph, for `judges.by_name.make_judge`, as far as its manifest says."""
    known = copy.deepcopy(graph.manifest.provenance.get("judge"))
    for part in parts_of(known) if isinstance(known, dict) else ():
        if "hearsay" in part:  # graphs of version 0.1.0
            part["inherit_language"] = part.pop("hearsay")
    if isinstance(known, dict) and known.get("kind") in ("about", "any", "all"):
        return known
    usual = {"kind": "language", "identifier": "default", "inherit_language": True}
    return {**usual, **(known if isinstance(known, dict) else {}), "languages": list(graph.manifest.languages)}


def judge_again(
    graph: Graph, directory: Path, settings: dict[str, Any], jobs: int = 0, show: ShowJudged = lambda _: None
) -> Graph:
    """A copy of `graph` in `directory` whose texts were judged by the judge of `settings`."""
    if not graph.has("text") and settings["kind"] != "language":
        raise GraphError(
            f"{graph.directory} has no texts to judge. Import it with --keep-text, or judge by --language."
        )
    make_judge(settings)  # raises if it cannot be made, before anything is written
    graph.check_numbers()
    with GraphWriter(directory) as writer:
        for name, column in _judged_columns(graph, settings, jobs, show).items():
            writer.put(name, column)
        writer.link(graph, [name for name in graph.manifest.columns if name not in _JUDGED])
        provenance = graph.manifest.provenance | {
            "made_by": f"Exonym {__version__}, graph judge",
            "judge": settings,
            "judged_graph": str(graph.directory),
            "judged_graph_made_by": graph.manifest.provenance.get("made_by", ""),
        }
        facts = msgspec.structs.replace(graph.manifest, languages=languages_of(settings), provenance=provenance)
        writer.finish(facts)
    return Graph.open(directory)


def _judged_columns(graph: Graph, settings: dict[str, Any], jobs: int, show: ShowJudged) -> Verdicts:
    parts = list(_parts(graph, -(-len(graph) // jobs) if jobs else _PART_NODES))
    jobs = min(cores(jobs), len(parts))
    columns, done = _empty_columns(len(graph)), 0
    show(done)
    make = partial(_PartJudge, graph.directory, settings)
    results: Iterator[tuple[NodeRange, Verdicts]]
    results = done_in_processes(_PartJudge.verdicts, make, parts, jobs) if jobs > 1 else map(make().verdicts, parts)
    for (first, last), verdicts in results:
        for name, values in verdicts.items():
            columns[name][first:last] = values
        done += last - first
        show(done)
    return columns


def _empty_columns(nodes: int) -> Verdicts:
    return {name: np.zeros(nodes, {**REQUIRED, **OPTIONAL}[name]) for name in _JUDGED}


def _parts(graph: Graph, most: int) -> Iterator[NodeRange]:
    """Ranges of consecutive nodes, with a limit on their number and on their text."""
    nodes, most, first = len(graph), min(max(most, 1), _PART_NODES), 0
    starts = graph.column("text.offsets") if graph.has("text") else np.zeros(nodes + 1, np.int64)
    while first < nodes:
        last = int(np.searchsorted(starts, starts[first] + _PART_BYTES, side="right")) - 1
        last = min(max(last, first + 1), first + most, nodes)
        yield first, last
        first = last


class _PartJudge:
    """Judges parts of a graph."""

    def __init__(self, directory: Path, settings: dict[str, Any]) -> None:
        self._graph = Graph.open(directory)
        self._judge = make_judge(settings)
        self._languages = {language_code(language) for language in languages_of(settings)}

    def verdicts(self, part: NodeRange) -> tuple[NodeRange, Verdicts]:
        """The part, and the verdicts on its nodes."""
        first, last = part
        graph, columns = self._graph, _empty_columns(last - first)
        texts, urls, clues = self._texts("text", part), self._texts("url", part), self._clues(part)
        for place in np.flatnonzero(graph.outcome[first:last] == Outcome.PAGE).tolist():
            clue = clues[place]
            if clue is None:  # no judge has read the page, as those of tables: the graph's own columns decide
                language = int(graph.language[first + place])
                before = bool(graph.relevant[first + place])
                relevant = language in self._languages if self._languages else before
                # A table may have shades of relevance: they are kept where the verdict is.
                has_shade = relevant == before and graph.has("relevance")
                relevance = float(graph.column("relevance")[first + place]) if has_shade else float(relevant)
                inherited = graph.has("inherited") and bool(graph.column("inherited")[first + place])
            else:
                verdict = self._judge.judge(kept_page(urls[place], texts[place], clue))
                language, relevant, relevance = language_code(verdict.language), verdict.relevant, verdict.relevance
                inherited = verdict.inherited
            columns["language"][place], columns["relevant"][place] = language, relevant
            columns["relevance"][place], columns["inherited"][place] = relevance, inherited
        return part, columns

    def _clues(self, part: NodeRange) -> list[Clue | None]:
        """The clues kept with the texts. Without that column, clues by which a page in doubt keeps its language."""
        first, last = part
        if not self._graph.has("text"):
            return [None] * (last - first)
        if self._graph.has("clue"):
            return list(map(clue_in, self._texts("clue", part)))
        languages = self._graph.language[first:last].tolist()
        names, numbers = [""], [0] * len(languages)
        if self._graph.has("charset"):
            names, numbers = self._graph.manifest.charsets, self._graph.column("charset")[first:last].tolist()
        return [
            Clue(charset=names[number], charset_label=names[number], parent_language=language_name(language))
            for number, language in zip(numbers, languages, strict=True)
        ]

    def _texts(self, name: str, part: NodeRange) -> list[str]:
        return self._graph.texts(name).part(*part) if self._graph.has(name) else [""] * (part[1] - part[0])
