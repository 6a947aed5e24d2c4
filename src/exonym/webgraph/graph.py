"""A web graph in a directory: flat columns, mapped into memory when they are asked for, never copied.

Nodes are pages that were fetched and pages only known from links. Of each node the columns `server`, `segment`,
`domain` (numbers), `outcome`, `language`, `charset`, `relevant`, `relevance`, `text_length`; the links of node n are
`targets[offsets[n]:offsets[n + 1]]`, in the order of the page, and each has `anchor_language` and `link_flags`.
`seeds` are nodes. Texts (`url`, `server_name`, `segment_name`, `anchor`, `text`) lie in columns of their own, so that
a simulation need not touch them; generated graphs have none and spell URLs on demand.
"""

import itertools
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from exonym.errors import DirectoryError
from exonym.model import Codes, Flags
from exonym.webgraph.manifest import Column, Manifest, load_manifest

Nodes = NDArray[np.uint32]
KNOWN = 255  # the outcome of a node that was never asked for; others are exonym.model.Outcome
NOFOLLOW = 1  # in link_flags

# Every column that a graph may have; the first ones it must have.
REQUIRED = {
    "server": "<u4",
    "segment": "<u4",
    "domain": "<u2",
    "outcome": "|u1",
    "language": "<u2",
    "relevant": "|b1",
    "offsets": "<i8",
    "targets": "<u4",
    "seeds": "<u4",
}
OPTIONAL = {
    "charset": "|u1",
    "relevance": "<f4",
    "text_length": "<u4",
    "anchor_language": "<u2",
    "link_flags": "|u1",
}
TEXTS = ("url", "server_name", "segment_name", "anchor", "text")


class Texts:
    """A column of texts: UTF-8 behind each other, and where each begins."""

    def __init__(self, offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> None:
        self._offsets = offsets
        self._data = data

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, position: int) -> str:
        start, end = self._offsets[position : position + 2].tolist()
        return self._data[start:end].tobytes().decode("utf-8", "replace")

    def part(self, first: int, last: int) -> list[str]:
        """The texts at first, first + 1, … last - 1."""
        ends = self._offsets[first : last + 1].tolist()
        data = self._data[ends[0] : ends[-1]].tobytes() if len(ends) > 1 else b""
        begin = ends[0] if ends else 0
        return [data[start - begin : end - begin].decode("utf-8", "replace") for start, end in itertools.pairwise(ends)]


class Graph:
    """A graph that was opened; its columns are read-only."""

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        self.directory = directory
        self.manifest = manifest
        self._mapped: dict[str, NDArray[Any]] = {}

    @classmethod
    def open(cls, directory: Path) -> "Graph":
        """The graph in `directory`. Takes no time: columns are mapped when they are asked for."""
        manifest = load_manifest(directory)
        missing = [name for name in REQUIRED if name not in manifest.columns]
        if missing:
            raise DirectoryError(f"{directory} lacks the column {missing[0]}. Make the graph anew.")
        return cls(directory, manifest)

    def has(self, name: str) -> bool:
        """Whether the graph has a column, or column of texts, of this name."""
        return name in self.manifest.columns or f"{name}.offsets" in self.manifest.columns

    def column(self, name: str) -> NDArray[Any]:
        """A column by name, mapped."""
        if name not in self._mapped:
            if name not in self.manifest.columns:
                raise DirectoryError(f"{self.directory} has no column {name}. It was not kept when the graph was made.")
            self._mapped[name] = _mapped(self.directory / f"{name}.npy", self.manifest.columns[name])
        return self._mapped[name]

    def texts(self, name: str) -> Texts:
        """A column of texts by name, mapped."""
        return Texts(self.column(f"{name}.offsets"), self.column(f"{name}.bytes"))

    @cached_property
    def server(self) -> Nodes:
        """The server of each node."""
        return self.column("server")

    @cached_property
    def segment(self) -> Nodes:
        """The segment of each node."""
        return self.column("segment")

    @cached_property
    def domain(self) -> NDArray[np.uint16]:
        """The top-level domain of each node, an index into `manifest.domains`."""
        return self.column("domain")

    @cached_property
    def outcome(self) -> NDArray[np.uint8]:
        """What became of each node; KNOWN if it was never asked for."""
        return self.column("outcome")

    @cached_property
    def language(self) -> Codes:
        """The language of each node (exonym.model.language_code); 0 unknown."""
        return self.column("language")

    @cached_property
    def relevant(self) -> Flags:
        """Whether each node is relevant."""
        return self.column("relevant")

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where the links of each node begin; one more than there are nodes."""
        return self.column("offsets")

    @cached_property
    def targets(self) -> Nodes:
        """The nodes that links lead to."""
        return self.column("targets")

    @cached_property
    def seeds(self) -> Nodes:
        """The nodes that a crawl begins with."""
        return self.column("seeds")

    def __len__(self) -> int:
        return self.manifest.nodes

    def links_of(self, node: int) -> Nodes:
        """Where the links of a node lead."""
        start, end = self.offsets[node : node + 2].tolist()
        return self.targets[start:end]

    def check(self) -> None:
        """Raise unless every column is as it was written; reads all of them."""
        for name, column in self.manifest.columns.items():
            if digest_of(self.column(name)) != column.digest:
                raise DirectoryError(
                    f"{self.directory / name}.npy is damaged: its digest differs. Make the graph anew."
                )


def digest_of(array: NDArray[Any]) -> str:
    """The xxh3 digest of an array's bytes."""
    return xxhash.xxh3_64_hexdigest(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")


def _mapped(path: Path, column: Column) -> NDArray[Any]:
    try:
        # An empty file cannot be mapped.
        array: NDArray[Any] = np.load(path, mmap_mode="r" if column.length else None, allow_pickle=False)
    except FileNotFoundError:
        raise DirectoryError(f"{path} is missing. Put it back, or make the graph anew.") from None
    except (OSError, ValueError, EOFError) as error:
        raise DirectoryError(f"{path} is damaged: {error}. Make the graph anew.") from None
    if array.ndim != 1 or array.dtype.str != column.dtype or len(array) != column.length:
        raise DirectoryError(f"{path} is not as the manifest says. Make the graph anew.")
    return array
