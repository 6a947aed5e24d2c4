"""The webs of the experiment: those on which choices were made, and those that nobody looked at before.

A web is a profile, a seed number and a size. The seed numbers of held-out webs were used for nothing else at the usual
size, in no family. The shipped prior says itself on which webs it was learned (seed numbers 13, 14, 17 and 18), and
`check_apart` compares.
"""

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from exonym.batches import Outcome
from exonym.errors import ExonymError
from exonym.experiments.lswc2006.family import VARIANTS, profile_of
from exonym.models.prior_file import Prior
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order
from exonym.webgraph.graph_writer import GraphWriter

CJK = ("korean2010", "japanese2010", "chinese2010")
FAMILIES = ("thai2006", "dense", "sparse", "portals", "linkfarm", "stuffed", "blogrolls", *VARIANTS, "scattered", *CJK)
DEVELOPMENT, HELD_OUT = "development", "held out"
SEED_NUMBERS = {DEVELOPMENT: (1, 2, 3), HELD_OUT: (31, 32, 33, 34, 35)}
_SHUFFLED = ("relevant", "language")


class WebName(NamedTuple):
    """A generated web, but for its size."""

    family: str
    seed: int

    def order(self, pages: int, command: str) -> Order:
        """The order to generate it."""
        return Order(pages, self.seed, self.family, profile_of(self.family), command)


def check_apart(prior: Prior) -> None:
    """Raise if a prior was learned on a web with the seed number of a held-out web, whatever its family and size."""
    learned = {graph.get("seed") for graph in prior.provenance.get("graphs", [])}
    if both := learned & {*SEED_NUMBERS[HELD_OUT]}:
        numbers = ", ".join(map(str, sorted(both)))
        raise ExonymError(f"the prior was learned on webs with the seed numbers {numbers}, which are held out.")


def shuffled(graph: Graph, directory: Path, seed: int) -> Graph:
    """The graph with the relevance and language of fetched pages exchanged at random: no fact tells them any more."""
    pages = np.flatnonzero(graph.outcome == Outcome.PAGE)
    drawn = np.random.default_rng(seed).permutation(pages)
    with GraphWriter(directory) as writer:
        for name in _SHUFFLED:
            column = np.array(graph.column(name))
            column[pages] = column[drawn]
            writer.put(name, column)
        writer.link(graph, [name for name in graph.manifest.columns if name not in _SHUFFLED])
        writer.finish(msgspec.structs.replace(graph.manifest, provenance={"shuffled": graph.manifest.provenance}))
    return Graph.open(directory)
