"""The manifest.json of a graph: its format and counts, where it comes from, and a digest of every column."""

import json
import shlex
from pathlib import Path
from typing import Any

import msgspec

from exonym.config import CONFIG_NAME
from exonym.errors import GraphError
from exonym.system.files import disk_errors, reading

FORMAT, VERSION = "exonym-graph", 1
MANIFEST = "manifest.json"


class Column(msgspec.Struct, frozen=True):
    """A column's type as NumPy writes it, its length, and the xxh3 digest of its bytes."""

    dtype: str
    length: int
    digest: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a graph."""

    format: str = FORMAT
    version: int = VERSION
    nodes: int = 0  # pages fetched, and pages only known from links
    fetched: int = 0
    links: int = 0
    servers: int = 0
    segments: int = 0
    languages: list[str] = msgspec.field(default_factory=list)  # that make a page relevant
    domains: list[str] = msgspec.field(default_factory=list)  # names of the numbers in the column `domain`
    charsets: list[str] = msgspec.field(default_factory=list)  # names of the numbers in the column `charset`
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)  # who made it, how, from what, with which seed
    licence: str = ""  # under what terms the data may be passed on
    columns: dict[str, Column] = msgspec.field(default_factory=dict)


def load_manifest(directory: Path) -> Manifest:
    """The manifest of the graph in `directory`."""
    path = directory / MANIFEST
    with reading(path, "the directory of a web graph"):
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
        except FileNotFoundError:
            raise GraphError(_no_graph(directory)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise GraphError(f"{path} is damaged: {error}. Make the graph anew.") from None
    if manifest.format != FORMAT or manifest.version != VERSION:
        found = f"{manifest.format[:20]} {manifest.version}"
        raise GraphError(f"{directory} is {found}, this Exonym reads {FORMAT} {VERSION}. Make the graph anew.")
    return manifest


def _no_graph(directory: Path) -> str:
    if (directory / CONFIG_NAME).exists():
        place, graph = (shlex.quote(str(path)) for path in (directory, directory.with_name(f"{directory.name}-graph")))
        return f"{directory} is a crawl, not a graph. Make a graph of it: exonym graph import {place} -o {graph}"
    return f"{directory} has no graph in it. Name the directory of a web graph, or make one: exonym graph --help"


def save_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest: the last file of a graph to be written."""
    with disk_errors(directory):
        text = json.dumps(msgspec.to_builtins(manifest), indent=1, ensure_ascii=False)
        (directory / MANIFEST).write_text(text + "\n", encoding="utf-8")
