"""Batch work on a cluster: the same results as without, whatever dies; Ctrl-C ends all of it."""

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import printed_here, refused_here, run_here
from ray_cluster import RayCluster
from waiting import wait_until

from exonym.cluster.ray_connection import connect
from exonym.cluster.ray_tasks import RayTasks
from exonym.errors import ClusterError
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.system.processes import TaskNeeds

MINE = """
import os, pathlib, signal, threading
import numpy as np
from exonym.strategies.base import Rule

class Mine(Rule):
    def score(self, links):
        return np.where(links.source_relevant, 1.0, float("nan"))

class KilledOnce(Mine):
    def score(self, links):
        first = pathlib.Path(__file__).with_name("killed")
        if not first.exists():
            first.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score(links)

class Killed(Mine):
    def score(self, links):
        os.kill(os.getpid(), signal.SIGKILL)

class Waiting(Mine):
    def score(self, links):
        pathlib.Path("waiting").touch()
        threading.Event().wait()

class Broken(Mine):
    def score(self, links):
        return 1 / np.zeros(0)[0]
"""

ON_CLUSTER = ("--cluster", "--address", "auto")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("batch")
    write_topic_graph(PracticeWeb(2, 600, PracticeOptions(topics=True)), directory / "web", "thai-tourism", jobs=1)
    (directory / "mine.py").write_text(MINE)
    return directory / "web"


def rows_of(*words: object) -> list[dict[str, Any]]:
    """What is measured of each strategy, except for the time and the memory that this took."""
    rows = json.loads(printed_here("simulate", *words, "--json"))["results"]
    return [{name: value for name, value in row.items() if name not in ("seconds", "peak_mb")} for row in rows]


@pytest.mark.usefixtures("ray_cluster")
def test_simulations_are_the_same_row_by_row(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(graph.parent)  # names of files are relative to the directory where the command is given
    words = ("web", "--strategy=bfs", "--strategy=lswc", "--strategy=mine.py:Mine", "--k=1", "--max-pages=300")
    assert rows_of(*words, *ON_CLUSTER) == rows_of(*words)


@pytest.mark.usefixtures("ray_cluster")
def test_task_whose_process_is_killed_is_done_again(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(graph.parent)
    (row,) = rows_of("web", "--strategy=mine.py:KilledOnce", *ON_CLUSTER)
    (same,) = rows_of("web", "--strategy=mine.py:Mine")
    assert (graph.parent / "killed").exists()
    assert row | {"strategy": "mine.py:Mine"} == same


@pytest.mark.usefixtures("ray_cluster")
def test_task_that_fails_is_told_in_one_line(graph: Path) -> None:
    listens = "Ray listens on 127.0.0.1 only, and asks for a token."
    for name, said in (("Killed", "ended from outside 4 times"), ("Broken", "mine.py, line 29: IndexError")):
        ran = run_here("simulate", graph, f"--strategy={graph.parent}/mine.py:{name}", *ON_CLUSTER)
        first, line = ran.err.splitlines()
        assert (ran.code, ran.out, first) == (2, "", listens)
        assert said in line


def write_warcs(directory: Path) -> None:
    """Two files, of which one is torn."""
    directory.mkdir()
    for name in "ab":
        with (directory / f"{name}.warc.gz").open("wb") as file:
            for number in range(5):
                block = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
                block += f"<p>สวัสดีครับ ยินดีต้อนรับสู่หน้า {number}<a href=/{number + 1}>x</a><a href=http://b.example/3>y</a>"
                head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{name}.example/{number}\r\n"
                body = block.encode()
                record = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n"
                file.write(gzip.compress(record, mtime=0))
    torn = directory / "b.warc.gz"
    torn.write_bytes(torn.read_bytes()[:-20])


@pytest.mark.usefixtures("ray_cluster")
def test_imported_graph_is_the_same_byte_by_byte(tmp_path: Path) -> None:
    write_warcs(tmp_path / "files")
    for name, more in (("alone", ()), ("cluster", ON_CLUSTER)):
        ran = run_here("graph", "import", "-o", tmp_path / name, tmp_path / "files", "--language=th", *more)
        assert ran.code == 0, ran.err
    files = sorted(path.name for path in (tmp_path / "alone").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "cluster").iterdir())
    assert "targets.npy" in files
    for name in files:
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "cluster" / name).read_bytes(), name


def trained(*words: object) -> dict[str, Any]:
    """All that a training command says, except for what names its files and its time."""
    document: dict[str, Any] = json.loads(printed_here("model", *words, "--folds=3", "--repeats=2", "--json"))
    document["provenance"] = {
        name: value for name, value in document["provenance"].items() if name not in ("when", "command")
    }
    return {name: value for name, value in document.items() if name not in ("model", "bytes", "command", "name")}


@pytest.mark.usefixtures("ray_cluster")
def test_topic_models_are_the_same(tmp_path: Path) -> None:
    for topic, words in (("travel", "beach hotel island"), ("other", "engine invoice budget")):
        for number in range(8):
            page = tmp_path / topic / f"{topic}{number % 4}.example" / f"{number}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            text = " ".join(words.split()[: 1 + number % 3] * 10)
            page.write_text(f"<title>{topic} {number}</title><p>the pages of this and the {text} of number {number}")
    words = ("--positive", tmp_path / "travel", "--negative", tmp_path / "other")
    alone = trained("topic", "train", "-o", tmp_path / "alone.topic", *words, "--jobs=1")
    assert trained("topic", "train", "-o", tmp_path / "cluster.topic", *words, *ON_CLUSTER) == alone


@pytest.mark.usefixtures("ray_cluster")
def test_link_models_are_the_same(graph: Path, tmp_path: Path) -> None:
    words = (graph, "--nation", "TH", "--kind=linear", "--no-ablation")
    alone = trained("links", "train", "-o", tmp_path / "alone.links", *words, "--jobs=1")
    assert trained("links", "train", "-o", tmp_path / "cluster.links", *words, *ON_CLUSTER) == alone


def test_runner_gives_all_results_and_tells_what_is_wrong(ray_cluster: RayCluster, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with connect(ray_cluster.address) as connection:
        runner = RayTasks(connection)
        results = list(runner.done(divmod, 100, range(1, 21)))
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            list(runner.done(divmod, 1, [0]))
        with pytest.raises(ClusterError) as told:
            list(runner.done(divmod, 7, [2], TaskNeeds((missing,))))
    assert sorted(results) == sorted(divmod(100, number) for number in range(1, 21))
    rule = "With --cluster, files must be at the same path on all machines."
    assert str(told.value).endswith(f" has no {missing}. {rule}")


def test_address_without_cluster_is_refused(graph: Path) -> None:
    assert "--address needs --cluster." in refused_here("simulate", graph, "--strategy=bfs", "--address=auto")


def test_ctrl_c_ends_the_command_and_the_cluster_that_it_started(graph: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; from exonym.cli import main; sys.exit(main())"]
    command += ["simulate", str(graph), f"--strategy={graph.parent}/mine.py:Waiting", "--cluster", "--jobs=1"]
    environment = os.environ | {"TMPDIR": "/tmp"}
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until((tmp_path / "waiting").exists, running)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        said = running.communicate()[1].splitlines()
        assert (running.returncode, said) == (130, ["Ray listens on 127.0.0.1 only, and asks for a token."])
    finally:
        running.kill()
        running.wait()
    assert not processes_of_session(running.pid)


def processes_of_session(session: int) -> set[str]:
    """The processes that belong to a session, by number; those that only wait to be reaped do not count."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.add(stat.parent.name)
    return found
