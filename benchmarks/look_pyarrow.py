"""The questions of `look.py`, answered by pyarrow straight from the journal's Parquet files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from pyarrow import dataset


def _table(directory: Path, columns: list[str], condition: Any = None) -> Any:
    return dataset.dataset(directory / "journal", format="parquet").to_table(columns=columns, filter=condition)


def _with_server(table: Any) -> Any:
    server = pc.list_element(pc.split_pattern(table["url"], "/", max_splits=3), 2)
    return table.append_column("server", server)


def _servers(directory: Path) -> Any:
    table = _with_server(_table(directory, ["url", "outcome", "relevant", "length"]))
    found = table.group_by("server").aggregate([("relevant", "sum"), ("length", "sum"), ("outcome", "count")])
    return found.take(pc.select_k_unstable(found, 50, [("relevant_sum", "descending")]))


def _statuses_by_server(directory: Path) -> Any:
    table = _with_server(_table(directory, ["url", "status"]))
    return table.group_by(["server", "status"]).aggregate([("status", "count")])


def _languages(directory: Path) -> Any:
    table = _table(directory, ["language", "outcome", "relevant"], pc.field("outcome") == 0)
    return table.group_by("language").aggregate([("relevant", "sum"), ("outcome", "count")])


def _visits_sorted(directory: Path) -> Any:
    table = _table(directory, ["row", "relevance"])
    rows = table.take(pc.select_k_unstable(table, 50, [("relevance", "descending")]))["row"]
    return _table(directory, ["url", "title", "when"], pc.field("row").isin(rows))


def _visits_searched(directory: Path) -> Any:
    table = _table(directory, ["row", "url", "title"])
    text = pc.binary_join_element_wise(table["url"], table["title"], " ")
    return table.filter(pc.match_substring(text, "no such text", ignore_case=True)).slice(0, 50)


def _visits_filtered(directory: Path) -> Any:
    return _table(directory, ["row", "url", "title", "status"], pc.field("status") == 404).slice(0, 50)


def _timeline(directory: Path) -> Any:
    table = _table(directory, ["outcome", "relevant", "when", "length"])
    return [pc.cumulative_sum(pc.cast(table[name], "int64")) for name in ("relevant", "length")]


QUESTIONS: dict[str, Callable[[Path], Any]] = {
    "servers": _servers,
    "statuses by server": _statuses_by_server,
    "languages": _languages,
    "visits, sorted": _visits_sorted,
    "visits, searched": _visits_searched,
    "visits, with a value": _visits_filtered,
    "timeline": _timeline,
}
