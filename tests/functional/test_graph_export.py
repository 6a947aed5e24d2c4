"""A generated graph, exported as tables and imported again, has the same pages and links."""

import json
from pathlib import Path

import pytest

from exonym.cli import main


def run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0


def test_exported_tables_can_be_imported_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, tables, again = (str(tmp_path / name) for name in ("graph", "tables", "again"))
    run("graph", "generate", "-o", graph, "--pages", "1000", "--seed", "7")
    run("graph", "export", graph, "-o", tables)
    pages, links = f"{tables}/pages.parquet", f"{tables}/links.parquet"
    run("graph", "import", "-o", again, "--language", "th", "--pages", pages, "--links", links)
    capsys.readouterr()
    shown = []
    for name in (graph, again):
        run("graph", "show", name, "--check", "--json")
        shown.append(json.loads(capsys.readouterr().out))
    assert [found["nodes"] for found in shown] == [shown[0]["nodes"]] * 2
    assert [found["links"] for found in shown] == [shown[0]["links"]] * 2
    assert [found["servers"] for found in shown] == [shown[0]["servers"]] * 2


def test_graph_is_shown_with_its_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = str(tmp_path / "graph")
    run("graph", "generate", "-o", graph, "--pages", "1000", "--seed", "7")
    run("graph", "show", graph)
    out = capsys.readouterr().out
    assert "pages fetched" in out
    assert "thai2009" in out
