"""From bytes to a Document: every page is read here, wherever its bytes come from.

Both functions may raise any exception, because the bytes may be hostile; `page.read_safely` and the pool contain it.
"""

from exonym.extract.charset import decode
from exonym.extract.content_kind import LONGEST_BODY, is_html
from exonym.extract.document import Document, Wants
from exonym.extract.html import extract
from exonym.fetch.body import decoded_body
from exonym.fetch.messages import header_value

_EVERYTHING = Wants()


def document_in_reply(
    url: str, head: bytes, body: bytes, wants: Wants = _EVERYTHING, parent_language: str = ""
) -> Document | None:
    """The page in the reply of a server, whose head and body are as received; None if the page is not HTML."""
    content = decoded_body(head, body, LONGEST_BODY)
    content_type = header_value(head, "content-type") or b""
    if not is_html(content_type, content):
        return None
    return extract(content, url, content_type.decode("latin-1"), wants, parent_language)


def document_in_file(url: str, content: bytes, content_type: str = "", wants: Wants = _EVERYTHING) -> Document:
    """The page in bytes without encodings. Anything but HTML is read as plain text, without a title or links."""
    if is_html(content_type.encode("latin-1", "replace"), content):
        return extract(content, url, content_type, wants)
    decoded = decode(content, content_type)
    return Document(
        url,
        title="",
        blocks=decoded.text,
        charset=decoded.charset,
        charset_evidence=decoded.evidence,
        charset_label=decoded.charset_label,
    )
