"""Live crawls by each kind of judge, from crawl.toml to the journal, and what imports of them say."""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from exonym.cli import main
from exonym.config import load
from exonym.journal import JournalRow
from exonym.judges.by_name import judge_settings
from exonym.models.terms import Fields
from exonym.models.topic_file import save_model
from exonym.models.weight_table import WeightedTerm, WeightTable
from exonym.models.weight_table_file import save_table
from exonym.testing.live import SettingsTables, crawl_from, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.training.examples import Example
from exonym.training.topic import TrainOptions, train_topic
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph

A = "http://a.example/"
TRAVEL = ("beach", "hotel", "island", "temple", "resort", "diving", "tour", "sunset", "ferry", "bungalow")
OTHER = ("engine", "invoice", "parliament", "software", "election", "budget", "court", "football", "server", "league")
ENGLISH = "We went there by train and had a cup of tea with our friends who live near the old market. "
THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อยมากมายให้เลือกชิม"


def speaking(words: tuple[str, ...], more: str = "") -> str:
    return f"<title>{words[0]} and {words[1]}</title><p>{ENGLISH}The {' and the '.join(words)} were fine. {more}</p>"


PAGES = {
    "travel": speaking(TRAVEL),
    "thai-travel": speaking(TRAVEL, "From Bangkok to Chiang Mai and on to Phuket and Koh Samui."),
    "thai-news": speaking(OTHER, "From Bangkok to Chiang Mai and on to Phuket and Koh Samui."),
    "scuba": speaking(TRAVEL, "Take your scuba tank along."),
    "news": speaking(OTHER),
    "in-thai": f"<p>{THAI * 15} {' '.join(TRAVEL)}</p>",
    "empty": "",
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with `travel.topic` and `travel.table`."""
    directory, chance = tmp_path_factory.mktemp("models"), random.Random(1)
    examples = [
        Example(f"http://{number}.example/", f"{number}", _fields(chance, (OTHER, TRAVEL)[number % 2]), number % 2 == 1)
        for number in range(60)
    ]
    save_model(train_topic(examples, TrainOptions(folds=3, repeats=1, jobs=1)), directory / "travel.topic")
    terms = {term: WeightedTerm(2.0, 1, 1, 1) for term in ("beach", "hotel", "island")}
    save_table(WeightTable(terms=terms, typical_weight=4.0), directory / "travel.table")
    return directory


def _fields(chance: random.Random, words: tuple[str, ...]) -> Fields:
    text = [*ENGLISH.split(), *chance.choices(words, k=15)]
    return Fields(chance.choice(words), " ".join(text), "")


def in_directory(models: Path, directory: Path) -> None:
    """Models beside the crawl.toml that names them."""
    directory.mkdir(exist_ok=True)
    for path in models.iterdir():
        (directory / path.name).write_bytes(path.read_bytes())


def crawled(models: Path, directory: Path, asked: SettingsTables) -> dict[str, JournalRow]:
    """The journal's rows of `PAGES`, by name."""
    in_directory(models, directory)
    start = "".join(f"<a href=/{name}>{name}</a> " for name in PAGES)
    answers = {A: page(start), **{f"/{name}": page(html) for name, html in PAGES.items()}}
    own: dict[str, dict[str, Any]] = {"target": {"languages": []}, "judge": {"inherit_language": False}}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], directory, web.address, {**own, **asked})
    return {row.url.removeprefix(A): row for row in rows}


def relevant(rows: dict[str, JournalRow]) -> set[str]:
    return {name for name in PAGES if rows[name].relevant}


TOPIC: dict[str, Any] = {"model": "travel.topic", "languages": ["en"]}
ABOUT: dict[str, Any] = {"nation": "TH", "languages": ["en"]}
CASES: dict[
    str, tuple[SettingsTables, set[str], str, str]
] = {  # settings, relevant pages, one of them, and what is said of it
    "topic": ({"target.topic": TOPIC}, {"travel", "thai-travel", "scuba"}, "travel", "likely"),
    "narrowed topic": ({"target.topic": TOPIC | {"words": ["scuba"]}}, {"scuba"}, "scuba", "has the word scuba"),
    "about": ({"target.about": ABOUT}, {"thai-travel", "thai-news"}, "thai-news", "Bangkok, Chiang Mai"),
    "about and topic": (
        {"target.about": ABOUT | {"topic": "travel.topic"}},
        {"thai-travel"},
        "thai-travel",
        "Koh Samui | topic: ",
    ),
    "table": (
        {"target.table": {"file": "travel.table", "languages": ["en"]}},
        {"travel", "thai-travel", "scuba"},
        "travel",
        "more than",
    ),
    "any": (
        {"target": {"languages": ["th"]}, "target.topic": TOPIC},
        {"travel", "thai-travel", "scuba", "in-thai"},
        "in-thai",
        "Thai",
    ),
    "all": (
        {"target": {"languages": ["th"], "match": "all"}, "target.table": {"file": "travel.table"}},
        {"in-thai"},
        "in-thai",
        "weight",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_crawl_finds_what_its_judge_is_for_and_its_import_agrees(case: str, models: Path, tmp_path: Path) -> None:
    asked, expected, one, why = CASES[case]
    rows = crawled(models, tmp_path / "crawl", asked)
    assert relevant(rows) == expected
    assert why in rows[one].why
    assert all(0.0 <= row.relevance <= 1.0 for row in rows.values())
    graph = import_graph(tmp_path / "graph", ImportRequest((tmp_path / "crawl",), jobs=1)).graph
    urls = graph.texts("url")
    assert {urls[node].removeprefix(A) for node in graph.relevant.nonzero()[0].tolist()} == expected
    assert graph.manifest.provenance["judge"] == judge_settings(load(tmp_path / "crawl/crawl.toml"), tmp_path / "crawl")


# Models that cannot be used


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "no model", "a folder", "unreadable"])
@pytest.mark.parametrize(
    ("section", "key", "name"),
    [
        ("target.topic", "model", "travel.topic"),
        ("target.table", "file", "travel.table"),
        ("target.about", "topic", "travel.topic"),
    ],
)
def test_crawl_with_a_model_that_cannot_be_used_does_not_begin(
    damage: str, section: str, key: str, name: str, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_directory(models, tmp_path)
    spoil(tmp_path / name, damage)
    more = {"nation": "TH"} if section == "target.about" else {}
    with ScriptedWeb({}) as web:
        network = {"connect_to": web.address}
        write_settings(tmp_path, {"seeds": {"urls": [A]}, section: {key: name, **more}, "network": network})
        before = sorted(path.name for path in tmp_path.iterdir())
        with pytest.raises(SystemExit) as left:
            main(["crawl", str(tmp_path)])
    assert not web.asked
    _, err = capsys.readouterr()
    assert left.value.code == 2
    assert name in err
    assert err.startswith("exonym: ")
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def spoil(path: Path, damage: str) -> None:
    whole = path.read_bytes()
    path.unlink()
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(whole[: len(whole) // 2])
        case "no model":
            path.write_bytes(os.urandom(64))
        case "a folder":
            path.mkdir()
        case "unreadable":
            path.symlink_to(path)
