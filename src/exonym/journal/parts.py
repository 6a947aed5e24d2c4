"""Parquet parts of the journal: written once, atomically, and never changed.

Arrow is imported when a part is written or read, not before: the import takes longer than fetching a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.errors import DirectoryError
from exonym.journal.row import JournalRow
from exonym.system.files import disk_errors, replacing

if TYPE_CHECKING:
    import pyarrow

# Arrow's names of the types: as wide as the row in the store, so that sealing changes no value.
TYPES = {
    "row": "int64",
    "url": "string",
    "when": "float64",
    "outcome": "uint8",
    "status": "int32",
    "content_type": "string",
    "charset": "string",
    "length": "int64",
    "seconds": "float64",
    "language": "string",
    "shares": "string",
    "relevance": "float64",
    "relevant": "bool",
    "distance": "int32",
    "score": "float64",
    "source": "int64",
    "why": "string",
    "failure": "string",
    "truncated": "string",
    "title": "string",
    "links": "int32",
    "note": "uint64",
    "attempts": "int32",
    "digest": "string",
    "warc_file": "string",
    "warc_offset": "int64",
    "inherited": "bool",
    "copy": "bool",
    "rank": "float64",
    "rule": "string",
    "address": "string",
}
# Columns that parts of version 0.1.0 do not have, and what stands in their place.
_LATER: dict[str, bool | float | str] = {"inherited": False, "copy": False, "rank": 0.0, "rule": "", "address": ""}


def name_of(part: int) -> str:
    """The file name of part number `part`."""
    return f"part-{part:06d}.parquet"


def table_of(rows: Sequence[JournalRow], columns: Sequence[str] | None = None) -> pyarrow.Table:
    """Rows as a table of the parts' columns and types."""
    import pyarrow

    chosen = list(TYPES) if columns is None else list(columns)
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(TYPES[name])) for name in chosen])
    arrays = [
        pyarrow.array([getattr(row, field.name) for row in rows], type=field.type, safe=False) for field in schema
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def write_part(path: Path, table: pyarrow.Table) -> None:
    """Write a part atomically, so that it survives a power cut."""
    import pyarrow
    from pyarrow import parquet

    buffer = pyarrow.BufferOutputStream()
    parquet.write_table(table, buffer, compression="zstd", write_page_checksum=True)
    with replacing(path) as draft, disk_errors(path):
        draft.write_bytes(buffer.getvalue())


def read_part(path: Path, rows: int, columns: Sequence[str] | None = None) -> pyarrow.Table:
    """The table in a part, which must have as many rows as were recorded."""
    import pyarrow
    from pyarrow import parquet

    chosen = list(TYPES) if columns is None else list(columns)
    try:
        with path.open("rb") as file:
            part = parquet.ParquetFile(file, page_checksum_verification=True)
            count = part.metadata.num_rows
            missing = [name for name in _LATER if name in chosen and name not in part.schema_arrow.names]
            table = part.read(columns=[name for name in chosen if name not in missing])
            for name in missing:
                blank = pyarrow.scalar(_LATER[name], pyarrow.type_for_alias(TYPES[name]))
                table = table.append_column(name, pyarrow.repeat(blank, count))
            table = table.select(chosen)
    except (pyarrow.ArrowException, OSError, KeyError) as error:
        raise _damaged(path, str(error).partition("\n")[0]) from error
    if count != rows:
        raise _damaged(path, f"it has {count} rows instead of {rows}")
    return table


def check_part(path: Path, rows: int) -> None:
    """Raise if a part is missing or has another length than was recorded; its columns are not read."""
    import pyarrow
    from pyarrow import parquet

    try:
        count = parquet.read_metadata(path).num_rows
    except (pyarrow.ArrowException, OSError) as error:
        raise _damaged(path, str(error).partition("\n")[0]) from error
    if count != rows:
        raise _damaged(path, f"it has {count} rows instead of {rows}")


def _damaged(path: Path, what: str) -> DirectoryError:
    return DirectoryError(f"{path} is damaged: {what.rstrip('.')}. Restore it from a copy.")
