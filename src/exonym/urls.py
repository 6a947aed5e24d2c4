"""URLs in normal form, and what they belong to: server, segment, top-level domain, partition.

ada-url parses URLs by the standard of WHATWG: default ports, dot segments, IDNA, and the percent-encoding of spaces and
letters outside ASCII. This module adds the rules of crawling: no fragment, no credentials, no dot after a host name,
one case for percent escapes, no session-id parameters.

Ids are xxh3-64 of the text, so they are the same on every machine and in every run.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import ada_url
import xxhash

from exonym.errors import UrlError

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList  # type: ignore[import-untyped,unused-ignore]

# Parameters by which web servers tell visitors apart, so that the same page has a different URL for each.
SESSION_PARAMETERS = frozenset(
    ["phpsessid", "jsessionid", "aspsessionid", "sid", "sessionid", "session_id", "cfid", "cftoken", "osclsid", "zenid"]
)
LONGEST_URL = 2_048

# Not after a stray %: decoded there, `%2%65` would become an escape that was not in the URL.
_ESCAPE = re.compile(r"(?<!%)(?<!%.)%[0-9a-fA-F]{2}")
_PATH_PARAMETER = re.compile(r";([^=/;]*)=[^/;]*")
_QUERY_PARAMETER = re.compile(r"[&;]([^=&;]*)=[^&;]*")
_SESSION_HINT = re.compile(r"sid=|session|cfid=|cftoken=|zenid=", re.IGNORECASE)
_NOT_IN_LABELS = frozenset("./?#@:%[]\\")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])")  # but `example.org:8080` is a server and its port
_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def session_parameters_with(more: Iterable[str]) -> frozenset[str]:
    """The usual session parameters and some more; SESSION_PARAMETERS itself if there are no others."""
    others = {name.lower() for name in more}
    return SESSION_PARAMETERS | others if others else SESSION_PARAMETERS


def normal_form(text: str, base: str | None = None, session_parameters: frozenset[str] = SESSION_PARAMETERS) -> str:
    """The normal form of a URL: the one spelling that Exonym uses; relative texts are joined to `base`."""
    try:
        href = ada_url.join_url(base, text) if base else ada_url.normalize_url(text)
    except ValueError:
        raise UrlError(f"{text[:200]!r} is not a URL. Write it whole, as in https://example.org/.") from None
    return tidied(href, session_parameters)


def url_from(text: str, scheme: str = "https") -> str:
    """The normal form of an address as people write it: one without a scheme is taken to be `scheme`.

    >>> url_from("Example.org/a"), url_from("http://example.org:80")
    ('https://example.org/a', 'http://example.org/')
    """
    if _SCHEME.match(text):
        return normal_form(text)
    try:
        return normal_form(f"{scheme}://{text}")
    except UrlError:
        raise UrlError(f"{text[:200]!r} is not a URL. Write it whole, as in https://example.org/.") from None


def scheme_of(text: str) -> str:
    """The scheme of an address as people write it, in small letters; "" if it has none.

    >>> scheme_of("HTTPS://a.example/"), scheme_of("mailto:me@a.example"), scheme_of("a.example:8080/b")
    ('https', 'mailto', '')
    """
    found = _SCHEME.match(text)
    return found[0].removesuffix(":").lower() if found else ""


def url_of_line(line: str, scheme: str = "https") -> str:
    """The address on one line of a list of addresses; "" if the line is blank or a comment.

    A comment begins with `#` at the beginning of the line or after white space; elsewhere `#` belongs to the address.

    >>> url_of_line("http://a.example/ # the first"), url_of_line("  # not now")
    ('http://a.example/', '')
    """
    address = _COMMENT.sub("", line).strip()
    return url_from(address, scheme) if address else ""


def tidied(href: str, session_parameters: frozenset[str] = SESSION_PARAMETERS) -> str:
    """Normal form of an absolute URL that WHATWG parsing has already written out."""
    href = href.partition("#")[0]
    if not href.startswith(("http://", "https://")):
        raise UrlError(f"{href[:200]!r} is not http or https, the only kinds that Exonym fetches.")
    if len(href) > LONGEST_URL:
        raise UrlError(f"{href[:80]!r}… is longer than {LONGEST_URL} characters.")
    if "@" in href:
        href = _without_credentials(href)
    if "./" in href or ".:" in href:
        href = _without_last_dot(href)
    if "%" in href:
        href = _ESCAPE.sub(_normal_escape, href)
    if session_parameters is not SESSION_PARAMETERS or _SESSION_HINT.search(href):
        href = _without_session(href, session_parameters)
    return href


def _normal_escape(escape: re.Match[str]) -> str:
    letter = chr(int(escape[0][1:], 16))
    return letter if letter in _UNRESERVED else escape[0].upper()


def _without_credentials(href: str) -> str:
    scheme, _, rest = href.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def _without_last_dot(href: str) -> str:
    """`example.org.` is the same host as `example.org`, and must not be a second server with limits of its own."""
    scheme, _, server, path = href.split("/", 3)
    host, colon, port = server.partition(":")
    if not host.endswith(".") or host.endswith("..") or host == ".":
        return href
    return f"{scheme}//{host[:-1]}{colon}{port}/{path}"


def _without_session(href: str, session_parameters: frozenset[str]) -> str:
    scheme, _, server, rest = href.split("/", 3)
    path, mark, query = rest.partition("?")

    def without_session(parameter: re.Match[str]) -> str:
        return "" if parameter[1].lower() in session_parameters else parameter[0]

    tidy_path = _PATH_PARAMETER.sub(without_session, path)
    tidy_query = _QUERY_PARAMETER.sub(without_session, "&" + query)[1:]
    tidy = f"{scheme}//{server}/{tidy_path}" + (mark + tidy_query if tidy_query or not query else "")
    # The rest of `/a/..;sid=1/b` has to be resolved like any other dot segment.
    return ada_url.normalize_url(tidy) if tidy_path != path and "/." in tidy else tidy


def server_of(url: str) -> str:
    """The host (and port, if not the scheme's own) that owns a URL in normal form."""
    return url.split("/", 3)[2]


def bare_server_of(url: str) -> str:
    """The server of a URL in normal form, without a leading `www.`: with and without it, the owner is the same."""
    return server_of(url).removeprefix("www.")


def bare_url_of(url: str) -> str:
    """A URL in normal form without its scheme and a leading `www.`: the spellings of one page have it in common.

    >>> bare_url_of("https://www.example.org/a?b")
    'example.org/a?b'
    """
    return url.partition("://")[2].removeprefix("www.")


def spellings_of(bare_url: str) -> tuple[str, str, str, str]:
    """The URLs that `bare_url_of` turns into this text."""
    return (
        f"http://{bare_url}",
        f"https://{bare_url}",
        f"http://www.{bare_url}",
        f"https://www.{bare_url}",
    )


def segment_of(url: str) -> str:
    """The server and directory path of a URL in normal form: up to and including the path's last `/`."""
    path = url.partition("?")[0]
    return path[: path.rindex("/") + 1]


def path_of(url: str) -> str:
    """Path and query of a URL in normal form, from the `/` after the server."""
    return "/" + url.split("/", 3)[3]


def host_of(server: str) -> str:
    """The host name of a server, without port."""
    return server if server.endswith("]") else server.rpartition(":")[0] or server


@lru_cache(maxsize=65_536)
def top_level_domain_of(server: str) -> str:
    """The last label of a server's host name (`th`), or "" for an address."""
    host = host_of(server).removesuffix(".")
    label = host.rpartition(".")[2]
    return "" if host.startswith("[") or label.isdigit() else label


def domain_from(text: str) -> str:
    """A top-level domain as host names have it; "" if the text is not a top-level domain.

    >>> domain_from(".TH"), domain_from("ไทย"), domain_from("co.th")
    ('th', 'xn--o3cw4h', '')
    """
    label = text.strip().removeprefix(".")
    try:
        is_label = bool(label) and not _NOT_IN_LABELS.intersection(label)
        return top_level_domain_of(server_of(normal_form(f"http://a.{label}/"))) if is_label else ""
    except UrlError:
        return ""


def id_of(text: str) -> int:
    """The 64-bit id of a URL, server or segment, never 0 (0 marks an empty place in tables)."""
    return xxhash.xxh3_64_intdigest(text.encode()) or 1


def partition_of(server: str, partitions: int) -> int:
    """Which of `partitions` owns `server`: the one that owns its registered domain.

    Part of the on-disk and on-wire format: never change it.
    """
    return id_of(site_of_host(host_of(server))) % partitions


def site_of(url: str) -> str:
    """The registered domain of a URL's host; the host itself if it has none, as for an IP address.

    >>> site_of("http://www.news.example.co.th/a/"), site_of("http://me.blogspot.com/"), site_of("http://127.0.0.1/")
    ('example.co.th', 'me.blogspot.com', '127.0.0.1')
    """
    return site_of_host(host_of(server_of(url))) if url.startswith(("http://", "https://")) else url


@lru_cache(maxsize=65_536)
def site_of_host(host: str) -> str:
    """The registered domain of a host name."""
    host = host.lower().removesuffix(".")
    if host.startswith("[") or host.rpartition(".")[2].isdigit():
        return host
    return str(_suffixes().privatesuffix(host) or host)


@lru_cache(maxsize=1)
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
