"""The digest of a page's content, by which copies are recognised though their bytes differ.

Two pages have the same digest if title, visible text and links are the same, the links as they are written: on mirrors
and on error pages, relative links are written alike and lead elsewhere. What a server changes from request to request
or from name to name does not count: scripts, comments, hidden fields, the hosts in links, session parameters, and the
tags that name the page's own address.
"""

import re

import xxhash

from exonym.extract.elements import RawLink
from exonym.urls import SESSION_PARAMETERS

LEAST_CHARACTERS = 200  # of title and text: menus and messages of programs are the same on many sites

_OWN_ADDRESS = frozenset(["canonical", "alternate"])
_HOST = re.compile(r"//[^/?#\n]*")
_SESSION_HINTS = tuple(f"{name}=" for name in sorted(SESSION_PARAMETERS))
_SESSION = re.compile(rf"[?&;](?:{'|'.join(_SESSION_HINTS)})[^&;#\n]*", re.IGNORECASE)


def page_digest(title: str, blocks: str, links: list[RawLink]) -> bytes:
    """The digest of a page's title, visible text and links, 16 bytes; b"" for a page with too little text."""
    if len(title) + len(blocks) < LEAST_CHARACTERS:
        return b""
    hrefs = "\n".join([href for href, kind, _, _ in links if kind not in _OWN_ADDRESS])
    hrefs = _HOST.sub("", hrefs).replace("https:", "http:")
    folded = hrefs.lower()
    if any(hint in folded for hint in _SESSION_HINTS):  # faster than to look for the expression
        hrefs = _SESSION.sub("", hrefs)
    return xxhash.xxh3_128_digest(f"{title}\0{blocks}\0{hrefs}".encode("utf-8", "surrogatepass"))
