"""From the bytes of a page to an example for training: title, body, anchors, site and language."""

from typing import NamedTuple

import xxhash

from exonym.extract.charset import decode
from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.fetch.messages import status_of
from exonym.judges.base import Judge
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.topic import fields_of
from exonym.models.terms import Fields
from exonym.readers.parsing import document_in_reply
from exonym.urls import site_of

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
    digest: bytes  # of title and body, equal for copies; b"" if only the URL is known: other sources may have the words


class LeftOut(NamedTuple):
    """A part of a source that is no example, and why."""

    reason: str
    language: str = ""  # its language, if that is why
    warning: str = ""  # one line with the file and the place, if a file is at fault


MaterialPage = ReadPage | LeftOut


class MaterialReader:
    """Reads pages, and leaves out those in other languages than `language` ("": none); no page makes it raise."""

    def __init__(self, language: str) -> None:
        self.language = language
        # Nobody knows which pages link to a file, so no page inherits a language.
        self._judge: Judge = LanguageJudge((language,), inherit_language=False) if language else AnyLanguage()

    def response(self, url: str, head: bytes, body: bytes) -> MaterialPage:
        """The page in the response of a server, if it is one."""
        if not 200 <= status_of(head) < 300:
            return LeftOut("no page: a redirect or an error")
        try:
            document = document_in_reply(url, head, body, _WANTS)
            return LeftOut("no HTML") if document is None else self.document(document, site_of(url))
        except Exception as error:  # no page may end the reading, whatever error it causes in a parser
            return unreadable(error)

    def html(self, name: str, site: str, body: bytes) -> MaterialPage:
        """The page in an HTML file."""
        try:
            page = self.document(extract(body, "http://file.invalid/", "text/html", _WANTS), site)
        except Exception as error:
            return unreadable(error)
        return page._replace(url=name) if isinstance(page, ReadPage) else page

    def text(self, name: str, site: str, body: bytes) -> MaterialPage:
        """The text in a plain file."""
        decoded = decode(body[: 4 * LONGEST_TEXT], None)
        text = decoded.text[:LONGEST_TEXT]
        return self.document(Document(name, "", text, "", decoded.charset, decoded.evidence), site)

    def document(self, page: Document, site: str, anchors: str | None = None) -> MaterialPage:
        """A page that was parsed; without `anchors`, they are the texts of its links."""
        verdict = self._judge.judge(page)
        if not verdict.relevant:
            return LeftOut(IN_ANOTHER_LANGUAGE, verdict.language or "unknown")
        whole = fields_of(page)
        words = whole.anchors if anchors is None else anchors
        fields = Fields(whole.title, whole.body[:LONGEST_TEXT], words[:LONGEST_ANCHORS])
        if not fields.title.strip() and not fields.body.strip():
            return LeftOut("no text")
        return ReadPage(page.url, site, fields, verdict.language, digest_of(fields))


def digest_of(fields: Fields) -> bytes:
    """A digest of title and body, by which exact copies are recognised."""
    text = " ".join(f"{fields.title}\n{fields.body}".split())
    return xxhash.xxh3_128_digest(text.encode("utf-8", "replace"))


def unreadable(error: Exception) -> LeftOut:
    """What is reported of a page that a parser failed on."""
    return LeftOut(f"page cannot be read: {type(error).__name__}")
