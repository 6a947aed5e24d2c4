"""Seeds from Common Crawl's columnar index: parquet files, in which a language is found whatever the domain is.

A file has some ten million pages. Only a few of its columns are read, batch by batch; as it is sorted by domain,
most of it is skipped where only some domains are wanted.
"""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.errors import ConfigError
from exonym.seeds.commoncrawl import HTML, NO_HTML, NO_LANGUAGE, NO_PAGE, OTHER_LANGUAGE, SUCCESS, is_in
from exonym.seeds.opening import DAMAGED
from exonym.seeds.seed import FoundSeed, TellLine, seed_from

if TYPE_CHECKING:
    import pyarrow as pa

_URL, _LANGUAGES, _DOMAIN = "url", "content_languages", "url_host_tld"
_STATUS, _TYPE = "fetch_status", "content_mime_detected"
_COLUMNS = (_URL, _LANGUAGES, _STATUS, _TYPE)
_MAGIC = b"PAR1"
_BATCH_ROWS = 65_536


def is_parquet(path: Path) -> bool:
    """Whether a file begins as parquet files do; False for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def read_columnar(path: Path, language: str, domains: frozenset[str], tell: TellLine) -> Iterator[FoundSeed]:
    """The seeds in a file of the columnar index; parts of it without these domains, if some are given, are not read."""
    import pyarrow as pa

    try:
        for done, batch in enumerate(_batches(path, domains), 1):
            yield from _seeds(batch, language, path.name)
            tell(done * _BATCH_ROWS)
    except (pa.ArrowException, OSError):
        yield DAMAGED


def _batches(path: Path, domains: frozenset[str]) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise ConfigError(f"{path} is no parquet file that can be read ({reason}). Fetch it again.") from None
    with table:
        _check_columns(path, table.schema_arrow)
        columns = [name for name in _COLUMNS if name in table.schema_arrow.names]
        groups = [number for number in range(table.num_row_groups) if _may_have(table.metadata, number, domains)]
        # Without threads it is as fast, and takes half the memory.
        yield from table.iter_batches(_BATCH_ROWS, row_groups=groups, columns=columns, use_threads=False)


def _may_have(metadata: Any, group: int, domains: frozenset[str]) -> bool:
    """Whether a row group may have pages in the domains, by the least and the greatest domain in it."""
    columns = metadata.row_group(group)
    named = (columns.column(number) for number in range(columns.num_columns))
    known = next((column.statistics for column in named if column.path_in_schema == _DOMAIN), None)
    if not domains or known is None or not known.has_min_max:
        return True
    return any(str(known.min) <= domain <= str(known.max) for domain in domains)


def _check_columns(path: Path, schema: "pa.Schema") -> None:
    import pyarrow as pa

    for name in (_URL, _LANGUAGES):
        if name not in schema.names:
            there = ", ".join(schema.names[:12])[:300]
            advice = "Name files of Common Crawl's cc-index/table."
            raise ConfigError(f"{path} has no column {name}; its columns are {there}. {advice}")
    for name in (_URL, _LANGUAGES, _TYPE):
        kind = schema.field(name).type if name in schema.names else pa.string()
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise ConfigError(f"{path} has {kind} in its column {name}, where text is wanted. Fetch it again.")


def _seeds(batch: "pa.RecordBatch", language: str, source: str) -> Iterator[FoundSeed]:
    """The seeds of a batch, filtered by columns: of ten million pages a few hundred thousand are in a language."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for column, values, unwanted in ((_STATUS, (SUCCESS,), NO_PAGE), (_TYPE, HTML, NO_HTML)):
        if column in batch.schema.names:
            chosen = batch.filter(pc.is_in(batch.column(column).cast(pa.string()), pa.array(values)))
            yield from repeat(unwanted, batch.num_rows - chosen.num_rows)
            batch = chosen
    labelled = batch.filter(batch.column(_LANGUAGES).is_valid())
    yield from repeat(NO_LANGUAGE, batch.num_rows - labelled.num_rows)
    # Decided once for each combination of languages: there are hundreds, in millions of rows.
    coded = labelled.column(_LANGUAGES).cast(pa.string()).dictionary_encode()
    wanted = pa.array([is_in(text, language) for text in coded.dictionary.to_pylist()], pa.bool_())
    chosen = labelled.filter(wanted.take(coded.indices))
    yield from repeat(OTHER_LANGUAGE, labelled.num_rows - chosen.num_rows)
    for url, languages in zip(*(chosen.column(name).to_pylist() for name in (_URL, _LANGUAGES)), strict=True):
        yield seed_from(url or "", source, languages)
