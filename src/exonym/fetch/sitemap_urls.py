"""The URLs that a sitemap lists: plain text, XML, an index of sitemaps, RSS or Atom, gzipped or not.

URLs are found by a scan for the few elements that hold them, without an XML parser: broken files give what they have,
and there are no entities to expand.
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

# The limits of the protocol. As many bytes are taken of what a service answers.
SITEMAP_ENTRIES = 50_000
SITEMAP_BYTES = 50 * 1024 * 1024

_NAME = r"(?:(?!image:|video:|news:)[\w.-]{1,32}:)?"  # <image:loc> names a picture, not a page
_TEXT = r"\s*(?:(<!\[CDATA\[)\s*)?([^<]{0,8192})"
_LOCATION = re.compile(rf"<{_NAME}loc(?:\s[^<>]{{0,256}})?>{_TEXT}")
_RSS_LINK = re.compile(rf"<link>{_TEXT}")
_ATOM_LINK = re.compile(r"<(?:atom:)?link\s(?:[^<>]{0,512}\s)?()href\s*=\s*[\"']([^\"'<>]{1,8192})")
_ROOT = re.compile(r"<(?:[\w.-]{1,32}:)?(urlset|sitemapindex|rss|RDF|feed)\b", re.I)
_ROOT_WITHIN = 16_384  # characters: after comments, style sheets and a document type


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Pages, and further sitemaps, each once, in normal form, in the order of the file."""

    urls: list[str]
    sitemaps: list[str]


def read_sitemap(
    content: bytes, url: str, most_entries: int = SITEMAP_ENTRIES, most_bytes: int = SITEMAP_BYTES
) -> Sitemap:
    """What the sitemap at `url` lists; bad entries are dropped, and so is what exceeds the limits."""
    if content[:2] == b"\x1f\x8b":
        content = gunzipped(content, most_bytes)
    text = _decoded(content[:most_bytes])
    match = _ROOT.search(text, 0, _ROOT_WITHIN)
    root = match[1].lower() if match else ""
    urls = list(dict.fromkeys(_valid_urls(islice(_entries(text, root), most_entries), url)))
    return Sitemap([], urls) if root == "sitemapindex" else Sitemap(urls, [])


def _decoded(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:  # URLs are ASCII, so other characters may be wrong
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


def _valid_urls(entries: Iterator[str], base: str) -> Iterator[str]:
    for entry in entries:
        # Absolute URLs, as the protocol demands, or paths from the root, as some write; other texts are not URLs.
        if not entry.startswith("/") and entry[:8].lower().partition(":")[0] not in ("http", "https"):
            continue
        try:
            yield normal_form(entry, base)
        except UrlError:
            continue
