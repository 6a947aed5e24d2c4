"""The options of a practice web."""

from dataclasses import dataclass

from exonym.errors import ConfigError
from exonym.practice.nations import NATIONS

SMALLEST_WEB = 100
TOPICAL_NATION = "th"


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    """Settings of a practice web; the defaults make a web like a nation's, small enough for tests.

    `failures` are 404s, 5xx, redirect loops and dead servers; `traps` the calendar and session ids.
    """

    nation: str = "th"
    page_bytes: int = 6_000
    links_per_page: int = 20
    servers: int | None = None  # None: about one for 30 pages
    national_share: float = 0.28  # pages on servers that speak the nation's language, wholly or partly
    slow_seconds: float = 0.02
    crawl_delay_seconds: float = 0.05
    retry_after_seconds: int = 1
    failures: bool = True
    traps: bool = True
    robots: bool = True  # Disallow and Crawl-delay lines
    sitemaps: bool = True
    legacy_charsets: bool = True
    compression: bool = True
    https: bool = False
    furnished: bool = False  # scripts, styles, menus and attributes, as pages of real sites have them
    twins: bool = False  # serve each site under two names, with and without `www.`, and directories as index.html too
    topics: bool = False  # make most foreign sites English, about tourism, estate and other topics


# The mean size and number of links of real pages; `furnishing` says of which.
REAL_SIZE = PracticeOptions(page_bytes=67_000, links_per_page=123, furnished=True)


def check_options(pages: int, options: PracticeOptions) -> None:
    """Raise ConfigError for a web that cannot be made."""
    if pages < SMALLEST_WEB:
        raise ConfigError(f"A practice web needs {SMALLEST_WEB} pages or more, got {pages}. Choose a larger size.")
    if options.nation not in NATIONS:
        raise ConfigError(f"nation must be one of {', '.join(NATIONS)}, got {options.nation!r}.")
    if options.topics and options.nation != TOPICAL_NATION:
        raise ConfigError(f"topics are written for the nation {TOPICAL_NATION}, got {options.nation!r}. Leave one out.")
    if not 0.05 <= options.national_share <= 0.8:
        raise ConfigError(f"national_share must be 0.05 to 0.8, got {options.national_share}.")
    if options.links_per_page < 8:
        raise ConfigError(f"links_per_page must be 8 or more, got {options.links_per_page}.")
    if options.servers is not None and not 12 <= options.servers <= pages // 2:
        raise ConfigError(f"servers must be 12 to half the pages, got {options.servers}.")
