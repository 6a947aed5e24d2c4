"""Host names of topical sites: some say what the site is about, most do not."""

from exonym.practice.chance import mix_of
from exonym.practice.topical.countries import COUNTRIES
from exonym.practice.topical.sites import Sort, TopicalSite, topical_site
from exonym.practice.topical.texts import topic_word


def site_words(sort: Sort, draw: int, usual: tuple[str, str]) -> tuple[str, str]:
    """The two words of a host name, where a site's differ from the usual ones."""
    site = topical_site(sort, draw)
    assert site is not None
    chance = mix_of(draw, 0x405) % 10
    first = _place_word(site, draw) if chance < 2 else usual[0]
    return first, topic_word(site.topic, draw >> 20) if chance in (1, 2, 3) else usual[1]


def _place_word(site: TopicalSite, draw: int) -> str:
    names = COUNTRIES[site.countries[0]].names
    return names[(draw >> 8) % len(names)].lower().replace(" ", "")


def site_domain(sort: Sort, draw: int) -> str:
    """The domain of a country for a third of the sites about it alone; else ""."""
    site = topical_site(sort, draw) if sort in (Sort.THAI, Sort.LOCAL) else None
    return COUNTRIES[site.countries[0]].domain if site and mix_of(draw, 0x7D) % 3 == 0 else ""
