"""Anchor texts: told by script or by a sure detector, else unknown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.language import anchors
from exonym.language.anchors import identify_anchors, identify_links
from exonym.language.detector import known_languages


@pytest.mark.parametrize("text", ["Home", "IUPAB", "2024", "Click here", "", " ", "?!", "PDF", "www.example.org", "ก"])
def test_what_tells_no_language_is_unknown(text: str) -> None:
    assert identify_anchors([text]) == [""]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ข่าว", "th"),
        ("หน้าแรก", "th"),
        ("ดาวน์โหลด Adobe Reader", "th"),
        ("ຂ່າວ", "lo"),
        ("ព័ត៌មាន", "km"),
        ("သတင်း", "my"),
        ("お知らせ", "ja"),
        ("トップページ", "ja"),
        ("採用のご案内", "ja"),
        ("経済学部", "ja"),
        ("会社案内", "ja"),
        ("공지사항", "ko"),
        ("大學 소개", "ko"),
        ("联系我们", "zh"),
        ("聯絡我們", "zh"),
        ("ברוכים הבאים", "he"),
        ("Tuyển dụng", "vi"),
        ("Read more about our history", "en"),
        ("Informationen über die Geschichte der Stadt", "de"),
        ("Подробнее об истории нашего города", "ru"),
    ],
)
def test_language_of_an_anchor_is_named(text: str, language: str) -> None:
    assert identify_anchors([text]) == [language]


def test_every_anchor_of_a_page_gets_its_own_answer() -> None:
    assert identify_anchors(["Home", "ข่าว", "2024", "お知らせ", "공지사항"]) == ["", "th", "", "ja", "ko"]


def test_no_anchors_get_no_answers() -> None:
    assert identify_anchors([]) == []


def test_characters_that_chinese_and_japanese_share_go_with_the_rest_of_the_page() -> None:
    shared = "最新情報" if identify_anchors(["最新情報"]) == ["zh"] else "人口"
    japanese = ["お知らせ", "アクセス", "ご利用案内", "よくある質問", shared]
    chinese = ["联系我们", "关于我们", "图书馆", "新闻", shared]
    assert identify_anchors(japanese) == ["ja"] * 5
    assert identify_anchors(chinese) == ["zh"] * 5


def test_short_cyrillic_anchors_are_in_the_language_of_the_pages_others() -> None:
    russian = ["Главная", "Новости", "Подробнее об истории нашего города", "Расписание занятий для студентов"]
    assert identify_anchors(russian) == ["ru"] * 4


def test_anchors_in_several_languages_of_a_script_do_not_name_each_other() -> None:
    mixed = [
        "فدان",
        "درباره ما و تاریخچه دانشگاه تهران",
        "المزيد عن تاريخ المدينة القديمة وأسواقها",
        "ہمارے شہر کی تاریخ کے بارے میں",
    ]
    assert identify_anchors(mixed)[0] == ""


def test_guarani_is_not_taken_for_vietnamese() -> None:
    assert identify_anchors(["Pehẽngue"]) == [""]


def test_letters_beyond_the_basic_plane_do_not_shift_the_others() -> None:
    assert identify_anchors(["\U0001f600" * 5, "ข่าว", "\ud800", "ข่าว"]) == ["", "th", "", "th"]


@given(st.lists(st.text(max_size=40), max_size=20))
def test_any_texts_get_as_many_answers_of_known_languages(texts: list[str]) -> None:
    answers = identify_anchors(texts)
    assert len(answers) == len(texts)
    assert {*answers} - {""} <= known_languages()


@given(st.lists(st.sampled_from(["Home", "ข่าว", "お知らせ", "공지사항", "2024", "ຂ່າວ"]), max_size=30))
def test_anchors_that_their_script_tells_do_not_depend_on_the_others(texts: list[str]) -> None:
    assert identify_anchors(texts) == [identify_anchors([text])[0] for text in texts]


def test_anchors_met_before_are_told_as_if_they_were_new(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [
        ["ข่าววันนี้", "Home", "東京", "これは日本の", "それは日本の", "どれが日本の", "あれは日本の"],
        ["東京", "这是中国的新闻", "我们的国家", "他们说话", "联系我们", "Home"],
        ["Москва", "Последние новости сегодня в нашей стране", "Москва"],
        ["東京"],
    ]
    expected = []
    for page in pages:
        anchors._known.clear()
        expected.append(identify_anchors(page))
    assert expected[0][2] != expected[1][0], "the same anchor, on pages in two languages"
    for most in (1_000, 8):  # the memory is full on every page
        monkeypatch.setattr(anchors, "_MOST_KNOWN", most)
        assert [identify_anchors(page) for page in pages * 2] == expected * 2


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("th", "th"),
        ("TH-th", "th"),
        ("zh-Hant", "zh"),
        ("x-default", "ja"),
        ("", "ja"),
        ("no language", "ja"),
        ("*", "ja"),
    ],
)
def test_language_that_a_link_names_counts_more_than_its_anchor(tag: str, language: str) -> None:
    assert identify_links(["お知らせ", "2024"], [tag, ""]) == [language, ""]


def test_links_that_name_no_language_are_told_by_their_anchors() -> None:
    assert identify_links(["ข่าว", "2024"], []) == ["th", ""]
