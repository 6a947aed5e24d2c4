"""Whether a reply is a page at all, and which directives for crawlers its head has, before anything is parsed."""

import re

LONGEST_BODY = 16 * 1024 * 1024  # after decoding; what is longer is cut
_HTML_TYPES = re.compile(rb"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_VAGUE_TYPES = re.compile(rb"\s*(?:text/plain|application/octet-stream|unknown/unknown)?\s*(?:;|$)", re.IGNORECASE)
_LOOKS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|a|div|table|frameset)\b", re.IGNORECASE)
_ROBOTS_LINE = re.compile(rb"^x-robots-tag[ \t]*:[ \t]*(?:exonym[ \t]*:)?([^:\r\n]*)\r?$", re.IGNORECASE | re.MULTILINE)


def is_html(content_type: bytes, body: bytes) -> bool:
    """Whether a body is HTML: by its type, and by its first bytes where the type is vague."""
    return bool(_HTML_TYPES.match(content_type) or (_VAGUE_TYPES.match(content_type) and looks_html(body)))


def looks_html(body: bytes) -> bool:
    """Whether a body begins like an HTML page."""
    return bool(_LOOKS_HTML.search(body, 0, 1_024))


def asked_in_head(head: bytes) -> tuple[bool, bool]:
    """Whether X-Robots-Tag, to all or to us, asks not to follow links, and not to index the page."""
    if b"obots" not in head and b"OBOTS" not in head:
        return False, False
    words = b" ".join(_ROBOTS_LINE.findall(head)).lower().replace(b",", b" ").split()
    return b"nofollow" in words or b"none" in words, b"noindex" in words or b"none" in words
