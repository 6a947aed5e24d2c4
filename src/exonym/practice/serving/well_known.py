"""robots.txt and sitemaps of practice servers."""

import gzip

from exonym.practice.facts import WebFacts
from exonym.practice.profiles import Server, Sitemaps
from exonym.practice.tree import Directory

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DIRECTORIES_LOOKED_AT = 60


def robots_txt(facts: WebFacts, server: Server) -> str:
    """The text of a server's robots.txt."""
    lines = ["# Practice web", "User-agent: hungrybot", "Disallow: /", "", "User-agent: *", "Disallow: /cgi-bin/"]
    lines += [f"Disallow: {directory.path}" for directory in _disallowed(facts, server)]
    if server.crawl_delay_seconds:
        lines.append(f"Crawl-delay: {server.crawl_delay_seconds:g}")
    if server.sitemaps != Sitemaps.NONE:
        lines += ["", f"Sitemap: {server.origin}{_sitemap_path(server)}"]
    return "\n".join(lines) + "\n"


def _disallowed(facts: WebFacts, server: Server) -> list[Directory]:
    if not server.disallows:
        return []
    numbers = range(min(server.directories, _DIRECTORIES_LOOKED_AT))
    directories = (facts.tree.directory(server.index, number) for number in numbers)
    return [directory for directory in directories if directory.is_forbidden]


def _sitemap_path(server: Server) -> str:
    return {Sitemaps.PLAIN: "/sitemap.xml", Sitemaps.INDEX: "/sitemap_index.xml", Sitemaps.GZIP: "/sitemap.xml.gz"}[
        server.sitemaps
    ]


def sitemap(facts: WebFacts, server: Server, path: str) -> tuple[str, bytes] | None:
    """Content type and body of a sitemap file of a server, or None."""
    if server.sitemaps == Sitemaps.NONE:
        return None
    pages = facts.sitemap_pages(server)
    half = (len(pages) + 1) // 2
    if path == _sitemap_path(server):
        if server.sitemaps == Sitemaps.INDEX:
            return "application/xml", _index(server).encode()
        return (
            _gzipped(_url_list(facts, pages)) if path.endswith(".gz") else ("application/xml", _url_list(facts, pages))
        )
    if server.sitemaps == Sitemaps.INDEX and path == "/sitemap-1.xml":
        return "application/xml", _url_list(facts, pages[:half])
    if server.sitemaps == Sitemaps.INDEX and path == "/sitemap-2.xml.gz":
        return _gzipped(_url_list(facts, pages[half:]))
    return None


def _index(server: Server) -> str:
    names = ("sitemap-1.xml", "sitemap-2.xml.gz")
    entries = "".join(f"<sitemap><loc>{server.origin}/{name}</loc></sitemap>\n" for name in names)
    return f'{_XML}<sitemapindex xmlns="{_NAMESPACE}">\n{entries}</sitemapindex>\n'


def _url_list(facts: WebFacts, pages: list[int]) -> bytes:
    entries = "".join(f"<url><loc>{facts.url(page)}</loc></url>\n" for page in pages)
    return f'{_XML}<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n'.encode()


def _gzipped(body: bytes) -> tuple[str, bytes]:
    return "application/gzip", gzip.compress(body, mtime=0)
