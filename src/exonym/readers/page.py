"""A page read and judged: from the bytes of a reply to the columns that a crawl takes.

Plain functions, which reader processes call. Links of a page that asks not to be followed are left out here.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import msgspec
import numpy as np

from exonym.batches import Ids, Readings
from exonym.extract.content_kind import asked_in_head
from exonym.extract.document import LinkColumns, Wants
from exonym.judges.base import Judge
from exonym.readers.link_ids import all_ids_of

OUT_OF_MEMORY = "reader: out of memory"
NO_HTML = "no HTML"  # the evidence of what is not a page


class Job(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A page to read: the head and body of a reply as received. `key` is the caller's own."""

    key: int
    url: str
    head: bytes
    body: bytes
    parent_language: str = ""  # of the page that had the link
    address: str = ""  # of the server


def _no_ids() -> Ids:
    return np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPage:
    """What a page turned out to be, and its links as columns of one length."""

    key: int
    failure: str = ""  # why the page could not be read; all else is empty then
    title: str = ""
    language: str = ""
    shares: dict[str, float] = field(default_factory=dict)
    relevance: float = 0.0
    relevant: bool = False
    inherited: bool = False  # the language is that of the page that linked here
    evidence: str = ""
    charset: str = ""
    charset_evidence: str = ""
    text_length: int = 0  # of the visible text, spaced as it was written
    nofollow: bool = False
    noindex: bool = False
    is_frameset: bool = False
    files: int = 0  # links to files that were left out
    digest: bytes = b""  # of the content; b"": too little text to tell
    url: Ids = field(default_factory=_no_ids)
    server: Ids = field(default_factory=_no_ids)
    segment: Ids = field(default_factory=_no_ids)
    text: list[str] = field(default_factory=list)  # target URLs
    anchor: list[str] | None = None  # this and the next three: None where not wanted
    around: list[str] | None = None
    place: list[str] | None = None
    anchor_language: list[str] | None = None  # "" unknown
    reading: Readings | None = None  # what a link model makes of each link


_FIELDS = tuple(column.name for column in fields(JudgedPage))
_FIRST_ARRAY, _FIRST_TEXT, _READING = _FIELDS.index("url"), _FIELDS.index("text"), _FIELDS.index("reading")


class PageLinkReader(Protocol):
    """Reads the links of a page with a link model."""

    def read(self, job: Job, links: LinkColumns) -> Readings:
        """The model's numbers for each link."""


def read_page(job: Job, judge: Judge, wants: Wants, link_reader: PageLinkReader | None = None) -> JudgedPage:
    """Decode, parse and judge the page of `job`."""
    # Not at the top: the driver of a crawl imports this module too, and parses nothing.
    from exonym.readers.parsing import document_in_reply

    document = document_in_reply(job.url, job.head, job.body, wants, job.parent_language)
    if document is None:
        return JudgedPage(job.key, evidence=NO_HTML, relevance=0.0)
    verdict = judge.judge(document)
    nofollow, noindex = asked_in_head(job.head)
    nofollow, noindex = nofollow or document.nofollow, noindex or document.noindex
    links = LinkColumns() if nofollow else document.links
    url, server, segment = all_ids_of(links.urls)
    return JudgedPage(
        key=job.key,
        title=document.title,
        language=verdict.language,
        shares=verdict.shares,
        relevance=verdict.relevance,
        relevant=verdict.relevant,
        inherited=verdict.inherited,
        evidence=verdict.evidence,
        charset=document.charset,
        charset_evidence=document.charset_evidence,
        text_length=len(document.blocks),
        nofollow=nofollow,
        noindex=noindex,
        is_frameset=document.is_frameset,
        files=document.files,
        digest=document.digest,
        url=url,
        server=server,
        segment=segment,
        text=links.urls,
        anchor=links.anchors if wants.anchor else None,
        around=links.around if wants.around else None,
        place=links.places if wants.place else None,
        anchor_language=_languages_of(links) if wants.anchor_language else None,
        reading=link_reader.read(job, links) if link_reader is not None else None,
    )


def _languages_of(links: LinkColumns) -> list[str]:
    from exonym.language.anchors import identify_links

    return identify_links(links.anchors, links.hreflangs)


def read_safely(job: Job, judge: Judge, wants: Wants, link_reader: PageLinkReader | None = None) -> JudgedPage:
    """Like `read_page`, but never raises: an error of our code or of a library becomes the page's failure."""
    try:
        return read_page(job, judge, wants, link_reader)
    except MemoryError:
        return JudgedPage(job.key, failure=OUT_OF_MEMORY)
    except Exception as error:  # no page may end the crawl, whatever it does to a parser
        return JudgedPage(job.key, failure=f"reader: {type(error).__name__}: {str(error)[:200]}")


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Any])


def packed(reading: JudgedPage) -> bytes:
    """A judged page as bytes for a pipe. A column of texts is sent as one text: no entry has line ends."""
    values = [getattr(reading, name) for name in _FIELDS]
    for position in range(_FIRST_ARRAY, _FIRST_TEXT):
        values[position] = values[position].tobytes()
    for position in range(_FIRST_TEXT, _READING):
        if values[position] is not None:
            values[position] = "\n".join(values[position])
    if values[_READING] is not None:
        values[_READING] = values[_READING].shape[1], values[_READING].tobytes()
    return _encoder.encode(values)


def unpacked(message: bytes) -> JudgedPage:
    """The page that `packed` wrote."""
    values = _decoder.decode(message)
    for position in range(_FIRST_ARRAY, _FIRST_TEXT):
        values[position] = np.frombuffer(values[position], np.uint64)
    has_links = len(values[_FIRST_ARRAY]) > 0
    for position in range(_FIRST_TEXT, _READING):
        if values[position] is not None:
            values[position] = values[position].split("\n") if has_links else []
    if values[_READING] is not None:
        width, numbers = values[_READING]
        values[_READING] = np.frombuffer(numbers, np.float32).reshape(-1, width)
    return JudgedPage(*values)
