"""Pages about a nation, and judges joined."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exonym.config import settings_of
from exonym.errors import ConfigError, DirectoryError
from exonym.extract.document import Document
from exonym.judges.about import AboutJudge, AboutRule
from exonym.judges.base import Judge, Verdict
from exonym.judges.by_name import Remembering, judge_settings, make_judge
from exonym.judges.combining import AllOf, AnyOf
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.language.base import NO_CLUES, Clues, Identified
from exonym.nations.matching.page_names import PageNames
from exonym.nations.nation import Name, Nation

PLACES = tuple(Name(text, "city", "hand") for text in ("Bangkok", "Phuket", "Chiang Mai", "Nan"))
NAMES = PageNames(Nation("TH", "Thailand", names=PLACES, demonyms=("Thai", "Thais")))
PLAIN = "We walked along the river in the early morning and had something to eat at a little market near the bridge."
THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อย ผู้คนใจดี อากาศร้อน"


def page(text: str, title: str = "", url: str = "http://www.example.org/") -> Document:
    return Document(url, title, text, "", "utf-8", "bytes")


def about(rule: AboutRule | None = None, language: Judge | None = None) -> AboutJudge:
    return AboutJudge("Thailand", NAMES, language or LanguageJudge(("en",)), rule or AboutRule())


def test_page_that_names_the_places_of_a_nation_is_about_it() -> None:
    verdict = about().judge(page(f"{PLAIN} From Bangkok we took a train to Chiang Mai. {PLAIN}"))
    assert verdict.relevant
    assert verdict.language == "en"
    assert verdict.evidence.startswith("Thailand: ")
    assert verdict.evidence.endswith("2 different: Bangkok, Chiang Mai")


def test_page_without_names_is_not_about_it() -> None:
    verdict = about().judge(page(PLAIN))
    assert not verdict.relevant
    assert verdict.relevance == 0.0
    assert verdict.evidence == "Thailand: none of its names"


def test_one_name_alone_is_not_enough_unless_the_rule_says_so() -> None:
    text = f"{PLAIN} Thailand is far away, and it is warm there. {PLAIN}"
    verdict = about().judge(page(text))
    assert not verdict.relevant
    assert 0.0 < verdict.relevance < 0.5
    assert about(AboutRule(variety=1)).judge(page(text)).relevant


def test_names_must_be_a_share_of_the_words() -> None:
    text = f"From Bangkok to Phuket. {PLAIN * 20}"
    found = NAMES.mentions("", text).share
    assert about(AboutRule(share=found)).judge(page(text)).relevance == 0.5
    assert about(AboutRule(share=found)).judge(page(text)).relevant
    assert not about(AboutRule(share=found * 1.01)).judge(page(text)).relevant


def test_word_of_the_title_counts_as_three() -> None:
    # Title: 3 words, 1 in a name. Text: 7 words, 3 in names; 50 more for every page. (3·1 + 3) / (3·3 + 7 + 50)
    found = NAMES.mentions("Cheap holidays Phuket", "Green boats leave Chiang Mai behind Bangkok")
    assert found.share == pytest.approx(6 / 66)
    assert list(found.names) == ["Phuket", "Chiang Mai", "Bangkok"]


def test_page_in_another_language_is_not_looked_at() -> None:
    verdict = about().judge(page(f"{THAI} Bangkok Phuket {THAI}"))
    assert not verdict.relevant
    assert verdict.relevance == 0.0
    assert verdict.language == "th"


def test_any_language_will_do_where_none_is_named() -> None:
    judge = about(language=AnyLanguage())
    assert judge.judge(page(f"{THAI} Bangkok Phuket {THAI}")).relevant
    assert judge.judge(page("Bangkok Phuket")).relevant


def test_page_in_a_domain_of_the_nation_counts_whatever_it_speaks_of() -> None:
    rule = AboutRule(domains=frozenset(["th"]))
    verdict = about(rule).judge(page(PLAIN, url="http://www.example.co.th/a"))
    assert verdict.relevant
    assert verdict.relevance == 0.5
    assert "a server in .th" in verdict.evidence
    assert not about(rule).judge(page(PLAIN)).relevant
    assert not about(rule).judge(page(THAI, url="http://www.example.co.th/a")).relevant


class _Says:
    """A judge that says what it was told to, and counts how often it was asked."""

    def __init__(self, relevance: float, why: str, language: str = "") -> None:
        self.verdict = Verdict(relevance, relevance >= 0.5, language, {}, why)
        self.asked = 0

    def judge(self, document: Document) -> Verdict:
        self.asked += 1
        return self.verdict


def test_all_must_say_yes() -> None:
    yes, sure = _Says(0.6, "one", "en"), _Says(0.9, "two", "en")
    assert AllOf([yes, sure]).judge(page("")) == Verdict(0.6, True, "en", {}, "one | two")


def test_all_ask_no_further_after_a_no() -> None:
    no, last = _Says(0.2, "one", "en"), _Says(0.9, "two")
    assert AllOf([no, last]).judge(page("")) == Verdict(0.2, False, "en", {}, "one")
    assert last.asked == 0


def test_any_may_say_yes_and_is_the_evidence() -> None:
    no, yes, sure = _Says(0.2, "no"), _Says(0.6, "one", "en"), _Says(0.9, "two", "en")
    assert AnyOf([no, yes, sure]).judge(page("")) == Verdict(0.9, True, "en", {}, "one | two")
    assert AnyOf([no, _Says(0.4, "nor this")]).judge(page("")) == Verdict(0.4, False, "", {}, "no | nor this")


class _Counting:
    def __init__(self) -> None:
        self.asked = 0

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        self.asked += 1
        return Identified(text[:2], {}, 1.0, (clues.title,))


def test_language_of_a_page_is_told_once_for_several_judges() -> None:
    inner = _Counting()
    remembering = Remembering(inner)
    assert remembering.identify("en …") is remembering.identify("en …")
    assert inner.asked == 1
    assert remembering.identify("en …", Clues(title="other")).evidence == ("other",)
    assert remembering.identify("th …").language == "th"
    assert inner.asked == 3


def asked(tmp_path: Path, **sections: dict[str, Any]) -> dict[str, Any]:
    return judge_settings(settings_of(sections), tmp_path)


def test_languages_alone_ask_for_the_language_judge(tmp_path: Path) -> None:
    found = asked(tmp_path, target={"languages": ["th"]})
    assert found == {"kind": "language", "languages": ["th"], "identifier": "default", "inherit_language": True}


def test_nation_alone_asks_for_the_about_judge_with_files_of_the_crawl(tmp_path: Path) -> None:
    found = asked(tmp_path, target={"about": {"nation": "PT.toml", "names": "more.txt", "languages": ["English"]}})
    assert found["kind"] == "about"
    assert found["nation"] == str(tmp_path / "PT.toml")
    assert found["names"] == str(tmp_path / "more.txt")
    assert found["languages"] == ["en"]


@pytest.mark.parametrize("match", ["any", "all"])
def test_languages_and_a_nation_are_joined(tmp_path: Path, match: str) -> None:
    found = asked(tmp_path, target={"languages": ["th"], "match": match, "about": {"nation": "TH"}})
    assert found["kind"] == match
    assert [inner["kind"] for inner in found["judges"]] == ["language", "about"]
    assert found["judges"][1]["nation"] == "TH"


def test_judge_of_a_crawl_takes_either_kind_of_page(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("Quiet Lagoon\n", encoding="utf-8")
    about = {"nation": "TH", "languages": ["en"], "names": "more.txt", "domains": [".TH"]}
    judge = make_judge(asked(tmp_path, target={"languages": ["th"], "about": about}))
    assert judge.judge(page(THAI)).relevant
    assert judge.judge(page(f"{PLAIN} Phuket has a Quiet Lagoon. {PLAIN}")).relevant
    assert judge.judge(page(PLAIN, url="http://a.th/")).relevant
    assert not judge.judge(page(PLAIN)).relevant
    assert not judge.judge(
        replace(page(THAI.replace("ไทย", "x")), blocks="Ein Satz über nichts und niemanden.")
    ).relevant


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"kind": "about", "nation": "XQ", "share": 0.1, "variety": 1, "domains": []}, ConfigError),
        ({"kind": "about", "nation": "no/such.toml", "share": 0.1, "variety": 1, "domains": []}, DirectoryError),
        ({"kind": "any", "judges": []}, ConfigError),
        ({"kind": "oracle"}, ConfigError),
        ({"kind": ["any"]}, ConfigError),
    ],
)
def test_judge_that_cannot_be_made_is_told_in_one_line(wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        make_judge(wrong)
    assert "\n" not in str(caught.value)
