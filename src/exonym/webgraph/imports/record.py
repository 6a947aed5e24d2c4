"""A page as an import keeps it, whatever source it comes from."""

from collections.abc import Sequence
from typing import NamedTuple

from exonym.model import Outcome


class PageRecord(NamedTuple):
    """One URL that was asked for, and the links found there."""

    url: str  # in normal form
    outcome: Outcome
    language: int = 0
    charset: str = ""
    relevant: bool = False
    relevance: float = 0.0
    text_length: int = 0
    text: str = ""
    targets: Sequence[str] = ()
    anchors: Sequence[str] = ()
    anchor_languages: Sequence[int] = ()
    nofollow: Sequence[int] = ()  # NOFOLLOW for links that ask not to be followed
    offset: int = -1  # of the WARC record in its file


class LooseLink(NamedTuple):
    """A link from a table, that comes without its page."""

    source: str
    target: str
    anchor: str = ""
    anchor_language: int = 0


class Skipped(NamedTuple):
    """Something in a source that is no page, and why."""

    reason: str


class Copy(NamedTuple):
    """A revisit: the answer for `url` had the body that was archived for `original`."""

    url: str
    head: str  # as Latin-1
    original: str
    parent_language: str = ""
