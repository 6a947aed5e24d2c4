"""The names of training material on the command line, and what they mean.

A file or folder of pages, a WARC, ARC or WACZ file, a file of labels; a crawl directory or a web graph, or the part of
it that
`:relevant`, `:irrelevant`, `:language=en` or `:language=en,relevant` after its name selects.
"""

import os
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from exonym.archive.archive_files import is_archive
from exonym.errors import ConfigError, DirectoryError
from exonym.language_names import language_of
from exonym.training.material.page_files import PAGE_ENDINGS
from exonym.webgraph.importing.import_sources import is_crawl
from exonym.webgraph.manifest import MANIFEST

_KINDS = "a folder or file of pages, a WARC, ARC or WACZ file, labels (.jsonl), a crawl directory or a web graph"
_CONDITIONS = ":relevant, :irrelevant or :language=en,relevant"


class MaterialKind(StrEnum):
    """How a source is read."""

    PAGES = "pages"
    WARC = "warc"
    LABELS = "labels"
    CRAWL = "crawl"
    GRAPH = "graph"
    FOLDER = "folder"


class Condition(NamedTuple):
    """Which pages of a crawl or graph to take."""

    relevant: bool | None = None  # None: both
    language: str = ""  # "": any


EVERY = Condition()


class MaterialSource(NamedTuple):
    """A named source of pages."""

    name: str  # as it was written
    path: Path
    kind: MaterialKind
    condition: Condition = EVERY


def source_of(name: str) -> MaterialSource:
    """The source that `name` means."""
    if os.path.exists(name):
        return MaterialSource(name, Path(name), kind_of(Path(name)))
    path, _, words = name.rpartition(":")
    if not path or not os.path.exists(path):
        raise DirectoryError(f"{(path or name)[:200]} does not exist. Name {_KINDS}.")
    kind, condition = kind_of(Path(path)), _condition(name, words)
    if kind not in (MaterialKind.CRAWL, MaterialKind.GRAPH):
        raise ConfigError(f"{path} is no crawl directory and no web graph: it cannot be narrowed by :{words[:60]}.")
    return MaterialSource(name, Path(path), kind, condition)


def kind_of(path: Path) -> MaterialKind:
    """The kind of the file or directory at `path`, by its name or by what is in it."""
    if path.is_dir():
        if is_crawl(path):
            return MaterialKind.CRAWL
        return MaterialKind.GRAPH if (path / MANIFEST).is_file() else MaterialKind.FOLDER
    name = path.name.lower()
    if not path.is_file():  # reading a pipe would block; as a page it is left out
        return MaterialKind.PAGES
    if name.endswith((".jsonl", ".ndjson")):
        return MaterialKind.LABELS
    return MaterialKind.PAGES if name.endswith(PAGE_ENDINGS) or not is_archive(path) else MaterialKind.WARC


def _condition(name: str, words: str) -> Condition:
    condition = EVERY
    for word in words.split(","):
        key, _, value = word.strip().partition("=")
        if key in ("relevant", "irrelevant") and not value:
            condition = condition._replace(relevant=key == "relevant")
        elif key == "language" and value:
            condition = condition._replace(language=language_of(value))
        else:
            raise ConfigError(f"{name[:200]}: after a crawl directory or graph write {_CONDITIONS}, got :{words[:60]}.")
    return condition
