"""What of a page names a nation: a name in a page is evidence only as it is written, where it stands, and in company.

Counting every match takes one English page in ten for a page about Thailand, and half of them for pages about China:
*oil*, *dining* and *Visit* are spelt, or sound, like places there, and every menu of languages has ไทย. So

* names count where they are found exactly and are written as names, with a capital letter, throughout the page; names
  by sound are no evidence of what a page is about (docs/decisions/0025-names-by-sound-are-no-evidence.md);
* only running text counts: menus, footers and lists of countries have short lines, or many countries in a line;
* places need company: the nation itself (Thailand, Thai), a second place, or the page's title and many mentions;
* a page that names another country more often, by its name, its language or its cities, is about that one; and if it
  never names this country itself, one that names another half as often: Taipei's streets have names of Chinese cities.

Cost: linear in the text. Most pages name nothing and need one pass of the exact matcher.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from exonym.nations.matching.matcher import Match, Matcher, spellings_in, telling_names
from exonym.nations.matching.tokens import HAS_UNSPACED, is_unspaced, plain_text, plain_words
from exonym.nations.matching.unspaced import words_in
from exonym.nations.names_abroad import names_abroad
from exonym.nations.nation import Nation

_TITLE_WEIGHT = 3  # a page is about what its title names
_FEWEST_WORDS = 4  # of a line of running text
_FEWEST_LETTERS = 20  # of one in a script without blanks
_ADDED_WORDS = 50  # to those of a page: in a page of ten words, one name is no tenth
_OFTEN = 4  # mentions, such as one in the title and one in the text
_LONG_NAME = 6  # letters; shorter names have too many other meanings to stand alone
_FAR = 30  # letters before a name, for the word before it
_CAPITAL_BEFORE, _CAPITAL_BEHIND = re.compile(r"\b[^\W\d_a-z][\w'’]*[ -]$"), re.compile(r"[ -][^\W\d_a-z]")
_LISTED = 5  # countries or languages in a line that make it a list
_LISTED_SHARE = 0.25  # of its words
_RIVALS = 1.25  # mentions of another country for each of this nation
_FEW_RIVALS = 0.5  # the same, where a page never names the country itself, or names it only twice


class Mentions(NamedTuple):
    """A nation's names in a page.

    `share` is the share of words in names; 0 where the names are no evidence. `variety` is the number of different
    names, one more if one of them is mentioned often, or the country itself twice and others hardly.
    """

    share: float = 0.0
    variety: int = 0
    names: tuple[str, ...] = ()  # different ones, the title's first


class PageNames:
    """Finds the names of a nation in pages, and tells those that are evidence from the others."""

    def __init__(self, nation: Nation) -> None:
        telling = telling_names(nation)
        countries = {nation.name, *(name.text for name in telling if name.kind == "country")}
        self._country = _in_ascii(countries)
        self._own = self._country | _in_ascii(nation.demonyms)
        itself = {text: text for text in nation.demonyms} | dict.fromkeys(countries, nation.name)
        self._spellings = spellings_in(telling) | itself
        self._matcher = Matcher(self._spellings, "exact")
        self._code = nation.code

    def mentions(self, title: str, blocks: str) -> Mentions:
        """The nation's names in a page, given its title and its text, block by block."""
        different = dict.fromkeys(blocks.split("\n"))  # what is on a page twice is a menu, or a caption
        lines = list(filter(is_running, different)) or list(different)
        text = "\n".join(lines)
        of_title, of_text = self._matcher.find(title), self._matcher.find(text)
        in_title, names = self._evident(of_title.names, title), self._evident(of_text.names, text)
        if not self._has_company(in_title, names):
            return Mentions(names=_different(in_title, names))
        abroad_in_title, abroad = self._named_abroad(title), self._named_abroad(text)
        in_lists = _in_lists(abroad, lines)
        in_title = _apart_from(abroad_in_title, in_title)
        names = [match for match in _apart_from(abroad, names) if not in_lists(match)]
        rivals = Counter(match.name for match in abroad if not in_lists(match))
        rivals.update(match.name for match in abroad_in_title * _TITLE_WEIGHT)
        # Places have namesakes elsewhere, and demonyms go with dishes and languages: without the country's own name,
        # the nation must be named far more often than any other.
        mentioned, most = _TITLE_WEIGHT * len(in_title) + len(names), max(rivals.values(), default=0)
        has_country, is_unrivalled = self._has_country((*in_title, *names)), most <= _FEW_RIVALS * mentioned
        is_outdone = not is_unrivalled and not (has_country and most <= _RIVALS * mentioned)
        if is_outdone or not self._has_company(in_title, names):
            return Mentions(names=_different(in_title, names))
        words = _TITLE_WEIGHT * of_title.words + of_text.words + _ADDED_WORDS
        in_names = _TITLE_WEIGHT * _words_in(in_title) + _words_in(names)
        counts = Counter(match.name for match in (*in_title * _TITLE_WEIGHT, *names))
        is_often = max(counts.values()) >= _OFTEN or (has_country and is_unrivalled and mentioned > 1)
        return Mentions(min(in_names / words, 1.0), len(counts) + is_often, _different(in_title, names))

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
        if any(map(self._is_own, (*in_title, *names))):
            return True
        counts = Counter(match.name for match in names)
        often = (match for match in in_title if counts[match.name] >= _OFTEN)
        return len(counts) > 1 or any(_can_stand_alone(match) for match in often)

    def _is_own(self, match: Match) -> bool:
        """Whether a name is that of the nation, or has it as a part: Bank of Thailand."""
        words = f" {plain_text(match.text)} "
        return any(f" {own} " in words for own in self._own)

    def _has_country(self, matches: Iterable[Match]) -> bool:
        """Whether the country is named, by itself or within another name; a demonym alone is not enough."""
        own = (plain_text(match.text) for match in matches if self._is_own(match))
        return any(text in self._country or text not in self._own for text in own)

    def _named_abroad(self, text: str) -> list[Match]:
        return [match for match in self._abroad.find(text).names if match.text[0].isupper()]

    @cached_property
    def _abroad(self) -> Matcher:
        """Finds the codes of other countries by names that are none of this nation's."""
        ours = self._own.union(map(plain_text, self._spellings))
        others = ((name, code) for name, code in names_abroad().items() if code != self._code)
        return Matcher({name: code for name, code in others if plain_text(name) not in ours}, "exact", stop_words=())


def is_running(line: str) -> bool:
    """Whether a line of a page is of running text: menus and tables have lines of few words.

    >>> is_running("Home"), is_running("We went to Phuket by train")
    (False, True)
    """
    if len(line.split(None, _FEWEST_WORDS - 1)) >= _FEWEST_WORDS:
        return True
    return len(line) >= _FEWEST_LETTERS and not line.isascii() and HAS_UNSPACED.search(line) is not None


def _in_ascii(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(plain for text in texts if (plain := plain_text(text)) and plain.isascii())


def _different(*matches: Iterable[Match]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.name for part in matches for match in part))


def _words_in(matches: Iterable[Match]) -> int:
    words = (word for match in matches for word in plain_words(match.text))
    return sum(words_in(word) if is_unspaced(word) else 1 for word in words)


def _can_stand_alone(match: Match) -> bool:
    """Whether a name is long enough to be no other word, and not an obscure spelling: Seosan is Suisan, too."""
    return is_unspaced(match.text) or (
        len(match.text) >= _LONG_NAME and plain_text(match.text) == plain_text(match.name)
    )


def _apart_from(abroad: Iterable[Match], names: Iterable[Match]) -> list[Match]:
    """Names that are not part of the name of another country's: North *Korea*."""
    covered = {place: match.end for match in abroad for place in range(match.start, match.end) if " " in match.text}
    return [match for match in names if covered.get(match.start, 0) < match.end]


def _in_lists(abroad: Iterable[Match], lines: Sequence[str]) -> Callable[[Match], bool]:
    """Tells whether a name is in a line that lists countries, languages or cities."""
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    by_line: dict[int, list[str]] = {}
    for match in abroad:
        by_line.setdefault(bisect_right(starts, match.start) - 1, []).append(match.name)
    listing = {
        number
        for number, listed in by_line.items()
        if len(set(listed)) >= _LISTED and len(listed) >= _LISTED_SHARE * len(lines[number].split())
    }
    return lambda match: bisect_right(starts, match.start) - 1 in listing
