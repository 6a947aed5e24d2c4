"""Writes a graph, column by column; the directory gets its name only when the graph is complete."""

import os
import shutil
from array import array
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from exonym.batches import Outcome
from exonym.errors import DirectoryError
from exonym.system.files import disk_errors
from exonym.webgraph.graph import OPTIONAL, REQUIRED, TEXTS, Graph, digest_of
from exonym.webgraph.manifest import Column, Manifest, save_manifest

_TYPES = {
    **REQUIRED,
    **OPTIONAL,
    **{f"{name}.offsets": "<i8" for name in TEXTS},
    **{f"{name}.bytes": "|u1" for name in TEXTS},
}


class GraphWriter:
    """`put` or `allocate` every column, then `finish`; without `finish` nothing is left on disk."""

    def __init__(self, directory: Path) -> None:
        if directory.exists():
            raise DirectoryError(f"{directory} is there already. Name another directory, or remove it first.")
        self._directory = directory
        self._draft = directory.with_name(directory.name + ".partial")
        self._columns: dict[str, Column] = {}
        self._allocated: set[str] = set()  # columns to be digested when they are filled
        with disk_errors(self._draft):
            shutil.rmtree(self._draft, ignore_errors=True)
            self._draft.mkdir(parents=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        shutil.rmtree(self._draft, ignore_errors=True)

    def put(self, name: str, values: NDArray[Any]) -> None:
        """Write one of the columns of REQUIRED or OPTIONAL."""
        self._put(name, np.asarray(values), {**REQUIRED, **OPTIONAL}[name])

    def _put(self, name: str, values: NDArray[Any], dtype: str) -> None:
        column = np.ascontiguousarray(values, dtype=dtype)
        with disk_errors(self._draft):
            np.save(self._draft / f"{name}.npy", column, allow_pickle=False)
        self._columns[name] = Column(column.dtype.str, len(column), digest_of(column))

    def allocate(self, name: str, length: int) -> NDArray[Any]:
        """A column on disk, to be filled in any order until `finish`: it may be larger than memory.

        For a column of texts, `name` is "anchor.bytes" or "anchor.offsets", for instance.
        """
        dtype = _TYPES[name]
        if not length:
            self._put(name, np.empty(0, dtype), dtype)
            return np.empty(0, dtype)
        with disk_errors(self._draft):
            column = _allocated_file(self._draft / f"{name}.npy", dtype, length)
        self._allocated.add(name)
        return column

    def put_texts(self, name: str, texts: Iterable[str]) -> None:
        """Write one of the columns of TEXTS."""
        assert name in TEXTS, name
        data, lengths = bytearray(), array("Q")
        for text in texts:
            encoded = text.encode("utf-8", "replace")
            lengths.append(len(encoded))
            data += encoded
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(np.frombuffer(lengths, np.uint64), out=offsets[1:])
        self.put_bytes(name, offsets, np.frombuffer(data, dtype=np.uint8))

    def put_bytes(self, name: str, offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> None:
        """Write one of the columns of TEXTS, given as bytes end to end and their offsets."""
        self._put(f"{name}.offsets", offsets, "<i8")
        self._put(f"{name}.bytes", data, "|u1")

    def link(self, graph: Graph, names: Iterable[str]) -> None:
        """Take over columns of another graph as hard links: a finished column is never written to again."""
        for name in names:
            source, target = (graph.directory / f"{name}.npy").resolve(), self._draft / f"{name}.npy"
            with disk_errors(source):
                try:
                    os.link(source, target)
                except OSError:  # another disk, or one that has no links; or there is no such file
                    shutil.copyfile(source, target)
            self._columns[name] = graph.manifest.columns[name]

    def finish(self, facts: Manifest) -> None:
        """Count, write the manifest, and give the graph its name."""
        for name in sorted(self._allocated):  # so that the same graph has the same manifest, byte by byte
            column = np.asarray(np.load(self._draft / f"{name}.npy", mmap_mode="r"))
            self._columns[name] = Column(column.dtype.str, len(column), digest_of(column))
        missing = [name for name in REQUIRED if name not in self._columns]
        assert not missing, f"columns not written: {missing}"
        manifest = msgspec.structs.replace(facts, **self._counts(), columns=self._columns)
        save_manifest(self._draft, manifest)
        with disk_errors(self._directory):
            os.replace(self._draft, self._directory)

    def _counts(self) -> dict[str, int]:
        outcome = np.load(self._draft / "outcome.npy", mmap_mode="r" if self._columns["outcome"].length else None)
        return {
            "nodes": len(outcome),
            "fetched": int(np.count_nonzero(outcome == Outcome.PAGE)),
            "links": self._columns["targets"].length,
            "servers": _distinct(self._draft / "server.npy"),
            "segments": _distinct(self._draft / "segment.npy"),
        }


def _distinct(path: Path) -> int:
    """How many groups a column names: their numbers have no gaps."""
    numbers = np.load(path)
    return int(numbers.max()) + 1 if len(numbers) else 0


def _allocated_file(path: Path, dtype: str, length: int) -> NDArray[Any]:
    """A new .npy file, mapped. Its space is reserved at once: writing to a map on a full disk kills the process."""
    with path.open("wb") as file:
        header = {"descr": dtype, "fortran_order": False, "shape": (length,)}
        np.lib.format.write_array_header_1_0(file, header)
        start = file.tell()
        end = start + length * np.dtype(dtype).itemsize
        file.truncate(end)
        if hasattr(os, "posix_fallocate"):  # macOS has none
            os.posix_fallocate(file.fileno(), 0, end)
    # As a plain array: each access to a memmap object costs microseconds.
    return np.asarray(np.memmap(path, dtype, "r+", start, (length,)))
