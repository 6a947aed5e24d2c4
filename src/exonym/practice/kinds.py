"""The kinds of pages of a practice web, and the features that a page has by chance."""

from enum import IntEnum


class PageKind(IntEnum):
    """What a request for a page returns."""

    PAGE = 0  # text and links
    FRAMES = 1  # a frameset: no text of its own
    REDIRECT = 2
    LOOP = 3  # redirects to itself
    MISSING = 4  # 404
    GONE = 5  # 410
    BROKEN = 6  # always 500
    BUSY = 7  # 503 with Retry-After for the first request, then a page
    IMAGE = 8
    DOCUMENT = 9  # PDF
    COPY = 10  # the bytes of the page before it
    CALENDAR = 11  # one of the endless months, outside the counted ids
    HOP = 12  # one of a chain of redirects, outside the counted ids


# Upper bounds, in thousandths of the pages that are not the index of a directory.
_KINDS_OF_THOUSAND = (
    (25, PageKind.REDIRECT),
    (28, PageKind.LOOP),
    (42, PageKind.MISSING),
    (46, PageKind.GONE),
    (51, PageKind.BROKEN),
    (54, PageKind.BUSY),
    (68, PageKind.IMAGE),
    (76, PageKind.DOCUMENT),
    (90, PageKind.COPY),
)
_FAILURES = frozenset([PageKind.LOOP, PageKind.MISSING, PageKind.GONE, PageKind.BROKEN, PageKind.BUSY])
TEXT_KINDS = frozenset([PageKind.PAGE, PageKind.BUSY, PageKind.COPY])


def kind_of(draw: int, position: int, failures: bool) -> PageKind:
    """The kind of a page that is not a directory's index."""
    number = draw % 1000
    if number >= 90:
        return PageKind.PAGE
    kind = next(kind for bound, kind in _KINDS_OF_THOUSAND if number < bound)
    if kind == PageKind.COPY and position < 2:
        return PageKind.PAGE
    return PageKind.PAGE if kind in _FAILURES and not failures else kind


def says_nofollow(draw: int) -> bool:
    """Whether a page's `<meta name=robots>` says noindex,nofollow."""
    return (draw >> 20) % 90 == 0


def says_nofollow_in_header(draw: int) -> bool:
    """Whether a page's X-Robots-Tag says nofollow."""
    return (draw >> 20) % 90 == 1


def has_refresh(draw: int) -> bool:
    """Whether a page has a `<meta http-equiv=refresh>` to its directory's index."""
    return (draw >> 27) % 60 == 0


def has_base(draw: int) -> bool:
    """Whether a page has a `<base href>` to its server's root."""
    return (draw >> 33) % 25 == 0


def has_map(draw: int) -> bool:
    """Whether a page's last links are areas of an image map."""
    return (draw >> 40) % 30 == 0


def has_next(draw: int) -> bool:
    """Whether a page names the next page of its directory by `<link rel=next>`."""
    return (draw >> 44) % 6 == 0


def has_escapes(draw: int) -> bool:
    """Whether a page's title holds control characters and terminal escapes."""
    return (draw >> 48) % 50 == 0


def is_off_language(draw: int) -> bool:
    """Whether a page of a national server is in English nevertheless."""
    return (draw >> 14) % 40 == 0
