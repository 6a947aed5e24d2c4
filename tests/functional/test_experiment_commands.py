"""`exonym experiment …` as users run it, on small webs."""

import csv
import json
import shutil
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, printed_here, refused_here
from made_once import made_once
from waiting import wait_until

from exonym.experiments.claims import CAPTION
from exonym.experiments.lswc2006.claims import CLAIMS, STRATEGIES
from exonym.experiments.lswc2006.family import FAMILY
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.testing.live import crawl_practice_web

OUTCOMES = {"reproduced", "not reproduced", "no figure published"}


@pytest.fixture(scope="module")
def lswc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first experiment, done in small."""

    def make(place: Path) -> None:
        assert CAPTION in printed_here("experiment", "lswc2006", "--small", "-o", place / "out")

    return made_once(tmp_path_factory, "lswc", make) / "out"


def test_every_strategy_and_claim_is_there(lswc: Path) -> None:
    document = json.loads((lswc / "report.json").read_text(encoding="utf-8"))
    assert [row["strategy"] for row in document["results"]] == list(STRATEGIES)
    assert [row["name"] for row in document["claims"]] == [claim.name for claim in CLAIMS]
    assert {row["outcome"] for row in document["claims"]} <= OUTCOMES
    assert document["pages"] == 20_000
    assert "--random-seed 7" in document["command"]
    for row in document["results"]:
        assert 0 < row["relevant"] <= row["documents"] <= row["pages"]
        assert row["is_oracle"] == (row["strategy"] in ("perfect", "relevant-only"))


def test_pages_tables_and_figures_are_written(lswc: Path) -> None:
    page = (lswc / "report.html").read_text(encoding="utf-8")
    text = (lswc / "report.txt").read_text(encoding="utf-8")
    for claim in CLAIMS:
        assert claim.words in text
        assert claim.name in (lswc / "report.json").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert "The web is generated" in page
    with open(lswc / "claims.csv", encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(CLAIMS)
    for name in ("coverage", "harvest", "s_and_t_coverage", "s_and_t_downloads", "s_and_t_harvest"):
        ElementTree.parse(lswc / f"{name}.svg")
        assert (lswc / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    written = {path.name for path in (lswc / "results").iterdir()}
    assert {"results.json", "results.csv", "traces.parquet", "report.html"} <= written
    assert not list(lswc.rglob("*.partial"))


def test_what_is_finished_is_used_again_and_damage_is_made_good(lswc: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(lswc, tmp_path / "out")
    files = sorted((directory / "runs").iterdir())
    before = {path: path.stat().st_mtime_ns for path in files}
    files[0].write_text("damaged", encoding="utf-8")
    document = json.loads(printed_here("experiment", "lswc2006", "--small", "-o", directory, "--json"))
    assert len(document["claims"]) == len(CLAIMS)
    after = {path: path.stat().st_mtime_ns for path in sorted((directory / "runs").iterdir())}
    assert {path for path in files if before[path] != after[path]} == {files[0]}
    assert told_in(directory) == told_in(lswc)


def told_in(directory: Path) -> str:
    """The report without the name of its own directory and the ends of lines, which depend on that name."""
    return "".join((directory / "report.txt").read_text(encoding="utf-8").split()).replace(str(directory), "")


def test_other_settings_and_other_directories_are_refused(lswc: Path, tmp_path: Path) -> None:
    assert "seed 7" in refused_here("experiment", "lswc2006", "--small", "--random-seed", "8", "-o", lswc)
    assert "experiment lswc2006" in refused_here("experiment", "cjk2010", "--small", "-o", lswc)
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert "something else" in refused_here("experiment", "lswc2006", "--small", "-o", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--small", "--size", "5000"],
        ["--size", "many"],
        ["--size", "10"],
        ["--random-seed", "-1"],
        ["--family", "--size", "0"],
    ],
)
def test_wrong_options_are_refused_and_leave_nothing(wrong: list[str], tmp_path: Path) -> None:
    assert (
        "must" in (said := refused_here("experiment", "lswc2006", *wrong, "-o", tmp_path / "out")) or "cannot" in said
    )
    assert not list(tmp_path.iterdir())


def test_family_has_a_row_for_every_web(tmp_path: Path) -> None:
    assert "mixed-servers" in printed_here(
        "experiment", "lswc2006", "--family", "--size", "1000", "-o", tmp_path / "out"
    )
    document = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [web["profile"] for web in document["webs"]] == list(FAMILY)
    assert all(len(web["results"]) == len(STRATEGIES) for web in document["webs"])


def test_control_experiment_has_both_crawls_of_every_nation(tmp_path: Path) -> None:
    said = printed_here("experiment", "cjk2010", "--small", "-o", tmp_path / "out")
    assert "Did the rule raise the share" in said
    assert "refuted if" in said
    again = printed_here("experiment", "cjk2010", "--small", "-o", tmp_path / "out", "--json")
    document: dict[str, Any] = json.loads(again)
    assert [pair["language"] for pair in document["crawls"]] == ["ko", "ja", "zh"]
    outcomes = {claim["name"]: claim["outcome"] for claim in document["claims"]}
    assert outcomes["ko-rise"] in ("reproduced", "not reproduced")
    assert outcomes["ko-baseline"] in ("calibrated", "not calibrated")
    # 2 % of Table 4's pages.
    totals = [[sum(pair["ours"][name].values()) for name in ("baseline", "rule")] for pair in document["crawls"]]
    assert totals == [[2_615, 317], [1_515, 271], [2_555, 228]]
    for pair, name in zip(document["crawls"], ("korean", "japanese", "chinese"), strict=True):
        ours, language = pair["ours"], pair["language"]
        shares = [ours[crawl][language] / sum(ours[crawl].values()) for crawl in ("baseline", "rule")]
        assert pair["raised"] == (shares[1] > shares[0])
        ElementTree.parse(tmp_path / "out" / f"{name}-shares.svg")


def test_two_crawls_are_laid_side_by_side(tmp_path: Path) -> None:
    web = PracticeWeb(seed=3, pages=300, options=PracticeOptions(traps=False))
    for name in ("bfs", "lswc"):
        crawl_practice_web(tmp_path / name, web, {"strategy": {"name": name}, "limits": {"pages": 60}})
    assert "Thai" in printed_here("experiment", "compare", tmp_path / "bfs", tmp_path / "lswc")
    document = json.loads(
        printed_here("experiment", "compare", tmp_path / "bfs", tmp_path / "lswc", "--language", "Thai", "--json")
    )
    assert document["strategies"] == ["bfs", "lswc"]
    thai, other = document["languages"]
    assert (thai["language"], other["language"]) == ("th", "other")
    assert thai["shares"][0] == thai["pages"][0] / (thai["pages"][0] + other["pages"][0])
    refused_here("experiment", "compare", tmp_path / "bfs", tmp_path / "none")


def test_interrupted_experiment_is_gone_on_with(tmp_path: Path) -> None:
    directory = tmp_path / "out"
    words = ["experiment", "lswc2006", "--small", "-o", str(directory)]
    with subprocess.Popen([EXONYM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_until((directory / "web").exists, process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, "")
    assert not (directory / "report.html").exists()
    printed_here(*words)
    assert (directory / "report.html").exists()


def test_adaptive_is_judged_on_both_groups_of_webs_and_on_real_graphs(tmp_path: Path) -> None:
    printed_here("graph", "generate", "-o", tmp_path / "mine", "--profile", "dense", "--size", "1000")
    asked = ["experiment", "adaptive", "--size", "2000", "--webs", "1", "--only", "thai2006", "--jobs", "1"]
    asked += ["--graph", tmp_path / "mine", "-o", tmp_path / "out"]
    said = printed_here(*asked)
    assert said.index("Goals: real") < said.index("Goals: held out") < said.index("Goals: development")
    document = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert {name: [(web["web"], web["seed"]) for web in webs] for name, webs in document["webs"].items()} == {
        "development": [("thai2006", 1)],
        "held out": [("thai2006", 31)],
        "real": [("mine", 0)],
    }
    (held_out,), (real,) = document["webs"]["held out"], document["webs"]["real"]
    assert set(document["strategies"]) < set(held_out["crawls"])
    assert held_out["crawls"]["bfs"]["coverage"] == 1  # R is what can be reached
    assert {goal["name"]: goal["outcome"] for goal in document["goals"]["real"]}.keys() == {"real"}
    assert "without calls" not in real["crawls"]
    ElementTree.parse(tmp_path / "out" / "areas_held_out.svg")
    assert not list((tmp_path / "out" / "webs").iterdir())  # each is removed when its crawls are done

    runs = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "runs").iterdir()}
    damaged = tmp_path / "out" / "runs" / "thai2006-1.json"
    damaged.write_text("damaged", encoding="utf-8")
    assert json.loads(printed_here(*asked, "--json"))["webs"] == document["webs"]
    assert {path for path, time in runs.items() if path.stat().st_mtime_ns != time} == {damaged}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--small", "--size", "5000"], "--small"),
        (["--only", "thai"], "--only must be one of thai2006"),
        (["--size", "10"], "--size must be"),
    ],
)
def test_wrong_options_of_the_adaptive_experiment_are_refused(wrong: list[str], said: str, tmp_path: Path) -> None:
    assert said in refused_here("experiment", "adaptive", *wrong, "-o", tmp_path / "out")
    assert not list(tmp_path.iterdir())
