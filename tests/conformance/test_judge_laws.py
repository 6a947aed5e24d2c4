"""Every judge keeps the laws; the check itself notices broken ones."""

import itertools
from pathlib import Path

import pytest

from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.judges.by_name import make_judge
from exonym.testing.judges import check_judge, check_judge_settings


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


class _Meddling:
    def judge(self, document: Document) -> Verdict:
        object.__setattr__(document, "title", f"{document.title} seen")
        return Verdict(1.0, True, "", {}, "")


class _Talkative:
    def judge(self, document: Document) -> Verdict:
        return Verdict(1.0, True, "", {}, "x" * 600)


class _Echoing:
    def judge(self, document: Document) -> Verdict:
        return Verdict(1.0, True, "", {}, document.title.replace("\n", " "))


class _Generous:
    def judge(self, document: Document) -> Verdict:
        return Verdict(1.0, True, "en", {"en": 0.9, "th": 0.9}, "")


class _Babbling:
    def judge(self, document: Document) -> Verdict:
        return Verdict(1.0, True, "a language that has no code at all, but many words", {}, "")


class _Unsure:
    def judge(self, document: Document) -> Verdict:
        return Verdict(float("nan"), True, "", {}, "")


@pytest.mark.parametrize(
    ("lawless", "law"),
    [
        (_Moody, "again"),
        (_Boastful, "0..1"),
        (_Fragile, "raises"),
        (_Unsure, "0..1"),
        (_Meddling, "changes the document"),
        (_Talkative, "600 characters"),
        (_Echoing, "control characters"),
        (_Generous, "more than the whole"),
        (_Babbling, "no code"),
    ],
)
def test_check_names_the_broken_law(lawless: type, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_judge(lawless)


def test_check_notices_a_judge_that_is_another_one_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "local_judges.py").write_text(
        "import os\n"
        "from exonym.judges.base import Verdict\n"
        "class Local:\n"
        "    def judge(self, document):\n"
        "        return Verdict(1.0, True, '', {}, f'judged by process {os.getpid()}')\n"
        "def make(settings):\n"
        "    return Local()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(AssertionError, match="in another process, another verdict"):
        check_judge_settings({"kind": "local"}, "local_judges:make")
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(AssertionError, match="cannot be made in another process"):
        check_judge_settings({"kind": "local"}, "local_judges:make")
