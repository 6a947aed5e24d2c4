"""Which files are archives: by their names, or by their first bytes if the names do not say."""

import zipfile
from pathlib import Path

from exonym.archive.recovery import begins_record
from exonym.archive.unpacking import DamageError, Packing, packing_of
from exonym.archive.wacz import ENDINGS, archive_members

KINDS = "WARC, ARC, WACZ or WAT"
_NAMED = (*ENDINGS, ".wacz")


def is_archive(path: Path) -> bool:
    """Whether a file is an archive, by its name or by its first bytes; False if it cannot be read."""
    if not path.is_file():  # reading a pipe would block
        return False
    if path.name.lower().endswith(_NAMED):
        return True
    try:
        with path.open("rb") as stream:
            if packing_of(stream) == Packing.ZIP:
                return bool(archive_members(stream))
            return begins_record(stream, 0, 0)
    except (OSError, DamageError, zipfile.BadZipFile):
        return False


def archives_below(folder: Path) -> list[Path]:
    """The archives in a folder and in those below it, by name."""
    return sorted(file for file in folder.rglob("*") if is_archive(file))


def archives_at(path: Path) -> list[Path]:
    """The file at `path`, whatever it is, or the archives in a folder."""
    return archives_below(path) if path.is_dir() else [path]
