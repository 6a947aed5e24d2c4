"""Answers any request for any host of a practice web: a function of URL and number of the asking.

No state: what changes with time (a busy page, a robots.txt that recovers) depends on how often the
URL was asked before, which the server counts and passes in.
"""

import gzip
from dataclasses import replace
from html import escape

from exonym.practice.chance import mix_of
from exonym.practice.extras import Extra
from exonym.practice.facts import WebFacts
from exonym.practice.kinds import PageKind, says_nofollow_in_header
from exonym.practice.linking import PageSection
from exonym.practice.pages import PracticeLink, PracticeResponse
from exonym.practice.profiles import Labels, Server
from exonym.practice.servers import Role
from exonym.practice.serving.well_known import robots_txt, sitemap
from exonym.practice.spelling import relative, spelled
from exonym.practice.tree import PagePlace
from exonym.practice.words import sentences
from exonym.practice.writing import document, frameset, label_of, spelled_links
from exonym.urls import path_of, server_of

_CODECS = {"windows-874": "cp874"}
_HTML = "text/html"
_PLAIN_HTML = "text/html; charset=utf-8"
DEAD = PracticeResponse(0, (), b"", is_dead=True)
UNKNOWN_HOST = PracticeResponse(404, (("Content-Type", "text/plain"),), b"No such host in this practice web.\n")


def answer(facts: WebFacts, url: str, asked_before: int) -> PracticeResponse:
    """The response to a URL in normal form that was asked `asked_before` times already."""
    index = facts.tree.table.index_of.get(server_of(url))
    if index is None:
        return UNKNOWN_HOST
    server, path = facts.tree.server(index), path_of(url)
    if server.role == Role.DEAD:
        return DEAD
    if not url.startswith(server.origin + "/"):
        return _framed(server, 301, (("Location", server.origin + path),), b"")
    return _wellknown(facts, server, path, asked_before) or _page(facts, server, url, path, asked_before)


def _wellknown(facts: WebFacts, server: Server, path: str, asked_before: int) -> PracticeResponse | None:
    if path == "/robots.txt":
        status = 200 if server.robots_recovers and asked_before else server.robots_status
        body = robots_txt(facts, server).encode() if status == 200 else b""
        headers = (("Content-Type", "text/plain; charset=utf-8"),)
        return PracticeResponse(status, headers, body, is_lasting=not server.robots_recovers)
    found = sitemap(facts, server, path) if path.startswith("/sitemap") else None
    return PracticeResponse(200, (("Content-Type", found[0]),), found[1]) if found else None


def _page(facts: WebFacts, server: Server, url: str, path: str, asked_before: int) -> PracticeResponse:
    page = facts.tree.page_id(url)
    if page is not None:
        return _counted(facts, facts.tree.place(page), asked_before)
    extra = facts.extras.find(server, path)
    if extra is None:
        return _failure(server, 404, "Not found")
    return _month(facts, extra) if extra.is_month else _hop(facts, extra)


def _counted(facts: WebFacts, place: PagePlace, asked_before: int) -> PracticeResponse:
    server, kind = place.server, place.kind
    status = facts.status(place)
    if kind == PageKind.BUSY:
        return replace(_busy(facts, place, asked_before), is_lasting=False)
    if kind in (PageKind.REDIRECT, PageKind.LOOP):
        return _framed(server, status, (("Location", _location(facts, place)),), b"")
    if status != 200:
        return _failure(server, status, "Gone" if status == 410 else "Error")
    if kind in (PageKind.IMAGE, PageKind.DOCUMENT):
        return _binary(place)
    return _text(facts, facts.original(place))


def _busy(facts: WebFacts, place: PagePlace, asked_before: int) -> PracticeResponse:
    if asked_before:
        return _text(facts, place)
    return _failure(place.server, 503, "Busy", (("Retry-After", str(facts.options.retry_after_seconds)),))


def _text(facts: WebFacts, place: PagePlace) -> PracticeResponse:
    links = spelled_links(facts, place, facts.linking.plan(place))
    html = frameset(facts, place, links) if place.kind == PageKind.FRAMES else document(facts, place, links)
    body = html.encode(_CODECS.get(place.server.charset, place.server.charset), "xmlcharrefreplace")
    headers: tuple[tuple[str, str], ...] = (("Content-Type", _content_type(facts, place.server)),)
    if place.position and says_nofollow_in_header(place.draw):
        headers += (("X-Robots-Tag", "noindex, nofollow"),)
    return _framed(place.server, 200, headers, body)


def _content_type(facts: WebFacts, server: Server) -> str:
    if server.labels in (Labels.META, Labels.NONE):
        return _HTML
    return f"{_HTML}; charset={label_of(server, facts.tree.nation_tongue)}"


def _framed(server: Server, status: int, headers: tuple[tuple[str, str], ...], body: bytes) -> PracticeResponse:
    if server.is_gzipped and body:
        headers, body = (*headers, ("Content-Encoding", "gzip")), gzip.compress(body, 6, mtime=0)
    return PracticeResponse(status, headers, body, server.delay_seconds, server.is_chunked)


def _failure(server: Server, status: int, words: str, headers: tuple[tuple[str, str], ...] = ()) -> PracticeResponse:
    body = f"<html><head><title>{status}</title></head><body><p>{words}.</p></body></html>\n".encode()
    return _framed(server, status, (("Content-Type", _PLAIN_HTML), *headers), body)


def _location(facts: WebFacts, place: PagePlace) -> str:
    """Absolute, from the root, or relative."""
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
    return _framed(extra.server, 200, (("Content-Type", _PLAIN_HTML),), html.encode())


def month_links(facts: WebFacts, extra: Extra) -> list[PracticeLink]:
    """The links of a calendar page: home, and the next month."""
    place = facts.tree.place(extra.server.start)
    links = []
    for node, anchor in zip(facts.extra_links(extra), ("Home", "Next month"), strict=False):
        target = facts.url(node)
        href = spelled(place, target, mix_of(extra.number, node))
        links.append(PracticeLink(target, node, anchor, href, PageSection.INLINE, False, False))
    return links


def _hop(facts: WebFacts, extra: Extra) -> PracticeResponse:
    target = facts.url(facts.extra_links(extra)[0])
    return _framed(extra.server, 302, (("Location", target[len(extra.server.origin) :]),), b"")
