"""Judges by topic models and words, and nested ones with all kinds of judges, keep the laws of judges."""

import random
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest

from exonym.judges.base import Judge
from exonym.judges.by_name import make_judge
from exonym.judges.combining import AllOf, AnyOf
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.topic import TopicJudge
from exonym.judges.words import WordsJudge
from exonym.models.terms import Fields, TermOptions
from exonym.models.topic import ModelKind, TopicModel
from exonym.models.topic_file import save_model
from exonym.models.weight_table import WeightedTerm, WeightTable
from exonym.models.weight_table_file import save_table
from exonym.testing.judges import check_judge, check_judge_settings, odd_documents
from exonym.training.examples import Example
from exonym.training.topic import TrainOptions, train_topic

FOREST = ("fox", "wood", "dog", "lazy", "deep", "green", "jumps", "ประเทศไทยมีกรุงเทพ", "日本の首都は東京", "a" * 50)
TOWN = ("court", "budget", "server", "invoice", "football", "การเงิน", "選挙", "b" * 50)


@lru_cache(maxsize=8)
def model(kind: ModelKind, terms: str, language: str = "en") -> TopicModel:
    chance = random.Random(1)
    examples = [
        Example(
            f"http://{number}.example/",
            f"{number}.example",
            fields(chance, FOREST if number % 2 else TOWN),
            number % 2 == 1,
        )
        for number in range(40)
    ]
    options = TermOptions(language=language, kind="words" if terms == "words" else "characters")
    return train_topic(examples, TrainOptions(kind, options, folds=2, repeats=1, jobs=1))


def fields(chance: random.Random, words: tuple[str, ...]) -> Fields:
    return Fields(chance.choice(words), " ".join(chance.choices([*words, "the", "of"], k=30)), chance.choice(words))


@pytest.mark.parametrize("kind", get_args(ModelKind))
@pytest.mark.parametrize(("terms", "language"), [("words", "en"), ("characters", "en"), ("characters", "th")])
def test_topic_judge_keeps_the_laws(kind: ModelKind, terms: str, language: str) -> None:
    trained = model(kind, terms, language)
    check_judge(lambda: TopicJudge(trained, AnyLanguage()))


def test_topic_judge_with_languages_keeps_the_laws() -> None:
    trained = model("linear", "words")
    check_judge(lambda: TopicJudge(trained, LanguageJudge(("en", "ja"))))


@pytest.mark.parametrize("words", [["fox"], ["กรุงเทพ", "首都"], ["a" * 200], ["quick brown fox", "é", "lone"]])
def test_words_judge_keeps_the_laws(words: list[str]) -> None:
    check_judge(lambda: WordsJudge(words, AnyLanguage()))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with `forest.topic` and `forest.table`."""
    directory = tmp_path_factory.mktemp("models")
    save_model(model("linear", "words"), directory / "forest.topic")
    terms = {term: WeightedTerm(weight, 1, 1, 1) for term, weight in (("fox", 3.0), ("wood", 1.0))}
    save_table(WeightTable(terms=terms, typical_weight=2.0), directory / "forest.table")
    return directory


def nested(files: Path) -> dict[str, Any]:
    """Every kind of judge in one."""
    about = {"kind": "about", "nation": "TH", "languages": ["en"], "domains": ["th"], "share": 0.01, "variety": 2}
    topic = {"kind": "topic", "model": str(files / "forest.topic"), "languages": ["en"], "threshold": 0.0}
    words = {"kind": "words", "words": ["fox", "東京"], "languages": []}
    table = {"kind": "table", "file": str(files / "forest.table"), "languages": ["en"], "threshold": 0.0}
    language = {"kind": "language", "languages": ["th"]}
    return {"kind": "any", "judges": [{"kind": "all", "judges": [about, topic]}, language, words, table]}


def test_nested_judges_keep_the_laws_and_are_the_same_in_another_process(files: Path) -> None:
    check_judge_settings(nested(files))


def test_joined_judges_say_what_their_parts_say(files: Path) -> None:
    parts: list[Judge] = [make_judge(one) for one in nested(files)["judges"]]
    for document in odd_documents():
        verdicts = [part.judge(document) for part in parts]
        joined, least = AnyOf(parts).judge(document), AllOf(parts).judge(document)
        assert joined.relevant == any(verdict.relevant for verdict in verdicts)
        assert least.relevant == all(verdict.relevant for verdict in verdicts)
        surest = max(verdict.relevance for verdict in verdicts if verdict.relevant == joined.relevant)
        assert joined.relevance == surest
        asked = next((place for place, verdict in enumerate(verdicts, 1) if not verdict.relevant), len(verdicts))
        assert least.relevance == min(verdict.relevance for verdict in verdicts[:asked])
