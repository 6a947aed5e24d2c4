"""Divides a crawl anew: a single crawl into partitions, or a cluster's into another number of them.

The new partitions are written beside the old data, which stays as it is until they are compared with it. Then one
rename, that of cluster.toml, makes them the crawl; after that the old data is moved to a folder of its own. A kill at
any moment leaves the old crawl or the new one, and the same command goes on from there.

WARC files are not rewritten: those from before stay together in DIR/warc, where rows of every partition may name them.
Copied or linked into each partition, they would multiply when partitions are moved to other machines.
"""

import json
import os
import re
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import msgspec

from exonym.cluster.new_journals import SeenOwners, number_rows, waiting_by_owner, write_journals
from exonym.cluster.new_partitions import NewDivision, check_written, contents_of, write_partition
from exonym.cluster.undivided import UndividedCrawl, open_undivided, owner_among
from exonym.config.settings import Settings
from exonym.crawl_directory.cluster_layout import (
    CLUSTER_NAME,
    MOST_PARTITIONS,
    PARTITIONS_NAME,
    ClusterLayout,
    is_cluster,
    new_id,
)
from exonym.errors import ConfigError, DirectoryError
from exonym.live.assembly import strategy_of
from exonym.progress import Progress
from exonym.store.lock import DirectoryLock
from exonym.system.files import disk_errors, replacing, sync_directory
from exonym.version import __version__

_SOURCE_NAME = "source.json"  # in the draft: the crawl that it is made from
_RECORD_NAME = "repartitioned.json"  # beside the partitions: what they had when they were made
_DRAFT = re.compile(rf"{PARTITIONS_NAME}-[0-9a-f]{{8}}")
_OLD = ("state", "journal", PARTITIONS_NAME, "placed.json")  # what is moved away, of a single crawl or a cluster


@dataclass(frozen=True, slots=True)
class Repartitioned:
    """What the new partitions have, and where the old data is."""

    partitions: int
    rows: int
    waiting: int
    seen: int  # URLs in all partitions; those whose owner is unknown are in each of them
    shared: int  # URLs whose owner is unknown
    before: str  # the folder in the crawl directory that has the old data


def repartition(directory: Path, settings: Settings, partitions: int, progress: Progress) -> Repartitioned:
    """Divide the crawl in `directory` into `partitions`; raises if it runs, or if a part of it is missing."""
    if not 1 <= partitions <= MOST_PARTITIONS:
        raise ConfigError(f"--partitions must be from 1 to {MOST_PARTITIONS:_}, got {partitions}.")
    if is_cluster(directory):
        layout = ClusterLayout.open(directory, read_only=True)
        if layout.draft_folder.exists():  # killed when the new partitions had become the crawl
            _finish(layout)
        if layout.partitions == partitions and _is_divided_by_this_list(directory):
            return _read_record(layout)
    with open_undivided(directory, settings) as crawl:
        layout = _draft_of(crawl, partitions)
        owner_of = owner_among(partitions)
        seen = [SeenOwners(part.frontier) for part in crawl.parts]
        journals = number_rows(crawl, owner_of, partitions, seen, progress)
        write_journals(
            crawl, journals, [layout.partition_directory(n) / "journal" for n in range(partitions)], progress
        )
        waiting = waiting_by_owner(crawl, seen, owner_of, journals)
        division = NewDivision(
            crawl=crawl,
            layout=layout,
            owner_of=owner_of,
            journals=journals,
            seen=seen,
            waiting=waiting,
            learned=crawl.learned(journals.group_owners),
            under_way=list(crawl.links_under_way()),
            strategy=strategy_of(directory, settings),
            contents=contents_of(crawl, owner_of),
        )
        for number in range(partitions):
            progress("writing partitions", number, partitions)
            write_partition(division, number)
        _link_archives(crawl)
        _write_record(layout, _proved(division, progress))
        # From here on the new partitions are the crawl.
        with disk_errors(directory):
            os.replace(layout.draft_folder / CLUSTER_NAME, directory / CLUSTER_NAME)
            sync_directory(directory)
    return _finish(layout)


def _is_divided_by_this_list(directory: Path) -> bool:
    """Whether the Public Suffix List that is installed divides servers as the crawl does."""
    try:
        ClusterLayout.open(directory)
    except DirectoryError:
        return False
    return True


def _draft_of(crawl: UndividedCrawl, partitions: int) -> ClusterLayout:
    """The layout of the new partitions: the one that a killed command has left, if the crawl is still the same."""
    directory = crawl.directory
    source = json.dumps([crawl.fingerprint(), partitions, version("publicsuffixlist"), __version__])
    for folder in sorted(path for path in directory.iterdir() if _DRAFT.fullmatch(path.name)):
        with disk_errors(folder):
            has_begun = all((folder / name).exists() for name in (_SOURCE_NAME, CLUSTER_NAME))
            if has_begun and (folder / _SOURCE_NAME).read_text() == source:
                return ClusterLayout.open(directory, read_only=True, file_in=folder)
            shutil.rmtree(folder)
    layout = ClusterLayout(directory, new_id(), partitions)
    with disk_errors(directory):
        layout.draft_folder.mkdir()
        with replacing(layout.draft_folder / _SOURCE_NAME) as draft:
            draft.write_text(source)
    layout.write(layout.draft_folder / CLUSTER_NAME)
    return layout


def _link_archives(crawl: UndividedCrawl) -> None:
    """Give the WARC files of old partitions a name in DIR/warc, where rows of all partitions may name them."""
    archive = crawl.directory / "warc"
    for part in crawl.parts:
        if part.directory == crawl.directory:
            continue
        with disk_errors(archive):
            archive.mkdir(exist_ok=True)
            for file in sorted((part.directory / "warc").glob("*.warc.gz")):
                if not (archive / file.name).exists():
                    _link(file, archive / file.name)
            sync_directory(archive)


def _link(file: Path, name: Path) -> None:
    try:
        os.link(file, name)
    except OSError:  # the file system has no hard links
        with replacing(name) as draft:
            shutil.copyfile(file, draft)


def _proved(division: NewDivision, progress: Progress) -> Repartitioned:
    """What the new partitions have, read anew from the disk; raises if that is not all that the crawl has."""
    crawl, layout = division.crawl, division.layout
    found = []
    for number in range(layout.partitions):
        progress("checking partitions", number, layout.partitions)
        found.append(check_written(division, number))
    rows = sum(counts.rows for counts in found)
    if rows != crawl.rows:
        raise DirectoryError(
            f"{layout.draft_folder} has {rows} rows of {crawl.rows}. The crawl is as it was. Try again."
        )
    archive = crawl.directory / "warc"
    for file, offset in division.journals.archived.items():
        if not (archive / file).exists() or (archive / file).stat().st_size <= offset:
            raise DirectoryError(f"{archive / file} is missing or cut short. Restore it from a copy, then try again.")
    before, number = "before-repartition", 1
    while (crawl.directory / before).exists():
        number += 1
        before = f"before-repartition-{number}"
    return Repartitioned(
        partitions=layout.partitions,
        rows=rows,
        waiting=sum(counts.waiting for counts in found),
        seen=sum(counts.seen for counts in found),
        shared=sum(known.unknown for known in division.seen),
        before=before,
    )


def _finish(layout: ClusterLayout) -> Repartitioned:
    """Move the old data away, and the new partitions to their place."""
    directory, record = layout.directory, _read_record(layout)
    lock = DirectoryLock(directory / "coordinator")
    try:
        with disk_errors(directory):
            (directory / record.before).mkdir(exist_ok=True)
            for name in _OLD:
                if (directory / name).exists():
                    os.rename(directory / name, directory / record.before / name)
            os.rename(layout.draft_folder, directory / PARTITIONS_NAME)
            (directory / PARTITIONS_NAME / _SOURCE_NAME).unlink(missing_ok=True)
            sync_directory(directory)
    finally:
        lock.release()
    return record


def _write_record(layout: ClusterLayout, record: Repartitioned) -> None:
    with replacing(layout.folder / _RECORD_NAME) as draft, disk_errors(draft):
        draft.write_bytes(msgspec.json.encode(record))


def _read_record(layout: ClusterLayout) -> Repartitioned:
    path = layout.folder / _RECORD_NAME
    if not path.exists():
        raise ConfigError(f"{layout.directory} has {layout.partitions} partitions already. Choose another number.")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Repartitioned)
    except (msgspec.MsgspecError, OSError) as error:
        raise DirectoryError(f"{path} is damaged ({error}). Restore it from a copy.") from error
