"""The webs of the segment experiment: practice webs with topics as graphs, one graph for the truth of each topic.

A web is written once; for each further topic only the relevance of pages is written, and all other columns are hard
links.
"""

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from exonym.batches import Flags, Outcome
from exonym.errors import DirectoryError
from exonym.practice import PracticeOptions, PracticeWeb, relevant_to
from exonym.progress import Tell
from exonym.webgraph import Graph
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.manifest import MANIFEST
from exonym.webgraph.ragged import spans
from exonym.webgraph.url_spelling import kept_texts, urls_of

_JUDGED = ("relevant", "relevance")
_FEW = 5_000  # pages: with fewer, starting processes takes longer than writing
_OF_LINKS = ("targets", "anchor_language", "link_flags")


class TopicWeb(NamedTuple):
    """A practice web with topics, and the directory of its graphs."""

    directory: Path  # has a graph for each topic
    seed: int
    pages: int


def topic_graph(web: TopicWeb, topic: str, tell: Tell) -> Graph:
    """The graph of the web with the truth of a topic: made unless it is there."""
    directory = web.directory / topic
    if not (directory / MANIFEST).exists():
        web.directory.mkdir(parents=True, exist_ok=True)
        known = next((path.parent for path in sorted(web.directory.glob(f"*/{MANIFEST}"))), None)
        if known is None:
            from exonym.practice.graph.write import write_topic_graph

            def show(done: int, every: int) -> None:
                tell(f"web {web.seed}: {done:,} of {every:,} pages")

            write_topic_graph(_practice_web(web), directory, _target(topic), show, jobs=int(web.pages < _FEW))
        else:
            tell(f"what is relevant to {topic} in web {web.seed}")
            _write_truth(web, Graph.open(known), topic)
    graph = Graph.open(directory)
    facts = [graph.manifest.provenance.get(key) for key in ("seed", "pages", "target")]
    if facts != [web.seed, web.pages, _target(topic)]:
        raise DirectoryError(f"{directory} holds another web than the experiment needs. Remove it to make it again.")
    return graph


def _target(topic: str) -> str:
    return f"thai-{topic}"


def _practice_web(web: TopicWeb) -> PracticeWeb:
    return PracticeWeb(web.seed, web.pages, PracticeOptions(topics=True))


def _write_truth(web: TopicWeb, graph: Graph, topic: str) -> None:
    """Write the same graph with the truth of another topic."""
    practice, target = _practice_web(web), _target(topic)
    truths = map(practice.truth, urls_of(graph, np.arange(len(graph))).to_pylist())
    relevant = np.fromiter((truth is not None and relevant_to(truth, target) for truth in truths), np.bool_, len(graph))
    relevant &= graph.outcome == Outcome.PAGE
    provenance = {
        key: value.replace(str(graph.manifest.provenance["target"]), target) if isinstance(value, str) else value
        for key, value in graph.manifest.provenance.items()
    }
    with GraphWriter(web.directory / topic) as writer:
        writer.link(graph, [name for name in graph.manifest.columns if name not in _JUDGED])
        writer.put("relevant", relevant)
        writer.put("relevance", relevant.astype(np.float32))
        writer.finish(msgspec.structs.replace(graph.manifest, provenance=provenance))


def write_crawled(graph: Graph, directory: Path, visited: Flags) -> Graph:
    """The graph that a crawl has seen: visited pages with their links; other pages are only known, without links."""
    counts = np.where(visited, np.diff(graph.offsets), 0)
    nodes = np.flatnonzero(visited)
    links = spans(graph.offsets[nodes], counts[nodes])
    left_out = {"outcome", "offsets", *_JUDGED, *_OF_LINKS}
    texts = [name for name in ("anchor", "around") if graph.has(name)]
    left_out |= {f"{name}.{part}" for name in texts for part in ("offsets", "bytes")}
    with GraphWriter(directory) as writer:
        writer.link(graph, [name for name in graph.manifest.columns if name not in left_out])
        writer.put("outcome", np.where(visited, graph.outcome, np.uint8(KNOWN)))
        writer.put("offsets", np.concatenate([[0], np.cumsum(counts)]))
        for name in _JUDGED:
            writer.put(name, np.where(visited, graph.column(name), 0))
        for name in _OF_LINKS:
            if graph.has(name):
                writer.put(name, graph.column(name)[links])
        for name in texts:
            writer.put_texts(name, kept_texts(graph, name, links).to_pylist())
        writer.finish(graph.manifest)
    return Graph.open(directory)
