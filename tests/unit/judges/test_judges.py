"""The language judge on pages whose shares are known by counting."""

from dataclasses import replace

import pytest

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.judges.by_name import make_judge
from exonym.judges.language import LanguageJudge
from exonym.language.base import NO_CLUES, Clues, Identified

ENGLISH = "The old market by the river opens early in the morning and people come from every village. "


def _document(text: str) -> Document:
    return Document("http://a.example/", "", text, "", "utf-8", "bytes")


def _verdict(text: str, languages: list[str], tag: str = "") -> Verdict:
    document = replace(_document(text), language_tag=tag)
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
    assert _verdict("", ["th"]) == Verdict(0.0, False, "", {}, "Thai: 0 % of letters are Thai script; too little text")


def test_evidence_says_what_decided() -> None:
    document = replace(_document("ก" * 83 + " " + "abcdefghijklmnopq"), charset_label="windows-874", language_tag="th")
    verdict = make_judge({"kind": "language", "languages": ["th"]}).judge(document)
    assert verdict.evidence == (
        "Thai: 83 % of letters are Thai script; html lang says th; charset label says windows-874"
    )


def test_evidence_of_an_irrelevant_page_names_its_language() -> None:
    evidence = _verdict(ENGLISH * 3, ["th"]).evidence
    assert evidence.startswith("Thai: 0 % of letters are Thai script; the page is English: ")


def test_frameset_is_unknown_and_irrelevant() -> None:
    document = replace(_document("ก" * 100), is_frameset=True)
    verdict = make_judge({"kind": "language", "languages": ["th"]}).judge(document)
    assert (verdict.relevant, verdict.language, verdict.relevance) == (False, "", 0.0)


@pytest.mark.parametrize(("parent", "relevant", "relevance"), [("th", True, 0.5), ("ja", False, 0.0)])
def test_page_that_says_nothing_is_taken_to_be_like_its_parent(parent: str, relevant: bool, relevance: float) -> None:
    document = replace(_document("1 2 3"), parent_language=parent)
    verdict = make_judge({"kind": "language", "languages": ["th"]}).judge(document)
    assert (verdict.language, verdict.relevant, verdict.relevance) == (parent, relevant, relevance)
    assert verdict.inherited
    assert verdict.evidence.startswith("unknown: too little text; taken to be ")


def test_joined_judges_say_whether_the_language_was_inherited() -> None:
    languages = [{"kind": "language", "languages": [language]} for language in ("th", "en")]
    for kind in ("all", "any"):
        judge = make_judge({"kind": kind, "judges": languages})
        assert judge.judge(replace(_document("1 2 3"), parent_language="th")).inherited
        assert not judge.judge(replace(_document(ENGLISH * 3), parent_language="th")).inherited
    words = make_judge({"kind": "words", "words": ["1"], "languages": ["th"]})
    assert words.judge(replace(_document("1 2 3"), parent_language="th")).inherited


def test_page_that_says_nothing_stays_unknown_if_languages_are_not_inherited() -> None:
    document = replace(_document("1 2 3"), parent_language="th")
    verdict = LanguageJudge(("th",), inherit_language=False).judge(document)
    assert (verdict.language, verdict.relevant, verdict.relevance) == ("", False, 0.0)
    assert not verdict.inherited


def test_page_with_a_language_of_its_own_is_not_its_parents() -> None:
    document = replace(_document(ENGLISH * 3), parent_language="th")
    verdict = make_judge({"kind": "language", "languages": ["th"]}).judge(document)
    assert (verdict.language, verdict.relevant, verdict.inherited) == ("en", False, False)


def test_parent_in_chinese_will_do_for_either_way_to_write_it() -> None:
    document = replace(_document(""), parent_language="zh")  # links carry no more than the language
    assert make_judge({"kind": "language", "languages": ["zh-Hant"]}).judge(document).relevant


def test_classic_identifier_can_be_asked_for() -> None:
    labelled = replace(_document(ENGLISH * 3), charset="windows-874", charset_label="windows-874")
    judge = make_judge({"kind": "language", "languages": ["th"], "identifier": "classic"})
    assert judge.judge(labelled).relevant  # it believes any label
    assert not make_judge({"kind": "language", "languages": ["th"]}).judge(labelled).relevant


def test_chinese_may_be_asked_for_as_it_is_written() -> None:
    traditional = "我們學校的圖書館在湖邊，學生們每天都來這裡讀書寫字，老師說這樣對學習很有幫助。"
    assert _verdict(traditional, ["zh-Hant"]).relevant
    assert _verdict(traditional, ["zh"]).relevant
    assert not _verdict(traditional, ["zh-Hans"]).relevant
    assert _verdict(traditional, ["zh", "zh-Hant"]).relevance == 1.0


class _Stubborn:
    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        return Identified("de", {}, 0.5, (f"lang {clues.language_tag}, {clues.charset_label}, {clues.title}",))


def test_another_identifier_may_be_given_and_gets_the_pages_clues() -> None:
    document = replace(_document(ENGLISH), language_tag="fr", charset_label="gbk", title="Town")
    verdict = LanguageJudge(("de",), _Stubborn()).judge(document)
    assert verdict == Verdict(0.0, True, "de", {}, "German: lang fr, gbk, Town")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kind": "nose"},
        {"kind": "language"},
        {"kind": "language", "languages": [7]},
        {"kind": "language", "languages": ["th"], "identifier": "nose"},
    ],
)
def test_senseless_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        make_judge(settings)
