"""The response to any URL of a practice web: a function of the URL and of how often it was requested before.

No state: what changes with time (a busy page, a robots.txt that recovers) depends on the number of earlier requests,
which the server counts and passes in.
"""

import gzip
from dataclasses import replace
from html import escape

from exonym.practice.chance import mix_of
from exonym.practice.extra_pages import Extra
from exonym.practice.graph.node_pages import encoded
from exonym.practice.href_spelling import relative, spelled
from exonym.practice.kinds import PageKind, says_nofollow_in_header
from exonym.practice.linking import PageSection
from exonym.practice.page_html import document, frameset, label_of, spelled_links
from exonym.practice.pages import PracticeLink, PracticeResponse
from exonym.practice.server_profiles import CharsetLabels, Server
from exonym.practice.servers import Role
from exonym.practice.serving.well_known import robots_txt, sitemap
from exonym.practice.tree import PagePlace
from exonym.practice.web_facts import WebFacts
from exonym.practice.web_languages import sentences
from exonym.urls import path_of, server_of

_PLAIN_HTML = "text/html; charset=utf-8"
DEAD = PracticeResponse(0, (), b"", is_dead=True)
UNKNOWN_HOST = PracticeResponse(404, (("Content-Type", "text/plain"),), b"No such host in this practice web.\n")


def answer(facts: WebFacts, url: str, asked_before: int) -> PracticeResponse:
    """The response to a URL in normal form that was requested `asked_before` times already."""
    if facts.options.twins:
        url = _own_name(facts, url)
    index = facts.tree.table.index_of.get(server_of(url))
    if index is None:
        return UNKNOWN_HOST
    server, path = facts.tree.server(index), path_of(url)
    if server.role == Role.DEAD:
        return DEAD
    if not url.startswith(server.origin + "/"):
        return _response(server, 301, (("Location", server.origin + path),), b"")
    if well_known := _well_known(facts, server, path, asked_before):
        return well_known
    page = facts.tree.page_id(url)
    if page is not None:
        return _counted_page(facts, facts.tree.place(page), asked_before)
    extra = facts.extras.find(server, path)
    if extra is None:
        return _failure(server, 404, "Not found")
    if extra.is_month:
        return _month(facts, extra)
    target = facts.url(facts.extra_links(extra)[0])
    return _response(server, 302, (("Location", target[len(server.origin) :]),), b"")


def _own_name(facts: WebFacts, url: str) -> str:
    """The URL by which the web knows a page that was requested by its second name."""
    if server_of(url) not in facts.tree.table.index_of:
        url = url.replace("://www.", "://", 1) if "://www." in url else url.replace("://", "://www.", 1)
    return url.removesuffix("index.html") if url.endswith("/index.html") else url


def _well_known(facts: WebFacts, server: Server, path: str, asked_before: int) -> PracticeResponse | None:
    if path == "/robots.txt":
        status = 200 if server.robots_recovers and asked_before else server.robots_status
        body = robots_txt(facts, server).encode() if status == 200 else b""
        headers = (("Content-Type", "text/plain; charset=utf-8"),)
        return PracticeResponse(status, headers, body, is_lasting=not server.robots_recovers)
    file = sitemap(facts, server, path) if path.startswith("/sitemap") else None
    return PracticeResponse(200, (("Content-Type", file[0]),), file[1]) if file else None


def _counted_page(facts: WebFacts, place: PagePlace, asked_before: int) -> PracticeResponse:
    server, kind = place.server, place.kind
    status = facts.status(place)
    if kind == PageKind.BUSY:
        retry_after = (("Retry-After", str(facts.options.retry_after_seconds)),)
        response = _text(facts, place) if asked_before else _failure(server, 503, "Busy", retry_after)
        return replace(response, is_lasting=False)
    if kind in (PageKind.REDIRECT, PageKind.LOOP):
        return _response(server, status, (("Location", _location(facts, place)),), b"")
    if status != 200:
        return _failure(server, status, "Gone" if status == 410 else "Error")
    if kind in (PageKind.IMAGE, PageKind.DOCUMENT):
        return _binary(place)
    return _text(facts, facts.original(place))


def _text(facts: WebFacts, place: PagePlace) -> PracticeResponse:
    links = spelled_links(facts, place, facts.linking.plan(place))
    html = frameset(facts, place, links) if place.kind == PageKind.FRAMES else document(facts, place, links)
    body, _ = encoded(html, place.server.charset)
    is_labelled = place.server.labels not in (CharsetLabels.META, CharsetLabels.NONE)
    charset = f"; charset={label_of(place.server, facts.tree.nation_tongue)}" if is_labelled else ""
    headers: tuple[tuple[str, str], ...] = (("Content-Type", f"text/html{charset}"),)
    if place.position and says_nofollow_in_header(place.draw):
        headers += (("X-Robots-Tag", "noindex, nofollow"),)
    return _response(place.server, 200, headers, body)


def _response(server: Server, status: int, headers: tuple[tuple[str, str], ...], body: bytes) -> PracticeResponse:
    if server.is_gzipped and body:
        headers, body = (*headers, ("Content-Encoding", "gzip")), gzip.compress(body, 6, mtime=0)
    return PracticeResponse(status, headers, body, server.delay_seconds, server.is_chunked)


def _failure(server: Server, status: int, words: str, headers: tuple[tuple[str, str], ...] = ()) -> PracticeResponse:
    body = f"<html><head><title>{status}</title></head><body><p>{words}.</p></body></html>\n".encode()
    return _response(server, status, (("Content-Type", _PLAIN_HTML), *headers), body)


def _location(facts: WebFacts, place: PagePlace) -> str:
    """The Location of a redirect: absolute, from the root, or relative."""
    target = facts.url(facts.redirect_target(place))
    if not target.startswith(place.server.origin + "/") or place.draw >> 40 & 1:
        return target
    path = target[len(place.server.origin) :]
    return path if place.draw >> 41 & 1 else relative(place.directory.path, path)


def _binary(place: PagePlace) -> PracticeResponse:
    is_image = place.kind == PageKind.IMAGE
    start = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" if is_image else b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    noise = b"".join(mix_of(place.draw, number).to_bytes(8, "big") for number in range(128 + place.draw % 512))
    content_type = "image/png" if is_image else "application/pdf"
    return PracticeResponse(200, (("Content-Type", content_type),), start + noise, place.server.delay_seconds)


def _month(facts: WebFacts, extra: Extra) -> PracticeResponse:
    year_and_month = extra.path.partition("?")[2].replace("&", " ")
    first = extra.number * 7 % 1000
    text = "".join(sentences("en")[first : first + 16])
    links = "".join(f'<a href="{escape(link.href)}">{link.anchor}</a> ' for link in month_links(facts, extra))
    days = " ".join(str(day) for day in range(1, 29))
    head = f"<html><head><title>Calendar {year_and_month}</title></head>"
    html = f"{head}<body>{links}<p>{text}</p><p>{days}</p></body></html>\n"
    return _response(extra.server, 200, (("Content-Type", _PLAIN_HTML),), html.encode())


def month_links(facts: WebFacts, extra: Extra) -> list[PracticeLink]:
    """The links of a calendar page: to the home page, and to the next month."""
    place = facts.tree.place(extra.server.start)
    links = []
    for node, anchor in zip(facts.extra_links(extra), ("Home", "Next month"), strict=False):
        target = facts.url(node)
        href = spelled(place, target, mix_of(extra.number, node))
        links.append(PracticeLink(target, node, anchor, href, PageSection.INLINE, False, False))
    return links
