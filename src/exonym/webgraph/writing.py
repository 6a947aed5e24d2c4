"""Writes a graph, column by column; it has its name only when it is whole."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from exonym.disk import disk_errors
from exonym.errors import DirectoryError
from exonym.model import Outcome
from exonym.webgraph.graph import OPTIONAL, REQUIRED, TEXTS, digest_of
from exonym.webgraph.manifest import Column, Manifest, save_manifest


class GraphWriter:
    """`put` every column, then `finish`; without `finish` nothing is left."""

    def __init__(self, directory: Path) -> None:
        if directory.exists():
            raise DirectoryError(f"{directory} is there already. Name another directory, or remove it first.")
        self._directory = directory
        self._draft = directory.with_name(directory.name + ".partial")
        self._columns: dict[str, Column] = {}
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
        array = np.ascontiguousarray(values, dtype=dtype)
        with disk_errors(self._draft):
            np.save(self._draft / f"{name}.npy", array, allow_pickle=False)
        self._columns[name] = Column(array.dtype.str, len(array), digest_of(array))

    def put_texts(self, name: str, texts: Iterable[str]) -> None:
        """Write one of the columns of TEXTS."""
        assert name in TEXTS, name
        encoded = [text.encode("utf-8", "replace") for text in texts]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        self.put_bytes(name, offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def put_bytes(self, name: str, offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> None:
        """Write one of the columns of TEXTS whose bytes are at hand."""
        self._put(f"{name}.offsets", offsets, "<i8")
        self._put(f"{name}.bytes", data, "|u1")

    def finish(self, facts: Manifest) -> None:
        """Count, write the manifest, and give the graph its name."""
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
    """How many numbers a column goes up to: numbers are given without gaps."""
    numbers = np.load(path)
    return int(numbers.max()) + 1 if len(numbers) else 0
