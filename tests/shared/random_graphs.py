"""Small random graphs with everything in them that a simulation has to mind."""

from pathlib import Path

import numpy as np

from exonym.batches import Outcome, country_code, language_code
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.manifest import Manifest

LANGUAGES = [0, language_code("th"), language_code("en"), language_code("ja")]
OUTCOMES = {Outcome.PAGE: 0.7, Outcome.FAILED: 0.06, Outcome.REDIRECT: 0.1, Outcome.FORBIDDEN: 0.04, KNOWN: 0.1}
DOMAINS = ["th", "com", "jp"]
WORDS = ["", "home", "หน้าแรก", "beaches of Phuket", "more"]


def random_graph(directory: Path, seed: int, nodes: int = 60) -> Graph:
    """A web of a few servers with redirects, failures, forbidden and unasked pages."""
    rng = np.random.default_rng(seed)
    segment = np.sort(rng.integers(0, 12, nodes))
    segment = np.unique(segment, return_inverse=True)[1]
    server = segment // 2
    outcome = rng.choice([*OUTCOMES], nodes, p=[*OUTCOMES.values()])
    outcome[:2] = Outcome.PAGE
    language = np.where(outcome == Outcome.PAGE, rng.choice(LANGUAGES, nodes), 0)
    relevant = language == LANGUAGES[1]
    degrees = np.where(outcome == Outcome.PAGE, rng.integers(0, 9, nodes), np.where(outcome == Outcome.REDIRECT, 1, 0))
    targets = [rng.choice(nodes, degree, replace=False) for degree in degrees]
    links = int(degrees.sum())
    columns = {
        "server": server,
        "segment": segment,
        "domain": server % 3,
        "outcome": outcome,
        "language": language,
        "relevant": relevant,
        "relevance": np.where(relevant, rng.choice([0.25, 0.5, 1.0], nodes), 0),
        "offsets": np.concatenate([[0], np.cumsum(degrees)]),
        "targets": np.concatenate(targets),
        "seeds": rng.choice(nodes, 3, replace=False),
        "anchor_language": rng.choice(LANGUAGES, links),
        "link_flags": (rng.random(links) < 0.1).astype(np.uint8),
    }
    columns["country"] = np.array([0, country_code("TH"), country_code("JP")])[rng.integers(0, 3, nodes)]
    said = rng.choice(WORDS, (2, links))
    content = np.where(
        (outcome == Outcome.PAGE) & (rng.random(nodes) < 0.3), -rng.integers(1, 6, nodes), np.arange(nodes)
    )
    _, first, inverse = np.unique(content, return_index=True, return_inverse=True)
    columns["original"] = first[inverse]
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, values)
        paths = zip(server.tolist(), segment.tolist(), range(nodes), strict=True)
        writer.put_texts("url", [f"http://s{own}.{DOMAINS[own % 3]}/{part}/{node}" for own, part, node in paths])
        writer.put_texts("anchor", said[0].tolist())
        writer.put_texts("around", said[1].tolist())
        writer.finish(Manifest(languages=["th"], domains=DOMAINS))
    return Graph.open(directory)
