"""Each benchmark runs, at a size of a few seconds, and prints its figures; how fast things are is judged elsewhere."""

import json
import lzma
import subprocess
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# With what it is small, and what it prints.
SMALL = {
    "adaptive.py": (["--batches", "10", "--links", "200", "--pages", "50"], "MB of words"),
    "about_pages.py": (
        ["--nations", "TH", "--size", "20", "--ways", "default", "exact"],
        "about other countries or none",
    ),
    "cluster.py": (
        ["--pages", "200", "--servers", "20", "--only", "partitions", "links", "--partitions", "2"],
        "bytes a link sent",
    ),
    "frontier.py": (["--links", "20_000", "--pops", "1_000"], "link"),
    "graph.py": (["--pages", "1000", "--crawled", "200"], "pages a second"),
    "hits_seeds.py": (
        ["--pages", "1000", "--seeds", "3", "--webs", "7", "--strategies", "bfs"],
        "hubs, one per server",
    ),
    "live.py": (
        [
            "--only",
            "exonym",
            "--only",
            "stages",
            "--only",
            "start",
            "--pages",
            "100",
            "--servers",
            "20",
            "--web",
            "small",
            "--repeats",
            "1",
        ],
        "to the first request",
    ),
    "watched_crawl.py": (["--pages", "60", "--pairs", "1"], "watched / alone"),
    "look.py": (["--visits", "3000", "--repeats", "1"], "story of a server"),
    "connections.py": (["--pages", "1000", "--profile", "thai2006"], "by eagerness"),
    "partitions.py": (["--pages", "1000", "--k", "64", "--strategy", "soft"], "soft 64/60/0"),
    "pooling.py": (["--size", "400", "--folds", "2"], "linear  pair"),
    "segments.py": (["--pages", "400", "--train-pages", "400"], "x bfs"),
    "simulate.py": (["--pages", "1000", "--strategies", "bfs", "perfect"], "compiled bfs"),
    "units.py": (["--pages", "600"], "on servers relevant in part"),
    "topic.py": (["--pages", "60", "--relevant", "20", "--repeats", "1", "--jobs", "1"], "scikit-learn"),
}
# These fetch packages of Debian, unless they are there.
FETCHING = {"language.py", "topic_corpus.py", "topic_texts.py"}
WORDS = {"games": "play player level score puzzle arcade", "science": "matrix physics simulate molecule data plot"}


def printed(served: Path, name: str, *arguments: str) -> str:
    command = [str(served / "python"), str(BENCHMARKS / name), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "no stages" not in ran.stderr
    return ran.stdout


def test_every_benchmark_is_run_here() -> None:
    programs = {path.name for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")}
    # live.py runs these two as processes of their own; Scrapy is no dependency of tests.
    assert programs == {*SMALL, *FETCHING, "stages.py", "scrapy_links.py"}


@pytest.mark.parametrize("name", SMALL)
def test_benchmark_runs_and_prints_its_figures(served: Path, name: str) -> None:
    arguments, expected = SMALL[name]
    assert expected in printed(served, name, *arguments)


def test_topic_texts_run_on_packages_that_are_there(served: Path, tmp_path: Path) -> None:
    packages, descriptions = [], []
    for number in range(60):
        section = ("games", "science")[number % 2]
        packages.append(f"Package: p{number}\nSection: {section}\nDescription-md5: {number}")
        words = f"{WORDS[section]} number{number}"
        descriptions.append(f"Package: p{number}\nDescription-md5: {number}\nDescription-en: {words}\n {words} of it")
    for name, entries in (("binary-amd64_Packages.xz", packages), ("i18n_Translation-en.xz", descriptions)):
        (tmp_path / name).write_bytes(lzma.compress("\n\n".join(entries).encode()))
    table = printed(served, "topic_texts.py", "--directory", str(tmp_path), "--sections", "games", "--repeats", "1")
    assert "naive-bayes" in table
    assert "linear" in table


def test_topic_corpus_runs_on_packages_that_are_there(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from topic_packages import GROUPS

    for group, names in GROUPS.items():
        for name in names.split():
            (tmp_path / "trees" / name).mkdir(parents=True)
            for number in range(3):
                words = f"The {group} of {name} {number}: " + f"{group} page about the use of {name}. " * 5
                (tmp_path / "trees" / name / f"{number}.html").write_text(f"<title>{name}</title><p>{words}")
    arguments = ["--cache", str(tmp_path), "--topics", "music", "--repeats", "1", "--pages-a-site", "3"]
    assert "| music |" in printed(served, "topic_corpus.py", *arguments)
    speed = printed(
        served, "topic_corpus.py", "--cache", str(tmp_path), "--speed", "60", "--relevant", "20", "--repeats", "1"
    )
    assert "CPU seconds" in speed


def test_language_runs_on_files_that_are_there(served: Path, tmp_path: Path) -> None:
    texts = {
        "th": "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวงและมีอาหารอร่อยมากมาย",
        "ja": "日本の首都は東京です。おいしい料理がたくさんあります。",
        "ko": "대한민국의 수도는 서울이며 맛있는 음식이 많이 있습니다.",
        "en": "The capital of the country is on a river, and there is much good food to be had.",
    }
    for name, times, count in (("pages", 40, 1), ("failures", 3, 1), ("anchors", 1, 20)):
        rows = [{"text": text * times, "label": label, "kind": "page"} for label, text in texts.items()] * count
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "4 pages in 4 languages" in printed(served, "language.py", "--directory", str(tmp_path))
