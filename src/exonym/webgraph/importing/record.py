"""The records of an import, the same for all kinds of sources: pages, loose links, revisits, and clues for judges."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from exonym.batches import Outcome, language_code
from exonym.extract.document import Document
from exonym.extract.written_text import text_as_written

_LONGEST_TAG = 120  # characters of <html lang>; judges read no more

code_of = lru_cache(maxsize=4_096)(language_code)


class PageRecord(NamedTuple):
    """One URL that was requested, and the links found there."""

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
    clue: str = ""  # kept with the text: other facts that judges use; "" if no judge has read the page
    around: Sequence[str] = ()  # the words around each link, if they are kept
    inherited: bool = False  # the page shows no language: it was taken to be in that of the page that links to it
    payload: int = 0  # of pages whose content is the same, the same number; 0: unknown, or too short to tell
    country: int = 0  # of the server's IP address (batches.country_code); 0 where the source has no address


class LooseLink(NamedTuple):
    """A link from a table, without its page."""

    source: str
    target: str
    anchor: str = ""
    anchor_language: int = 0
    around: str = ""


class Copy(NamedTuple):
    """A revisit: the response at `url` had the body that was archived for `original`."""

    url: str
    head: str  # as Latin-1
    original: str
    parent_language: str = ""


class Clue(msgspec.Struct, array_like=True, frozen=True):
    """The facts that judges use besides a page's text. Kept as a line of JSON in the column `clue`."""

    title: str = ""
    language_tag: str = ""
    charset: str = ""
    charset_label: str = ""
    parent_language: str = ""
    is_frameset: bool = False
    html: str = ""  # the text as it was written, if the visible text has other words


def clue_of(page: Document) -> str:
    """The clue of a page, as JSON."""
    tag = page.language_tag[:_LONGEST_TAG]
    written = text_as_written(page.html, page.is_frameset)
    clue = Clue(page.title, tag, page.charset, page.charset_label, page.parent_language, page.is_frameset, written)
    return msgspec.json.encode(clue).decode()


def clue_in(text: str) -> Clue | None:
    """The clue in a JSON text; None if the text is empty (no judge has read the page) or not a clue."""
    try:
        return msgspec.json.decode(text, type=Clue) if text else None
    except (msgspec.DecodeError, UnicodeError):
        return None


def kept_page(url: str, text: str, clue: Clue) -> Document:
    """The page that a graph kept, from its text and its clue."""
    return Document(
        url,
        clue.title,
        text,
        clue.language_tag,
        clue.charset,
        is_frameset=clue.is_frameset,
        parent_language=clue.parent_language,
        charset_label=clue.charset_label,
        html=clue.html,
    )
