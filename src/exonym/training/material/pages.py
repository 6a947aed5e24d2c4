"""From the bytes of a page to what a topic is learned from: title, body, anchors, site and language."""

from typing import NamedTuple

import xxhash

from exonym.extract.charset import decode
from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.judges.base import Judge
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.topic import fields_of
from exonym.models.terms import Fields
from exonym.readers.document import document_in_reply

LONGEST_TEXT = 50_000  # characters of one page's body: topics show long before, and 80,000 pages must fit into memory
LONGEST_ANCHORS = 20_000
IN_ANOTHER_LANGUAGE = "in another language"

_WANTS = Wants(around=False, place=False, most_links=2_000, longest_text=LONGEST_TEXT)


class ReadPage(NamedTuple):
    """A page as training takes it."""

    url: str  # or the name of its file
    site: str
    fields: Fields
    language: str
    digest: bytes  # of title and body: the same page at another place has the same; b"": it has no words


class LeftOut(NamedTuple):
    """Something in a source that is no page to learn from, and why."""

    reason: str
    language: str = ""  # that it is in, if that is why


MaterialPage = ReadPage | LeftOut


class MaterialReader:
    """Reads pages, and leaves out those in other languages than `language` ("": none); never raises for a page."""

    def __init__(self, language: str) -> None:
        self.language = language
        # What links to a page is not known of files: no page is taken to be like another.
        self._judge: Judge = LanguageJudge((language,), inherit_language=False) if language else AnyLanguage()

    def answer(self, url: str, site: str, head: bytes, body: bytes) -> MaterialPage:
        """The page that a server's answer holds."""
        try:
            document = document_in_reply(url, head, body, _WANTS)
            return LeftOut("no HTML") if document is None else self.document(document, site)
        except Exception as error:  # no page may end the reading, whatever it finds in a parser
            return _unreadable(error)

    def html(self, name: str, site: str, body: bytes) -> MaterialPage:
        """The page in an HTML file."""
        try:
            found = self.document(extract(body, "http://file.invalid/", "text/html", _WANTS), site)
        except Exception as error:
            return _unreadable(error)
        return found._replace(url=name) if isinstance(found, ReadPage) else found

    def text(self, name: str, site: str, body: bytes) -> MaterialPage:
        """The text in a plain file."""
        decoded = decode(body[: 4 * LONGEST_TEXT], None)
        text = decoded.text[:LONGEST_TEXT]
        return self.document(Document(name, "", text, "", decoded.charset, decoded.evidence), site)

    def document(self, page: Document, site: str, anchors: str | None = None) -> MaterialPage:
        """A page that was parsed; its anchors are those of its links, if not given."""
        verdict = self._judge.judge(page)
        if not verdict.relevant:
            return LeftOut(IN_ANOTHER_LANGUAGE, verdict.language or "unknown")
        whole = fields_of(page)
        words = whole.anchors if anchors is None else anchors
        fields = Fields(whole.title, whole.body[:LONGEST_TEXT], words[:LONGEST_ANCHORS])
        if not fields.title.strip() and not fields.body.strip():
            return LeftOut("no text")
        return ReadPage(page.url, site, fields, verdict.language, digest_of(fields))


def wordless(url: str) -> ReadPage:
    """A page of which only the name is known; other sources may have its words."""
    return ReadPage(url, "", Fields(), "", b"")


def digest_of(fields: Fields) -> bytes:
    """Tells exact copies: the same title and the same words."""
    text = " ".join(f"{fields.title}\n{fields.body}".split())
    return xxhash.xxh3_128_digest(text.encode("utf-8", "replace"))


def _unreadable(error: Exception) -> LeftOut:
    return LeftOut(f"page cannot be read: {type(error).__name__}")
