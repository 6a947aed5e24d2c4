"""Requests out, responses in as they were sent.

`messages` has Request and Response; `curl` (with `transfer` and `failures`) sends many at a time, `one_by_one` a few,
politely, robots.txt first; `addresses` looks names up and refuses private ones; `body` and `encodings` take encodings
off; `sitemap` (with `xml_text`) reads sitemaps. Used by whoever asks servers: live crawls, seed sources, dictionaries
of names, commands. Knows nothing of crawls.
"""

from exonym.fetch.addresses import Resolution, Resolver, ResolverOptions, is_public
from exonym.fetch.body import decoded_body, payload_of
from exonym.fetch.curl import Fetcher
from exonym.fetch.messages import Request, Response, Truncation
from exonym.fetch.sitemap import Sitemap, SitemapLimits, read_sitemap
from exonym.fetch.transfer import FetchOptions

__all__ = [
    "FetchOptions",
    "Fetcher",
    "Request",
    "Resolution",
    "Resolver",
    "ResolverOptions",
    "Response",
    "Sitemap",
    "SitemapLimits",
    "Truncation",
    "decoded_body",
    "is_public",
    "payload_of",
    "read_sitemap",
]
