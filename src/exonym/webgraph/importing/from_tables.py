"""Tables of pages and of links: CSV, TSV or Parquet, read batch by batch."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv, parquet

from exonym.archive.any_warc import SkippedRecord
from exonym.batches import Outcome, country_code
from exonym.errors import ConfigError, UrlError
from exonym.language_names import known_language
from exonym.system.files import reading
from exonym.urls import id_of, normal_form
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.importing.record import LooseLink, PageRecord, code_of

PAGE_COLUMNS = (
    *("url", "language", "charset", "relevance", "text_length", "relevant", "outcome", "country", "inherited"),
    "original",
)
LINK_COLUMNS = ("source", "target", "anchor", "anchor_language", "around")
RELEVANT_FROM = 0.5  # relevance in a table
_OUTCOMES = frozenset(str(int(outcome)) for outcome in Outcome)
_TRUE = frozenset(["true", "1", "yes"])
_MOST_TEXT_LENGTH = 2**32 - 1


def read_pages(path: Path, languages: tuple[str, ...]) -> Iterator[PageRecord | SkippedRecord]:
    """The pages of a table. Where the table does not say what is relevant, pages in one of `languages` are.

    Tables of `exonym graph export` also list pages that are only known. These are passed over: links make them nodes.
    """
    primary = {language.partition("-")[0] for language in languages}
    for row in _rows(path, PAGE_COLUMNS, 1):
        if isinstance(row, SkippedRecord):
            yield row
            continue
        url, language, charset, relevance, text_length, relevant, outcome, country, inherited, original = row
        if outcome == str(KNOWN):
            continue
        normal_url = _url(url)
        if not normal_url:
            yield SkippedRecord("row without an http(s) URL")
            continue
        code = known_language(language).partition("-")[0] if language else ""
        is_relevant = relevant.lower() in _TRUE if relevant else code in primary
        share = min(max(_number(relevance), 0.0), 1.0) if relevance else float(is_relevant)
        is_relevant = is_relevant if relevant else share >= RELEVANT_FROM
        length = min(max(int(_number(text_length)), 0), _MOST_TEXT_LENGTH)
        known_outcome = Outcome(int(outcome)) if outcome in _OUTCOMES else Outcome.PAGE
        page = PageRecord(normal_url, known_outcome, code_of(code), charset, is_relevant, share, length)
        page = page._replace(inherited=inherited.lower() in _TRUE)
        if original and known_outcome == Outcome.PAGE:
            page = page._replace(payload=id_of(_url(original) or normal_url))
        yield page._replace(country=country_code(country.strip())) if country else page


def read_links(path: Path) -> Iterator[LooseLink | SkippedRecord]:
    """The links of a table."""
    for row in _rows(path, LINK_COLUMNS, 2):
        if isinstance(row, SkippedRecord):
            yield row
            continue
        source, target, anchor, language, around = row
        urls = _url(source), _url(target)
        if all(urls):
            code = code_of(known_language(language).partition("-")[0]) if language else 0
            yield LooseLink(*urls, anchor, code, around)
        else:
            yield SkippedRecord("row without http(s) URLs")


def _url(text: str) -> str:
    """The URL in normal form; a bare host name means its home page."""
    text = text.strip()
    try:
        return normal_form(text if "://" in text or not text else f"http://{text}/")
    except UrlError:
        return ""


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0


def _rows(path: Path, columns: Sequence[str], required: int) -> Iterator[tuple[str, ...] | SkippedRecord]:
    """Rows as texts in the order of `columns`; "" where a table has no such column or no value."""
    torn: list[SkippedRecord] = []
    try:
        with reading(path, "a table"):
            for batch in _batches(path, columns, required, torn):
                texts = [_texts(batch, name) for name in columns]
                yield from zip(*texts, strict=True)
    except (pa.ArrowException, OSError) as error:  # an OSError that `reading` lets pass is Arrow's own
        raise ConfigError(f"{path} is no valid table: {str(error).partition(chr(10))[0]}. Correct the table.") from None
    yield from torn


def _batches(path: Path, columns: Sequence[str], required: int, torn: list[SkippedRecord]) -> Iterator[Any]:
    if path.suffix.lower() == ".parquet":
        with parquet.ParquetFile(path) as file:
            present = _present_columns(path, file.schema_arrow.names, columns, required)
            yield from file.iter_batches(columns=present)
        return

    def skip(_: object) -> str:
        torn.append(SkippedRecord("row with too few or too many columns"))
        return "skip"

    delimiter = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","  # Arrow unpacks .gz by the name
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=delimiter == ",", invalid_row_handler=skip)
    # As bytes: a single letter in another charset must not make the whole table unreadable.
    convert = csv.ConvertOptions(column_types=dict.fromkeys(columns, pa.binary()))
    with csv.open_csv(path, parse_options=parse, convert_options=convert) as reader:
        _present_columns(path, reader.schema.names, columns, required)
        yield from reader


def _present_columns(path: Path, names: Sequence[str], columns: Sequence[str], required: int) -> list[str]:
    """Those of `columns` that a table with columns `names` has; raises unless the first `required` are among them."""
    missing = [name for name in columns[:required] if name not in names]
    if missing:
        known = ", ".join(columns)
        raise ConfigError(f"{path} must have a column {missing[0]!r}; its first line names them. Known are: {known}.")
    return [name for name in columns if name in names]


def _texts(batch: Any, name: str) -> list[str]:
    if name not in batch.schema.names:
        return [""] * int(batch.num_rows)
    values = batch.column(batch.schema.names.index(name)).to_pylist()
    return [
        value.decode("utf-8", "replace") if isinstance(value, bytes) else "" if value is None else str(value)
        for value in values
    ]
