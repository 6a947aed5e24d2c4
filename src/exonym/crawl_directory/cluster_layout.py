"""`ClusterLayout`: where the partitions of a crawl are, and whether a directory is one of them.

A crawl that several machines share has a file cluster.toml, written once, and a directory for each partition that looks
like a single crawl's:

    cluster.toml                      id, number of partitions
    partitions/0003/partition.toml    the same id, its own number
    partitions/0003/state/ warc/ journal/

A machine need not have all partitions. The id distinguishes the partitions of this crawl from those of others, and from
those that the same crawl had before it was divided anew.
"""

import re
import uuid
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from exonym.config.template import toml_value
from exonym.config.toml_file import KnownKeys, TomlFile, WrongValueError, struct_of
from exonym.errors import ConfigError, DirectoryError
from exonym.system.files import disk_errors, replacing

CLUSTER_NAME = "cluster.toml"
PARTITION_NAME = "partition.toml"
PARTITIONS_NAME = "partitions"
MOST_PARTITIONS = 10_000
FORMAT = 1

_PARTITION_FILE = re.compile(r"exonym-p(\d{4})-([0-9a-f]{8})-")
_SUFFIX_LIST = "publicsuffixlist"  # the package whose list says which servers belong to one site


class _ClusterFile(Struct, kw_only=True):
    format: int
    id: str
    partitions: int
    public_suffix_list: str  # version: another list may give a site another owner


class _PartitionFile(Struct, kw_only=True):
    id: str
    number: int
    partitions: int


_File = TypeVar("_File", bound=Struct)


@dataclass(frozen=True, slots=True)
class ClusterLayout:
    """The directory of a crawl that is divided into partitions."""

    directory: Path
    crawl_id: str  # 32 hexadecimal digits
    partitions: int

    @classmethod
    def create(cls, directory: Path, partitions: int) -> "ClusterLayout":
        """Divide the crawl in `directory`, which must not have begun; partitions are made by `create_partition`."""
        if not 1 <= partitions <= MOST_PARTITIONS:
            raise ConfigError(f"partitions must be from 1 to {MOST_PARTITIONS:_}, got {partitions}.")
        if (directory / CLUSTER_NAME).exists():
            raise DirectoryError(f"{directory} is divided already. Go on with: exonym crawl {directory} --cluster")
        if (directory / "state").exists():
            raise DirectoryError(
                f"{directory} has a crawl that one process began. Divide it first: "
                f"exonym repartition {directory} --partitions {partitions}"
            )
        layout = cls(directory, new_id(), partitions)
        layout.write(directory / CLUSTER_NAME)
        return layout

    @classmethod
    def open(cls, directory: Path, read_only: bool = False, file_in: Path | None = None) -> "ClusterLayout":
        """The layout that cluster.toml in `directory` describes.

        Those who drive partitions need the Public Suffix List by which the servers were divided; to read the crawl
        (`read_only`) any will do. `file_in` is where cluster.toml is, if not in the directory.
        """
        path = (file_in or directory) / CLUSTER_NAME
        file = _read(path, _ClusterFile)
        if file.format != FORMAT:
            raise DirectoryError(
                f"{path} has format {file.format}, this Exonym reads {FORMAT}. Use the Exonym that made it."
            )
        if not _is_id(file.id) or not 1 <= file.partitions <= MOST_PARTITIONS:
            raise _damaged(path, "its id or its number of partitions is none")
        installed = version(_SUFFIX_LIST)
        if not read_only and installed != file.public_suffix_list:
            raise DirectoryError(
                f"{directory} was divided by {_SUFFIX_LIST} {file.public_suffix_list}, and {installed} is installed, "
                f"which may divide it otherwise. Run: pip install {_SUFFIX_LIST}=={file.public_suffix_list}"
            )
        return cls(directory, file.id, file.partitions)

    @classmethod
    def around(cls, partition: Path) -> "tuple[ClusterLayout, int]":
        """The layout to which the directory of a partition belongs, and its number."""
        layout = cls.open(partition.absolute().parent.parent, read_only=True)
        number = _read(partition / PARTITION_NAME, _PartitionFile).number
        layout.check_partition(number)
        return layout, number

    def write(self, path: Path) -> None:
        """Write cluster.toml to `path`, atomically."""
        file = _ClusterFile(
            format=FORMAT, id=self.crawl_id, partitions=self.partitions, public_suffix_list=version(_SUFFIX_LIST)
        )
        _write(path, file)

    def partition_directory(self, number: int) -> Path:
        """Where partition `number` is, or would be."""
        return self.folder / f"{number:04d}"

    @property
    def draft_folder(self) -> Path:
        """Where the partitions of a crawl are that is being divided anew, until the older ones have been moved away."""
        return self.directory / f"{PARTITIONS_NAME}-{self.crawl_id[:8]}"

    @property
    def folder(self) -> Path:
        """The folder that has the partitions."""
        return self.draft_folder if self.draft_folder.exists() else self.directory / PARTITIONS_NAME

    def settle(self) -> None:
        """Make this the layout of the directory on a machine whose disk others do not see, if it has none yet."""
        if not is_cluster(self.directory):
            with disk_errors(self.directory):
                self.directory.mkdir(parents=True, exist_ok=True)
            self.write(self.directory / CLUSTER_NAME)
        if ClusterLayout.open(self.directory) != self:
            raise DirectoryError(f"{self.directory} has another crawl on this machine. Move it away.")

    def create_partition(self, number: int) -> Path:
        """The directory of partition `number`, made if it does not exist."""
        path = self.partition_directory(number)
        if (path / PARTITION_NAME).exists():
            return self.check_partition(number)
        if (path / "state").exists():
            raise DirectoryError(f"{path} has a crawl, but no {PARTITION_NAME}. Restore the file from a copy.")
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        self.write_partition_file(number)
        return path

    def write_partition_file(self, number: int) -> None:
        """Write partition.toml, atomically: from then on the directory is a partition."""
        file = _PartitionFile(id=self.crawl_id, number=number, partitions=self.partitions)
        _write(self.partition_directory(number) / PARTITION_NAME, file)

    def check_partition(self, number: int) -> Path:
        """The directory of partition `number`; DirectoryError if it is not here, or belongs to another crawl."""
        path = self.partition_directory(number)
        if not path.is_dir():
            raise DirectoryError(f"{path} is missing. Restore it from a copy, or mount the disk that has it.")
        file = _read(path / PARTITION_NAME, _PartitionFile)
        if file.id != self.crawl_id or file.partitions != self.partitions:
            raise DirectoryError(f"{path} is a partition of another crawl. Put the right directory in its place.")
        if file.number != number:
            raise DirectoryError(f"{path} is partition {file.number:04d}, not {number:04d}. Rename it.")
        return path

    def present(self) -> list[int]:
        """The numbers of the partitions that are on this machine; directories of other crawls are left out."""
        return [number for number in range(self.partitions) if self._is_present(number)]

    def _is_present(self, number: int) -> bool:
        try:
            return self.check_partition(number).is_dir()
        except DirectoryError:
            return False

    def archive_prefix(self, number: int) -> str:
        """With what the names of a partition's WARC files begin: no other partition of any crawl has the same.

        >>> ClusterLayout(Path("thai"), "5f3a0c17" + 24 * "0", 8).archive_prefix(3)
        'exonym-p0003-5f3a0c17'
        """
        return f"exonym-p{number:04d}-{self.crawl_id[:8]}"

    def archive_folder(self, file: str) -> Path:
        """The folder that has a WARC file: that of its partition, or `warc` for one from before the last division."""
        found = _PARTITION_FILE.match(file)
        is_own = found is not None and found[2] == self.crawl_id[:8]
        return (self.partition_directory(int(found[1])) if found and is_own else self.directory) / "warc"


def new_id() -> str:
    """An id that no other crawl has."""
    return uuid.uuid4().hex


def is_cluster(directory: Path) -> bool:
    """Whether the crawl in `directory` is divided into partitions."""
    return (directory / CLUSTER_NAME).exists()


def _read(path: Path, kind: type[_File]) -> _File:
    known = KnownKeys(kind.__struct_fields__, "Use the Exonym that made it.")
    try:
        file = TomlFile.read(path, "a crawl directory", "Restore it from a copy.")
        return struct_of(kind, file.table, known)
    except (ConfigError, WrongValueError) as error:
        raise _damaged(path, str(error).removeprefix(f"{path}:").rstrip(".")) from error


def _write(path: Path, file: Struct) -> None:
    values = ((name, getattr(file, name)) for name in file.__struct_fields__)
    with replacing(path) as draft, disk_errors(path):
        draft.write_text("".join(f"{name} = {toml_value(value)}\n" for name, value in values), encoding="utf-8")


def _damaged(path: Path, what: str) -> DirectoryError:
    return DirectoryError(f"{path} is damaged: {what}. Restore it from a copy.")


def _is_id(text: str) -> bool:
    return len(text) == 32 and set(text) <= set("0123456789abcdef")
