"""The settings of a simulation (`Plan`), and its visits (`Run`)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.errors import ConfigError
from exonym.frontier.look_ahead import look_ahead_of
from exonym.probes.completeness import Missing
from exonym.webgraph.graph import Nodes

MOST_PARTITIONS = 4_096


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a result depends on besides graph and strategy; 0 is no limit."""

    k: int = 256  # pages in a round: 1 is exact, more is faster
    budget: int = 0  # pages
    pages_per_server: int = 0
    seeds: tuple[int, ...] = ()  # nodes; none: those of the graph
    judge_precision: float = 1.0  # of what the judge calls relevant
    judge_recall: float = 1.0  # of what is relevant
    judge_seed: int = 0  # decides which pages are misjudged
    delay_seconds: float = 0.0  # in simulated time, between two requests to a server
    connections: int = 0  # in simulated time, servers that are sent requests at a time; 0: time is not simulated
    eagerness: float | Literal["auto"] = "auto"  # in simulated time, as strategy.eagerness in crawl.toml
    partitions: int = 1  # of the servers; each fetches its share of a round's pages
    lag: int = 0  # rounds that a link to another partition is under way
    model_lag: int = 0  # rounds after which partitions exchange what they have learned; 0: they learn as one

    def __post_init__(self) -> None:
        rules = [
            ("k", self.k, 1, 1 << 20),
            ("max-pages", self.budget, 0, 1 << 40),
            ("pages-per-server", self.pages_per_server, 0, 1 << 31),
            ("judge-precision", self.judge_precision, 0.01, 1),
            ("judge-recall", self.judge_recall, 0, 1),
            ("delay", self.delay_seconds, 0, 1e9),
            ("connections", self.connections, 0, 1 << 20),
            ("eagerness", 0 if self.eagerness == "auto" else self.eagerness, 0, 1),
            ("partitions", self.partitions, 1, MOST_PARTITIONS),
            ("lag", self.lag, 0, 1 << 40),
            ("model-lag", self.model_lag, 0, 1 << 40),
        ]
        for name, value, low, high in rules:
            if not low <= value <= high:
                raise ConfigError(f"--{name} must be from {low:g} to {high:g}, got {value:g}.")
        if self.partitions > 1 and self.is_timed:
            raise ConfigError(
                "--partitions cannot be simulated with time. Leave out --time, --delay and --connections."
            )
        if self.partitions > self.k:
            raise ConfigError(
                f"--k must be at least {self.partitions}, a page for each of the --partitions, got {self.k}."
            )
        if self.partitions == 1 and (self.lag or self.model_lag):
            raise ConfigError("--lag and --model-lag are between partitions. Give --partitions too.")

    @property
    def is_timed(self) -> bool:
        """Whether time is simulated."""
        return self.connections > 0

    @property
    def look_ahead(self) -> int:
        """How many links may wait for their servers while worse ones are visited; 0 is no limit."""
        return look_ahead_of(self.eagerness, self.budget, self.connections) if self.is_timed else 0


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The visits of a simulation in their order."""

    nodes: Nodes  # visited
    is_page: Flags  # whether the visit counts as a page fetched; a request that failed does
    relevant: Flags  # the truth, whatever the judge said; a copy is not
    seconds: NDArray[np.float64] | None  # when, in simulated time
    reason: str  # "empty frontier", "floor" or "pages": why it ended
    waiting: int  # links left in the frontier
    rounds: int | None = None  # until nothing was left to do, if there are partitions
    estimates: tuple[Missing, ...] = ()  # of what was missing, by probes, from time to time

    @property
    def pages(self) -> int:
        """Pages fetched."""
        return int(np.count_nonzero(self.is_page))
