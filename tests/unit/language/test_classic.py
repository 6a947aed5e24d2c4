"""The papers' identifier: its three steps, its join table, and what it makes of the pages it is known to fail on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.html import extract
from exonym.language.base import Clues, Identifier, clues_of
from exonym.language.classic import ClassicIdentifier, joined, language_of_charset
from exonym.language.profiles import LENGTH, LanguageProfile, shipped_profiles, train

THAI = "วันนี้อากาศดีมาก เราจึงเดินไปตลาดเพื่อซื้อผลไม้และดอกไม้ แล้วนั่งรถไฟกลับบ้านในตอนเย็นกับเพื่อนที่โรงเรียน"
ENGLISH = (
    "The weather is fine today, so we walk to the market, where we buy fruit and flowers, and in the evening we take "
    "the train home with the friends that we met at school."
)
GERMAN = (
    "Heute ist das Wetter schön, und wir gehen zum Markt, wo wir Obst kaufen und am Abend mit der Bahn nach Hause "
    "fahren."
)
LAO = "ມື້ນີ້ອາກາດດີຫຼາຍ ພວກເຮົາຈຶ່ງຍ່າງໄປຕະຫຼາດເພື່ອຊື້ໝາກໄມ້ ແລະ ດອກໄມ້"


@pytest.fixture(scope="module")
def shipped() -> ClassicIdentifier:
    return ClassicIdentifier(shipped_profiles().profiles)


@pytest.fixture(scope="module")
def japanese_crawl() -> Identifier:
    return ClassicIdentifier(shipped_profiles().profiles, target="ja")


def labelled(charset: str) -> Clues:
    return Clues(charset_label=charset)


@pytest.mark.parametrize(
    ("label", "language"),
    [
        *[("tis-620", "th"), ("windows-874", "th"), ("iso-8859-11", "th")],
        *[("euc-jp", "ja"), ("shift_jis", "ja"), ("iso-2022-jp", "ja")],
        *[("euc-kr", "ko"), ("ks_c_5601-1987", "ko"), ("cp949", "ko")],
        *[("gb2312", "zh"), ("gbk", "zh"), ("gb18030", "zh"), ("big5", "zh"), ("hz", "zh")],
        *[("utf-8", ""), ("iso-8859-1", ""), ("windows-1252", ""), ("windows-1256", ""), ("", ""), ("nonsense", "")],
    ],
)
def test_some_charsets_name_a_language(label: str, language: str) -> None:
    assert language_of_charset(label) == language


@pytest.mark.parametrize(
    ("charset", "text", "language"),
    [  # table 1 of the paper, row by row
        ("th", "de", "th"),
        ("ja", "th", "th"),
        ("ja", "", "ja"),
        ("", "de", "de"),
        ("", "", ""),
        ("ja", "de", "ja"),
    ],
)
def test_charset_and_text_are_joined_by_the_table(charset: str, text: str, language: str) -> None:
    assert joined(charset, text, "th") == language


def test_out_of_place_distance_decides() -> None:
    # The text "aab aab … " ranks _ a b aa ab b_ …; a profile in that order is nearer than one in reverse.
    text = "aab " * 10
    ranked = list(train("en", "aab " * 400).ngrams)
    near, far = LanguageProfile("de", tuple(ranked)), LanguageProfile("fr", tuple(reversed(ranked)))
    assert ClassicIdentifier([far, near]).guess(text).answers == ("de",)


def test_ngram_that_a_profile_lacks_costs_its_full_length() -> None:
    # All n-grams in place cost nothing; a profile without the last one costs 400 and is outside any margin of 0.
    ranked = train("en", "aab " * 400).ngrams
    guess = ClassicIdentifier([LanguageProfile("de", ranked), LanguageProfile("fr", ranked[:-1])]).guess("aab " * 10)
    assert len(ranked) < LENGTH
    assert guess.answers == ("de",)


@pytest.mark.parametrize(
    ("languages", "target", "language"),
    [
        (["de", "en", "th"], "th", "th"),
        (["de", "en", "th"], "ja", "en"),
        (["de", "fr"], "th", "de"),
        (["fr", "de"], "th", "fr"),
        (["de", "fr", "it", "es", "pt"], "th", "de"),
        (["de", "fr", "it", "es", "pt", "th"], "th", ""),  # the field is too wide
    ],
)
def test_of_equal_answers_target_then_english_then_the_first_is_taken(
    languages: list[str], target: str, language: str
) -> None:
    ranked = train("en", ENGLISH * 10).ngrams
    identifier = ClassicIdentifier([LanguageProfile(name, ranked) for name in languages], target)
    assert identifier.identify(ENGLISH).language == language


def test_two_profiles_of_one_language_are_one_answer() -> None:
    ranked = train("zh", "中文網頁" * 300).ngrams
    identifier = ClassicIdentifier([LanguageProfile(f"zh-{script}", ranked) for script in ("Hans", "Hant")])
    assert identifier.guess("中文網頁" * 10).answers == ("zh",)


@pytest.mark.parametrize(("letters", "is_short"), [(24, True), (25, False)])
def test_text_of_fewer_than_25_letters_is_short(letters: int, is_short: bool) -> None:
    guess = ClassicIdentifier([train("th", THAI * 20)]).guess("ก" * letters)
    assert guess.evidence.startswith("short") == is_short


def test_script_that_no_profile_has_is_unknown() -> None:
    identifier = ClassicIdentifier([train("th", THAI * 20), train("en", ENGLISH * 20)])
    assert identifier.identify(LAO).language == ""


@pytest.mark.parametrize(("text", "language"), [(THAI, "th"), (ENGLISH, "en"), (GERMAN, "de"), (LAO, "lo")])
def test_shipped_profiles_know_plain_text(shipped: ClassicIdentifier, text: str, language: str) -> None:
    found = shipped.identify(text)
    assert found.language == language
    assert found.shares == {language: 1.0}
    assert found.evidence[0].startswith("n-grams fit")


def test_label_speaks_for_a_page_without_text(shipped: ClassicIdentifier) -> None:
    found = shipped.identify("", labelled("windows-874"))
    assert (found.language, found.confidence) == ("th", 0.5)
    assert found.evidence == ("charset windows-874 means th", "short: 0 letters")


def test_label_outvotes_text_that_is_not_in_the_target_language(shipped: ClassicIdentifier) -> None:
    assert shipped.identify(GERMAN, labelled("euc-jp")).language == "ja"
    assert shipped.identify(THAI, labelled("euc-jp")).language == "th"


def test_agreeing_label_and_text_are_certain(shipped: ClassicIdentifier) -> None:
    assert shipped.identify(THAI, labelled("windows-874")).confidence == 1.0


def test_title_is_part_of_the_text(shipped: ClassicIdentifier) -> None:
    assert shipped.identify("", Clues(title=THAI)).language == "th"


def test_target_is_whatever_the_crawl_looks_for(japanese_crawl: Identifier) -> None:
    assert japanese_crawl.identify(GERMAN, labelled("shift_jis")).language == "ja"
    assert japanese_crawl.identify(THAI, labelled("windows-874")).language == "th"


# The failures that the papers list, on texts; test_known_failures.py has whole pages, and the default identifier.


def test_frames_page_has_no_text_and_is_unknown(shipped: ClassicIdentifier) -> None:
    found = shipped.identify("", Clues(title="หน้าแรก", is_frameset=True))
    assert (found.language, found.shares, found.confidence) == ("", {}, 0.0)


def test_frames_page_speaks_for_its_excuse_not_for_its_frames(shipped: ClassicIdentifier) -> None:
    excuse = "This page uses frames, but your browser does not support them."
    assert shipped.identify(excuse, Clues(title="หน้าแรก", is_frameset=True)).language == "en"


def test_thai_page_of_mostly_digits_is_too_short(shipped: ClassicIdentifier) -> None:
    table = "ราคาทอง " + "19,850.00 20,150.50 " * 200
    assert shipped.identify(table).evidence == ("short: 7 letters",)
    assert shipped.identify(table).language == ""


def test_half_thai_half_english_page_passes_for_english(shipped: ClassicIdentifier) -> None:
    assert shipped.identify(f"{THAI}\n{ENGLISH}").language == "en"


def test_thai_in_numeric_references_is_missed_though_the_visible_text_is_thai(shipped: ClassicIdentifier) -> None:
    written = "".join(f"&#{ord(letter)};" for letter in THAI)
    page = extract(f"<html><body><p>{written}</p></body></html>".encode(), "http://a.example/", "text/html")
    assert page.text == THAI
    assert shipped.identify(page.blocks).language == "th"
    assert shipped.identify(page.blocks, clues_of(page)).evidence == ("short: 0 letters",)


def test_english_page_labelled_tis_620_passes_for_thai(shipped: ClassicIdentifier) -> None:
    assert shipped.identify(ENGLISH).language == "en"
    assert shipped.identify(ENGLISH, labelled("windows-874")).language == "th"


@given(st.text(max_size=300), st.text(max_size=20), st.text(max_size=40))
def test_any_page_gets_an_answer_and_always_the_same(text: str, label: str, title: str) -> None:
    identifier = ClassicIdentifier([train("th", THAI * 20), train("en", ENGLISH * 20)])
    found = identifier.identify(text, Clues(charset_label=label, title=title))
    assert found == identifier.identify(text, Clues(charset_label=label, title=title))
    assert 0.0 <= found.confidence <= 1.0
    assert sum(found.shares.values()) == (1.0 if found.language else 0.0)
