"""The words of a topical page: its sentences, its title, the anchors of links to it, and the words of its URL.

No single feature gives the subject away: pages borrow sentences from neighbouring topics and from none, some name few
places, pages about other countries or none name Thai places now and then, and many anchors and URLs say nothing.
"""

from functools import lru_cache
from typing import NamedTuple

from exonym.practice.chance import mix, mix_of
from exonym.practice.topical.countries import CODES, COUNTRIES, THAILAND
from exonym.practice.topical.sentences import (
    POOL,
    TITLE_POOL,
    WORDLISTS,
    placed_sentences,
    placed_titles,
    plain_sentences,
    plain_titles,
)
from exonym.practice.topical.sites import TopicalSite
from exonym.practice.topical.subjects import DIVING, GENERAL, TOURISM, Subject
from exonym.practice.topical.topic_ratios import ratios_of
from exonym.practice.web_languages import TITLES, titles, word_list

_SITE_NAMES = 16  # places of a country that a site names
_WINDOW = POOL // 4  # the part of a pool that a site, or texts about a country, mostly draw from
_OWN_WINDOW = 205  # of 256 sentences, those from such a part
_COUNTRY_STEP = 397  # between the parts of two countries: one has temples and elephants, another castles
_STRAY_PAGES = 32  # of 256 pages, those that also name another country's places
_FEW_NAMES = 36  # of 256 pages, those that hardly name any place


_SYLLABLES = word_list(
    "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bre cla dro fli gre plo sta tri vu"
)
# A narrow topic is known by such words: most pages about diving have one of these lines.
_DIVING_LINES = (
    "Scuba courses start every week. ",
    "The diving is why most people come back. ",
    "Bring your own snorkel or rent one on the boat. ",
    "Divers and those who only snorkel share the trip. ",
    "A second dive follows after lunch. ",
    "Snorkelling is fine for those who do not dive. ",
)
_CODE_NUMBERS = {code: number for number, code in enumerate(("", *CODES), 1)}


class _Manner(NamedTuple):
    """The style of one page: shares of its sentences, in 256ths, and the names that it may use."""

    focus: int  # sentences about its own topic
    borrowed: int  # sentences about a neighbouring topic
    neighbour: str
    density: int  # of the sentences about its own topic, those with a place
    stray: str  # another country that it mentions; mostly ""
    key: int


def _manner(subject: Subject, draw: int) -> _Manner:
    key = mix_of(draw, 0x70B1C)
    wordlist = WORDLISTS.get(subject.topic)
    neighbours = wordlist.neighbours if wordlist else (GENERAL,)
    is_sparse = key & 0xFF < _FEW_NAMES
    return _Manner(
        focus=85 + (key >> 8) % 125,
        borrowed=15 + (key >> 16) % 75,
        neighbour=neighbours[(key >> 24) % len(neighbours)],
        density=8 if is_sparse else 75 + (key >> 32) % 170,
        stray=_stray_country(key >> 40) if key >> 56 < _STRAY_PAGES else "",
        key=key,
    )


def _stray_country(draw: int) -> str:
    return THAILAND if draw % 3 == 0 else CODES[(draw >> 2) % len(CODES)]


def page_sentences(site: TopicalSite, subject: Subject, draw: int, amount: int) -> tuple[list[str], list[str]]:
    """The running text of a page: what comes before its links, with nearly all names of places, and what is among them.

    In the thesis' tables, the words around a link say something about its target: so the page's own places are not
    repeated around each link.
    """
    manner = _manner(subject, draw)
    names, flavours = _site_names(site.style, subject.about), COUNTRIES[subject.about].flavours
    strays = _site_names(draw, manner.stray) if manner.stray else names
    windows = (site.style % POOL, _CODE_NUMBERS[subject.about] * _COUNTRY_STEP % POOL)
    before, among = list[str](), list[str]()
    for number in range(amount):
        bits = mix_of(manner.key, number)
        chance = bits & 0xFF
        at = windows[chance & 1] + (bits >> 8) % _WINDOW if chance < _OWN_WINDOW else bits >> 8
        text = _pool_for(subject.topic, manner, bits >> 24)[at % POOL]
        part = before if "@" in text else among
        if "@" in text:
            text = text.replace("@", (strays if bits >> 60 < 4 else names)[(bits >> 48) % len(names)])
        part.append(text.replace("&", flavours[(bits >> 40) % len(flavours)]) if "&" in text else text)
    chosen = [*among[:2], *before, *among[2:3]]  # no names next to the menu and to the first link
    first = len(chosen)
    chosen += among[3:]
    if subject.topic == DIVING and manner.key >> 17 & 7:
        chosen[amount // 2] = _DIVING_LINES[(manner.key >> 20) % len(_DIVING_LINES)]
    chosen = _with_names(chosen, site, subject, manner.key)
    return chosen[:first], chosen[first:]


def _with_names(chosen: list[str], site: TopicalSite, subject: Subject, draw: int) -> list[str]:
    """The sentences with invented names of author and site: words that occur on one site only, as on real sites.

    A model that has seen other pages of the site recognises them; that is why folds keep sites together.
    """
    if draw >> 9 & 3:
        chosen[0] = f"By {_invented_name(mix_of(site.style, _CODE_NUMBERS[subject.about]))}. {chosen[0]}"
    brand = _invented_name(site.style)
    if draw >> 11 & 7:
        chosen[-1] = f"{chosen[-1]}{brand}. "
    for number in range(draw >> 14 & 3, len(chosen), 9):
        chosen[number] = f"{brand} says: {chosen[number]}"
    return chosen


@lru_cache(maxsize=20_000)
def _invented_name(key: int) -> str:
    """An invented name."""
    return "".join(_SYLLABLES[mix_of(key, number) % len(_SYLLABLES)] for number in range(4)).title()


def _pool_for(topic: str, manner: _Manner, bits: int) -> tuple[str, ...]:
    chance = bits & 0xFF
    if chance < manner.focus:
        if topic == DIVING and bits >> 8 & 1:
            topic = TOURISM
        return placed_sentences(topic) if (bits >> 9) & 0xFF < manner.density else plain_sentences(topic)
    if chance < manner.focus + manner.borrowed:
        return plain_sentences(manner.neighbour)
    return plain_sentences(GENERAL)


@lru_cache(maxsize=20_000)
def _site_names(style: int, about: str) -> tuple[str, ...]:
    """The places that a site names when it writes about a country."""
    names = COUNTRIES[about].names
    first = (style >> 30) % len(names)
    some = tuple(names[(first + step) % len(names)] for step in range(_SITE_NAMES - 2))
    return (*some, names[0], names[0]) if about else (*some, *some[:2])


def page_title(site: TopicalSite, subject: Subject, draw: int) -> str:
    """The title of a page; half of the titles about a country name a place."""
    draw = mix_of(draw, 0x717E)
    chance = draw % 100
    if subject.topic == GENERAL:
        return titles("en")[draw % TITLES]
    if chance >= 54 or (not subject.about and chance >= 4):
        return plain_titles(subject.topic)[(draw >> 8) % TITLE_POOL]
    about = subject.about if chance >= 3 else _stray_country(draw >> 20)
    names, flavours = _site_names(site.style, about), COUNTRIES[about].flavours
    title = placed_titles(subject.topic)[(draw >> 8) % TITLE_POOL]
    return title.replace("@", names[(draw >> 24) % len(names)]).replace("&", flavours[(draw >> 32) % len(flavours)])


def anchor_of(site: TopicalSite, subject: Subject, page_draw: int, draw: int) -> str:
    """The anchor of a link to a page: its title, a place, words of its topic, or words that say nothing."""
    draw = mix(draw)
    chance, titled = draw % 100, ratios_of(subject).anchors_from_titles
    if chance < titled or subject.topic == GENERAL:
        return page_title(site, subject, page_draw)
    if 52 <= chance < 61 and subject.about and draw >> 40 & 63 < titled:
        return _site_names(site.style, subject.about)[(draw >> 8) % _SITE_NAMES]
    if chance == 61:
        return _site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES]
    return plain_titles(subject.topic)[(draw >> 8) % TITLE_POOL] if chance < 84 else titles("en")[draw % TITLES]


def directory_word(site: TopicalSite, subject: Subject, above: Subject, number: int) -> str:
    """The word of a directory's name: a place, the country, or a noun of the topic."""
    draw = mix_of(site.style, number + 0xD12)
    chance = draw % 100
    if chance < 3:
        return _slug(_site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES])
    if subject.about and chance < 3 + ratios_of(subject).directory_names:
        is_first = subject.about != above.about and draw >> 60 < 11
        names = COUNTRIES[subject.about].names[:1] if is_first else _site_names(site.style, subject.about)
        return _slug(names[(draw >> 8) % len(names)])
    return topic_word(subject.topic, draw >> 8)


def file_word(site: TopicalSite, subject: Subject, draw: int) -> str:
    """The word of a file's name."""
    draw = mix_of(draw, 0xF11E)
    chance = draw % 1000
    if chance < 32:
        return _slug(_site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES])
    if subject.about and chance < 32 + 10 * ratios_of(subject).file_names:
        return _slug(_site_names(site.style, subject.about)[(draw >> 8) % _SITE_NAMES])
    return topic_word(subject.topic, draw >> 8)


def topic_word(topic: str, draw: int) -> str:
    """A noun of a topic, for URLs."""
    nouns = WORDLISTS["software" if topic == GENERAL else topic].nouns
    return nouns[draw % len(nouns)]


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")
