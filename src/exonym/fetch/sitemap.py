"""The URLs that a sitemap lists: plain text, XML, an index of sitemaps, RSS or Atom, gzipped or not.

Found by scanning for the few elements that hold URLs, not by an XML parser: broken files give
what they have, and there are no entities to expand.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from exonym.errors import UrlError
from exonym.fetch.body import gunzipped
from exonym.fetch.xml_text import unescaped
from exonym.urls import normal_form

SITEMAP_BYTES = 50 * 1024 * 1024  # the limit of the protocol; as much is taken of what a service answers

_NAME = r"(?:(?!image:|video:|news:)[\w.-]{1,32}:)?"  # <image:loc> names a picture, not a page
_TEXT = r"\s*(?:(<!\[CDATA\[)\s*)?([^<]{0,8192})"
_LOCATION = re.compile(rf"<{_NAME}loc(?:\s[^<>]{{0,256}})?>{_TEXT}")
_RSS_LINK = re.compile(rf"<link>{_TEXT}")
_ATOM_LINK = re.compile(r"<(?:atom:)?link\s(?:[^<>]{0,512}\s)?()href\s*=\s*[\"']([^\"'<>]{1,8192})")
_ROOT = re.compile(r"<(?:[\w.-]{1,32}:)?(urlset|sitemapindex|rss|RDF|feed)\b", re.I)
_ROOT_WITHIN = 16_384  # characters: after comments, style sheets and a document type


@dataclass(frozen=True, slots=True)
class SitemapLimits:
    """How much of a sitemap is read: the protocol's own limits."""

    entries: int = 50_000
    size_bytes: int = SITEMAP_BYTES


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Pages, and further sitemaps, each once, in normal form, in the order of the file."""

    urls: list[str]
    sitemaps: list[str]


def read_sitemap(content: bytes, url: str, limits: SitemapLimits | None = None) -> Sitemap:
    """What the sitemap found at `url` lists; bad entries are dropped."""
    limits = limits or SitemapLimits()
    if content[:2] == b"\x1f\x8b":
        content = gunzipped(content, limits.size_bytes)
    text = _decoded(content[: limits.size_bytes])
    root = _ROOT.search(text, 0, _ROOT_WITHIN)
    found = list(dict.fromkeys(_good(islice(_entries(text, root[1].lower() if root else ""), limits.entries), url)))
    return Sitemap([], found) if root and root[1].lower() == "sitemapindex" else Sitemap(found, [])


def _decoded(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:  # URLs are ASCII: what is lost would not be missed
        return content.decode("latin-1")


def _entries(text: str, root: str) -> Iterator[str]:
    if root == "feed":
        yield from (unescaped(found[2]) for found in _ATOM_LINK.finditer(text))
    elif root in ("rss", "rdf"):
        yield from map(_element_text, _RSS_LINK.finditer(text))
    elif root or text[:1_024].lstrip().startswith("<"):
        yield from map(_element_text, _LOCATION.finditer(text))
    else:
        yield from (line[0].strip() for line in re.finditer(r"[^\r\n]+", text))


def _element_text(found: re.Match[str]) -> str:
    in_cdata, text = found[1], found[2]
    return (text.partition("]]>")[0] if in_cdata else unescaped(text)).strip()


def _good(entries: Iterator[str], base: str) -> Iterator[str]:
    for entry in entries:
        # Whole URLs, as the protocol wants, or from the root, as some write; other texts are not URLs.
        if not entry.startswith("/") and entry[:8].lower().partition(":")[0] not in ("http", "https"):
            continue
        try:
            yield normal_form(entry, base)
        except UrlError:
            continue
