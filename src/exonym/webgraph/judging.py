"""`judge_again`: the kept texts of a graph judged anew, as a new graph.

All other columns are the old graph's: hard links where the disk has them, so that they take no room. Texts are judged
part by part, in parallel; memory goes with a part and with a few bytes for every node.
"""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, Flags, Outcome, Relevances, language_code, language_name
from exonym.errors import GraphError
from exonym.judges.by_name import make_judge
from exonym.judges.settings import languages_of, parts_of
from exonym.system.processes import cores, done_in_processes
from exonym.version import __version__
from exonym.webgraph.graph import Graph
from exonym.webgraph.importing.record import Clue, clue_in, kept_page
from exonym.webgraph.writing import GraphWriter

_PART_NODES = 500
_PART_BYTES = 4 << 20  # of text; a part is at least one node
_JUDGED = ("language", "relevant", "relevance")

NodeRange = tuple[int, int]
ShowJudged = Callable[[int], None]  # how many nodes are done


class Verdicts(NamedTuple):
    """What the judge said of nodes behind each other."""

    first: int
    language: Codes
    relevant: Flags
    relevance: Relevances


def judge_settings(graph: Graph) -> dict[str, Any]:
    """The judge of a graph, as `judges.by_name.make_judge` takes it; as far as its manifest tells."""
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
    """A graph in `directory` that is `graph` but for what the judge of `settings` says of the texts."""
    if not graph.has("text"):
        raise GraphError(f"{graph.directory} has no texts to judge. Import it with --keep-text.")
    make_judge(settings)  # raises if it cannot be made, before anything is written
    graph.check_numbers()
    with GraphWriter(directory) as writer:
        for name, column in _judged(graph, settings, jobs, show).items():
            writer.put(name, column)
        writer.link(graph, [name for name in graph.manifest.columns if name not in _JUDGED])
        provenance = _provenance(graph, settings)
        facts = msgspec.structs.replace(graph.manifest, languages=languages_of(settings), provenance=provenance)
        writer.finish(facts)
    return Graph.open(directory)


def _judged(graph: Graph, settings: dict[str, Any], jobs: int, show: ShowJudged) -> dict[str, NDArray[Any]]:
    """The new columns."""
    parts = list(_parts(graph, -(-len(graph) // jobs) if jobs else _PART_NODES))
    jobs = min(cores(jobs), len(parts))
    columns, done = _empty_columns(len(graph)), 0
    show(done)
    for verdicts in _in_processes(graph, settings, parts, jobs) if jobs > 1 else _here(graph, settings, parts):
        for name in _JUDGED:
            found = getattr(verdicts, name)
            columns[name][verdicts.first : verdicts.first + len(found)] = found
        done += len(verdicts.language)
        show(done)
    return columns


def _empty_columns(nodes: int) -> dict[str, NDArray[Any]]:
    types = {"language": np.uint16, "relevant": np.bool_, "relevance": np.float32}
    return {name: np.zeros(nodes, dtype) for name, dtype in types.items()}


def _provenance(graph: Graph, settings: dict[str, Any]) -> dict[str, Any]:
    old = graph.manifest.provenance
    own = {
        "made_by": f"Exonym {__version__}, graph judge",
        "judge": settings,
        "judged_graph": str(graph.directory),
        "judged_graph_made_by": old.get("made_by", ""),
    }
    return {**old, **own}


def _parts(graph: Graph, most: int) -> Iterator[NodeRange]:
    """Nodes behind each other, not too many and not too much text."""
    starts, nodes, most = graph.column("text.offsets"), len(graph), min(max(most, 1), _PART_NODES)
    first = 0
    while first < nodes:
        last = int(np.searchsorted(starts, starts[first] + _PART_BYTES, side="right")) - 1
        last = min(max(last, first + 1), first + most, nodes)
        yield first, last
        first = last


def _here(graph: Graph, settings: dict[str, Any], parts: list[NodeRange]) -> Iterator[Verdicts]:
    judge = _PartJudge(graph, settings)
    return map(judge.verdicts, parts)


def _in_processes(graph: Graph, settings: dict[str, Any], parts: list[NodeRange], jobs: int) -> Iterator[Verdicts]:
    return done_in_processes(_PartJudge.verdicts, partial(_part_judge, graph.directory, settings), parts, jobs)


def _part_judge(directory: Path, settings: dict[str, Any]) -> "_PartJudge":
    return _PartJudge(Graph.open(directory), settings)


class _PartJudge:
    """Judges parts of a graph."""

    def __init__(self, graph: Graph, settings: dict[str, Any]) -> None:
        self._graph = graph
        self._judge = make_judge(settings)
        self._languages = {language_code(language) for language in languages_of(settings)}

    def verdicts(self, part: NodeRange) -> Verdicts:
        """What the judge says of the nodes of a part."""
        first, last = part
        graph, columns = self._graph, _empty_columns(last - first)
        texts, urls = graph.texts("text").part(first, last), self._texts("url", part)
        clues = self._clues(part)
        is_page = (graph.outcome[first:last] == Outcome.PAGE).tolist()
        for place in (place for place, page in enumerate(is_page) if page):
            clue = clues[place]
            if clue is None:
                language, relevant, relevance = self._as_said(first + place)
            else:
                verdict = self._judge.judge(kept_page(urls[place], texts[place], clue))
                language, relevant, relevance = language_code(verdict.language), verdict.relevant, verdict.relevance
            columns["language"][place], columns["relevant"][place] = language, relevant
            columns["relevance"][place] = relevance
        return Verdicts(first, columns["language"], columns["relevant"], columns["relevance"])

    def _as_said(self, node: int) -> tuple[int, bool, float]:
        """Of a page that no judge has read, such as one of a table: what was said of it holds."""
        language = int(self._graph.language[node])
        relevant = language in self._languages if self._languages else bool(self._graph.relevant[node])
        return language, relevant, float(relevant)

    def _clues(self, part: NodeRange) -> list[Clue | None]:
        """What was kept beside the texts. Where nothing was: a page that says nothing is what it was taken to be."""
        if self._graph.has("clue"):
            return list(map(clue_in, self._texts("clue", part)))
        first, last = part
        languages = self._graph.language[first:last].tolist()
        charsets = self._charsets(part)
        return [
            Clue(charset=charset, charset_label=charset, parent_language=language_name(language))
            for charset, language in zip(charsets, languages, strict=True)
        ]

    def _charsets(self, part: NodeRange) -> list[str]:
        if not self._graph.has("charset"):
            return [""] * (part[1] - part[0])
        names = self._graph.manifest.charsets
        numbers = self._graph.column("charset")[part[0] : part[1]].tolist()
        return [names[number] for number in numbers]

    def _texts(self, name: str, part: NodeRange) -> list[str]:
        return self._graph.texts(name).part(*part) if self._graph.has(name) else [""] * (part[1] - part[0])
