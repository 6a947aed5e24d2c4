"""An HTML page to a Document: decode, parse, read the elements that link, join links, then take text and anchors.

Linear in the page and bounded (links, text, depth of a place), for any bytes. A hostile page can still drive the
parser itself to gigabytes, which the limits of the reader process stop.
"""

import turbohtml

from exonym.extract.charset import decode
from exonym.extract.document import Document, Wants
from exonym.extract.elements import Elements
from exonym.extract.page_digest import page_digest
from exonym.extract.page_links import PageLinks
from exonym.extract.visible_text import MarkedText, visible_text

_LONGEST_TITLE = 1_000


def extract(
    body: bytes,
    url: str,
    content_type: str | None,
    wants: Wants = Wants(),  # noqa: B008
    parent_language: str = "",
) -> Document:
    """Read the page `body` that was found at `url` (in normal form) by a link on a page in `parent_language`."""
    decoded = decode(body, content_type)
    tree = turbohtml.parse(decoded.text, positions=False)
    root = tree.root
    language_tag = (root.attr("lang") or root.attr("xml:lang") or "") if root else ""
    elements = Elements(tree, wants.most_links, wants.files, wants.anchor_language)
    links = PageLinks(elements, url, wants)
    marked = MarkedText(tree, elements.links, wants.around) if wants.anchor or wants.around else None
    blocks = visible_text(tree) if marked is None else marked.blocks
    title = " ".join((elements.title or "").split())[:_LONGEST_TITLE]
    return Document(
        url=url,
        title=title,
        blocks=blocks[: wants.longest_text],
        language_tag=language_tag.strip()[:35],
        charset=decoded.charset,
        charset_evidence=decoded.evidence,
        links=links.columns(marked),
        nofollow=elements.nofollow,
        noindex=elements.noindex,
        is_frameset=elements.is_frameset,
        charset_label=decoded.charset_label,
        parent_language=parent_language,
        html=decoded.text,
        files=elements.files,
        digest=page_digest(title, blocks, elements.links),
    )
