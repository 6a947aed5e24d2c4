"""Pages that have one of a list of words, and what crawl.toml asks of judges."""

from pathlib import Path
from typing import Any

import pytest

from exonym.config import settings_of
from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.by_name import judge_settings, make_judge
from exonym.judges.judge_settings import described, languages_of, parts_of, reads_anchors
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.words import WordsJudge

TELLING = {"identifier": "default", "inherit_language": True}


def page(text: str, title: str = "") -> Document:
    return Document("http://a.example/", title, text, "", "utf-8", "bytes")


@pytest.mark.parametrize(
    ("text", "title", "has"),
    [
        ("We went SCUBA diving.", "", True),
        ("We went swimming.", "Scuba for all", True),
        ("The coral\n  reef is near.", "", True),
        ("The coral of a reef.", "", False),
        ("An aqualung is a scubaset.", "", False),
        ("Café au lait", "", True),
        ("ไปดำน้ำที่เกาะ", "", True),
        ("", "", False),
    ],
)
def test_page_must_have_a_word_or_phrase_whole(text: str, title: str, has: bool) -> None:
    judge = WordsJudge(["scuba", "coral reef", "cafe", "ดำน้ำ"], AnyLanguage())
    assert judge.judge(page(text, title)).relevant is has


def test_word_does_not_run_from_the_title_into_the_text() -> None:
    assert not WordsJudge(["reef coral"], AnyLanguage()).judge(page("coral", "x")).relevant


def test_page_in_another_language_is_not_relevant_for_a_word() -> None:
    verdict = WordsJudge(["scuba"], LanguageJudge(("th",))).judge(page("We went on a scuba tour in the morning. " * 3))
    assert not verdict.relevant
    assert verdict.relevance == 0.0
    assert verdict.language == "en"


def test_words_that_are_none_are_refused() -> None:
    with pytest.raises(ConfigError, match="must be words"):
        make_judge({"kind": "words", "words": ["!!!"], "languages": []})


def asked(tmp_path: Path, **sections: dict[str, Any]) -> dict[str, Any]:
    return judge_settings(settings_of(sections), tmp_path)


def test_topic_narrowed_by_words_is_both(tmp_path: Path) -> None:
    topic = {"model": "tourism.topic", "languages": ["English"], "words": ["scuba"], "threshold": 0.7}
    assert asked(tmp_path, target={"topic": topic}) == {
        "kind": "all",
        "judges": [
            {
                "kind": "topic",
                "model": str(tmp_path / "tourism.topic"),
                "languages": ["en"],
                "threshold": 0.7,
                **TELLING,
            },
            {"kind": "words", "words": ["scuba"], "languages": ["en"], **TELLING},
        ],
    }


def test_nation_narrowed_by_a_topic_is_both(tmp_path: Path) -> None:
    about = {"nation": "TH", "languages": ["en"], "topic": "tourism.topic"}
    found = asked(tmp_path, target={"languages": ["th"], "about": about})
    assert found["kind"] == "any"
    assert [inner["kind"] for inner in found["judges"]] == ["language", "all"]
    assert [part["kind"] for part in parts_of(found)] == ["language", "about", "topic"]
    assert languages_of(found) == ["th"]
    assert reads_anchors(found)
    assert described(found) == "in th, or (about TH in en, and on tourism.topic in en)"


def test_table_is_asked_for_by_its_file(tmp_path: Path) -> None:
    found = asked(tmp_path, target={"table": {"file": "ships.table", "threshold": 12}})
    assert found == {
        "kind": "table",
        "file": str(tmp_path / "ships.table"),
        "languages": [],
        "threshold": 12.0,
        "rule": "table",
        **TELLING,
    }
    assert not reads_anchors(found)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"topic": {"words": ["a"]}}, "target.languages is missing"),
        ({"topic": {"model": "m", "words": [" "]}}, "target.topic.words must be words"),
        ({"topic": {"model": "m", "threshold": 2}}, "target.topic.threshold must be"),
        ({"topic": {"model": "m\0"}}, "target.topic.model must be the path of a file"),
        ({"table": {"file": "t", "languages": ["Klingonese"]}}, "target.table.languages: "),
    ],
)
def test_mistake_is_told_in_one_line(target: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        settings_of({"target": target})
    assert "\n" not in str(caught.value)
