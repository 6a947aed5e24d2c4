"""Decides what a topical site is about: its topics and countries, down to directories and single pages.

Everything is computed from the random number of the site, so that the subject of a directory is known without looking
at other directories.
"""

from enum import IntEnum
from typing import NamedTuple

from exonym.practice.chance import mix, mix_of
from exonym.practice.topical.countries import CODES, THAILAND
from exonym.practice.topical.subjects import DIVING, ESTATE, GENERAL, TOURISM, Subject
from exonym.practice.web_languages import word_list


class Sort(IntEnum):
    """Sorts of sites; NONE: a site without topics."""

    NONE = 0
    TRAVEL = 1  # several countries
    AGENT = 2  # houses and land in several countries
    DIVERS = 3
    THAI = 4  # Thailand alone, several topics
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
SORT_PATTERN = tuple(_SORTS[letter] for letter in "tohaodotloaohtoagothoadoo")
OTHER_TOPICS = word_list("cooking software football gardening finance health")
# The topics that a directory draws from, by the sort of its site.
_TOPICS: dict[Sort, tuple[str, ...]] = {
    Sort.TRAVEL: (TOURISM,) * 14 + (DIVING,) * 3 + ("cooking", "football", ESTATE),
    Sort.AGENT: (ESTATE,) * 16 + ("finance", "finance", "gardening", TOURISM),
    Sort.DIVERS: (DIVING,) * 15 + (TOURISM,) * 5,
    Sort.THAI: (TOURISM,) * 7 + (ESTATE,) * 6 + (DIVING,) * 3 + ("cooking", "football", "finance", "health"),
    Sort.LOCAL: (TOURISM,) * 7 + (ESTATE,) * 6 + (DIVING,) * 3 + ("cooking", "football", "finance", "health"),
    Sort.GENERAL: (TOURISM, ESTATE, *OTHER_TOPICS, *OTHER_TOPICS, *OTHER_TOPICS),
    Sort.OTHER: OTHER_TOPICS,
}
_THAI_SECTION = (TOURISM,) * 10 + (ESTATE,) * 7 + (DIVING,) * 3
_WITH_THAILAND = 65  # of a hundred sites about several countries
_KEEPS_SUBJECT = 84  # of a hundred directories inside another, those with the same subject
# Of a hundred pages of a directory, those about something else; most directories are nearly pure.
_STRAYING = (2, 2, 3, 4, 6, 10, 20, 45)


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
    if sort == Sort.THAI:
        return (THAILAND,)
    others = CODES[1:]
    first, count = (style >> 12) % len(others), 1 if sort == Sort.LOCAL else 2 + (style >> 20) % 3
    chosen = [others[(first + step * 3) % len(others)] for step in range(count)]
    if sort in (Sort.TRAVEL, Sort.AGENT, Sort.DIVERS) and (style >> 28) % 100 < _WITH_THAILAND:
        chosen[(style >> 40) % count] = THAILAND
    return tuple(dict.fromkeys(chosen))


def home_subject(site: TopicalSite) -> Subject:
    """What the home page of a site is about."""
    return Subject(site.topic, site.countries[0] if len(site.countries) == 1 else "")


def section_subject(site: TopicalSite, number: int) -> Subject:
    """What the `number`-th directory below the home of a site is about."""
    draw = mix_of(site.style, number)
    topic = _TOPICS[site.sort][(draw >> 8) % len(_TOPICS[site.sort])]
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
    topics = _TOPICS[site.sort]
    if draw >> 8 & 1:
        return Subject(topics[(draw >> 16) % len(topics)], above.about)
    return Subject(above.topic, (*site.countries, "")[(draw >> 24) % (len(site.countries) + 1)])


def page_subject(site: TopicalSite, number: int, of_directory: Subject, draw: int) -> Subject:
    """What a page is about: the subject of its directory, or now and then another one."""
    straying = _STRAYING[mix_of(site.style, number + 0x57A1) % len(_STRAYING)]
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
    return Subject(of_directory.topic, CODES[number % len(CODES)])
