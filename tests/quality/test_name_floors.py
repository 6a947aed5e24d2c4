"""How well names are found, at the least: on gazetteers' other spellings and on English that is not about the nation.

The goals are those that the project set itself. Speed is in `exonym nation evaluate`, not here.
"""

from functools import cache
from itertools import islice

import pytest

from exonym.nations import load_nation
from exonym.nations.matching.matcher import KINDS, telling_names
from exonym.nations.matching.matcher_evaluation import (
    MatcherScore,
    count_words,
    evaluated,
    installed_english,
    material_of,
)
from exonym.practice.web_languages import sentences

NATIONS = ("TH", "KR", "VN", "JP")


@cache
def _texts() -> tuple[str, ...]:
    """Some forty thousand words: Python's help texts, and the practice web's English."""
    return (*islice(installed_english(), 45), "\n".join(sentences("en")))


@cache
def _scores(nation: str) -> dict[str, MatcherScore]:
    material = material_of(telling_names(load_nation(nation)), _texts())
    assert len(material.variants) >= 500
    assert count_words(material.texts) >= 20_000
    return {score.kind: score for score in evaluated(material)}


@pytest.mark.parametrize("nation", NATIONS)
def test_variants_are_found_as_often_as_by_soundex_or_nearly(nation: str) -> None:
    scores = _scores(nation)
    assert scores["classic"].recall > 0
    assert scores["default"].recall >= 0.9 * scores["classic"].recall


@pytest.mark.parametrize("nation", NATIONS)
def test_false_alarms_are_a_tenth_of_those_by_soundex_at_most(nation: str) -> None:
    scores = _scores(nation)
    assert scores["classic"].false_alarms > 0
    assert scores["default"].false_alarms <= 0.1 * scores["classic"].false_alarms


@pytest.mark.parametrize("nation", NATIONS)
def test_names_as_the_dictionary_spells_them_are_all_found(nation: str) -> None:
    assert {kind: _scores(nation)[kind].exact_recall for kind in KINDS} == dict.fromkeys(KINDS, 1.0)
