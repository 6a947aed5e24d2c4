"""Scripts counted by hand, languages told apart by script or by the detector."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.extract.html import extract
from exonym.language.base import Clues, Identified
from exonym.language.confusable import are_confusable, confusable_with
from exonym.language.detector import DefaultIdentifier, identify, known_languages
from exonym.language.sampling import running_text, undecided_text
from exonym.language.scripts import letters_by_script
from exonym.language_names import language_of

THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีแม่น้ำเจ้าพระยาไหลผ่านกลางเมือง"
ENGLISH = "The old market by the river opens early in the morning and people come from every village there."
GERMAN = "Das alte Rathaus am Marktplatz wurde vor vielen Jahren gebaut und ist heute ein Museum der Stadt."
MENU = "\n".join(["Home", "News", "About us", "Contact", "Products and services", "Search this site"])


def _page(body: str, content_type: str = "text/html; charset=utf-8") -> Identified:
    document = extract(body.encode(), "http://a.example/", content_type)
    clues = Clues(document.language_tag, document.charset, document.charset_label, document.title, document.is_frameset)
    return DefaultIdentifier().identify(document.blocks, clues)


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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם, כולם חוננו בתבונה ובמצפון", "he"),
        ("ደህና ቀን ነው ዛሬ አዲስ አበባ ከተማ ውስጥ ብዙ ሰዎች አሉ", "am"),
        ("བོད་ཀྱི་སྐད་ཡིག་ནི་གལ་ཆེན་པོ་ཡིན།", "bo"),
        ("ကျွန်တော်တို့ရွာမှာ ကျောင်းတစ်ကျောင်းရှိပါတယ်", "my"),
        ("На улицата има много хора, които отиват на пазара, за да купят плодове и зеленчуци за децата си", "bg"),
        ("در بازار قدیمی شهر مردم بسیاری هر روز برای خرید میوه و سبزی تازه می‌آیند و با هم گفتگو می‌کنند", "fa"),
    ],
)
def test_language_of_further_scripts_is_named(text: str, language: str) -> None:
    assert identify(text).language == language


def test_a_hundred_languages_and_more_are_known_by_the_codes_that_targets_have() -> None:
    known = known_languages()
    assert len(known) >= 100
    assert {language_of(code) for code in known} == known
    assert {"th", "lo", "km", "my", "bo", "ja", "ko", "zh", "vi", "id", "ms", "he", "no", "jv"} <= known


@pytest.mark.parametrize("text", ["", "12345 67890", "Home", "?!"])
def test_too_little_text_is_unknown(text: str) -> None:
    found = identify(text, Clues("th", "windows-874", "windows-874"))
    assert (found.language, found.shares, found.confidence) == ("", {}, 0.0)
    assert found.evidence == ("too little text",)


def test_a_few_letters_are_believed_if_the_page_claims_their_language() -> None:
    assert identify("ข่าว 2024").language == ""  # 4 letters
    found = identify("ข่าว 2024", Clues(charset_label="windows-874"))
    assert (found.language, found.confidence) == ("th", 0.6)
    assert found.evidence == ("all of its 4 letters are Thai script", "charset label says windows-874")


def test_a_claim_is_not_believed_for_letters_that_cannot_write_it() -> None:
    found = identify("News and more", Clues("th", "windows-874", "windows-874"))
    assert found.language != "th"


def test_a_few_words_are_in_the_language_that_the_page_claims_if_the_detector_guesses_the_same() -> None:
    words = "Startseite Über uns Impressum"
    assert identify(words).language == ""
    found = identify(words, Clues("de-AT"))
    assert (found.language, found.confidence) == ("de", 0.5)
    assert "html lang says de" in found.evidence[1]
    assert identify(words, Clues("fr")).language == ""


def test_title_helps_where_the_text_is_short() -> None:
    assert identify("2024 2023 2022").language == ""
    assert identify("2024 2023 2022", Clues(title="ข่าวประชาสัมพันธ์ของมหาวิทยาลัย")).language == "th"


def test_title_does_not_matter_where_there_is_text() -> None:
    assert identify(THAI * 3, Clues(title=ENGLISH)).shares == {"th": 1.0}


def test_frameset_is_unknown_whatever_it_says() -> None:
    found = _page(f"<html lang=th><title>{THAI}</title><frameset cols='*'><frame src=a></frameset>")
    assert (found.language, found.shares) == ("", {})
    assert "frameset" in found.evidence[0]


def test_thai_in_numeric_character_references_is_thai() -> None:
    references = "".join(f"&#{ord(letter)};" for letter in THAI)
    assert _page(f"<p>{references}", "text/html").language == "th"


def test_english_page_labelled_tis_620_is_english() -> None:
    found = _page(f"<meta charset=tis-620><p>{ENGLISH * 3}", "text/html; charset=tis-620")
    assert (found.language, found.shares) == ("en", {"en": 1.0})


def test_page_of_digits_with_a_few_thai_words_is_thai() -> None:
    rows = "".join(f"<tr><td>{number}<td>{number * 37}" for number in range(500))
    assert _page(f"<table><tr><th>ปีงบประมาณ<th>จำนวนเงิน{rows}</table>").language == "th"


def test_page_of_digits_alone_is_unknown() -> None:
    assert _page("<html lang=th><p>" + "2024 1,234.50 " * 500, "text/html; charset=tis-620").language == ""


def test_image_map_page_is_told_by_its_title() -> None:
    body = "<map name=m><area href=a><area href=b></map><img src=x usemap=#m>"
    assert _page(f"<title>ยินดีต้อนรับสู่เว็บไซต์ของเรา</title>{body}").language == "th"
    assert _page(f"<title>Main</title>{body}").language == ""


def test_page_half_thai_half_english_is_thai_and_has_both_shares() -> None:
    found = _page("".join(f"<p>{THAI}<p>{ENGLISH[:90]}" for _ in range(5)))
    assert found.language == "th"
    assert found.shares["th"] == pytest.approx(0.5, abs=0.08)
    assert found.shares["en"] == pytest.approx(0.5, abs=0.08)


def test_page_a_tenth_thai_is_english_and_partly_thai() -> None:
    found = identify(f"{ENGLISH}\n" * 9 + THAI)
    assert found.language == "en"
    assert found.shares["th"] == pytest.approx(0.1, abs=0.03)


def test_english_menus_around_a_thai_article_give_thai() -> None:
    found = identify(f"{MENU}\n{THAI * 8}\n{MENU}")
    assert found.language == "th"


def test_many_english_menus_do_not_outvote_a_short_thai_article() -> None:
    found = identify(f"{MENU}\n" * 6 + THAI * 2)
    assert found.shares["th"] < 0.4
    assert found.language == "th"


def test_english_menus_do_not_outvote_a_german_article() -> None:
    assert identify(f"{MENU}\n" * 4 + f"{GERMAN} {GERMAN} {GERMAN}\n{GERMAN}").language == "de"


def test_language_switcher_does_not_make_an_english_page_foreign() -> None:
    switcher = "\n".join(["Deutsch", "Français", "Español", "日本語", "한국어", "ไทย", "Русский", "中文", "Italiano"])
    found = identify(f"{switcher}\n" + f"{ENGLISH}\n" * 6)
    assert found.language == "en"
    assert found.shares["en"] > 0.9


def test_mixed_page_has_a_share_for_each_language() -> None:
    thai, english = "ก" * 300, "the people of the old town walk along the river every morning " * 6
    letters = 300 + len(english.replace(" ", ""))
    found = identify(thai + "\n" + english)
    assert found.shares["th"] == pytest.approx(300 / letters)
    assert found.shares["en"] == pytest.approx(1 - 300 / letters)


def test_russian_and_english_are_shared_by_letters_not_by_bytes() -> None:
    russian = "Старый рынок у реки открывается рано утром, и люди приходят туда из каждой деревни.\n" * 4
    counts = letters_by_script(russian + ENGLISH * 4)
    found = identify(russian + ENGLISH * 4)
    assert found.shares["ru"] == pytest.approx(counts["Cyrillic"] / sum(counts.values()))


def test_second_language_far_down_a_long_page_is_seen() -> None:
    found = identify(f"{GERMAN}\n" * 40 + f"{ENGLISH}\n" * 20)
    assert found.language == "de"
    assert found.shares["en"] == pytest.approx(1 / 3, abs=0.15)


def test_html_lang_en_is_no_evidence() -> None:
    found = identify(GERMAN, Clues("en"))
    assert found.language == "de"
    assert not any("lang" in phrase for phrase in found.evidence)


def test_claims_that_agree_are_among_the_evidence() -> None:
    found = identify(THAI, Clues("th-TH", "utf-8", "windows-874"))
    assert found.evidence == (
        "100 % of letters are Thai script",
        "html lang says th",
        "charset label says windows-874",
    )


@pytest.mark.parametrize(
    ("text", "language", "other"),
    [
        (
            "Ini adalah ayat dalam bahasa Melayu yang agak panjang kerana kita mahu tahu sama ada ia dikenali",
            "ms",
            "id",
        ),
        (
            "Anak-anak itu sedang bermain bola di halaman sekolah karena guru mereka tidak bisa datang hari ini",
            "id",
            "ms",
        ),
    ],
)
def test_confusable_languages_are_told_apart_and_reported(text: str, language: str, other: str) -> None:
    found = identify(text)
    assert found.language == language
    assert f"may also be {other}" in found.evidence
    assert found.confidence <= 0.8


def test_confusable_is_mutual() -> None:
    for language in known_languages():
        assert all(are_confusable(other, language) for other in confusable_with(language))
    assert are_confusable("id", "ms")
    assert not are_confusable("th", "lo")
    assert confusable_with("id") == ("ms",)
    assert confusable_with("th") == ()


def test_serbian_in_cyrillic_is_not_taken_for_croatian() -> None:
    found = identify("Стара пијаца поред реке отвара се рано ујутру и људи долазе из сваког села да би куповали воће")
    assert found.language == "sr"
    assert "may also be hr" not in found.evidence


def test_names_and_codes_are_no_language() -> None:
    assert identify("IUPAB ISO XKCD QWZ TTL BRX " * 3).language == ""


def test_running_text_is_sentences_without_menus() -> None:
    assert running_text(f"{MENU}\n{ENGLISH}\n{THAI}\nข่าว") == f"{ENGLISH}\n{THAI}"


def test_undecided_text_is_what_scripts_do_not_tell() -> None:
    assert undecided_text("abc ไทย déjà 漢字かな 12 жук").split() == ["abc", "déjà", "жук"]


@settings(deadline=None)  # the second detector may be loaded on the way, once
@given(st.text(), st.text(max_size=12), st.text(max_size=12), st.booleans())
def test_any_text_gets_an_answer_with_shares_in_bounds(text: str, tag: str, charset: str, is_frameset: bool) -> None:
    found = identify(text, Clues(tag, charset, charset, text[:10], is_frameset))
    assert all(0 <= share <= 1.000001 for share in found.shares.values())
    assert sum(found.shares.values()) <= 1.000001
    assert found.language in ("", *found.shares)
    assert 0.0 <= found.confidence <= 1.0
    assert (found.confidence > 0) == bool(found.language)
    assert found.evidence
    assert not any("\n" in phrase for phrase in found.evidence)


@given(st.sampled_from([THAI, ENGLISH, GERMAN]), st.integers(1, 40))
def test_more_of_the_same_does_not_change_the_language(text: str, times: int) -> None:
    assert identify(f"{text}\n" * times).language == identify(text).language


@settings(deadline=None)  # the second detector is loaded on the way, once
@given(st.text(st.characters(codec="utf-8"), min_size=60).map(lambda text: "plain words of text for it " * 3 + text))
def test_control_and_private_characters_do_not_upset_the_detector(text: str) -> None:
    assert identify(text).language is not None


def test_long_menus_do_not_hide_a_short_article() -> None:
    menu = "\n".join(f"Products and services {word}" for word in ENGLISH.split() * 5)
    found = identify(f"{menu}\n{THAI}\n{THAI}\n{menu}")
    assert found.shares["th"] < 0.15
    assert found.language == "th"
