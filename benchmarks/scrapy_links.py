"""Plain link following with Scrapy, the yardstick of `live.py`: no archive, no language, no frontier on disk.

Set up as Scrapy's own page on broad crawls advises, and so that nothing slows it that need not: names are not
looked up (every connection goes to the practice web), no cookies, no retries, no logging, no extensions.

`--style lean` is the most that we could get out of it: aiohttp in the place of Twisted's client, links by one XPath
in the place of LinkExtractor, URLs seen before dropped before a Request is made of them, middlewares that have
nothing to do here removed.

    python benchmarks/scrapy_links.py --connect-to 127.0.0.1:8080 --pages 1000 http://www.worldhappy.net/
"""

import argparse
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urldefrag, urljoin

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.response import get_base_url

CONNECTIONS = 100

SETTINGS: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": CONNECTIONS,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "CONCURRENT_ITEMS": 1,  # there are none; more would start as many tasks for every page
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REFERER_ENABLED": False,
    "HTTPPROXY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
}

LEAN: dict[str, Any] = {
    "DOWNLOAD_HANDLERS": {"http": "scrapy.core.downloader.handlers._aiohttp.AiohttpDownloadHandler"},
    "DOWNLOADER_STATS": False,
    "METAREFRESH_ENABLED": False,
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
        "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
        "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": None,
        "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    },
    "SPIDER_MIDDLEWARES": {
        "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
        "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
        "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
    },
}


class FollowAllLinks(Spider):
    """Follows every link until `most_pages` pages were read."""

    name = "follow-all-links"

    def __init__(self, start_urls: list[str], most_pages: int, tally: dict[str, int]) -> None:
        super().__init__()
        self.start_urls = start_urls
        self.most_pages = most_pages
        self.tally = tally  # pages, links: the spider itself is gone when the crawl is over
        self._links = LinkExtractor(unique=True)

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:
        """Count the page and ask for what it links to."""
        if self.tally["pages"] >= self.most_pages:
            raise CloseSpider("pages")
        self.tally["pages"] += 1
        if isinstance(response, HtmlResponse):
            for url in self.targets(response):
                self.tally["links"] += 1
                yield Request(url)

    def targets(self, response: HtmlResponse) -> Iterator[str]:
        """Where the page's links lead."""
        for link in self._links.extract_links(response):
            if not link.nofollow:
                yield link.url


class FollowNewLinks(FollowAllLinks):
    """The same, by hand: faster than LinkExtractor, and what was seen never becomes a Request."""

    name = "follow-new-links"

    def __init__(self, start_urls: list[str], most_pages: int, tally: dict[str, int]) -> None:
        super().__init__(start_urls, most_pages, tally)
        self._seen: set[str] = set()

    def targets(self, response: HtmlResponse) -> Iterator[str]:
        """Where the page's links lead that were not met before."""
        base, seen = get_base_url(response), self._seen
        for href in response.xpath("//a[not(@rel='nofollow')]/@href | //area/@href").getall():
            url = urldefrag(urljoin(base, href))[0]
            if url not in seen:
                seen.add(url)
                if url.startswith("http"):
                    yield url


def send_twisted_to(host: str, port: int) -> None:
    """Let Twisted's client connect to one address, whatever the URL says; cheaper than any look-up of names."""
    from twisted.internet.endpoints import TCP4ClientEndpoint
    from twisted.web.client import _StandardEndpointFactory

    def endpoint(self: Any, _uri: object) -> TCP4ClientEndpoint:
        return TCP4ClientEndpoint(self._reactor, host, port, self._connectTimeout or 30)

    setattr(_StandardEndpointFactory, "endpointForURI", endpoint)  # noqa: B010  mypy wants the method itself


def send_aiohttp_to(host: str, port: int) -> None:
    """The same for aiohttp, whose resolvers may name ports too."""
    import socket

    import aiohttp.connector
    from aiohttp.abc import AbstractResolver, ResolveResult

    class OneAddress(AbstractResolver):
        def __init__(self, **_: Any) -> None:
            super().__init__()

        async def resolve(self, name: str, _port: int = 0, family: int = socket.AF_INET) -> list[ResolveResult]:
            return [ResolveResult(hostname=name, host=host, port=port, family=socket.AF_INET, proto=0, flags=0)]

        async def close(self) -> None:
            return None

    setattr(aiohttp.connector, "DefaultResolver", OneAddress)  # noqa: B010


def main() -> None:
    """Crawl, then print what was done as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", nargs="+", metavar="URL")
    parser.add_argument("--connect-to", required=True, metavar="HOST:PORT")
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--seconds", type=int, default=600, help="give up after so long")
    parser.add_argument("--style", choices=["plain", "lean"], default="plain")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="try another Scrapy setting")
    options = parser.parse_args()
    host, _, port = options.connect_to.rpartition(":")
    is_lean = options.style == "lean"
    (send_aiohttp_to if is_lean else send_twisted_to)(host, int(port))
    asked = dict(pair.split("=", 1) for pair in options.set)
    limit = {"CLOSESPIDER_TIMEOUT": options.seconds}
    process = AsyncCrawlerProcess(SETTINGS | (LEAN if is_lean else {}) | limit | asked)
    tally = {"pages": 0, "links": 0}
    crawler = process.create_crawler(FollowNewLinks if is_lean else FollowAllLinks)
    process.crawl(crawler, start_urls=options.seeds, most_pages=options.pages, tally=tally)
    process.start()
    stats = crawler.stats.get_stats()
    print(json.dumps(tally | {"reason": stats.get("finish_reason"), "responses": stats.get("response_received_count")}))


if __name__ == "__main__":
    main()
