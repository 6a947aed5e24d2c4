"""`exonym simulate` as users run it, on a web of seven pages."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import printed_here, run_here
from waiting import wait_until

from exonym.batches import Outcome, language_code
from exonym.urls import partition_of
from exonym.webgraph import GraphWriter
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.manifest import Manifest

TH, EN = language_code("th"), language_code("en")
# 0 th → 1 2;  1 en → 3 4;  2 th → 5;  4 en → 6;  3 and 6 th; 5 is only known, so a request for it fails.
LINKS = {0: [1, 2], 1: [3, 4], 2: [5], 4: [6]}
THAI = (0, 2, 3, 6)

MINE = """
import numpy as np
from exonym.strategies.base import Rule

class Mine(Rule):
    def __init__(self, S=1):
        self.S = S

    def score(self, links):
        return np.where(links.source_relevant, self.S, float("nan"))

class Late(Mine):
    def score(self, links):
        return 1 / np.zeros(0)[0]

class Unwilling(Mine):
    def __init__(self):
        raise ValueError("not today")

class Ended(Mine):
    def score(self, links):
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)

class Waiting(Mine):
    def score(self, links):
        import pathlib, threading
        if len(links) == 2:
            pathlib.Path("waiting").touch()
            threading.Event().wait()
        return np.zeros(len(links))

class Empty:
    pass

class Odd(Mine):
    needs = None

class Wrong(Mine):
    def score(self, links):
        return np.zeros(len(links) + 1)

print("loaded")
"""


def write_graph(directory: Path, seeds: list[int]) -> Path:
    targets = [LINKS.get(node, []) for node in range(7)]
    with GraphWriter(directory) as writer:
        for name, values in {
            "server": [0, 0, 0, 1, 1, 1, 1],
            "segment": [0, 0, 0, 1, 1, 1, 1],
            "domain": [0] * 7,
            "outcome": [KNOWN if node == 5 else Outcome.PAGE for node in range(7)],
            "language": [TH if node in THAI else EN for node in range(7)],
            "relevant": [node in THAI for node in range(7)],
            "offsets": np.cumsum([0, *map(len, targets)]),
            "targets": [target for some in targets for target in some],
            "seeds": seeds,
        }.items():
            writer.put(name, np.array(values))
        writer.put_texts("url", [f"http://{'ab'[node > 2]}.th/{node}" for node in range(7)])
        writer.finish(Manifest(languages=["th"], domains=["th"], provenance={"collected": "by hand"}))
    return directory


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("simulate")
    (directory / "mine.py").write_text(MINE)
    (directory / "broken.py").write_text("import numpy\n\nclass Mine(:\n")
    return write_graph(directory / "web", [0])


def said_by(*arguments: object) -> str:
    """What is said, in one line, to a request that is refused."""
    said = run_here("simulate", *arguments)
    assert (said.code, said.out) == (2, "")
    line = said.err.removeprefix("loaded\n")
    assert len(line.splitlines()) == 1
    return line


@pytest.fixture(scope="module")
def results(web: Path) -> Path:
    """Four strategies, one of them from a file."""
    arguments = [f"--strategy={name}" for name in ("bfs", "hard", "perfect", f"{web.parent}/mine.py:Mine:S=2")]
    printed_here("simulate", web, *arguments, "--k", "1", "-o", web.parent / "results")
    return web.parent / "results"


def rows_of(directory: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((directory / "results.json").read_text())["results"]
    return rows


def test_strategies_find_here_what_they_find_in_processes(web: Path) -> None:
    def found(*arguments: str) -> list[dict[str, Any]]:
        command = ("simulate", web, "--strategy=bfs", "--strategy=hard", "--k", "1", "--json", *arguments)
        rows = json.loads(printed_here(*command))["results"]
        return [{name: row[name] for name in row if name not in ("seconds", "peak_mb")} for row in rows]

    started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    here = found()
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime == started  # no process has come and gone
    assert found("--jobs", "2") == here
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime > started


def test_each_strategy_has_its_row(results: Path) -> None:
    bfs, hard, perfect, mine = rows_of(results)
    # bfs visits 0 1 2 3 4 5 6. Of eight pages the area counts 8 + 6 + 5 + 2 quarters, the ideal 8 + 7 + 6 + 5.
    assert (bfs["pages"], bfs["documents"], bfs["relevant"], bfs["coverage"]) == (7, 6, 4, 1.0)
    assert bfs["area"] == pytest.approx(21 / 26)
    assert bfs["pages_for_coverage"] == {"50%": 3, "90%": 7, "95%": 7, "99%": 7}
    # hard visits 0 1 2 5: what page 1, in English, links to is not followed.
    assert (hard["pages"], hard["relevant"], hard["coverage"]) == (4, 2, 0.5)
    # perfect visits 0 1 2 3 4 6: 1 and 4, in English, lead to 3 and 6.
    assert (perfect["pages"], perfect["relevant"], perfect["coverage"], perfect["is_oracle"]) == (6, 4, 1.0, True)
    # Mine is `hard` in other words.
    assert (mine["pages"], mine["relevant"], mine["is_oracle"]) == (4, 2, False)
    for row in (bfs, hard, perfect, mine):
        assert row["seconds"] > 0
        assert row["peak_mb"] > 10
        assert (row["k"], row["seed"], row["reason"]) == (1, None, "empty frontier")


def test_report_says_who_collected_the_graph_and_what_was_typed(results: Path) -> None:
    text = (results / "report.html").read_text()
    assert "Collected: by hand." in text
    assert f"exonym simulate {results.parent / 'web'} --strategy bfs --strategy hard" in text


def test_results_are_not_overwritten_unless_asked(results: Path, web: Path) -> None:
    assert "--force" in said_by(web, "--strategy=bfs", "-o", results)
    assert "no results of simulations" in said_by(web, "--strategy=bfs", "-o", web, "--force")


def test_json_is_printed_and_limits_are_kept(web: Path) -> None:
    arguments = ["--max-pages=3", "--k=1", "--delay=3600", "--connections=1", "--seeds=http://a.th/1", "--json"]
    document = json.loads(printed_here("simulate", web, "--strategy=bfs", *arguments))
    (row,) = document["results"]
    # From 1: 1, 3, 4, one an hour.
    assert (row["pages"], row["relevant"], row["reason"]) == (3, 1, "pages")
    assert (row["hours"], row["relevant_per_hour"]) == (2.0, 0.5)
    assert document["plan"]["seeds"] == [1]
    assert "--max-pages 3 --delay 3600 --connections 1" in document["command"]


@pytest.mark.parametrize(("ending", "beginning"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_both_figures_are_drawn_into_a_file(web: Path, tmp_path: Path, ending: str, beginning: bytes) -> None:
    path = tmp_path / f"figures.{ending}"
    said = run_here("simulate", web, "--strategy=soft", "--strategy=bfs", "--figure", path)
    assert (said.code, str(path) in said.err) == (0, True)
    drawn = path.read_bytes()
    assert drawn.startswith(beginning)
    if ending == "svg":
        assert all(text in drawn for text in (b"Coverage", b"Harvest rate", b"soft", b"bfs"))


def test_figure_of_another_kind_is_refused_before_anything_is_simulated(web: Path, tmp_path: Path) -> None:
    said = run_here("simulate", web, "--strategy=soft", "--figure", tmp_path / "figures.jpg")
    assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1)
    assert ".svg, .png and .pdf" in said.err


def test_partitions_are_simulated_and_told(web: Path) -> None:
    partitions = next(number for number in range(2, 9) if partition_of("a.th", number) != partition_of("b.th", number))
    options = [f"--partitions={partitions}", f"--k={partitions}", "--lag=1"]
    document = json.loads(printed_here("simulate", web, "--strategy=bfs", *options, "--json"))
    (row,) = document["results"]
    assert (row["partitions"], row["lag"], row["model_lag"], row["pages"]) == (partitions, 1, 0, 7)
    # Server a has pages 0, 1, 2, and b the others. The rounds: 0; 1; 2; 3, whose link was under way in the round of 2;
    # 4; 5; 6. So of 7 turns of every partition, 7 are used.
    assert row["idle"] == pytest.approx(1 - 7 / (7 * partitions))
    assert f"--partitions {partitions} --lag 1" in document["command"]
    shown = printed_here("simulate", web, "--strategy=bfs", *options)
    assert re.search(rf"^bfs +{partitions} +1 +0 ", shown, re.MULTILINE)
    assert f"{partitions} partitions fetch 1 pages each" in shown


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--partitions=0"], "--partitions must be"),
        (["--partitions=9", "--k=8"], "--k must be at least 9"),
        (["--partitions=2", "--time"], "--partitions cannot be simulated with time"),
        (["--lag=2"], "Give --partitions too"),
        (["--partitions=2", "--lag=-1"], "--lag must be"),
        (["--partitions=2", "--model-lag=-1"], "--model-lag must be"),
    ],
)
def test_partitions_that_cannot_be_are_told(web: Path, options: list[str], said: str) -> None:
    assert said in said_by(web, "--strategy=bfs", *options)


def test_table_is_printed_and_seeds_left_out_are_told(web: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("http://a.th/0 # a note\na.th/1\nhttp://a.th/nowhere\n")
    output = run_here("simulate", web, "--strategy=soft", f"--seeds={tmp_path / 'seeds'}")
    assert output.code == 0
    assert "http://a.th/nowhere" in output.err
    assert "1 seeds without a scheme are http in the graph, for example http://a.th/1" in output.err
    assert "7 known; k 1\n" in output.out
    assert "--k 1 is exact" not in output.out
    assert "--k 1 is exact" in printed_here("simulate", web, "--strategy=soft", "--k=256")
    assert "Pages needed for a coverage of" in output.out


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ("nosuch", "must be one of"),
        ("lswc:S=0", "S must be 1 or more"),
        ("lswc:S", "is no option"),
        ("nowhere.py:Mine", "is not there"),
        ("mine.py", "names no class"),
        ("mine.py:Yours", "It has Mine"),
        ("mine.py:Mine:S", "is no option"),
        ("mine.py:Mine:T=3", "unexpected keyword argument 'T'"),
        ("mine.py:Unwilling", "mine.py, line 18: ValueError: not today"),
        ("mine.py:Empty", "Empty has no group"),
        ("mine.py:Odd", "Odd.needs a frozenset"),
        ("broken.py:Mine", "broken.py, line 3: SyntaxError"),
    ],
)
def test_strategy_that_cannot_be_made_is_told_at_once(
    web: Path, strategy: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(web.parent)
    assert said in said_by(web, "--strategy", strategy)


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ("mine.py:Late", "mine.py, line 14: IndexError"),
        ("mine.py:Wrong", "mine.py, Wrong: "),
        ("mine.py:Ended", "ended from outside (exit code -9)"),
    ],
)
def test_strategy_that_fails_on_the_way_is_told_with_its_line(
    web: Path, strategy: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(web.parent)
    assert said in said_by(web, "--strategy", strategy, "-o", "never")
    assert not Path("never").exists()


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--k=0", "--k must be"),
        ("--max-pages=-1", "--max-pages must be"),
        ("--judge-precision=0", "--judge-precision must be"),
        ("--judge-recall=1.5", "--judge-recall must be"),
        ("--delay=-1", "--delay must be"),
        ("--connections=0", "--connections"),
        ("--seeds=http://b.org/", "none of 1 addresses is in the graph"),
        ("--jobs=-1", "--jobs"),
    ],
)
def test_option_out_of_bounds_is_told(web: Path, option: str, said: str) -> None:
    assert said in said_by(web, "--strategy=bfs", option)


def test_graph_that_is_none_or_has_no_seeds_is_told(tmp_path: Path) -> None:
    assert "has no graph in it" in said_by(tmp_path, "--strategy=bfs")
    assert "no seeds" in said_by(write_graph(tmp_path / "web", []), "--strategy=bfs")


def test_interrupted_simulation_ends_with_its_processes(web: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; from exonym.cli import main; sys.exit(main())"]
    command += ["simulate", str(web), f"--strategy={web.parent}/mine.py:Waiting", "-o", "never"]
    running = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE, text=True)
    try:
        wait_until((tmp_path / "waiting").exists, running)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        # Its processes share its error output: the end of that is the end of them all.
        assert set(running.communicate()[1].splitlines()) == {"loaded"}
        assert running.returncode == 130
    finally:
        running.kill()
        running.wait()
    assert not (tmp_path / "never").exists()
