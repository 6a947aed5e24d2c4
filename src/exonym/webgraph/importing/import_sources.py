"""The sources of an import (WARC and WAT files, journals of crawls, tables), and the options for reading them."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import xxhash

from exonym.archive.archive_files import KINDS, archives_at, is_archive
from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError, DirectoryError
from exonym.system.files import reading

_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")
_CHUNK_FORMAT = "2"  # what is written of a source: an import that another version began is read anew


class SourceKind(StrEnum):
    """How a source is read."""

    WARC = "warc"
    WAT = "wat"
    JOURNAL = "journal"
    PAGES = "pages"
    LINKS = "links"


JUDGED = (SourceKind.WARC, SourceKind.WAT)  # sources whose pages a judge reads
_WAT_NOTE = "pages of WAT files by title, description and anchors alone: these files have no text"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What to keep of pages, and how to judge them."""

    languages: tuple[str, ...] = ()
    anchors: bool = True
    keep_text: bool = False
    identifier: str = ""  # as in crawl.toml, section [judge]; by default as the imported crawls were judged
    inherit_language: bool | None = None  # likewise
    judge: str = ""  # the judge as JSON, if it looks at more than languages
    keep_around: bool = False  # the words around links

    @property
    def kept(self) -> tuple[bool, bool, bool]:
        """Whether anchors, texts of pages and words around links are kept."""
        return self.anchors, self.keep_text, self.keep_around

    def judge_settings(self) -> dict[str, Any]:
        """The judge of pages, for `judges.by_name.make_judge`."""
        if self.judge:
            settings: dict[str, Any] = json.loads(self.judge)
            return settings
        return {
            "kind": "language",
            "languages": list(self.languages),
            "identifier": self.identifier or "default",
            "inherit_language": self.inherit_language is not False,
        }


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file to read, or a crawl directory whose journal to read."""

    path: Path
    kind: SourceKind
    crawl: Path | None = None  # the crawl directory that a WARC is part of: its journal knows who linked to whom
    stores: tuple[Path, ...] = ()  # files of the crawl that change when it goes on

    def key(self, options: ImportOptions) -> str:
        """A name for the result of reading this source: it changes with the file and with the options."""
        facts = []
        for path in (self.path, *self.stores):
            with reading(path, "a file that is there"):
                status = path.stat()
            facts.append(f"{os.path.abspath(path)} {status.st_size} {status.st_mtime_ns}")
        return xxhash.xxh3_64_hexdigest(
            "\n".join([self.kind, _CHUNK_FORMAT, *facts, repr(options)]).encode("utf-8", "replace")
        )


def is_crawl(path: Path) -> bool:
    """Whether `path` is an Exonym crawl directory that was begun."""
    return is_cluster(path) or (path / "state" / "data.mdb").is_file()


def sources_of(paths: list[Path]) -> list[ImportSource]:
    """The sources at these paths, each once, in order."""
    return list(dict.fromkeys(source for path in paths for source in _sources_at(path)))


def _sources_at(path: Path) -> Iterator[ImportSource]:
    if not path.exists():
        raise DirectoryError(f"{path} is not there. Name crawl directories, {KINDS} files, or folders of them.")
    if is_crawl(path):
        crawl = CrawlDirectory(path)
        stores = tuple(crawl.stores())
        yield ImportSource(stores[0], SourceKind.JOURNAL, path, stores)
        # Records after the last commit may be torn or have no row.
        yield from (ImportSource(file, SourceKind.WARC, path, stores) for file in crawl.archives())
        return
    files = archives_at(path)
    if not files:
        raise DirectoryError(f"{path} has no {KINDS} file in it. Name another folder, or a file.")
    for file in files:
        if not is_archive(file):
            raise DirectoryError(f"{file} is no {KINDS} file. Tables go after --pages and --links.")
        yield ImportSource(file, SourceKind.WAT if ".wat" in file.name.lower()[-8:] else SourceKind.WARC)


def table_source(path: Path, kind: SourceKind) -> ImportSource:
    """A table as a source."""
    if not path.name.lower().endswith(_TABLES):
        raise ConfigError(f"--{kind} must be a .csv, .tsv (or .csv.gz, .tsv.gz) or .parquet file, got {path}.")
    if not path.is_file():
        raise DirectoryError(f"{path} is not there. Name a table after --{kind}.")
    return ImportSource(path, kind)


def judge_facts(options: ImportOptions, sources: list[ImportSource]) -> dict[str, Any]:
    """For the manifest: the judge of the pages, and what it could not see; empty if no page was judged."""
    kinds = {source.kind for source in sources}
    facts: dict[str, Any] = {"judge": options.judge_settings()} if kinds.intersection(JUDGED) else {}
    return facts | ({"judge_note": _WAT_NOTE} if SourceKind.WAT in kinds else {})
