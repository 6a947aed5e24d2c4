"""`exonym model topic train|show|judge` as people and scripts use them."""

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from commands import run, run_here

from exonym.archive.records import record
from exonym.batches import Outcome
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.report import Figure, Line
from exonym.testing.live import crawl_practice_web
from exonym.training.validation_report import thinned

QUICK = ["--folds", "3", "--repeats", "2", "--jobs", "1"]


def words_of(line: str) -> list[str]:
    return line.split()


TRAVEL = words_of("beach hotel island temple resort diving tour snorkelling sunset ferry massage bungalow")
OTHER = words_of("engine invoice parliament software election budget court football server database league")
COMMON = words_of("the of and to in is you that it was for on are as with they at be this have from we will every day")


def text(chance: random.Random, own: list[str]) -> str:
    return " ".join(chance.choice(COMMON if chance.random() < 0.6 else own) for _ in range(60))


def page(title: str, words: str) -> str:
    return f"<html><head><title>{title}</title></head><body><p>{words}</p><a href='/x'>more of it</a></body></html>"


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `travel` and `other`: four sites of six pages each."""
    root, chance = tmp_path_factory.mktemp("material"), random.Random(1)
    for folder, own in (("travel", TRAVEL), ("other", OTHER)):
        for site in range(4):
            for number in range(6):
                path = root / folder / f"{folder}{site}.example" / f"{number}.html"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(page(f"{chance.choice(own)} {site} {number}", text(chance, own)))
    return root


@pytest.fixture(scope="module")
def trained(material: Path) -> dict[str, Any]:
    """What --json says of a model of the material, which lies there as `model.topic` with `report.html`."""
    words = ["--positive", "travel", "--negative", "other", "--report", "report.html", "--name", "travelling"]
    ran = run("model", "topic", "train", "-o", "model.topic", *words, *QUICK, "--compare", "--json", cwd=material)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


# What training tells


def test_json_has_the_names_that_scripts_rely_on(trained: dict[str, Any]) -> None:
    assert trained.keys() >= {
        *("model", "bytes", "report", "name", "kind", "language", "terms", "threshold", "seed", "pages", "sites"),
        *("sources", "left_out", "other_languages", "in_both_classes", "validations", "leak", "remarks", "telling"),
        *("mistakes", "command", "provenance"),
    }
    assert (trained["name"], trained["kind"], trained["pages"]) == (
        "travelling",
        "linear",
        {"positive": 24, "negative": 24},
    )
    assert trained["sites"] == {"positive": 4, "negative": 4}
    assert trained["sources"][0] == {"name": "travel", "positive": True, "pages": 24}


def test_both_models_are_validated_by_site_and_by_plain_folds(trained: dict[str, Any]) -> None:
    ways = [(one["kind"], one["by_site"], one["folds"], one["repeats"]) for one in trained["validations"]]
    assert ways == [
        ("linear", True, 3, 2),
        ("linear", False, 3, 2),
        ("naive-bayes", True, 3, 2),
        ("naive-bayes", False, 3, 2),
    ]
    by_site, plain = trained["validations"][:2]
    assert trained["leak"] == pytest.approx(plain["g_mean"] - by_site["g_mean"], abs=2e-4)
    assert by_site["g_mean"] > 0.9
    assert all(0 <= value <= 1 for value in by_site["curve"]["precision"])
    assert by_site["curve"]["recall"][-1] == 1


def test_most_telling_terms_are_those_of_the_topic(trained: dict[str, Any]) -> None:
    speaking = {one["term"] for one in trained["telling"]["for"][:8]}
    assert speaking <= {"beach", "hotel", "island", "templ", "resort", "dive", "tour", "snorkel"} | {
        *("sunset", "ferri", "massag", "bungalow")
    }


def test_model_remembers_where_it_comes_from(trained: dict[str, Any], material: Path) -> None:
    found = json.loads(run("model", "topic", "show", "model.topic", "--json", cwd=material).stdout)
    assert found.keys() >= {
        "name",
        "kind",
        "terms",
        "threshold",
        "options",
        "needs",
        "telling",
        "provenance",
        "differing",
    }
    origin = found["provenance"]
    assert origin["command"].startswith("exonym model topic train -o model.topic --positive travel")
    assert origin["sources"] == trained["sources"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", origin["when"])
    assert [one["kind"] for one in origin["validations"]] == ["linear", "linear", "naive-bayes", "naive-bayes"]


def test_text_says_all_that_a_person_needs(material: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.example" / "mislabelled.html"
    wrong.parent.mkdir()
    wrong.write_text(page("Court and budget", text(random.Random(9), OTHER)))
    foreign = tmp_path / "wrong.example" / "german.html"
    foreign.write_text(page("Markt", "Der alte Markt am Fluss öffnet früh, und die Leute kommen aus jedem Dorf."))
    words = ["--positive", material / "travel", "--positive", tmp_path, "--negative", material / "other", *QUICK]
    code, out, err = run_here("model", "topic", "train", "-o", tmp_path / "m.topic", *words)
    assert (code, err) == (0, "")
    assert "pages of the topic  25 on 5 sites" in out
    assert "1 × in another language (de 1)" in out
    assert re.search(r"linear, folds by site +G-mean [\d.]+ % ± [\d.]+, precision [\d.]+ %, recall [\d.]+ %", out)
    assert re.search(r"Leak: [+-][\d.]+ points", out)
    assert re.search(r"\d+ % likely +of the topic: .*mislabelled\.html", out)
    assert f"Wrote {tmp_path / 'm.topic'}" in out


def test_same_seed_gives_the_same_model(material: Path, tmp_path: Path) -> None:
    found = []
    for name in ("a.topic", "b.topic"):
        words = ["--positive", material / "travel", "--negative", material / "other", *QUICK, "--plain-folds", "--json"]
        _, out, _ = run_here("model", "topic", "train", "-o", tmp_path / name, "--random-seed", "7", *words)
        found.append(json.loads(out))
    for key in ("validations", "telling", "threshold", "mistakes"):
        assert found[0][key] == found[1][key]
    assert [one["by_site"] for one in found[0]["validations"]] == [False]
    assert found[0]["leak"] is None


def test_what_is_known_of_sites_alone_shows_as_a_leak(tmp_path: Path) -> None:
    chance = random.Random(3)
    for folder in ("positive", "negative"):
        for site in range(6):
            for number in range(6):  # nothing but the site's own word tells the classes apart
                path = tmp_path / folder / f"{folder}{site}.example" / f"{number}.html"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(
                    page(f"Page {number}", f"{text(chance, TRAVEL + OTHER)} slogan{folder}{'xyzuvw'[site]}")
                )
    words = ["--positive", tmp_path / "positive", "--negative", tmp_path / "negative", *QUICK, "--json"]
    _, out, _ = run_here("model", "topic", "train", "-o", tmp_path / "m.topic", *words)
    found = json.loads(out)
    by_site, plain = found["validations"]
    assert (by_site["by_site"], plain["by_site"]) == (True, False)
    assert found["leak"] > 0.2


# The report


def test_report_is_one_page_that_fetches_nothing(trained: dict[str, Any], material: Path) -> None:
    found = (material / "report.html").read_text(encoding="utf-8")
    assert trained["report"] == "report.html"
    assert not re.search(r"<script|<link|<img|<iframe|src=|@import|url\((?!#)", found)
    assert found.count("<svg") == 1
    assert "Topic model travelling" in found
    assert found.count("<h2>") == 5


def test_hostile_pages_cannot_get_into_report_or_terminal(material: Path, tmp_path: Path) -> None:
    chance = random.Random(5)
    hostile = {  # no two of them share a word, which could be learned as one of the topic
        "javascript:alert(1)//": "<script>alert(1)</script>",
        'http://evil.example/"onmouseover="alert(1)': "<img src=x>",
        "http://c.example/\x1b[31m": "\x1b]0;owned\x07",
    }
    lines = [{"url": url, "label": True, "title": title, "text": text(chance, OTHER)} for url, title in hostile.items()]
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["--labels", labels, "--positive", material / "travel", "--negative", material / "other", *QUICK]
    report = tmp_path / "r.html"
    code, out, _ = run_here("model", "topic", "train", "-o", tmp_path / "m.topic", *words, "--report", report)
    assert code == 0
    assert "\x1b" not in out
    found = report.read_text(encoding="utf-8")
    assert "javascript:alert(1)//" in found
    assert 'href="javascript' not in found
    assert "<script" not in found
    assert "<img" not in found
    assert not re.search(r'<[^>]*"onmouseover', found)


def test_curve_is_thinned_with_both_ends_and_names_are_escaped() -> None:
    assert thinned(list(range(1_000)), 5) == [0, 250, 500, 749, 999]
    assert thinned([1, 2], 5) == [1, 2]
    drawn = Figure("curve", (Line("<b>", [0.0, 1.0], [1.0, 0.5], "#2a6f97"),)).html()
    assert drawn.startswith("<svg")
    assert "&lt;b&gt;" in drawn
    assert "<b>" not in drawn


# Other sources


def test_archive_labels_and_text_are_sources_too(material: Path, tmp_path: Path) -> None:
    chance = random.Random(2)
    fields = "WARC-Target-URI: http://www.site{}.example.co.th/{}\r\n"
    block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}"
    with (tmp_path / "travel.warc.gz").open("wb") as file:
        for number in range(12):
            answer = block.format(page("Travel", text(chance, TRAVEL))).encode()
            file.write(record(b"response", fields.format(number % 4, number).encode(), answer))
    (tmp_path / "other").mkdir()
    for number in range(8):
        (tmp_path / "other" / f"{number}.txt").write_text(text(chance, OTHER))
    labels = [
        {"url": f"http://l{number}.example/", "label": number % 2, "text": text(chance, (OTHER, TRAVEL)[number % 2])}
        for number in range(8)
    ]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(one) + "\n" for one in labels))
    words = [
        "--positive",
        "travel.warc.gz",
        "--negative",
        "other",
        "--labels",
        "labels.jsonl",
        "--kind",
        "naive-bayes",
    ]
    ran = run("model", "topic", "train", "-o", "m.topic", *words, *QUICK, "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["pages"] == {"positive": 16, "negative": 12}
    assert found["kind"] == "naive-bayes"
    assert found["sites"]["positive"] == 5  # example.co.th, whose sub-domains are one site, and four of the labels


def test_crawl_is_a_source_by_its_verdicts(tmp_path: Path) -> None:
    web = PracticeWeb(seed=2, pages=120, options=PracticeOptions(retry_after_seconds=0, slow_seconds=0.0, traps=False))
    result = crawl_practice_web(tmp_path / "crawl", web, {"strategy": {"name": "bfs"}})
    kept = [row.relevant for row in result.rows if row.warc_file and row.outcome == Outcome.PAGE]
    words = ["--positive", f"{tmp_path}/crawl:relevant", "--negative", f"{tmp_path}/crawl:irrelevant"]
    asked = ["--language", "th", "--any-language", *QUICK, "--json"]
    code, out, err = run_here("model", "topic", "train", "-o", tmp_path / "m.topic", *words, *asked)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [one["pages"] for one in found["sources"]] == pytest.approx([sum(kept), kept.count(False)], abs=10)
    assert found["pages"]["positive"] + found["pages"]["negative"] + sum(found["left_out"].values()) == len(kept)
    assert found["validations"][0]["g_mean"] > 0.8  # Thai pages are easily told from others


# What a model says


def test_judge_tells_probability_and_deciding_terms(trained: dict[str, Any], material: Path) -> None:
    model = material / trained["model"]
    pages = [material / "travel/travel0.example/0.html", material / "other/other0.example/0.html"]
    code, out, _ = run_here("model", "topic", "judge", model, *pages, "--json", "--terms", "3")
    first, second = map(json.loads, out.splitlines())
    assert code == 0
    assert (first["positive"], second["positive"]) == (True, False)
    assert first["probability"] > first["threshold"] > second["probability"]
    assert len(first["terms"]) == 3
    assert all(one["says"] > 0 for one in first["terms"])
    code, out, _ = run_here("model", "topic", "judge", model, *pages, "--threshold", "0.0")
    assert out.count("judged         of the topic") == 2


def test_judge_reads_standard_input_and_tells_of_other_languages(trained: dict[str, Any], material: Path) -> None:
    given = "Der alte Markt am Fluss öffnet früh, und die Leute kommen aus jedem Dorf, um Fisch zu kaufen."
    ran = run("model", "topic", "judge", trained["model"], "-", cwd=material, given=given)
    assert ran.returncode == 0, ran.stderr
    assert "de; the model is for pages in en" in ran.stdout


def test_show_prints_the_model_for_people(trained: dict[str, Any], material: Path) -> None:
    code, out, _ = run_here("model", "topic", "show", material / trained["model"])
    assert code == 0
    assert "travelling, a linear model" in out
    assert re.search(r"sources +name travel, positive true, pages 24", out)


# Wrong use


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--positive", "travel", "--negative", "nowhere"], "nowhere does not exist"),
        (["--positive", "travel", "--negative", "other:relevant"], "no crawl directory"),
        (["--positive", "travel"], "no page of other things"),
        ([], "nothing to learn from"),
        (["--labels", "travel"], "no file of labels"),
        (["--positive", "travel", "--negative", "other", "--language", "klingonese"], "no language"),
        (["--positive", "travel", "--negative", "other", "--report", "new.topic"], "Name two files"),
        (["--positive", "travel", "--negative", "other", "--report", "no/r.html"], "does not exist"),
        (["--positive", "travel", "--negative", "other", "--folds", "1"], "--folds"),
        (
            ["--positive", "travel/travel0.example/0.html", "--negative", "other"],
            "too few relevant pages to learn from: 1 of",
        ),
    ],
)
def test_wrong_use_is_one_line_and_leaves_nothing(
    material: Path,
    words: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(material)
    before = sorted(os.listdir())
    code, out, err = run_here("model", "topic", "train", "-o", "new.topic", "--jobs", "1", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert sorted(os.listdir()) == before


def test_files_are_not_written_over_unless_forced(material: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.topic"
    model.write_text("mine")
    words = ["--positive", material / "travel", "--negative", material / "other", *QUICK]
    code, _, err = run_here("model", "topic", "train", "-o", model, *words)
    assert code == 2
    assert "exists already" in err
    assert model.read_text() == "mine"
    assert run_here("model", "topic", "train", "-o", model, *words, "--force")[0] == 0
    assert run_here("model", "topic", "show", model)[0] == 0


@pytest.mark.parametrize("command", [["show"], ["judge"]])
@pytest.mark.parametrize(
    "content", [b"", b"\x80\x04K\x01.", b"exonym topic model 1\n", b"{}", b"PK\x03\x04" + b"\0" * 60]
)
def test_file_that_is_no_model_is_told_in_one_line(tmp_path: Path, command: list[str], content: bytes) -> None:
    (tmp_path / "m.topic").write_bytes(content)
    (tmp_path / "p.txt").write_text("a page")
    pages = [tmp_path / "p.txt"] if command == ["judge"] else []
    code, _, err = run_here("model", "topic", *command, tmp_path / "m.topic", *pages)
    assert code == 2
    assert err.count("\n") == 1
    assert "m.topic" in err
