"""Weight tables in files: JSON with one term a line, readable by people, and with nothing that is executed.

A golden test fixes the format. Tables with the rule "paper" have version 2, so that no older Exonym, which does not
know the rule, decides by the other one. A file that is no valid table is refused with a message of one line.
"""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from exonym.errors import ExonymError, ModelError
from exonym.models.model_file import read_whole, write_whole
from exonym.models.weight_table import LARGEST, TableSettings, WeightedTerm, WeightTable
from exonym.models.weight_table_words import LONGEST, TextToTerms

_FORMAT = "exonym-weight-table"
_VERSIONS = {"weighted": 1, "paper": 2}  # by rule
_LARGEST_FILE = 64 * 1024 * 1024
_MOST_COUNT = 2**53


class _Head(msgspec.Struct):
    """Decoded first, because a later version may have other fields."""

    format: str
    version: int


class _File(msgspec.Struct):
    settings: TableSettings
    reading: TextToTerms
    queries_seen: int
    documents_seen: int
    typical_weight: float
    provenance: dict[str, str]
    last_query: dict[str, int]
    terms: dict[str, WeightedTerm]


def save_table(table: WeightTable, path: Path) -> None:
    """Write a table atomically."""
    write_whole(serialised(table), path)


def load_table(path: Path) -> WeightTable:
    """The table in a file; ModelError for anything that is not one."""
    data = read_whole(path, "weight table", _LARGEST_FILE)
    try:
        return table_in(data)
    except (ValueError, RecursionError, ExonymError) as error:
        is_known = isinstance(error, ExonymError | msgspec.ValidationError)
        why = str(error).rstrip(".") if is_known else "it is cut short or not of this format"
        raise ModelError(f"{path} is no weight table: {why[:200]}. Make one: exonym model table train.") from None


def serialised(table: WeightTable) -> bytes:
    """The bytes of a table: the same for equal tables, heaviest terms first."""
    settings = asdict(table.settings)
    version = _VERSIONS[table.settings.rule]
    if version == 1:
        del settings["rule"]
    head = {
        "format": _FORMAT,
        "version": version,
        "settings": settings,
        "reading": asdict(table.reading),
        "queries_seen": table.queries_seen,
        "documents_seen": table.documents_seen,
        "typical_weight": table.typical_weight,
        "provenance": dict(sorted(table.provenance.items())),
        "last_query": dict(sorted(table.last_query.items())),
    }
    facts = ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in head.items())
    ranked = sorted(table.terms.items(), key=lambda item: (-item[1].weight, item[0]))
    lines = ",\n".join(f"{_json(term)}: {_json(asdict(weighted))}" for term, weighted in ranked)
    return f'{{\n{facts},\n"terms": {{\n{lines}\n}}\n}}\n'.encode()


def table_in(data: bytes) -> WeightTable:
    """The table in the bytes of a file; ValueError or ExonymError for anything that is not one."""
    head = msgspec.json.decode(data, type=_Head)
    if head.format != _FORMAT:
        raise ModelError("it is another program's")
    if head.version not in _VERSIONS.values():
        raise ModelError(f"its version is {head.version}, this Exonym reads up to {max(_VERSIONS.values())}")
    fields = msgspec.json.decode(data, type=_File)
    _check(fields)
    return WeightTable(**{name: getattr(fields, name) for name in _File.__struct_fields__})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _check(fields: _File) -> None:
    """Refuse numbers that no table can have, and terms that no text has."""
    counts = [fields.queries_seen, fields.documents_seen, *fields.last_query.values()]
    for weighted in fields.terms.values():
        counts += [weighted.term_frequency, weighted.document_frequency, weighted.query_frequency]
    if not all(0 <= count <= _MOST_COUNT for count in counts):
        raise ModelError("a count in it is below 0 or too large")
    weights = [weighted.weight for weighted in fields.terms.values()]
    if not all(0.0 <= weight <= LARGEST for weight in weights) or not 0.0 <= fields.typical_weight < math.inf:
        raise ModelError("a weight in it is below 0 or too large")
    for term in (*fields.terms, *fields.last_query):
        if not 1 <= len(term) <= LONGEST or not term.isprintable() or " " in term:
            raise ModelError(f"{term[:LONGEST]!r} in it is no term")
