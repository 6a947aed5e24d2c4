"""A web graph in a directory: flat columns, mapped into memory when they are first used, never copied.

Nodes are pages that were fetched and pages only known from links. Each node has the columns `server`, `segment`,
`domain` (numbers), `outcome`, `language`, `charset`, `relevant`, `relevance`, `text_length`, `country`, `inherited`;
the links of node n are `targets[offsets[n]:offsets[n + 1]]`, in the order of the page, and each link has
`anchor_language` and `link_flags`. `seeds` are nodes. Texts (`url`, `server_name`, `segment_name`, `anchor`, `around`,
`text`, `clue`) are in columns of their own, so that a simulation need not read them; generated graphs have none and
spell URLs on demand.
"""

import itertools
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from exonym.batches import Codes, Flags, Outcome
from exonym.errors import GraphError
from exonym.webgraph.manifest import Manifest, load_manifest

Nodes = NDArray[np.uint32]
KNOWN = 255  # the outcome of a node that was never requested; the other outcomes are exonym.batches.Outcome
NOFOLLOW = 1  # in link_flags

# The columns that a graph must have, and those that it may have, with their types.
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
    "country": "<u2",
    "inherited": "|b1",
    "original": "<u4",
}
TEXTS = ("url", "server_name", "segment_name", "anchor", "around", "text", "clue")
_COLUMN_NAME = re.compile(r"[a-z_]+(\.offsets|\.bytes)?")
_OUTCOMES = frozenset(Outcome)
_PART = 1 << 24  # numbers checked at a time


class TextColumn:
    """A column of texts: their UTF-8 bytes end to end, and the offset of each."""

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
    """An open graph; its columns are read-only."""

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        self.directory = directory
        self.manifest = manifest
        self._mapped: dict[str, NDArray[Any]] = {}
        self._is_sound = False

    @classmethod
    def open(cls, directory: Path) -> "Graph":
        """The graph in `directory`. Takes no time: a column is mapped when it is first used."""
        manifest = load_manifest(directory)
        missing = [name for name in REQUIRED if name not in manifest.columns]
        if missing:
            raise GraphError(f"{directory} lacks the column {missing[0]}. Make the graph anew.")
        return cls(directory, manifest)

    def has(self, name: str) -> bool:
        """Whether the graph has a column, or column of texts, of this name."""
        return name in self.manifest.columns or f"{name}.offsets" in self.manifest.columns

    def column(self, name: str) -> NDArray[Any]:
        """A column by name, mapped."""
        if name in self._mapped:
            return self._mapped[name]
        if name not in self.manifest.columns:
            raise GraphError(f"{self.directory} has no column {name}. It was not kept when the graph was made.")
        path, expected = self.directory / f"{name}.npy", self.manifest.columns[name]
        try:
            # An empty file cannot be mapped.
            array: NDArray[Any] = np.load(path, mmap_mode="r" if expected.length else None, allow_pickle=False)
        except FileNotFoundError:
            raise GraphError(f"{path} is missing. Put it back, or make the graph anew.") from None
        # NumPy evaluates the header as Python: a damaged one may raise anything, MemoryError too.
        except Exception as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise GraphError(f"{path} is damaged: {reason}. Make the graph anew.") from None
        if array.ndim != 1 or array.dtype.str != expected.dtype or len(array) != expected.length:
            raise GraphError(f"{path} is not as the manifest says. Make the graph anew.")
        self._mapped[name] = array
        return array

    def texts(self, name: str) -> TextColumn:
        """A column of texts by name, mapped."""
        return TextColumn(self.column(f"{name}.offsets"), self.column(f"{name}.bytes"))

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
        """The outcome of the request for each node; KNOWN if it was never requested."""
        return self.column("outcome")

    @cached_property
    def language(self) -> Codes:
        """The language of each node (exonym.batches.language_code); 0 unknown."""
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
        """Raise GraphError unless every column is as it was written and fits the others; reads all of them."""
        for name, column in self.manifest.columns.items():
            if not _COLUMN_NAME.fullmatch(name):
                raise GraphError(
                    f"{self.directory} has a column {name[:60]!r}, which is no name of a column. Make it anew."
                )
            if digest_of(self.column(name)) != column.digest:
                raise GraphError(f"{self.directory / name}.npy is damaged: its digest differs. Make the graph anew.")
        self.check_numbers()

    def check_numbers(self) -> None:
        """Raise GraphError unless every number fits its column and the others: no index then leads out of a column.

        Takes a second for 124 million links, and is done once for an open graph.
        """
        if self._is_sound:
            return
        for name, fits in self._tests():
            if not fits:
                raise GraphError(
                    f"{self.directory / name}.npy does not fit the manifest and other columns. Make the graph anew."
                )
        self._is_sound = True

    def _tests(self) -> Iterator[tuple[str, bool]]:
        """Pairs of a column and whether it fits; each test relies on those before it."""
        facts = self.manifest
        for name, dtype in {**REQUIRED, **OPTIONAL}.items():
            if self.has(name):
                yield name, name in facts.columns and facts.columns[name].dtype == dtype
        lengths = dict.fromkeys((*REQUIRED, *OPTIONAL), facts.nodes)
        lengths |= dict.fromkeys(("targets", "anchor_language", "link_flags"), facts.links)
        lengths |= {"offsets": facts.nodes + 1, "seeds": len(self.seeds)}
        for name, length in lengths.items():
            if self.has(name):
                yield name, len(self.column(name)) == length
        yield "outcome", facts.fetched == np.count_nonzero(self.outcome == Outcome.PAGE)
        yield "outcome", all(code == KNOWN or code in _OUTCOMES for code in np.flatnonzero(_counts_of(self.outcome)))
        yield "relevant", _end(self.relevant.view(np.uint8)) <= 2
        yield "server", _end(self.server) == facts.servers <= facts.nodes
        yield "segment", _end(self.segment) == facts.segments <= facts.nodes
        yield "domain", _end(self.domain) <= len(facts.domains)
        yield "charset", not self.has("charset") or _end(self.column("charset")) <= len(facts.charsets)
        yield "relevance", not self.has("relevance") or bool(np.isfinite(self.column("relevance")).all())
        yield "original", not self.has("original") or _end(self.column("original")) <= facts.nodes
        yield "seeds", _end(self.seeds) <= facts.nodes
        yield "targets", _end(self.targets) <= facts.nodes
        yield "offsets", _rises(self.offsets, facts.links)
        yield from self._tests_of_texts()

    def _tests_of_texts(self) -> Iterator[tuple[str, bool]]:
        facts = self.manifest
        counts = {"server_name": facts.servers, "segment_name": facts.segments}
        counts |= dict.fromkeys(("anchor", "around"), facts.links)
        for name in TEXTS:
            if self.has(name):
                offsets, data = f"{name}.offsets", f"{name}.bytes"
                yield data, data in facts.columns and facts.columns[data].dtype == "|u1"
                yield offsets, offsets in facts.columns and facts.columns[offsets].dtype == "<i8"
                yield offsets, len(self.column(offsets)) == counts.get(name, facts.nodes) + 1
                yield offsets, _rises(self.column(offsets), len(self.column(data)))


def _end(numbers: NDArray[Any]) -> int:
    """One more than the largest number; 0 if there are none."""
    return int(numbers.max()) + 1 if len(numbers) else 0


def _counts_of(numbers: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How often each of 0 … 255 occurs; counted in parts, because counting takes eight bytes a number."""
    parts = (numbers[first : first + _PART] for first in range(0, len(numbers), _PART))
    return sum((np.bincount(part, minlength=256) for part in parts), start=np.zeros(256, dtype=np.int64))


def _rises(offsets: NDArray[np.int64], end: int) -> bool:
    """Whether offsets begin at 0, end at `end` and never fall between."""
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != end:
        return False
    parts = (offsets[first : first + _PART + 1] for first in range(0, len(offsets), _PART))
    return all(bool((part[1:] >= part[:-1]).all()) for part in parts)


def digest_of(array: NDArray[Any]) -> str:
    """The xxh3 digest of an array's bytes."""
    return xxhash.xxh3_64_hexdigest(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")
