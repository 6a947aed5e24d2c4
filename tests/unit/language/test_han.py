"""Chinese characters without, or with few, kana: whose they are and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.language.base import Clues
from exonym.language.detector import identify
from exonym.language.han import missed, read_han

JAPANESE_HEADLINE = "東京都庁舎 新宿駅西口 経済産業省 気象庁発表 大学入学共通試験実施要項 図書館利用案内 営業時間変更"
SIMPLIFIED = "我们学校的图书馆在湖边，学生们每天都来这里读书写字，老师说这样对学习很有帮助。"
TRADITIONAL = "我們學校的圖書館在湖邊，學生們每天都來這裡讀書寫字，老師說這樣對學習很有幫助。"


@pytest.mark.parametrize(
    ("text", "japanese", "simplified", "traditional"),
    [
        ("一二三", 0, 0, 0),  # in all lists
        ("图", 1, 0, 1),
        ("圖", 1, 1, 0),
        ("図", 0, 1, 1),
        ("们", 1, 0, 1),
        ("abc かな 123", 0, 0, 0),
    ],
)
def test_characters_are_missed_in_the_lists_that_lack_them(
    text: str, japanese: int, simplified: int, traditional: int
) -> None:
    assert missed(text) == (japanese, simplified, traditional)


@pytest.mark.parametrize(
    ("text", "language", "variant"),
    [(JAPANESE_HEADLINE, "ja", ""), (SIMPLIFIED, "zh", "Hans"), (TRADITIONAL, "zh", "Hant")],
)
def test_characters_alone_tell(text: str, language: str, variant: str) -> None:
    found = identify(text)
    assert (found.language, found.variant, found.shares) == (language, variant, {language: 1.0})
    assert found.confidence >= 0.9


def test_chinese_that_quotes_a_japanese_name_is_chinese() -> None:
    found = identify(SIMPLIFIED * 3 + "ソニー")
    assert (found.language, found.variant) == ("zh", "Hans")


def test_kanji_with_few_kana_are_japanese() -> None:
    found = identify(JAPANESE_HEADLINE + "お知らせ")
    assert found.language == "ja"
    assert found.confidence >= 0.9


def test_characters_that_both_have_go_with_what_the_page_claims() -> None:
    text = "人口 山川 天地 上下 左右 中心 大小"  # in all three lists
    assert identify(text, Clues("ja")).language == "ja"
    assert identify(text, Clues(charset_label="shift_jis")).language == "ja"
    found = identify(text, Clues("zh-TW"))
    assert (found.language, found.variant) == ("zh", "Hant")
    assert identify(text, Clues(charset_label="gbk")).variant == "Hans"


def test_claims_do_not_outvote_the_characters() -> None:
    assert identify(SIMPLIFIED, Clues("ja", "shift_jis", "shift_jis")).language == "zh"
    assert identify(SIMPLIFIED, Clues("zh-TW")).variant == "Hans"


def test_english_menus_around_a_chinese_text_give_chinese() -> None:
    menu = "\n".join(["Home", "Contact us", "Products", "Site map"])
    assert identify(f"{menu}\n{SIMPLIFIED}\n{menu}").language == "zh"


def test_hanja_among_hangul_are_korean() -> None:
    assert identify("大韓民國의 首都는 서울이며 人口가 가장 많은 都市이다").shares == {"ko": 1.0}


@given(st.text(), st.integers(1, 50), st.integers(0, 50))
def test_any_characters_are_someones(text: str, han: int, kana: int) -> None:
    written = read_han(text, han, kana)
    assert written.language in ("zh", "ja")
    assert 0.5 <= written.confidence <= 1.0
    assert written.variant in ("", "Hans", "Hant")
