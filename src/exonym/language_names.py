"""Languages as people write them, the one code under which Exonym knows each, and their English names.

The code is the shortest BCP 47 subtag; only Chinese may have a script as well (`zh-Hant`, `zh-Hans`). The library
langcodes knows some 8,000 languages but takes a tenth of a second to import: the usual ones are in a table here.
"""

import difflib
import re
from functools import lru_cache

from exonym.errors import ConfigError

# Code, three-letter code, name; then other names. A test compares it with the library.
_TABLE = """
af afr Afrikaans; am amh Amharic; ar ara Arabic; az aze Azerbaijani; be bel Belarusian; bg bul Bulgarian;
bn ben Bengali, Bangla; bo bod Tibetan; bs bos Bosnian; ca cat Catalan; ceb ceb Cebuano; cs ces Czech; cy cym Welsh;
da dan Danish; de deu German; dv div Divehi, Dhivehi; el ell Greek; en eng English; eo epo Esperanto;
es spa Spanish, Castilian; et est Estonian; eu eus Basque; fa fas Persian, Farsi; fi fin Finnish; fo fao Faroese;
fr fra French; ga gle Irish; gd gla Scottish Gaelic; gl glg Galician; gu guj Gujarati; ha hau Hausa; he heb Hebrew;
hi hin Hindi; hmn hmn Hmong; hr hrv Croatian; ht hat Haitian Creole; hu hun Hungarian; hy hye Armenian;
id ind Indonesian; ig ibo Igbo; is isl Icelandic; it ita Italian; iu iku Inuktitut; ja jpn Japanese; jv jav Javanese;
ka kat Georgian; kk kaz Kazakh; kl kal Greenlandic, Kalaallisut; km khm Khmer, Cambodian; kn kan Kannada;
ko kor Korean; ku kur Kurdish; ky kir Kyrgyz; la lat Latin; lb ltz Luxembourgish; lo lao Lao, Laotian;
lt lit Lithuanian; lv lav Latvian; mg mlg Malagasy; mi mri Maori, Māori; mk mkd Macedonian; ml mal Malayalam;
mn mon Mongolian; mr mar Marathi; ms msa Malay; mt mlt Maltese; my mya Burmese, Myanmar; ne nep Nepali; nl nld Dutch;
no nor Norwegian; oc oci Occitan; or ori Odia, Oriya; pa pan Punjabi, Panjabi; pl pol Polish; ps pus Pashto;
pt por Portuguese; ro ron Romanian; ru rus Russian; rw kin Kinyarwanda; sd snd Sindhi; si sin Sinhala, Sinhalese;
sk slk Slovak; sl slv Slovenian, Slovene; so som Somali; sq sqi Albanian; sr srp Serbian; su sun Sundanese;
sv swe Swedish; sw swa Swahili; ta tam Tamil; te tel Telugu; tg tgk Tajik; th tha Thai; tk tuk Turkmen;
tl tgl Tagalog, Filipino; tr tur Turkish; tt tat Tatar; ug uig Uyghur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek;
vi vie Vietnamese; xh xho Xhosa; yi yid Yiddish; yo yor Yoruba; za zha Zhuang; zh zho Chinese; zu zul Zulu
"""
_ROWS = [entry.split(maxsplit=2) for entry in _TABLE.split(";")]
_NAME_OF = {code: names.split(", ")[0] for code, _, names in _ROWS}
_NAME_OF |= {"zh-Hant": "Chinese (traditional)", "zh-Hans": "Chinese (simplified)"}

# Languages that the standard distinguishes and detectors do not: all have the code that detectors answer.
_MERGED = {
    **dict.fromkeys(["nb", "nob", "nn", "nno"], "no"),
    **dict.fromkeys(["cmn", "yue", "wuu"], "zh"),
    **dict.fromkeys(["ckb", "sdh"], "ku"),
    **dict.fromkeys(["arz", "ary"], "ar"),
    "fil": "tl",
    "uzs": "uz",
    "bho": "bh",
    "bcl": "bik",
    "hbo": "he",
}
_CODE_OF_TAG = _MERGED | {tag: code for code, long, _ in _ROWS for tag in (code, long)}
_CODE_OF_NAME = {name.lower(): code for code, _, names in _ROWS for name in names.split(", ")} | {
    "mandarin": "zh",
    "cantonese": "zh",
    "chinese (traditional)": "zh-Hant",
    "traditional chinese": "zh-Hant",
    "chinese (simplified)": "zh-Hans",
    "simplified chinese": "zh-Hans",
}
_NO_LANGUAGES = frozenset(["und", "mul", "zxx", "mis"])
_SCRIPT_OF_SUBTAG = {
    **dict.fromkeys(["hant", "tw", "hk", "mo"], "zh-Hant"),
    **dict.fromkeys(["hans", "cn", "sg"], "zh-Hans"),
}
_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,8})*")
_LONGEST = 60


def language_of(text: str) -> str:
    """The code of a language given as a code (`th`, `tha`, `th-TH`) or an English name (`Thai`)."""
    code = known_language(text)
    if code:
        return code
    near = _nearest(_plain(text))
    advice = f"Did you mean {name_of(near)} ({near})?" if near else "Write its two-letter code, as in th for Thai."
    raise ConfigError(f"{text[:_LONGEST]!r} is no language that Exonym knows.", advice)


@lru_cache(maxsize=4_096)
def known_language(text: str) -> str:
    """The code of a language as `language_of` gives it, or "": for what pages and detectors say, which may be anything.

    >>> known_language("th_TH"), known_language("zh-TW"), known_language("thaiish")
    ('th', 'zh-Hant', '')
    """
    plain = _plain(text)
    if not plain.isprintable() or not 2 <= len(plain) <= _LONGEST:
        return ""
    return _CODE_OF_NAME.get(plain) or _code_of_tag(plain.replace("_", "-")) or _code_of_name(plain)


@lru_cache(maxsize=1_024)
def name_of(code: str) -> str:
    """The English name of the language with this code; the code itself if it has no name, "unknown" for ""."""
    if not code or code in _NAME_OF:
        return _NAME_OF.get(code, "unknown")
    import langcodes

    try:
        name = langcodes.Language.get(code, normalize=False).display_name()
    except ValueError:  # no tag at all
        return code
    return code if name.startswith("Unknown language") else name


def _plain(text: str) -> str:
    return " ".join(text[: 2 * _LONGEST].split()).lower()


def _code_of_tag(tag: str) -> str:
    """The code of the language that a BCP 47 tag in lower case names, "" for any other text."""
    if not _TAG.fullmatch(tag):
        return ""
    primary, *subtags = tag.split("-")
    code = _CODE_OF_TAG.get(primary) or _standard_code(tag)
    if code != "zh":
        return code
    # The script is written before the region and outranks it: zh-Hans-HK is simplified.
    return next((_SCRIPT_OF_SUBTAG[subtag] for subtag in subtags if subtag in _SCRIPT_OF_SUBTAG), "zh")


def _standard_code(tag: str) -> str:
    """The code of a tag by the library: old, three-letter and narrower codes become the usual one."""
    import langcodes

    try:
        language = langcodes.Language.get(langcodes.standardize_tag(tag, macro=True), normalize=False)
    except ValueError:  # no tag at all
        return ""
    code = language.language or ""
    is_language = code not in _NO_LANGUAGES and langcodes.Language.make(language=code).is_valid()
    return _CODE_OF_TAG.get(code, code) if is_language else ""


def _code_of_name(name: str) -> str:
    """The code of a language by its English name, to the letter: the library takes "Thaiish" for Thai."""
    from language_data import names  # type: ignore[import-untyped]

    name = name.removesuffix(" language")
    code = names.name_to_code("language", name, "en")
    is_exact = code and names.normalize_name(name) in names.TRIES["en/name_to_language"]
    return _code_of_tag(code.lower()) if is_exact else ""


def _nearest(plain: str) -> str:
    """The code of the language that was likely meant: misspelt, with something added, or in its own language."""
    close = difflib.get_close_matches(plain, _CODE_OF_NAME, n=1, cutoff=0.7)
    if close or not plain.isprintable():
        return _CODE_OF_NAME[close[0]] if close else ""
    import langcodes

    for naming_language in ("en", "und"):
        try:
            return _code_of_tag(langcodes.find(plain, naming_language).to_tag().lower())
        except LookupError:
            continue
    return ""
