"""Sends requests, and returns responses exactly as servers sent them.

`messages` has Request and Response; `curl` (with `transfer` and `failures`) sends many requests at a time, `one_by_one`
a few, politely, robots.txt first; `addresses` looks host names up and refuses private addresses; `body` and `encodings`
decode bodies; `sitemap_urls` (with `xml_text`) reads sitemaps. Everything that sends requests uses this package: live
crawls, seed sources, dictionaries of names, commands. It knows nothing of crawls.
"""

from typing import TYPE_CHECKING

from exonym.system.late_names import late_names

if TYPE_CHECKING:
    from exonym.fetch.addresses import Resolution, Resolver, ResolverOptions, is_public
    from exonym.fetch.body import decoded_body, payload_of
    from exonym.fetch.curl import Fetcher
    from exonym.fetch.messages import Request, Response, Truncation
    from exonym.fetch.sitemap_urls import Sitemap, read_sitemap
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
    "Truncation",
    "decoded_body",
    "is_public",
    "payload_of",
    "read_sitemap",
]

# Imported when asked for: reader processes decode bodies and send nothing.
_PLACES = {
    **dict.fromkeys(("Resolution", "Resolver", "ResolverOptions", "is_public"), "addresses"),
    **dict.fromkeys(("decoded_body", "payload_of"), "body"),
    "Fetcher": "curl",
    **dict.fromkeys(("Request", "Response", "Truncation"), "messages"),
    **dict.fromkeys(("Sitemap", "read_sitemap"), "sitemap_urls"),
    "FetchOptions": "transfer",
}


__getattr__ = late_names("exonym.fetch", _PLACES)
