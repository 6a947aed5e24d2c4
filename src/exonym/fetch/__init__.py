"""Fetching: requests out, replies in as they were sent, and the files that steer a polite crawler.

`curl` talks to servers, `addresses` finds and checks whom to talk to, `body` takes encodings
off, `robots` and `sitemap` read the two files that servers keep for crawlers.
"""

from exonym.fetch.addresses import Resolution, Resolver, ResolverOptions, is_public
from exonym.fetch.body import decoded_body, payload_of
from exonym.fetch.curl import Fetcher
from exonym.fetch.messages import Request, Response, Truncation
from exonym.fetch.sitemap import Sitemap, SitemapLimits, read_sitemap
from exonym.fetch.transfer import FetchOptions
from exonym.politeness.robots import RobotsRules, RobotsVerdict, robots_verdict

__all__ = [
    "FetchOptions",
    "Fetcher",
    "Request",
    "Resolution",
    "Resolver",
    "ResolverOptions",
    "Response",
    "RobotsRules",
    "RobotsVerdict",
    "Sitemap",
    "SitemapLimits",
    "Truncation",
    "decoded_body",
    "is_public",
    "payload_of",
    "read_sitemap",
    "robots_verdict",
]
