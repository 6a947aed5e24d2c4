"""The site of a page: what is registered as one domain is written by one hand, and its pages are alike."""

from functools import lru_cache
from typing import TYPE_CHECKING

from exonym.urls import host_of, server_of

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList  # type: ignore[import-untyped,unused-ignore]


def site_of(url: str) -> str:
    """The registered domain of a URL's host; the host itself where none is registered, as of an address.

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
