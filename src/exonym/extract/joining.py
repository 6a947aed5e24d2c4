"""Links of one page joined to its base, in normal form, without a WHATWG parse for the plain ones.

Nearly all links on the web are plain: ASCII letters, digits and a few harmless signs, no dot segments, no
escapes. For these, joining is concatenation and the result is already in normal form. Everything
else goes to `urls.normal_form`; a property test holds the two equal.
"""

import re

from exonym.errors import UrlError
from exonym.urls import normal_form

# Paths are taken whole here and looked through for "/." and "//" afterwards: quicker than a pattern that forbids them.
_PATH = r"[A-Za-z0-9_.~/-]*"
_QUERY = r"(\?[A-Za-z0-9_.~/=&+,-]+)?"
_FRAGMENT = r"(?:#[A-Za-z0-9_.~/=&+,-]*)?"

# The last label has letters only, so that no host is an IPv4 address in disguise.
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}"
_FROM_ROOT = re.compile(rf"(/{_PATH}{_QUERY}){_FRAGMENT}")
_FROM_HERE = re.compile(rf"([A-Za-z0-9_]{_PATH}{_QUERY}){_FRAGMENT}")
_ABSOLUTE = re.compile(rf"(https?://{_HOST}/{_PATH}{_QUERY}){_FRAGMENT}")
_PLAIN_BASE = re.compile(rf"(https?://{_HOST})(/(?:{_PATH}/)?)[A-Za-z0-9_.~-]*(?:\?.*)?")

# Wider than the rule in `urls`: what might name a session is left to it.
_MAYBE_SESSION = ("sid", "ses", "cfi", "cft", "zen")
_OTHER_SCHEMES = ("javascript:", "mailto:", "tel:", "data:", "about:", "ftp:", "file:", "skype:", "whatsapp:", "blob:")
_LONGEST_PLAIN = 1_000


class Joiner:
    """Turns the href texts of one page into URLs; "" for what leads nowhere that Exonym goes."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._known: dict[str, str] = {}
        plain = _PLAIN_BASE.fullmatch(base) if len(base) < _LONGEST_PLAIN and _is_plain(base) else None
        self._root = plain[1] if plain else ""
        self._here = plain[1] + plain[2] if plain else ""

    def join(self, href: str) -> str:
        """The normal form of `href` seen from the base, or "" if it is no http(s) URL."""
        found = self._known.get(href)
        if found is None:
            found = self._known[href] = self._fast(href) or self._slow(href)
        return found

    def _fast(self, href: str) -> str:
        """The URL by concatenation, or "" where that is not known to be right."""
        if len(href) > _LONGEST_PLAIN:
            return ""
        if href.startswith("http"):
            plain, start = _ABSOLUTE.fullmatch(href), ""
        elif not self._root:
            return ""
        elif href.startswith("/"):
            plain, start = _FROM_ROOT.fullmatch(href), self._root
        else:
            start = self._here
            while href.startswith("../"):
                href, start = href[3:], _one_up(start)
            plain = _FROM_HERE.fullmatch(href)
        if plain is None:
            return ""
        url: str = start + plain[1]
        return "" if not _is_plain(url) or (plain[2] and _may_name_session(url)) else url

    def _slow(self, href: str) -> str:
        if href[:16].lower().startswith(_OTHER_SCHEMES):
            return ""
        try:
            return normal_form(href, self._base)
        except UrlError:
            return ""


def _is_plain(url: str) -> bool:
    """Whether no dot segment, empty step or punycode label (which has to be checked) can be in a URL."""
    return "/." not in url and url.find("//", 8) < 0 and "xn--" not in url


def _may_name_session(url: str) -> bool:
    lowered = url.lower()
    return any(hint in lowered for hint in _MAYBE_SESSION)


def _one_up(directory: str) -> str:
    """The directory above; the root's is the root."""
    above = directory.rfind("/", 0, -1) + 1
    return directory if above <= 8 else directory[:above]
