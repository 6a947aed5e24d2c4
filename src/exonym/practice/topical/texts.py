"""The words of a topical page: its sentences, its title, what links to it say, and the words of its URL.

Nothing gives the subject away alone: pages borrow sentences of neighbouring topics and of none, some name few
places, pages about other countries or none name Thai places now and then, and anchors and URLs often say nothing.
"""

from functools import lru_cache
from typing import NamedTuple

from exonym.practice.chance import mix, mix_of
from exonym.practice.topical.countries import CODES, COUNTRIES, NOWHERE, NOWHERE_FLAVOURS, THAILAND
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
from exonym.practice.vocabulary.grammar import words
from exonym.practice.words import TITLES, titles

_SITE_NAMES = 16  # a site names so many places of a country
_WINDOW = POOL // 4  # sentences that a site, or what is written about a country, draws from mostly
_OWN_WINDOW = 205  # of 256 sentences
_COUNTRY_STEP = 397  # temples and elephants here, castles and vineyards there
_STRAY_PAGES = 32  # of 256 pages, those that also name another country's places
_FEW_NAMES = 36  # of 256 pages, those that hardly name any place


_SYLLABLES = words("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bre cla dro fli gre plo sta tri vu")
# Narrowed topics go by such words: most pages about diving have one, whatever else their site writes.
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
    """How one page speaks: shares of 256 of its sentences, and the names it may use."""

    focus: int  # on its own topic
    beside: int  # on a neighbouring one
    neighbour: str
    density: int  # of its own sentences, those with a place
    stray: str  # another country it mentions; "" mostly
    key: int


def _manner(subject: Subject, draw: int) -> _Manner:
    key = mix_of(draw, 0x70B1C)
    wordlist = WORDLISTS.get(subject.topic)
    neighbours = wordlist.neighbours if wordlist else (GENERAL,)
    is_sparse = key & 0xFF < _FEW_NAMES
    return _Manner(
        focus=85 + (key >> 8) % 125,
        beside=15 + (key >> 16) % 75,
        neighbour=neighbours[(key >> 24) % len(neighbours)],
        density=8 if is_sparse else 50 + (key >> 32) % 170,
        stray=_stray_country(key >> 40) if key >> 56 < _STRAY_PAGES else "",
        key=key,
    )


def _stray_country(draw: int) -> str:
    return THAILAND if draw % 3 == 0 else CODES[(draw >> 2) % len(CODES)]


def page_sentences(site: TopicalSite, subject: Subject, draw: int, amount: int) -> list[str]:
    """The running text of a page."""
    manner = _manner(subject, draw)
    names, flavours = _site_names(site.style, subject.about), _flavours(subject.about)
    strays = _site_names(draw, manner.stray) if manner.stray else names
    windows = (site.style % POOL, _CODE_NUMBERS[subject.about] * _COUNTRY_STEP % POOL)
    chosen = []
    for number in range(amount):
        bits = mix_of(manner.key, number)
        chance = bits & 0xFF
        at = windows[chance & 1] + (bits >> 8) % _WINDOW if chance < _OWN_WINDOW else bits >> 8
        text = _pool_for(subject.topic, manner, bits >> 24)[at % POOL]
        if "@" in text:
            text = text.replace("@", (strays if bits >> 60 < 4 else names)[(bits >> 48) % len(names)])
        chosen.append(text.replace("&", flavours[(bits >> 40) % len(flavours)]) if "&" in text else text)
    if subject.topic == DIVING and manner.key >> 17 & 7:
        chosen[amount // 2] = _DIVING_LINES[(manner.key >> 20) % len(_DIVING_LINES)]
    return _signed(chosen, site, subject, manner.key)


def _signed(chosen: list[str], site: TopicalSite, subject: Subject, draw: int) -> list[str]:
    """Who wrote it and where: words that occur on one site only, as real sites have them.

    A model that has seen other pages of the site knows them; that is why folds keep sites together.
    """
    if draw >> 9 & 3:
        chosen[0] = f"By {_coined(mix_of(site.style, _CODE_NUMBERS[subject.about]))}. {chosen[0]}"
    brand = _coined(site.style)
    if draw >> 11 & 7:
        chosen[-1] = f"{chosen[-1]}{brand}. "
    for number in range(draw >> 14 & 3, len(chosen), 9):
        chosen[number] = f"{brand} says: {chosen[number]}"
    return chosen


@lru_cache(maxsize=20_000)
def _coined(key: int) -> str:
    """A name that nobody has."""
    return "".join(_SYLLABLES[mix_of(key, number) % len(_SYLLABLES)] for number in range(4)).title()


def _pool_for(topic: str, manner: _Manner, bits: int) -> tuple[str, ...]:
    chance = bits & 0xFF
    if chance < manner.focus:
        if topic == DIVING and bits >> 8 & 1:
            topic = TOURISM
        return placed_sentences(topic) if (bits >> 9) & 0xFF < manner.density else plain_sentences(topic)
    if chance < manner.focus + manner.beside:
        return plain_sentences(manner.neighbour)
    return plain_sentences(GENERAL)


@lru_cache(maxsize=20_000)
def _site_names(style: int, about: str) -> tuple[str, ...]:
    """The places that a site names when it writes about a country."""
    names = COUNTRIES[about].names if about else NOWHERE
    first = (style >> 30) % len(names)
    some = tuple(names[(first + step) % len(names)] for step in range(_SITE_NAMES - 2))
    return (*some, names[0], names[0]) if about else (*some, *some[:2])


def _flavours(about: str) -> tuple[str, ...]:
    return COUNTRIES[about].flavours if about else NOWHERE_FLAVOURS


def page_title(site: TopicalSite, subject: Subject, draw: int) -> str:
    """A page's title; of those about a country every second names a place."""
    draw = mix_of(draw, 0x717E)
    chance = draw % 100
    if subject.topic == GENERAL:
        return titles("en")[draw % TITLES]
    if chance >= 54 or (not subject.about and chance >= 4):
        return plain_titles(subject.topic)[(draw >> 8) % TITLE_POOL]
    about = subject.about if chance >= 3 else _stray_country(draw >> 20)
    return _with_place(placed_titles(subject.topic)[(draw >> 8) % TITLE_POOL], site.style, about, draw >> 24)


def _with_place(text: str, style: int, about: str, draw: int) -> str:
    names, flavours = _site_names(style, about), _flavours(about)
    return text.replace("@", names[draw % len(names)]).replace("&", flavours[(draw >> 8) % len(flavours)])


def anchor_of(site: TopicalSite, subject: Subject, page_draw: int, draw: int) -> str:
    """What a link says of the page it leads to: its title, a place, something of its topic, or nothing telling."""
    draw = mix(draw)
    chance = draw % 100
    if chance < 52 or subject.topic == GENERAL:
        return page_title(site, subject, page_draw)
    if chance < 61 and subject.about:
        return _site_names(site.style, subject.about)[(draw >> 8) % _SITE_NAMES]
    if 61 <= chance < 63:
        return _site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES]
    return plain_titles(subject.topic)[(draw >> 8) % TITLE_POOL] if chance < 84 else titles("en")[draw % TITLES]


def directory_word(site: TopicalSite, subject: Subject, above: Subject, number: int) -> str:
    """The words of a directory's name: a place, the country, or the topic."""
    draw = mix_of(site.style, number + 0xD12)
    chance = draw % 100
    if chance < 3:
        return _slug(_site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES])
    if subject.about and chance < 56:
        is_first = subject.about != above.about and chance < 40
        names = COUNTRIES[subject.about].names[:1] if is_first else _site_names(site.style, subject.about)
        return _slug(names[(draw >> 8) % len(names)])
    return topic_word(subject.topic, draw >> 8)


def file_word(site: TopicalSite, subject: Subject, draw: int) -> str:
    """The words of a file's name."""
    draw = mix_of(draw, 0xF11E)
    chance = draw % 100
    if chance < 2:
        return _slug(_site_names(draw, _stray_country(draw >> 8))[(draw >> 12) % _SITE_NAMES])
    if subject.about and chance < 15:
        return _slug(_site_names(site.style, subject.about)[(draw >> 8) % _SITE_NAMES])
    return topic_word(subject.topic, draw >> 8)


def topic_word(topic: str, draw: int) -> str:
    """One noun of a topic, as URLs have it."""
    nouns = WORDLISTS["software" if topic == GENERAL else topic].nouns
    return nouns[draw % len(nouns)]


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")
