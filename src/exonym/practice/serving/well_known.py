"""robots.txt and sitemaps of practice servers."""

import gzip

from exonym.practice.server_profiles import Server, Sitemaps
from exonym.practice.web_facts import WebFacts

_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DIRECTORIES_LOOKED_AT = 60
_PATHS = {Sitemaps.PLAIN: "/sitemap.xml", Sitemaps.INDEX: "/sitemap_index.xml", Sitemaps.GZIP: "/sitemap.xml.gz"}


def robots_txt(facts: WebFacts, server: Server) -> str:
    """The text of a server's robots.txt."""
    lines = ["# Practice web", "User-agent: hungrybot", "Disallow: /", "", "User-agent: *", "Disallow: /cgi-bin/"]
    for number in range(min(server.directories, _DIRECTORIES_LOOKED_AT) if server.disallows else 0):
        directory = facts.tree.directory(server.index, number)
        if directory.is_forbidden:
            lines.append(f"Disallow: {directory.path}")
    if server.crawl_delay_seconds:
        lines.append(f"Crawl-delay: {server.crawl_delay_seconds:g}")
    if server.sitemaps != Sitemaps.NONE:
        lines += ["", f"Sitemap: {server.origin}{_PATHS[server.sitemaps]}"]
    return "\n".join(lines) + "\n"


def sitemap(facts: WebFacts, server: Server, path: str) -> tuple[str, bytes] | None:
    """Content type and body of a sitemap file of a server, or None."""
    pages = facts.sitemap_pages(server)
    if server.sitemaps == Sitemaps.INDEX:
        half = (len(pages) + 1) // 2
        lists = {"/sitemap-1.xml": pages[:half], "/sitemap-2.xml.gz": pages[half:]}
    else:
        lists = {_PATHS.get(server.sitemaps, ""): pages}
    if path in lists:
        root = "urlset"
        entries = [f"<url><loc>{facts.url(page)}</loc></url>" for page in lists[path]]
    elif path == _PATHS.get(server.sitemaps):
        root = "sitemapindex"
        entries = [f"<sitemap><loc>{server.origin}{name}</loc></sitemap>" for name in lists]
    else:
        return None
    body = "\n".join([_XML, f'<{root} xmlns="{_NAMESPACE}">', *entries, f"</{root}>\n"]).encode()
    if path.endswith(".gz"):
        return "application/gzip", gzip.compress(body, mtime=0)
    return "application/xml", body
