"""From bytes to a Document: the one way in for pages, whoever has them.

Both functions may raise whatever a parser makes of hostile bytes; `page.read_safely` and the pool contain that.
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
    """The page in the reply of a server, whose head and body are as received; None if it is no HTML."""
    content = decoded_body(head, body, LONGEST_BODY)
    content_type = header_value(head, "content-type") or b""
    if not is_html(content_type, content):
        return None
    return extract(content, url, content_type.decode("latin-1"), wants, parent_language)


def document_in_file(url: str, content: bytes, content_type: str = "", wants: Wants = _EVERYTHING) -> Document:
    """The page in bytes without encodings. What is no HTML is taken for plain text, without a title or links."""
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
