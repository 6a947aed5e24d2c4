"""Scripts counted by hand, languages told apart by script or by the detector."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.language.detector import identify
from exonym.language.script import letters_by_script


def test_letters_are_counted_by_script_and_digits_are_not() -> None:
    assert letters_by_script("abc กขค 123 ๑๒๓ ฿ あア漢한 ñ") == {
        "Latin": 4,
        "Thai": 3,
        "Kana": 2,
        "Han": 1,
        "Hangul": 1,
    }


def test_plain_ascii_is_counted_too() -> None:
    assert letters_by_script("Hello, World 123!") == {"Latin": 10}
    assert letters_by_script("123 !") == {}


def test_rare_chinese_characters_beyond_the_basic_plane_count_once() -> None:
    assert letters_by_script("\U00020000\U0002f800 \U0001f600") == {"Han": 2}


def test_shares_of_a_long_text_are_told_from_a_sample() -> None:
    counts = letters_by_script("ก ข ค ง abcd ef gh " * 3_000)  # 4 Thai letters to 8 Latin ones
    assert counts["Thai"] / sum(counts.values()) == pytest.approx(1 / 3, abs=0.02)


def test_few_letters_among_very_many_digits_are_found() -> None:
    assert letters_by_script("0123 " * 20_000 + "กขค") == {"Thai": 3}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง", "th"),
        ("ນະຄອນຫຼວງວຽງຈັນເປັນເມືອງຫຼວງຂອງລາວ", "lo"),
        ("រាជធានីភ្នំពេញ គឺជារដ្ឋធានី", "km"),
        ("ရန်ကုန်မြို့သည် မြန်မာနိုင်ငံ၏", "my"),
        ("대한민국의 수도는 서울이다", "ko"),
        ("日本の首都は東京です", "ja"),
        ("中国的首都是北京今天的新闻", "zh"),
        ("Η Αθήνα είναι η πρωτεύουσα", "el"),
        ("ירושלים היא עיר הבירה", "he"),
        ("თბილისი საქართველოს დედაქალაქია", "ka"),
        ("Երևանը Հայաստանի մայրաքաղաքն է", "hy"),
        ("Москва является столицей России, сегодня здесь хорошая погода и много туристов", "ru"),
        ("Ceci est une phrase française assez longue pour que la langue soit reconnue sans aucun doute", "fr"),
        ("Đây là một câu tiếng Việt đủ dài để nhận ra ngôn ngữ một cách chắc chắn", "vi"),
    ],
)
def test_language_is_named(text: str, language: str) -> None:
    assert identify(text).language == language


@pytest.mark.parametrize("text", ["", "12345 67890", "Home", "?!"])
def test_too_little_text_is_unknown(text: str) -> None:
    found = identify(text, "th", "tis-620")
    assert (found.language, found.shares) == ("", {})


def test_english_menus_around_a_thai_article_give_thai() -> None:
    menu = "\n".join(["Home", "News", "About us", "Contact"])
    found = identify(menu + "\n" + "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง " * 20 + "\n" + menu)
    assert found.language == "th"


def test_mixed_page_has_a_share_for_each_language() -> None:
    thai, english = "ก" * 300, "the people of the old town walk along the river every morning " * 6
    letters = 300 + len(english.replace(" ", ""))
    found = identify(thai + "\n" + english)
    assert found.shares["th"] == pytest.approx(300 / letters)
    assert found.shares["en"] == pytest.approx(1 - 300 / letters)


def test_second_language_far_down_a_long_page_is_seen() -> None:
    german = "Das alte Rathaus am Marktplatz wurde vor vielen Jahren gebaut und ist heute ein Museum der Stadt.\n" * 40
    english = "The old market by the river opens early in the morning and people come from every village there.\n" * 20
    found = identify(german + english)
    assert found.language == "de"
    assert found.shares["en"] == pytest.approx(1 / 3, abs=0.15)


def test_html_lang_en_is_no_evidence() -> None:
    text = "Das ist ein gewöhnlicher deutscher Satz über das Wetter in Berlin und die Menschen dort"
    assert identify(text, "en").language == "de"


@given(st.text())
def test_any_text_gets_an_answer_with_shares_in_bounds(text: str) -> None:
    found = identify(text, text[:10], text[:10])
    assert all(0 <= share <= 1.000001 for share in found.shares.values())
    assert sum(found.shares.values()) <= 1.000001
    assert found.language in ("", *found.shares)


@given(st.text(st.characters(codec="utf-8"), min_size=60).map(lambda text: "plain words of text for it " * 3 + text))
def test_control_and_private_characters_do_not_upset_the_detector(text: str) -> None:
    assert identify(text).language is not None
