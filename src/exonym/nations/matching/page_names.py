"""What of a page names a nation: a name in a page is evidence only as it is written, where it stands, and in company.

Counting every match takes one English page in ten for a page about Thailand, and half of them for pages about China:
*oil*, *dining* and *Visit* are spelt, or sound, like places there, and every menu of languages has ไทย. So

* names count where they are found exactly and are written as names, with a capital letter, throughout the page; names
  by sound are no evidence of what a page is about (docs/decisions/0025-names-by-sound-are-no-evidence.md);
* only running text counts: menus, footers and lists of countries have short lines, or many countries in a line;
* places need company: the nation itself (Thailand, Thai), a second place, or the page's title and many mentions;
* a page that names another country twice as often is about that one.

Cost: linear in the text. Most pages name nothing and need one pass of the exact matcher.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from exonym.nations.matching.matcher import Match, Matcher, spellings_in, telling_names
from exonym.nations.matching.tokens import HAS_UNSPACED, is_unspaced, plain_text, plain_words
from exonym.nations.matching.unspaced import words_in
from exonym.nations.nation import Nation

_TITLE_WEIGHT = 3  # a page is about what its title names
_FEWEST_WORDS = 4  # of a line of running text
_FEWEST_LETTERS = 20  # of one in a script without blanks
_ADDED_WORDS = 50  # to those of a page: in a page of ten words, one name is no tenth
_OFTEN = 5  # mentions
_LONG_NAME = 6  # letters; shorter names have too many other meanings to stand alone
_FAR = 30  # letters before a name, for the word before it
_CAPITAL_BEFORE, _CAPITAL_BEHIND = re.compile(r"\b[^\W\d_a-z][\w'’]*[ -]$"), re.compile(r"[ -][^\W\d_a-z]")
_LISTED = 5  # countries or languages in a line that make it a list
_LISTED_SHARE = 0.25  # of its words
_RIVALS = 2  # times as many mentions of another country


class Mentions(NamedTuple):
    """A nation's names in a page.

    `share` is the share of words in names; 0 where the names are no evidence. `variety` is the number of different
    names, one more if one of them is mentioned often.
    """

    share: float = 0.0
    variety: int = 0
    names: tuple[str, ...] = ()  # different ones, the title's first


class PageNames:
    """Finds the names of a nation in pages, and tells those that are evidence from the others."""

    def __init__(self, nation: Nation) -> None:
        telling = telling_names(nation)
        itself = (nation.name, *nation.demonyms)
        countries = (name.text for name in telling if name.kind == "country")
        self._own = frozenset(plain for text in (*itself, *countries) if (plain := plain_text(text)).isascii())
        spellings = spellings_in(telling) | {text: text for text in itself}
        self._matcher = Matcher(spellings, "exact")
        self._languages = frozenset(language.code.partition("-")[0] for language in nation.languages)

    def mentions(self, title: str, blocks: str) -> Mentions:
        """The nation's names in a page, given its title and its text, block by block."""
        different = dict.fromkeys(blocks.split("\n"))  # what is on a page twice is a menu, or a caption
        lines = list(filter(is_running, different)) or list(different)
        text = "\n".join(lines)
        of_title, of_text = self._matcher.find(title), self._matcher.find(text)
        names = self._evident(of_text.names, text)
        in_title = self._evident(of_title.names, title)
        if not self._has_company(in_title, names):
            return Mentions(names=_different(in_title, names))
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        listing, rivals = self._other_countries(lines, starts)
        names = [match for match in names if bisect_right(starts, match.start) - 1 not in listing]
        mentioned = _TITLE_WEIGHT * len(in_title) + len(names)
        if rivals > _RIVALS * mentioned or not self._has_company(in_title, names):
            return Mentions(names=_different(in_title, names))
        words = _TITLE_WEIGHT * of_title.words + of_text.words + _ADDED_WORDS
        in_names = _TITLE_WEIGHT * _words_in(in_title) + _words_in(names)
        counts = Counter(match.name for match in (*in_title * _TITLE_WEIGHT, *names))
        variety = len(counts) + (max(counts.values()) >= _OFTEN)
        return Mentions(min(in_names / words, 1.0), variety, _different(in_title, names))

    def _evident(self, matches: Sequence[Match], text: str) -> list[Match]:
        """The matches that are written as names are; a text without any capitals says nothing about that."""
        if text.islower():
            return list(matches)
        small = {match.text for match in matches if match.text[0].islower()}
        # What the page has in small letters too is a word at the beginning of a sentence: Oil.
        words = {word for written in small if (word := plain_text(written)) not in self._own}
        return [
            match
            for match in matches
            if match.text not in small and not self._is_part(match, text) and plain_text(match.text) not in words
        ]

    def _is_part(self, match: Match, text: str) -> bool:
        """Whether a short name is likely to be an abbreviation (UN), or a part of another name (Hong *Kong*)."""
        written = match.text
        if len(written) >= _LONG_NAME or not written.isascii() or plain_text(written) in self._own or " " in written:
            return False
        is_code = len(written) < 3 or (written.isupper() and len(written) < _LONG_NAME - 1)
        before = text[max(0, match.start - _FAR) : match.start]
        return (
            is_code or _CAPITAL_BEHIND.match(text, match.end) is not None or _CAPITAL_BEFORE.search(before) is not None
        )

    def _has_company(self, in_title: Sequence[Match], names: Sequence[Match]) -> bool:
        """Whether the nation itself is named, or two of its places, or one in the title and often."""
        if any(plain_text(match.text) in self._own for match in (*in_title, *names)):
            return True
        counts = Counter(match.name for match in names)
        often = (match.text for match in in_title if counts[match.name] >= _OFTEN)
        return len(counts) > 1 or any(len(text) >= _LONG_NAME or is_unspaced(text) for text in often)

    def _other_countries(self, lines: Sequence[str], starts: Sequence[int]) -> tuple[set[int], int]:
        """The numbers of the lines that list countries or languages, and the mentions of the most mentioned other."""
        by_line: dict[int, list[str]] = {}
        for match in self._others.find("\n".join(lines)).names:
            if match.text[0].isupper():
                by_line.setdefault(bisect_right(starts, match.start) - 1, []).append(match.name)
        listing = {
            number
            for number, listed in by_line.items()
            if len(set(listed)) >= _LISTED and len(listed) >= _LISTED_SHARE * len(lines[number].split())
        }
        others = Counter(name for number, listed in by_line.items() if number not in listing for name in listed)
        rivals = (count for name, count in others.items() if plain_text(name) not in self._own)
        return listing, max(rivals, default=0)

    @cached_property
    def _others(self) -> Matcher:
        return Matcher(_countries_and_languages(self._languages), "exact")


def is_running(line: str) -> bool:
    """Whether a line of a page is of running text: menus and tables have lines of few words.

    >>> is_running("Home"), is_running("We went to Phuket by train")
    (False, True)
    """
    if len(line.split(None, _FEWEST_WORDS - 1)) >= _FEWEST_WORDS:
        return True
    return len(line) >= _FEWEST_LETTERS and not line.isascii() and HAS_UNSPACED.search(line) is not None


def _different(*matches: Iterable[Match]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.name for part in matches for match in part))


def _words_in(matches: Iterable[Match]) -> int:
    words = (word for match in matches for word in plain_words(match.text))
    return sum(words_in(word) if is_unspaced(word) else 1 for word in words)


@lru_cache(maxsize=16)
def _countries_and_languages(without: frozenset[str]) -> tuple[str, ...]:
    """English names of countries, and of languages, which are mostly those of their people too, by CLDR."""
    from babel import Locale

    english = Locale("en")
    countries = (name for code, name in english.territories.items() if re.fullmatch("[A-Z]{2}", code))
    languages = (name for code, name in english.languages.items() if len(code) == 2 and code not in without)
    # "Myanmar (Burma)" is two names.
    return tuple(part.strip() for name in (*countries, *languages) for part in name.rstrip(")").split("("))
