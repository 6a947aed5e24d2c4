"""Pages, links and responses of a practice web, as values."""

from dataclasses import dataclass

from exonym.practice.kinds import PageKind
from exonym.practice.linking import PageSection


@dataclass(frozen=True, slots=True)
class PracticeLink:
    """A link as it stands in its page: `href` is what is written, `target` what it means in normal form."""

    target: str
    node: int  # page id, or an extra's number
    anchor: str  # for an image or area, its alt text; "" for frames and head links
    href: str
    section: PageSection
    is_nofollow: bool
    is_image: bool


@dataclass(frozen=True, slots=True)
class PracticePage:
    """One page; `label` is the charset it declares (None: none), `charset` the one it is written in."""

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
    topic: str = ""  # what it is about, in a web with topics; "" where nobody reads it
    about: str = ""  # the country it is about; "": none


@dataclass(frozen=True, slots=True)
class PracticeResponse:
    """What a server answers, without framing; `is_dead`: it closes the connection instead."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay_seconds: float = 0.0
    is_chunked: bool = False
    is_dead: bool = False
    is_lasting: bool = True  # False: the next answer may be another, so it is not to be cached
