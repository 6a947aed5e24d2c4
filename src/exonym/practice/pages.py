"""Pages, links and responses of a practice web, as values."""

from dataclasses import dataclass

from exonym.practice.kinds import PageKind
from exonym.practice.linking import PageSection


@dataclass(frozen=True, slots=True)
class PracticeLink:
    """A link on its page: `href` is what the HTML says, `target` the URL that it means, in normal form."""

    target: str
    node: int  # page id, or an extra's number
    anchor: str  # for an image or area, its alt text; "" for frames and for links in <head>
    href: str
    section: PageSection
    is_nofollow: bool
    is_image: bool


@dataclass(frozen=True, slots=True)
class PracticePage:
    """One page; `label` is the charset that it declares (None: none), `charset` the one that it is encoded in."""

    id: int
    url: str
    kind: PageKind
    server: str
    language: str  # "" where there is no text
    charset: str
    label: str | None
    title: str
    status: int
    location: str | None  # a redirect's target, in normal form
    links: tuple[PracticeLink, ...]
    is_relevant: bool
    is_forbidden: bool
    says_nofollow: bool
    topic: str = ""  # what the page is about, in a web with topics; "" if nobody can read it
    about: str = ""  # the country that the page is about; "": none


@dataclass(frozen=True, slots=True)
class PracticeResponse:
    """The response of a server, without HTTP framing; `is_dead`: it closes the connection instead."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay_seconds: float = 0.0
    is_chunked: bool = False
    is_dead: bool = False
    is_lasting: bool = True  # False: the next response may differ, so this one must not be cached
