"""Labels for randomly chosen English pages of a practice web, by its own truth: no person has to label them."""

import gzip
from collections.abc import Iterator

from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.judges.topic import fields_of
from exonym.practice.chance import mix_of
from exonym.practice.kinds import PageKind
from exonym.practice.topical.subjects import LANGUAGE, relevant_to
from exonym.practice.web import PracticeWeb
from exonym.training.labels import Label

LABELLED_BY = "practice web (oracle)"
_READ_KINDS = frozenset([PageKind.PAGE, PageKind.BUSY])  # a copy would be the same page twice
_ANCHORS = Wants(around=False, place=False)


def labels_of(web: PracticeWeb, target: str, sample: int, when: str = "") -> Iterator[Label]:
    """Up to `sample` labels of different English pages, each as likely as any other, in random order."""
    key = mix_of(web.seed, 0x1ABE1)
    order = sorted(range(web.page_count), key=lambda page: mix_of(key, page))
    taken = 0
    for page_id in order:
        if taken == sample:
            return
        page = web.page(page_id)
        if page.kind in _READ_KINDS and page.topic and page.language == LANGUAGE:
            taken += 1
            fields = fields_of(document_of(web, page.url))
            yield Label(
                url=page.url,
                positive=relevant_to(page, target),
                title=fields.title,
                text=fields.body,
                anchors=fields.anchors,
                language=page.language,
                labelled_by=LABELLED_BY,
                when=when,
                source=f"practice web {web.seed} of {web.page_count} pages: {target}",
            )


def document_of(web: PracticeWeb, url: str) -> Document:
    """A text page as a crawl of the web reads it."""
    body, content_type = served_page(web, url)
    return extract(body, url, content_type, _ANCHORS)


def served_page(web: PracticeWeb, url: str) -> tuple[bytes, str]:
    """The bytes of a page, without content encoding, and its Content-Type ("" for none)."""
    response = web.respond(url, asked_before=1)
    headers = dict(response.headers)
    body = gzip.decompress(response.body) if headers.get("Content-Encoding") == "gzip" else response.body
    return body, headers.get("Content-Type", "")
