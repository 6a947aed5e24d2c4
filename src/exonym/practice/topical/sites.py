"""Decides what a topical site is about: its topics and countries, down to directories and single pages.

Everything is computed from the random number of the site, so that the subject of a directory is known without looking
at other directories.
"""

from enum import IntEnum
from typing import NamedTuple

from exonym.practice.chance import mix, mix_of
from exonym.practice.topical.countries import CODES, THAILAND
from exonym.practice.topical.subjects import DIVING, ESTATE, GENERAL, TOURISM, Subject
from exonym.practice.topical.topic_ratios import ratios_of
from exonym.practice.web_languages import word_list


class Sort(IntEnum):
    """Sorts of sites; NONE: a site without topics."""

    NONE = 0
    TRAVEL = 1  # Thailand alone, or several countries
    AGENT = 2  # houses and land, likewise
    DIVERS = 3  # likewise
    THAI = 4  # travel in Thailand alone
    LOCAL = 5  # one other country
    GENERAL = 6  # a section for each of many topics, one of them about Thailand
    OTHER = 7  # one other topic


_SORTS = {
    "t": Sort.TRAVEL,
    "a": Sort.AGENT,
    "d": Sort.DIVERS,
    "h": Sort.THAI,
    "l": Sort.LOCAL,
    "g": Sort.GENERAL,
    "o": Sort.OTHER,
}
SORT_PATTERN = tuple(_SORTS[letter] for letter in "tohaodotloaohtoagotloadoo")
OTHER_TOPICS = word_list("cooking software football gardening finance health")
# The topics that a directory draws from, by the sort of its site.
_TOPICS: dict[Sort, tuple[str, ...]] = {
    Sort.TRAVEL: (TOURISM,) * 14 + (DIVING,) * 3 + ("cooking", "football", ESTATE),
    Sort.AGENT: (ESTATE,) * 17 + ("finance", "finance", "gardening"),
    Sort.DIVERS: (DIVING,) * 15 + (TOURISM,) * 5,
    Sort.THAI: (TOURISM,),
    Sort.LOCAL: (TOURISM,) * 7 + (ESTATE,) * 6 + (DIVING,) * 3 + ("cooking", "football", "finance", "health"),
    Sort.GENERAL: (TOURISM, ESTATE, *OTHER_TOPICS, *OTHER_TOPICS, *OTHER_TOPICS),
    Sort.OTHER: OTHER_TOPICS,
}
# The same for sites about Thailand alone.
_THAI_TOPICS: dict[Sort, tuple[str, ...]] = {
    Sort.TRAVEL: (TOURISM,),
    Sort.AGENT: (ESTATE,) * 15 + ("finance",) * 4 + ("gardening",),
    Sort.DIVERS: (DIVING,) * 19 + (TOURISM,),
}
_THAI_SECTION = (ESTATE,) * 17 + (TOURISM,) * 2 + (DIVING,)
# Of a hundred sites: those about Thailand alone, and those about Thailand among other countries. The home of the latter
# is irrelevant and links to relevant directories: as such links are rare for Thai tourism and diving in the thesis'
# Table 5, few of these sites have a Thai directory.
_THAILAND_ALONE = {Sort.TRAVEL: 20, Sort.AGENT: 40, Sort.DIVERS: 40, Sort.THAI: 100}
_WITH_THAILAND = {Sort.TRAVEL: 3, Sort.AGENT: 25, Sort.DIVERS: 8}
_KEEPS_SUBJECT = 84  # of a hundred directories inside another, those with the same subject


class TopicalSite(NamedTuple):
    """The plan of a topical site; `style` is the random number that decides on its vocabulary and sections."""

    sort: Sort
    topic: str
    countries: tuple[str, ...]
    style: int


def topical_site(sort: Sort, draw: int) -> TopicalSite | None:
    """The plan of the server with the random number `draw`; None for servers without topics."""
    if sort == Sort.NONE:
        return None
    style = mix_of(draw, 0x517E)
    topic = _TOPICS[sort][0]
    if sort == Sort.OTHER:
        topic = OTHER_TOPICS[(style >> 8) % len(OTHER_TOPICS)]
    return TopicalSite(sort, GENERAL if sort == Sort.GENERAL else topic, _countries(sort, style), style)


def _countries(sort: Sort, style: int) -> tuple[str, ...]:
    chance = (style >> 28) % 100 - _THAILAND_ALONE.get(sort, 0)
    if chance < 0:
        return (THAILAND,)
    others = CODES[1:]
    first, count = (style >> 12) % len(others), 1 if sort == Sort.LOCAL else 2 + (style >> 20) % 3
    chosen = [others[(first + step * 3) % len(others)] for step in range(count)]
    if chance < _WITH_THAILAND.get(sort, 0):
        chosen[(style >> 40) % count] = THAILAND
    return tuple(dict.fromkeys(chosen))


def is_little_known(site: TopicalSite | None) -> bool:
    """Whether only sites with topics link to a site."""
    return site is not None and site.countries == (THAILAND,) and site.topic != ESTATE


def home_subject(site: TopicalSite) -> Subject:
    """What the home page of a site is about."""
    return Subject(site.topic, site.countries[0] if len(site.countries) == 1 else "")


def section_subject(site: TopicalSite, number: int) -> Subject:
    """What the `number`-th directory below the home of a site is about."""
    draw = mix_of(site.style, number)
    topics = _topics(site)
    topic = topics[(draw >> 8) % len(topics)]
    if site.sort == Sort.GENERAL:
        # Never number 1: that is the section in the nation's language, if a server has one.
        if number == 2 * (site.style >> 50 & 1):
            return Subject(_THAI_SECTION[(draw >> 8) % len(_THAI_SECTION)], THAILAND)
        return Subject(topic, CODES[1:][(draw >> 16) % (len(CODES) - 1)] if draw % 10 < 4 else "")
    if site.sort == Sort.OTHER:
        about = CODES[(draw >> 16) % len(CODES)] if draw % 4 == 0 else ""
        return Subject(topic if draw >> 60 < 2 else site.topic, about)
    return Subject(topic, site.countries[number % len(site.countries)])


def inner_subject(site: TopicalSite, above: Subject, number: int) -> Subject:
    """What a directory inside another one is about: mostly the same."""
    draw = mix_of(site.style, number + 0x1AAE)
    if draw % 100 < _KEEPS_SUBJECT:
        return above
    topics = _topics(site)
    if draw >> 8 & 1:
        return Subject(topics[(draw >> 16) % len(topics)], above.about)
    countries = site.countries if site.countries == (THAILAND,) else (*site.countries, "")
    return Subject(above.topic, countries[(draw >> 24) % len(countries)])


def _topics(site: TopicalSite) -> tuple[str, ...]:
    is_thai = site.countries == (THAILAND,)
    return _THAI_TOPICS.get(site.sort, _TOPICS[site.sort]) if is_thai else _TOPICS[site.sort]


def page_subject(site: TopicalSite, number: int, of_directory: Subject, draw: int) -> Subject:
    """What a page is about: the subject of its directory, or now and then another one."""
    shares = ratios_of(of_directory).straying
    straying = shares[mix_of(site.style, number + 0x57A1) % len(shares)]
    draw = mix(draw)
    if draw % 100 >= straying:
        return of_directory
    choice, number = (draw >> 8) % 10, draw >> 16
    if choice < 2:
        return Subject(GENERAL, "")
    if choice < 4:
        return Subject(of_directory.topic, "")
    if choice < 7:
        return Subject(OTHER_TOPICS[number % len(OTHER_TOPICS)], of_directory.about)
    codes = CODES if of_directory.topic == ESTATE else CODES[1:]
    return Subject(of_directory.topic, codes[number % len(codes)])
