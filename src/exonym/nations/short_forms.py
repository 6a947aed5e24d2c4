"""Short forms of names by rule: Samui of Koh Samui, Nakhon Pathom of Amphoe Mueang Nakhon Pathom, Kyoto of Kyoto-shi.

The nation lists the words before and behind its names (`prefixes`, `suffixes`); the English ones, which foreign texts
use for the same places, are here. A rule knows no people and no places: its results are proposals.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from exonym.nations.matching.ordinary_words import ORDINARY_WORDS
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS, plain_text, plain_words
from exonym.nations.nation import NAME, SHORT, Name, Nation

ORDINARY, TOO_SHORT = "ordinary word", "too short"
FEWEST_LETTERS = 4  # of a short form that is proposed: Pho, Yai and Tao have too many other meanings
_FEWEST_UNSEEN = 5  # of a short form that is accepted without a person's review
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
    """The forms of a name without the words before and behind it, longest first; [] for a name without such words.

    >>> short_forms(Nation("TH", "Thailand", prefixes={"Koh": "island"}), "Koh Samui Island")
    ['Koh Samui', 'Samui']
    """
    return [left for left, _ in _cuts(nation, text)]


def kind_by_form(nation: Nation, text: str) -> str:
    """The kind of thing that the words before and behind a name stand for, "" for a name without such words."""
    return next((kind for _, kind in _cuts(nation, text)), "")


def is_affix(nation: Nation, text: str) -> bool:
    """Whether a text is nothing but words that come before or behind names: Wat, Province."""
    words = tuple(map(_plain, text.split()))
    return words in _prefixes(nation) or words in _suffixes(nation)


def is_doubtful(nation: Nation, text: str) -> str:
    """Why a text is no good evidence of the nation by itself: too short, or ordinary words; "" if it may be."""
    if _ordinary(nation.stop_words).issuperset(plain_words(text)):
        return ORDINARY
    letters = sum(map(str.isalpha, text))
    return TOO_SHORT if text.isascii() and letters < FEWEST_LETTERS else ""


def with_short_forms(nation: Nation, names: Iterable[Name]) -> tuple[Name, ...]:
    """The names, with those short forms that are safe without a person's review: Guangdong of Guangdong Sheng.

    Only provinces get them, and only from their main spelling: names of districts begin with words that look like a
    prefix (Muang Sam Sip is not called Sam Sip), and short forms of alternate spellings are found by their sound.
    """
    listed = list(names)
    known = {plain_text(name.text) for name in listed}
    extended: list[Name] = []
    for name in listed:
        extended.append(name)
        if name.form == NAME and name.kind == _PROVINCE:
            for text, kind in _cuts(nation, name.text):
                is_sure = kind == _PROVINCE and len(text) >= _FEWEST_UNSEEN and not is_doubtful(nation, text)
                if is_sure and plain_text(text) not in known:
                    known.add(plain_text(text))
                    extended.append(Name(text, name.kind, name.source, SHORT, name.text))
    return tuple(extended)


def _cuts(nation: Nation, text: str) -> Iterator[tuple[str, str]]:
    """The rest of a name after each cut, and the meaning of the words cut off."""
    before, behind = _prefixes(nation), _suffixes(nation)
    words = text.split()
    for _ in range(_MOST_CUTS):
        cut = _cut(words, before, behind)
        if cut is None:
            return
        words, kind = cut
        # A name begins with a capital, where its script has them, and consists of more than prefixes.
        first = words[0][0]
        if not first.isalpha() or first.islower() or all((_plain(word),) in before for word in words):
            return
        yield " ".join(words), kind


def _cut(words: list[str], before: Affixes, behind: Affixes) -> tuple[list[str], str] | None:
    """The words without their longest suffix, else without their longest prefix; None if they have neither."""
    lengths = range(min(3, len(words) - 1), 0, -1)
    for length in lengths:
        if (kind := behind.get(tuple(map(_plain, words[-length:])))) is not None:
            return words[:-length], kind
    stem, _, ending = words[-1].rpartition(_HYPHEN) if words else ("", "", "")
    if stem and (kind := behind.get((_HYPHEN + _plain(ending),))) is not None:
        return [*words[:-1], stem], kind
    for length in lengths:
        if (kind := before.get(tuple(map(_plain, words[:length])))) is not None:
            return words[length:], kind
    return None


@lru_cache(maxsize=16)
def _ordinary(stop_words: tuple[str, ...]) -> frozenset[str]:
    own = {word for text in stop_words for word in plain_words(text)}
    return ORDINARY_WORDS | ENGLISH_STOP_WORDS | own


def _plain(word: str) -> str:
    """A word without case and full stops, but with diacritics: Vịnh means bay, Vĩnh (as in Vĩnh Phúc) does not."""
    return unicodedata.normalize("NFC", word).casefold().strip(".")


def _prefixes(nation: Nation) -> Affixes:
    return _by_plain_words((*_ENGLISH_PREFIXES.items(), *nation.prefixes.items()))


def _suffixes(nation: Nation) -> Affixes:
    return _by_plain_words((*_ENGLISH_SUFFIXES.items(), *nation.suffixes.items()))


@lru_cache(maxsize=16)
def _by_plain_words(items: tuple[tuple[str, str], ...]) -> Affixes:
    return {tuple(map(_plain, affix.split())): kind for affix, kind in items}
