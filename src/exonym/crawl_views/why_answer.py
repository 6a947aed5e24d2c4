"""The answer of `exonym why`: why a page was visited when it was, why a link was not, or why a server waits.

All texts come from the web, or may: clean them before printing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from exonym.batches import NO_ROW
from exonym.config import Settings
from exonym.crawl_views.inquiry import Inquiry
from exonym.crawl_views.promise import promise_words
from exonym.crawl_views.why import page_story
from exonym.crawl_views.why_link import link_part
from exonym.crawl_views.why_server import server_part
from exonym.errors import DirectoryError
from exonym.urls import bare_url_of, normal_form, scheme_of, server_of, session_parameters_with, spellings_of, tidied

_FETCHED = ("http", "https")
_BARE_HOST = re.compile(r"[^/?#\s]+")
_MOST_NEAR = 3
_DRAWN = "drawn at random, to estimate how complete the crawl is"
_NEAR = """select name from servers where damerau_levenshtein(name, ?) <= 2
    order by damerau_levenshtein(name, ?), name limit ?"""


def answer(inquiry: Inquiry, asked: str) -> dict[str, Any]:
    """Why, for an address or a server as people write it; raises DirectoryError if nothing is known of it.

    Scripts rely on the names in the answer: more may be added, none may be removed.
    """
    text = asked.strip()
    if scheme_of(text) not in ("", *_FETCHED):
        return _of_other_scheme(text)
    if not scheme_of(text) and _BARE_HOST.fullmatch(text):
        return _of_server(inquiry, server_of(normal_form(f"http://{text}/")), text)
    urls = _spellings(inquiry.settings, text)
    if any(_is_met(inquiry, url) and inquiry.visit_of(url) is None for url in urls):
        inquiry.index.refresh()  # it may have been visited since the index was read
    for url in urls:
        if (number := inquiry.visit_of(url)) is not None:
            return _of_visit(inquiry, url, number)
    url = next((url for url in urls if _is_met(inquiry, url)), urls[0])
    if url == f"{url.partition('://')[0]}://{server_of(url)}/" and not _is_met(inquiry, url):
        return _of_server(inquiry, server_of(url), text, list(_near_urls(inquiry, url)))
    return _of_link(inquiry, url)


def _spellings(settings: Settings, text: str) -> list[str]:
    """The URLs that a text may mean, in normal form: without a scheme, it may be of both."""
    parameters = session_parameters_with(settings.urls.session_parameters)
    schemes = [""] if scheme_of(text) else ["https://", "http://"]
    return [tidied(normal_form(f"{scheme}{text}"), parameters) for scheme in schemes]


def _is_met(inquiry: Inquiry, url: str) -> bool:
    look = inquiry.home_of(server_of(url)).look
    return look is not None and look.known(url) is not None


def _of_other_scheme(text: str) -> dict[str, Any]:
    said = f"Not crawled: addresses that begin with {scheme_of(text)[:40]}: are not; http and https alone are."
    return {"kind": "link", "url": text, "state": "scheme", "answer": said}


# Pages


def _of_visit(inquiry: Inquiry, url: str, number: int) -> dict[str, Any]:
    story = page_story(inquiry.index, number)
    assert story is not None, "the index has the visit"
    home = inquiry.home_of(server_of(url))
    is_seed = inquiry.is_seed(url)
    return {
        "kind": "page",
        "url": url,
        "state": story["outcome"],
        "answer": _visited(story, is_seed),
        "strategy": inquiry.strategy,
        "promise": story["promise"],
        "chain": story["chain"],
        "has_source": story["source"] != NO_ROW,
        "is_seed": is_seed,
        "visit": story,
        "problem": home.problem,
        "server": server_part(inquiry, server_of(url)),
    }


def _visited(story: dict[str, Any], is_seed: bool) -> str:
    place = f"as visit {story['place']:,} of {story['visits']:,}"
    if story["outcome"] == "forbidden":
        return f"Not fetched: {story['failure']}. Its turn came {place}."
    if story["outcome"] == "redirect" and not story["status"]:
        return f"Not fetched: it is an {story['why']}. Its turn came {place}."
    seed = "as a seed" if is_seed else "with the score of a seed"
    why = seed if story["promise"]["seed"] else f"for its {promise_words(story['promise'])}"
    if story["promise"]["drawn"]:
        why = f"not for its promise but {_DRAWN}"
    return f"Visited {place}, {why}: {_outcome(story)}."


def _outcome(story: dict[str, Any]) -> str:
    match story["outcome"]:
        case "failed":
            return f"the request failed ({story['failure'] or story['status']})"
        case "redirect":
            return f"it redirects (status {story['status']})"
        case "sitemap":
            return "it is a sitemap"
        case _ if story["copy"]:
            return "it is a copy of another page, which does not count"
        case _:
            return "it is relevant" if story["relevant"] else "it is not relevant"


# Links and servers


def _of_link(inquiry: Inquiry, url: str) -> dict[str, Any]:
    server = server_part(inquiry, server_of(url))
    link = link_part(inquiry, url, server)
    near = list(_near_urls(inquiry, url))
    if link["state"] in ("not found", "unreadable") and server["state"] == "unknown":
        raise DirectoryError(
            _nothing_known(inquiry, url, server_of(url), [*near, *_near_servers(inquiry, server_of(url))])
        )
    return {"kind": "link", **link, "strategy": inquiry.strategy, "near": near, "server": server}


def _of_server(inquiry: Inquiry, name: str, text: str, near: Sequence[str] = ()) -> dict[str, Any]:
    server = server_part(inquiry, name)
    if server["state"] == "unknown":
        root = next((url for scheme in _FETCHED if _is_met(inquiry, url := f"{scheme}://{name}/")), None)
        if root is not None:
            return _of_link(inquiry, root)
        raise DirectoryError(_nothing_known(inquiry, text, name, [*near, *_near_servers(inquiry, name)]))
    return {
        "kind": "server",
        "url": "",
        "state": server["state"],
        "answer": server["answer"],
        "strategy": inquiry.strategy,
        "near": list(near),
        "problem": inquiry.home_of(name).problem,
        "server": server,
    }


def _nothing_known(inquiry: Inquiry, what: str, server: str, near: list[str]) -> str:
    advice = f"Did you mean {' or '.join(near[:_MOST_NEAR])}?" if near else "Write it as the crawl would find it."
    advice = inquiry.home_of(server).problem or advice
    return f"{inquiry.index.directory} knows nothing of {what[:200]}. {advice}"


def _near_urls(inquiry: Inquiry, url: str) -> Iterator[str]:
    """Other spellings of a URL that the crawl has met: of the other scheme, with or without `www.` or a last slash."""
    for other in _variants(url):
        if inquiry.visit_of(other) is not None or _is_met(inquiry, other):
            yield other


def _variants(url: str) -> Iterator[str]:
    bare = bare_url_of(url)
    other = bare.removesuffix("/") if bare.endswith("/") else f"{bare}/"
    for spelling in (bare, other):
        if "/" in spelling:
            yield from (variant for variant in spellings_of(spelling) if variant != url)


def _near_servers(inquiry: Inquiry, name: str) -> list[str]:
    """The server with or without `www.`, or else those whose names differ in one or two letters."""
    bare = name.removeprefix("www.")
    for twin in (bare, f"www.{bare}"):
        if twin != name and server_part(inquiry, twin)["is_known"]:
            return [twin]
    return [str(near) for (near,) in inquiry.cursor.execute(_NEAR, [name, name, _MOST_NEAR]).fetchall()]
