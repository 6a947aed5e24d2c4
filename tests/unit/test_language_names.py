"""Languages by any of their names, and the one code and the one name that each has with us."""

import re
import subprocess
import sys

import langcodes
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError
from exonym.language_names import known_language, language_of, name_of

COMMON = re.findall(
    "[a-z]+",
    "af am ar az be bg bn bo bs ca ceb cs cy da de dv el en eo es et eu fa fi fo fr ga gd gl gu ha he hi hmn hr ht hu "
    "hy id ig is it iu ja jv ka kk kl km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my ne nl no oc or pa pl ps "
    "pt ro ru rw sd si sk sl so sq sr su sv sw ta te tg th tk tl tr tt ug uk ur uz vi xh yi yo za zh zu",
)

SPELLINGS = {
    "th": ["thai", "Thai", "THAI", " th ", "tha", "TH", "th-TH", "th_TH", "th-TH-u-nu-thai", "Thai language"],
    "zh": ["chinese", "Mandarin", "zho", "chi", "cmn", "zh", "zh-Latn", "Cantonese"],
    "zh-Hant": ["zh-TW", "zh_HK", "zh-MO", "zh-Hant", "zh-hant-CN", "Traditional Chinese", "chinese (traditional)"],
    "zh-Hans": ["zh-CN", "zh-SG", "zh-Hans", "zh-Hans-HK", "simplified chinese"],
    "no": ["no", "nor", "nb", "nn", "nob", "nb-NO", "Norwegian", "Norwegian Bokmål", "norwegian nynorsk"],
    "tl": ["tl", "tgl", "fil", "Tagalog", "Filipino"],
    "he": ["he", "iw", "heb", "Hebrew"],
    "id": ["id", "in", "ind", "Indonesian", "id-ID"],
    "jv": ["jv", "jw", "Javanese"],
    "de": ["de", "deu", "ger", "German", "de-AT"],
    "my": ["my", "mya", "bur", "Burmese", "Myanmar"],
    "km": ["km", "khm", "Khmer", "Cambodian", "central khmer"],
    "ar": ["ar", "arb", "Arabic", "ar-EG"],
    "ms": ["ms", "msa", "zsm", "Malay"],
    "sr": ["sr", "sr-Latn", "sr-ME", "Serbian"],
    "ku": ["ku", "ckb", "kmr", "Kurdish", "Central Kurdish"],
    "gsw": ["gsw", "Swiss German"],
    "haw": ["haw", "Hawaiian"],
}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in SPELLINGS.items() for text in texts])
def test_language_has_one_code_however_it_is_written(code: str, text: str) -> None:
    assert language_of(text) == code
    assert known_language(text) == code


@pytest.mark.parametrize(
    "text", ["", " ", "t", "12", "xx", "zzzz", "und", "mul", "zxx", "no language", "th-", "-", "\0", "a" * 10_000]
)
def test_text_that_names_no_language_is_refused_in_one_line(text: str) -> None:
    assert known_language(text) == ""
    with pytest.raises(ConfigError, match="no language that Exonym knows") as refusal:
        language_of(text)
    assert len(str(refusal.value).splitlines()) == 1
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Thaii", r"Thai \(th\)"),
        ("Vietnamise", r"Vietnamese \(vi\)"),
        ("Japaneese", r"Japanese \(ja\)"),
        ("Klingonese", r"Klingon \(tlh\)"),
        ("ไทย", r"Thai \(th\)"),
        ("日本語", r"Japanese \(ja\)"),
        ("Français", r"French \(fr\)"),
    ],
)
def test_refusal_suggests_the_language_that_was_likely_meant(text: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=f"Did you mean {meant}"):
        language_of(text)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("th", "Thai"),
        ("zh-Hant", "Chinese (traditional)"),
        ("no", "Norwegian"),
        ("gsw", "Swiss German"),
        ("", "unknown"),
        ("xx", "xx"),
        ("no such tag", "no such tag"),
    ],
)
def test_code_has_a_name_in_english(code: str, name: str) -> None:
    assert name_of(code) == name


def test_table_agrees_with_the_library() -> None:
    for code in COMMON:
        language = langcodes.Language.get(code)
        assert language.is_valid()
        assert known_language(language.to_alpha3()) == code
        assert known_language(langcodes.standardize_tag(code)) == code
        assert known_language(language.display_name()) == code
        assert known_language(name_of(code)) == code


def test_more_than_a_hundred_languages_need_no_library() -> None:
    code = (
        "import sys\nfrom exonym.config import language_of\nfrom exonym.language_names import name_of\n"
        f"for text in {COMMON!r} + ['Thai', 'tha', 'th-TH', 'zh-TW', 'nb', 'cmn']: name_of(language_of(text))\n"
        "print({'langcodes', 'language_data'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(COMMON) > 100
    assert ran.stdout.strip() == "set()"


def test_every_language_that_can_be_identified_can_be_a_target() -> None:
    from exonym.language.detector import known_languages

    assert {code: language_of(code) for code in known_languages()} == {code: code for code in known_languages()}


@given(st.text() | st.from_regex(r"[a-z]{1,3}([-_][A-Za-z0-9]{1,8}){0,2}", fullmatch=True))
def test_any_text_has_a_code_that_is_its_own_code_or_none(text: str) -> None:
    code = known_language(text)
    assert known_language(code) == code
    assert name_of(code)
