"""Short forms of names by rule: Samui of Koh Samui, Nakhon Pathom of Amphoe Mueang Nakhon Pathom, Kyoto of Kyoto-shi.

Which words stand before and behind names is the nation's to say (`prefixes`, `suffixes`); those of English, which
foreign text calls the same places by, are here. A rule knows no people and no places: what it gives is a proposal.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from exonym.nations.matching.ordinary_words import ORDINARY_WORDS
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS, plain_words
from exonym.nations.nation import NAME, SHORT, Name, Nation

ORDINARY, TOO_SHORT = "ordinary word", "too short"
FEWEST_LETTERS = 4  # of a short form that is proposed: Pho, Yai and Tao are too many other things
_FEWEST_UNSEEN = 5  # of one that is taken without a person's review
_PROVINCE = "province"
_HYPHEN = "-"
_ENGLISH_PREFIXES = {
    **dict.fromkeys(["Mount", "Mt"], "mountain"),
    **dict.fromkeys(["Lake"], "lake"),
    **dict.fromkeys(["Gulf of", "Bay of"], "bay"),
    **dict.fromkeys(["University of"], "institution"),
    **dict.fromkeys(["Province of", "Prefecture of"], "province"),
}
_ENGLISH_SUFFIXES = {
    **dict.fromkeys(["Island", "Islands", "Archipelago"], "island"),
    **dict.fromkeys(["Province", "Prefecture"], "province"),
    **dict.fromkeys(["District", "Subdistrict", "County", "Township"], "district"),
    **dict.fromkeys(["City", "Municipality", "Special City", "Metropolitan City"], "city"),
    **dict.fromkeys(["River"], "river"),
    **dict.fromkeys(["Lake"], "lake"),
    **dict.fromkeys(["Beach", "Bay"], "beach"),
    **dict.fromkeys(["Mountain", "Mountains"], "mountain"),
    **dict.fromkeys(["Airport", "International Airport"], "airport"),
    **dict.fromkeys(["University", "National University", "Rajabhat University"], "institution"),
    **dict.fromkeys(["Temple", "Shrine", "Pagoda"], "temple"),
    **dict.fromkeys(["National Park", "Historical Park", "Marine National Park", "Forest Park"], "park"),
}
_MOST_CUTS = 4

Affixes = Mapping[tuple[str, ...], str]


def short_forms(nation: Nation, text: str) -> list[str]:
    """What is left of a name without the words before and behind it, longest first; [] where it has none.

    >>> short_forms(Nation("TH", "Thailand", prefixes={"Koh": "island"}), "Koh Samui Island")
    ['Koh Samui', 'Samui']
    """
    return [left for left, _ in _cuts(nation, text)]


def kind_by_form(nation: Nation, text: str) -> str:
    """What the words before and behind a name say that it is, "" if nothing."""
    return next((kind for _, kind in _cuts(nation, text)), "")


def is_affix(nation: Nation, text: str) -> bool:
    """Whether a text is nothing but words that stand before or behind names: Wat, Province."""
    before = _table(_ENGLISH_PREFIXES, nation.prefixes)
    behind = _table(_ENGLISH_SUFFIXES, nation.suffixes)
    words = tuple(map(_plain, text.split()))
    return words in before or words in behind


def is_doubtful(nation: Nation, text: str) -> str:
    """Why a text is no good evidence of the nation by itself: too short, or ordinary words; "" if it may be."""
    if _ordinary(nation.stop_words).issuperset(plain_words(text)):
        return ORDINARY
    letters = sum(map(str.isalpha, text))
    return TOO_SHORT if text.isascii() and letters < FEWEST_LETTERS else ""


def with_short_forms(nation: Nation, names: Iterable[Name]) -> tuple[Name, ...]:
    """The names, with those short forms that are safe without a person's review: Guangdong of Guangdong Sheng.

    These are of provinces and of names proper only: districts bear what looks like a prefix (Muang Sam Sip is not
    called Sam Sip), and what is left of another spelling (`Amphoe Nakorn Prathom`) is found by its sound.
    """
    listed = list(names)
    known = {_key(name.text) for name in listed}
    found: list[Name] = []
    for name in listed:
        found.append(name)
        if name.form == NAME and name.kind == _PROVINCE:
            for text, kind in _cuts(nation, name.text):
                is_sure = kind == _PROVINCE and len(text) >= _FEWEST_UNSEEN and not is_doubtful(nation, text)
                if is_sure and _key(text) not in known:
                    known.add(_key(text))
                    found.append(Name(text, name.kind, name.source, SHORT, name.text))
    return tuple(found)


def _key(text: str) -> str:
    return " ".join(plain_words(text))


def _cuts(nation: Nation, text: str) -> Iterator[tuple[str, str]]:
    """What is left after each cut, and what the words cut off mean."""
    before = _table(_ENGLISH_PREFIXES, nation.prefixes)
    behind = _table(_ENGLISH_SUFFIXES, nation.suffixes)
    words = text.split()
    for _ in range(_MOST_CUTS):
        cut = _cut_behind(words, behind) or _cut_before(words, before)
        if cut is None or not _can_stand_alone(cut[0], before):
            return
        words = cut[0]
        yield " ".join(words), cut[1]


def _cut_before(words: list[str], affixes: Affixes) -> tuple[list[str], str] | None:
    for length in range(min(3, len(words) - 1), 0, -1):
        kind = affixes.get(tuple(map(_plain, words[:length])))
        if kind is not None:
            return words[length:], kind
    return None


def _cut_behind(words: list[str], affixes: Affixes) -> tuple[list[str], str] | None:
    for length in range(min(3, len(words) - 1), 0, -1):
        kind = affixes.get(tuple(map(_plain, words[-length:])))
        if kind is not None:
            return words[:-length], kind
    stem, hyphen, ending = words[-1].rpartition(_HYPHEN) if words else ("", "", "")
    kind = affixes.get((_HYPHEN + _plain(ending),)) if stem and hyphen else None
    return None if kind is None else ([*words[:-1], stem], kind)


def _can_stand_alone(words: list[str], before: Affixes) -> bool:
    """Names begin with capitals, where a script has them, and consist of more than the words before others."""
    first = words[0][0] if words and words[0] else ""
    is_capital = first.isalpha() and not first.islower()
    return is_capital and not all((_plain(word),) in before for word in words)


@lru_cache(maxsize=16)
def _ordinary(stop_words: tuple[str, ...]) -> frozenset[str]:
    own = {word for text in stop_words for word in plain_words(text)}
    return ORDINARY_WORDS | ENGLISH_STOP_WORDS | own


def _plain(word: str) -> str:
    """Without case and points, but with diacritics: Vịnh is a bay, Vĩnh Phúc is none."""
    return unicodedata.normalize("NFC", word).casefold().strip(".")


def _table(*tables: Mapping[str, str]) -> Affixes:
    """Affixes by their plain words; one behind a hyphen keeps it."""
    return _cached_table(tuple(item for table in tables for item in table.items()))


@lru_cache(maxsize=16)
def _cached_table(items: tuple[tuple[str, str], ...]) -> Affixes:
    return {tuple(map(_plain, affix.split())): kind for affix, kind in items}
