"""Links of one page joined to its base, in normal form, without a WHATWG parse for the plain ones.

Nearly all links on the web are plain: ASCII letters, digits and a few harmless signs, escapes of foreign letters,
no dot segments. For these, joining is concatenation and the result is already in normal form. One pattern splits all
links of a page; links that it does not match go to `urls.normal_form`; a property test holds the two equal.

Pages of a site repeat their menus: results that depend on nothing but the server are remembered from page to page.
"""

import re
from functools import lru_cache
from typing import cast

from exonym.errors import UrlError
from exonym.urls import LONGEST_URL, SESSION_PARAMETERS, normal_form

# One link a line: its start (scheme, server, dots), path and query; all three are empty for a link that is not plain.
_START = r"((?:https?:)?//[a-z0-9.-]++/|/|(?:\./)?+(?:\.\./)*+)"
_STEP = r"[A-Za-z0-9_.~-]*+"
_ESCAPE = r"%[89A-F][0-9A-F]"  # beyond ASCII, as the normal form spells it
_PATH = rf"((?![./]){_STEP}(?:(?:/(?![./])|{_ESCAPE}){_STEP})*+)"
_QUERY = r"(\?[A-Za-z0-9_.~/=&+,-]++)?+"
_LINKS = re.compile(rf"^(?:{_START}{_PATH}{_QUERY}(?:#.*+)?+|.*+)$", re.MULTILINE)

# The last label has letters only, so that no host is an IPv4 address in disguise.
_SERVER = re.compile(r"https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}/")

# Wider than the rule in `urls`, which decides on every parameter that might name a session.
_MAYBE_SESSION = ("sid", "ses", "cfi", "cft", "zen")
_MOST_REMEMBERED, _LONGEST_REMEMBERED = 32_768, 500  # results; characters of a link: some 20 MB in all
_WITH_SERVER = ("http://", "https://", " http")  # the keys of results that are remembered
_OTHER_SCHEMES = ("javascript:", "mailto:", "tel:", "data:", "about:", "ftp:", "file:", "skype:", "whatsapp:", "blob:")


class Joiner:
    """Turns the href texts of one page into URLs; "" for links that are not http(s)."""

    def __init__(self, base: str, session_parameters: frozenset[str] = SESSION_PARAMETERS) -> None:
        self._base = base
        is_usual = session_parameters == SESSION_PARAMETERS
        self._session_parameters = SESSION_PARAMETERS if is_usual else session_parameters
        self._maybe_session = _MAYBE_SESSION if is_usual else (*_MAYBE_SESSION, *session_parameters)
        self._starts: dict[str, str] = {}
        self._slowly: dict[str, str] = {}
        self._remembered = _remembered_with(self._session_parameters)

    def joined(self, hrefs: list[str]) -> list[str]:
        """The normal form of each of `hrefs` seen from the base, "" if it is no http(s) URL."""
        remembered = self._remembered
        # With a blank before the server, a link from the root cannot be mistaken for an absolute one.
        server = " " + self._base[: self._base.find("/", 8)]
        keys = [server + href if href[:1] == "/" else href for href in hrefs]
        found = list(map(remembered.get, keys))
        if None not in found:
            return cast(list[str], found)
        missing = {key: href for key, href, url in zip(keys, hrefs, found, strict=True) if url is None}
        new = dict(zip(missing, self._joined(list(missing.values())), strict=True))
        if len(remembered) > _MOST_REMEMBERED:
            remembered.clear()
        for key, url in new.items():
            if key.startswith(_WITH_SERVER) and len(key) <= _LONGEST_REMEMBERED:
                remembered[key] = url
        return [new[key] if url is None else url for key, url in zip(keys, found, strict=True)]

    def _joined(self, hrefs: list[str]) -> list[str]:
        """The same, for links that are not remembered. The loop is hot."""
        lines = "\n".join(hrefs)
        if lines.count("\n") >= len(hrefs):
            lines = "\n".join([href.replace("\n", " ") for href in hrefs])  # a blank is not plain either
        parted = _LINKS.findall(lines)
        queries = "".join({query for _, _, query in parted}).lower()
        hints = [hint for hint in self._maybe_session if hint in queries]
        starts, urls = self._starts, []
        for href, (start, path, query) in zip(hrefs, parted, strict=False):
            prefix = starts.get(start)
            if prefix is None:
                prefix = starts[start] = _plain_server(start) or self._prefix(start)
            url = prefix + path + query
            is_plain = prefix and (path or start) and len(url) <= LONGEST_URL
            if is_plain and not (query and hints and any(hint in query.lower() for hint in hints)):
                urls.append(url)
            else:
                if href not in self._slowly:
                    self._slowly[href] = self._standard(href)
                urls.append(self._slowly[href])
        return urls

    def _prefix(self, start: str) -> str:
        """The text before the path of a link without a scheme, or "" where it is not known for sure."""
        root = self._base[: self._base.find("/", 8) + 1]
        if start.startswith("//"):
            return _plain_server(self._base.partition("/")[0] + start)
        here = self._base.partition("?")[0]
        here = here[: here.rindex("/") + 1]
        if start == "/" or not _plain_server(root):
            return _plain_server(root)
        if start.startswith("h") or "/." in here or "//" in here[8:]:
            return ""
        for _ in range(min(start.count(".."), here.count("/"))):
            here = here[: here.rindex("/", 0, -1) + 1] if here != root else root
        return here

    def _standard(self, href: str) -> str:
        """The normal form by a WHATWG parse."""
        if not href or href.startswith("#"):
            return self._base
        if href[:16].lower().startswith(_OTHER_SCHEMES):
            return ""
        try:
            return normal_form(href, self._base, self._session_parameters)
        except UrlError:
            return ""


@lru_cache(maxsize=4)
def _remembered_with(session_parameters: frozenset[str]) -> dict[str, str]:
    """The results that are remembered for these session parameters: URLs by links with their server."""
    return {}


@lru_cache(maxsize=8_192)
def _plain_server(server: str) -> str:
    """A scheme and server, as in `http://a.example/`, if in normal form, else "". Punycode is checked elsewhere."""
    return server if len(server) < 300 and "xn--" not in server and _SERVER.fullmatch(server) else ""


def base_of(url: str, base: str | None) -> str:
    """The URL that the links of the page at `url` start from, given the page's <base>."""
    try:
        return normal_form(base.strip(), url) if base else url
    except UrlError:
        return url
