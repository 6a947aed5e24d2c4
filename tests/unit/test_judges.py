"""The language judge on pages whose shares are known by counting."""

import pytest

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.judges.making import make_judge

ENGLISH = "The old market by the river opens early in the morning and people come from every village. "


def _verdict(text: str, languages: list[str], tag: str = "") -> Verdict:
    document = Document("http://a.example/", "", text, tag, "utf-8", "bytes", (), False, False, False)
    return make_judge({"kind": "language", "languages": languages}).judge(document)


def test_relevance_is_the_share_of_letters_in_the_target_language() -> None:
    verdict = _verdict("ก" * 83 + " " + "abcdefghijklmnopq", ["th"])  # 83 Thai letters, 17 Latin
    assert verdict.relevance == pytest.approx(0.83)
    assert verdict.relevant
    assert verdict.language == "th"
    assert verdict.evidence.startswith("Thai: 83 % of letters are Thai script")


def test_ten_thai_letters_make_a_page_partly_thai() -> None:
    assert _verdict("ก" * 10 + ENGLISH, ["th"]).relevant


def test_nine_thai_letters_do_not() -> None:
    assert not _verdict("ก" * 9 + ENGLISH, ["th"]).relevant


def test_ten_thai_letters_in_a_long_english_page_do_not() -> None:
    assert not _verdict("ก" * 10 + ENGLISH * 10, ["th"]).relevant  # 10 of some 760 letters: under 2 %


def test_page_in_another_language_is_irrelevant_but_named() -> None:
    verdict = _verdict(ENGLISH * 3, ["th"], tag="th")
    assert (verdict.relevant, verdict.relevance, verdict.language) == (False, 0.0, "en")


def test_latin_language_is_judged_by_the_detector() -> None:
    text = "Das alte Rathaus am Marktplatz wurde vor vielen Jahren gebaut und ist heute ein Museum für die Geschichte."
    assert _verdict(text, ["de"], tag="en").relevant
    assert not _verdict(text, ["en"], tag="en").relevant


def test_empty_page_is_irrelevant() -> None:
    assert _verdict("", ["th"]) == Verdict(0.0, False, "", {}, "Thai: 0 % of letters are Thai script (too little text)")


@pytest.mark.parametrize(
    "settings", [{}, {"kind": "nose"}, {"kind": "language"}, {"kind": "language", "languages": [7]}]
)
def test_senseless_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        make_judge(settings)
