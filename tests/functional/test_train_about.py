"""`exonym model about train` as people and scripts use it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run_here

from exonym.config import load
from exonym.judges.by_name import judge_settings, make_judge
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.labelling import document_of, labels_of
from exonym.training.about import AboutRequest, Named, learn_from
from exonym.training.about_thresholds import Thresholds
from exonym.training.labels import line_of
from exonym.training.material.gathering import MaterialRequest

QUICK = ["--folds", "5", "--repeats", "2", "--jobs", "1"]
TOPICS = PracticeOptions(topics=True)


def labels_file(path: Path, seed: int, sample: int) -> Path:
    with path.open("wb") as file:
        for label in labels_of(PracticeWeb(seed, 2_000, TOPICS), "thai", sample):
            words = {"title": label.title, "text": label.text, "language": label.language}
            file.write(line_of({"url": label.url, "label": label.positive, **words}))
    return path


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return labels_file(tmp_path_factory.mktemp("about") / "labels.jsonl", 3, 400)


def learned(*words: object) -> dict[str, Any]:
    code, out, err = run_here("model", "about", "train", "--nation", "TH", *words, *QUICK, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def new_crawl(directory: Path) -> Path:
    run_here("new", directory, "--nation", "TH", "--about", "--in", "en", "--operator", "a@example.org")
    return directory / "crawl.toml"


# What is learned


def test_thresholds_of_one_web_hold_on_another(labels: Path, tmp_path: Path) -> None:
    def pages_of(path: Path) -> AboutRequest:
        return AboutRequest("TH", None, MaterialRequest(labels=(path,), jobs=1), folds=3, repeats=1)

    trained = learn_from(pages_of(labels))
    others = learn_from(pages_of(labels_file(tmp_path / "other.jsonl", 8, 400))).pages
    # The default thresholds come from real pages; learned ones are worth as much where nothing was learned.
    assert others.scores(trained.thresholds).g_mean > others.scores(Thresholds()).g_mean - 0.02
    assert others.scores(trained.thresholds).g_mean > 0.92
    by_site, plain = trained.validations
    assert (by_site.by_site, plain.by_site) == (True, False)
    assert by_site.g_mean > trained.pages.scores(Thresholds()).g_mean - 0.02
    assert by_site.g_mean <= trained.pages.scores(trained.thresholds).g_mean + 0.01  # held out is not better than seen


def test_json_has_the_names_that_scripts_rely_on(labels: Path) -> None:
    found = learned("--labels", labels)
    assert found.keys() >= {
        *("nation", "name", "lines", "pages", "sites", "sources", "left_out", "other_languages", "in_both_classes"),
        *("validations", "on_all_pages", "defaults", "neighbours", "domains", "mistakes", "seed", "written"),
    }
    assert found["pages"]["positive"] + found["pages"]["negative"] == 400
    assert (found["nation"], found["name"], found["written"]) == ("TH", "Thailand", "")
    assert (found["defaults"]["share"], found["defaults"]["variety"]) == (0.006, 2)
    assert {(one["share"], one["variety"]) for one in found["neighbours"]} >= {
        (found["lines"]["share"], found["lines"]["variety"])
    }
    mistake = found["mistakes"][0]
    assert mistake.keys() == {"url", "positive", "relevance", "share", "variety", "names"}
    assert (mistake["relevance"] >= 0.5) != mistake["positive"]
    assert found == learned("--labels", labels)  # the same seed, the same


def test_text_says_all_that_a_person_needs(labels: Path) -> None:
    code, out, err = run_here("model", "about", "train", "--nation", "TH", "--labels", labels, *QUICK)
    assert (code, err) == (0, "")
    assert re.search(r"folds by site +G-mean [\d.]+ % ± [\d.]+, precision [\d.]+ %, recall [\d.]+ %", out)
    assert re.search(r"plain folds +G-mean", out)
    assert re.search(r"defaults \(share 0.006, variety 2\) +G-mean", out)
    assert re.search(r"variety \d+( +[\d.]+ %){5}", out)
    assert re.search(r"[\d.]+ %, \d+ names? +(about it|other): http://", out)
    assert re.search(r"For crawl.toml:\n\n\[target.about\]\nshare = 0\.\d+\nvariety = \d+\n", out)


def test_pages_in_folders_and_names_of_ones_own_are_material_too(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    text = "we went there by train and had a cup of tea with friends who live near the old market every day"
    words = text.split()
    for folder, named in (("about", ["Zembla", "Quorra Hill"]), ("other", ["Lisbon", "Porto"])):
        for site in range(3):
            for number in range(4):
                path = tmp_path / folder / f"{folder}{site}.example" / f"{number}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(" ".join([*chance.choice(words, 60), *named, *chance.choice(words, 5)]))
    (tmp_path / "names.txt").write_text("+Zembla\n+Quorra Hill\n-Bangkok\n")
    sources = ["--positive", tmp_path / "about", "--negative", tmp_path / "other"]
    found = learned(*sources, "--names", tmp_path / "names.txt")
    assert found["pages"] == {"positive": 12, "negative": 12}
    assert [one["g_mean"] for one in found["validations"]] == [1.0, 1.0]
    assert found["domains"]["pages"] == 0
    assert found["lines"].keys() == {"share", "variety"}
    assert learned(*sources)["validations"][0]["g_mean"] == 0.0  # the nation's own names are on no page


# Setting it


def test_what_is_learned_is_set_and_judges(labels: Path, tmp_path: Path) -> None:
    path = new_crawl(tmp_path / "crawl")
    before = path.read_text()
    found = learned("--labels", labels, "--write", path.parent)
    about = load(path).about
    assert (about.share, about.variety) == (found["lines"]["share"], found["lines"]["variety"])
    assert [line for line in before.splitlines() if line.startswith("#")] == [
        line for line in path.read_text().splitlines() if line.startswith("#")
    ]
    judge = make_judge(judge_settings(load(path), path.parent))
    web = PracticeWeb(8, 2_000, TOPICS)
    some = list(labels_of(web, "thai", 150))
    right = [judge.judge(document_of(web, label.url)).relevant == label.positive for label in some]
    assert np.mean(right) > 0.9
    assert [one.name for one in path.parent.iterdir() if "draft" in one.name] == []


def test_a_persons_values_are_not_written_over_unasked(labels: Path, tmp_path: Path) -> None:
    path = new_crawl(tmp_path / "crawl")
    path.write_text(path.read_text().replace("# variety = 2", "variety = 7"))
    words = ["model", "about", "train", "--nation", "TH", "--labels", labels, "--write", path.parent, *QUICK]
    before = path.read_text()
    code, out, err = run_here(*words)
    assert (code, out) == (2, "")
    assert "variety = 7 are set there already. Add --force" in err
    assert path.read_text() == before
    assert run_here(*words, "--force")[0] == 0
    assert load(path).about.variety != 7


@pytest.mark.parametrize(
    ("config", "words", "said_so"),
    [
        ("[target]\nlanguages = ['th']\n", ["--write", "crawl"], "no section [target.about]"),
        ("[target]\nlanguages = ['th']\n[target.about]\n", ["--write", "crawl"], "names no nation"),
        ("[target.about]\nnation = 'JP'\n", ["--write", "crawl"], "about JP, not TH"),
        ("[target.about]\nnation = 'XQ.toml'\n", ["--write", "crawl"], "XQ.toml"),
        ("nonsense", ["--write", "crawl"], "not valid TOML"),
        ("[target.about]\nnation = 'TH'\n", ["--write", "nowhere"], "does not exist"),
        ("[target.about]\nnation = 'TH'\n", ["--force"], "--force needs --write"),
    ],
)
def test_where_nothing_can_be_set_one_line_says_so_at_once(
    config: str, words: list[str], said_so: str, tmp_path: Path
) -> None:
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "crawl.toml").write_text(config)
    command = [str(Path(sys.executable).parent / "exonym"), "model", "about", "train", "--nation", "TH", *words]
    ran = subprocess.run([*command, "--labels", "not-there.jsonl"], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said_so in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert (tmp_path / "crawl" / "crawl.toml").read_text() == config


def test_a_crawl_that_has_begun_is_not_changed_unasked(tmp_path: Path, labels: Path) -> None:
    path = new_crawl(tmp_path / "crawl")
    (path.parent / "state").mkdir()
    code, _, err = run_here("model", "about", "train", "--nation", "TH", "--labels", labels, "--write", path.parent)
    assert code == 2
    assert "has begun" in err


@pytest.mark.parametrize(
    ("lines", "said_so"),
    [
        ([], "nothing to learn from"),
        ([{"url": "http://a.example/", "label": True, "text": "Bangkok is a city that many people go to."}], "no page"),
        (
            [
                {
                    "url": f"http://{number}.example/",
                    "label": number,
                    "text": f"It is {number} day in the town we like.",
                }
                for number in (0, 1)
            ],
            "too few relevant pages to learn from: 1 of 2",
        ),
        ([{"label": True}], "url"),
    ],
)
def test_too_few_pages_are_told_in_one_line(lines: list[dict[str, object]], said_so: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    given = ["--labels", path] if lines else []
    code, out, err = run_here("model", "about", "train", "--nation", "TH", *given, "--any-language", *QUICK)
    assert (code, out) == (2, "")
    assert said_so in err
    assert err.count("\n") == 1


def test_hostile_urls_and_titles_do_not_reach_the_terminal(tmp_path: Path) -> None:
    lines = [
        {"url": f"http://s{number}.example/\x1b[31m{number}", "label": number % 2 == 0, "title": "\x1b]0;owned\x07"}
        | {"text": f"The \x00 {'Bangkok Phuket Pattaya ' * (number % 3)} \ud800 {number} words of a page that we read"}
        for number in range(12)
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = run_here("model", "about", "train", "--nation", "TH", "--labels", path, "--any-language", *QUICK)
    assert code == 0
    assert "\x1b" not in out
    assert "Worst mistakes" in out


def test_processes_find_the_same_names(labels: Path) -> None:
    def found(jobs: int) -> list[Named]:
        request = AboutRequest("TH", None, MaterialRequest(labels=(labels,), jobs=jobs), folds=2, repeats=1)
        return learn_from(request).named

    assert found(2) == found(1)
