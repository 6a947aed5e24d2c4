"""Every judge keeps the laws; the check itself notices broken ones."""

import itertools

import pytest

from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.judges.making import make_judge
from exonym.testing.judges import check_judge


@pytest.mark.parametrize("languages", [["th"], ["ja"], ["en", "de"], ["zh", "ko", "lo"]])
def test_language_judge_keeps_the_laws(languages: list[str]) -> None:
    check_judge(lambda: make_judge({"kind": "language", "languages": languages}))


@pytest.mark.parametrize("languages", [["en"], []])
def test_about_judge_keeps_the_laws(languages: list[str]) -> None:
    about = {"kind": "about", "nation": "TH", "languages": languages, "domains": ["org"], "share": 0.01, "variety": 2}
    check_judge(lambda: make_judge(about))


@pytest.mark.parametrize("kind", ["any", "all"])
def test_joined_judges_keep_the_laws(kind: str) -> None:
    inner = [{"kind": "language", "languages": ["th"]}, {"kind": "language", "languages": ["en", "ja"]}]
    check_judge(lambda: make_judge({"kind": kind, "judges": inner}))


class _Moody:
    def __init__(self) -> None:
        self._count = itertools.count()

    def judge(self, document: Document) -> Verdict:
        return Verdict(next(self._count) % 2 / 2, True, "", {}, "")


class _Boastful:
    def judge(self, document: Document) -> Verdict:
        return Verdict(1.5, True, "", {}, "")


class _Fragile:
    def judge(self, document: Document) -> Verdict:
        return Verdict(float(document.text[0] == "a"), True, "", {}, "")


@pytest.mark.parametrize(("lawless", "law"), [(_Moody, "again"), (_Boastful, "0..1"), (_Fragile, "raises")])
def test_check_names_the_broken_law(lawless: type, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_judge(lawless)
