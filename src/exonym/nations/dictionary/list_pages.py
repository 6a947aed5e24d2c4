"""The names on a MediaWiki list page: the texts of its links to articles, in lists and tables and nowhere else.

Pages of both skins, of Parsoid and of the mobile site have the same elements in different wrappings. So wrappings do
not count: links and headings are read in the order of the page, and the ancestors of a link decide whether it is
navigation. Each ancestor is read once, so that the cost is linear in deep pages too; any bytes can be read.
"""

import re
import unicodedata
from typing import NamedTuple

import turbohtml
from turbohtml import Document as Tree
from turbohtml import Element, Node

from exonym.extract.charset import decode
from exonym.nations.dictionary.wiki import (
    APPENDICES,
    NAVIGATION,
    NAVIGATION_ROLES,
    NAVIGATION_TAGS,
    article_of,
    is_overview,
    is_time,
    wiki_of,
    without_remark,
)
from exonym.web_text import one_line

LONGEST_PAGE = 16 * 1024 * 1024  # bytes; the rest of a longer page is not read
LONGEST_NAME = 80
_MOST_LINKS = 100_000
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_LISTING = frozenset(["li", "td", "th", "dd", "dt"])
_CONTENT = frozenset(["mw-parser-output", "mw-content-text", "mw-body-content", "bodyContent"])
_IN_CONTENT, _IN_LIST, _IN_NAVIGATION = 1, 2, 4
_SPECIAL = re.compile(r"[|~#\[\]{}<>\x00-\x1f]")  # separators of nation files, and wiki markup
_EDGES = " \t,;:.•·*–—-\"'“”‘’„«»「」『』"
_LICENCE = re.compile(r"creativecommons\.org/licenses/([a-z-]{2,11})/([0-9.]{1,5})", re.IGNORECASE)


class ListedName(NamedTuple):
    """The text of a link to an article, and the title of the article."""

    text: str
    title: str


class ListPage(NamedTuple):
    """A list page: title, address and licence as it states them, and the names on it, with repetitions."""

    title: str
    address: str  # "" if neither the page nor the caller knows it
    licence: str  # "" where it is not stated
    names: list[ListedName]


def read_list_page(body: bytes, url: str = "", content_type: str = "") -> ListPage:
    """Read a list page. Any bytes will do; a page that is no list page has no names."""
    tree = turbohtml.parse(decode(body[:LONGEST_PAGE], content_type or None).text, positions=False)
    title, address, licence = _head(tree, url)
    wiki = wiki_of(address)
    names: list[ListedName] = []
    for link in _links_in_lists(tree):
        classes = (link.attr("class") or "").split()
        article = article_of((link.attr("href") or "").strip(), classes, link.attr("rel") or "", wiki)
        text = tidied(link.text) if article else ""
        is_name = sum(map(str.isalpha, text)) > 1 and len(text) <= LONGEST_NAME
        if is_name and not is_time(text) and not is_overview(text):
            names.append(ListedName(text, article))
    return ListPage(title or wiki.title, address, licence, names)


def tidied(text: str) -> str:
    """A name as nation files can have it, without remarks in brackets behind it; "" if nothing is left of it."""
    plain = unicodedata.normalize("NFC", one_line(_SPECIAL.sub(" ", text[: 10 * LONGEST_NAME])))
    before = ""
    while plain != before:  # removing a remark may uncover an edge, and the reverse
        before, plain = plain, without_remark(plain).strip(_EDGES)
    return plain


def _head(tree: Tree, url: str) -> tuple[str, str, str]:
    """Title, address and licence as the head of a page states them."""
    title = licence = canonical = base = ""
    for node in tree.iter_elements(("title", "link", "base")):
        target, relation = node.attr("href") or "", (node.attr("rel") or "").lower()
        if node.tag == "title":
            # `List of islands - Wikipedia` is called List of islands.
            title = title or re.split(r" [-–—] (?=[^-–—]*$)", one_line(node.text[:1_000]))[0][:200]
        elif node.tag == "base":
            base = base or target
        elif relation in ("canonical", "dc:isversionof"):
            canonical = canonical or target
        elif relation in ("license", "copyright"):
            licence = licence or licence_named(target)
    address = canonical or url or base
    address = one_line(f"https:{address}" if address.startswith("//") else address)[:2_000]
    if not licence and wiki_of(address).host.endswith("wikipedia.org"):
        licence = "CC BY-SA 4.0"
    return title, address, licence


def licence_named(address: str) -> str:
    """The licence that a link leads to, if it is one of Creative Commons.

    >>> licence_named("https://creativecommons.org/licenses/by-sa/4.0/deed.en")
    'CC BY-SA 4.0'
    """
    licence = _LICENCE.search(address)
    return f"CC {licence[1].upper()} {licence[2].strip('.')}" if licence else ""


def _links_in_lists(tree: Tree) -> list[Element]:
    """The links in lists and tables that are neither navigation nor in an appendix."""
    states: dict[Node, int] = {}
    links: list[tuple[Element, int]] = []
    appendix = 0  # the level of the current appendix's heading
    for node in tree.iter_elements(("a", *_HEADINGS)):
        state = _state_of(node, states)
        if state & _IN_NAVIGATION:
            continue
        if node.tag != "a":
            level = int(node.tag[1])
            if not appendix or level <= appendix:
                text = " ".join(node.text[:1_000].partition("[")[0].split())  # behind the bracket is [edit]
                appendix = level if text.casefold() in APPENDICES else 0
        elif state & _IN_LIST and not appendix and len(links) < _MOST_LINKS:
            links.append((node, state))
    has_content = any(state & _IN_CONTENT for state in states.values())
    return [node for node, state in links if state & _IN_CONTENT or not has_content]


def _state_of(node: Element, known: dict[Node, int]) -> int:
    """Where a link or heading is, by its ancestors: flags, remembered in `known`."""
    above: list[Element] = []
    here: Node | None = node
    while isinstance(here, Element) and here not in known:
        above.append(here)
        here = here.parent
    state = known.get(here, 0) if here is not None else 0
    for element in reversed(above):
        marks = {*(element.attr("class") or "").split(), element.attr("id") or ""}
        if (
            element.tag in NAVIGATION_TAGS
            or not NAVIGATION.isdisjoint(marks)
            or element.attr("role") in NAVIGATION_ROLES
            or "display:none" in (element.attr("style") or "").replace(" ", "")
        ):
            state |= _IN_NAVIGATION
        if element.tag in _LISTING:
            state |= _IN_LIST
        if not _CONTENT.isdisjoint(marks):
            state |= _IN_CONTENT
        known[element] = state
    return state
