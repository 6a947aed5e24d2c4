"""The names on a MediaWiki list page: what its links to articles say, in lists and tables and nowhere else.

Pages of both skins, of Parsoid and of the mobile site have the same elements in different wrappings. So nothing is
asked of the wrappings: links and headings are read in the order of the page, and each link's elements above it say
whether it is navigation. Each of these is looked at once, so that deep pages cost no more; it holds for any bytes.
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
    Wiki,
    article_of,
    is_overview,
    is_time,
    wiki_of,
    without_remark,
)
from exonym.web_text import one_line

LONGEST_PAGE = 16 * 1024 * 1024  # bytes; what is behind them is not read
LONGEST_NAME = 80
_MOST_LINKS = 100_000
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_LISTING = frozenset(["li", "td", "th", "dd", "dt"])
_CONTENT = frozenset(["mw-parser-output", "mw-content-text", "mw-body-content", "bodyContent"])
_IN_CONTENT, _IN_LIST, _IN_NAVIGATION = 1, 2, 4
_SPECIAL = re.compile(r"[|~#\[\]{}<>\x00-\x1f]")  # parts names in our files, or is of the wiki's own markup
_EDGES = " \t,;:.•·*–—-\"'“”‘’„«»「」『』"
_LICENCE = re.compile(r"creativecommons\.org/licenses/([a-z-]{2,11})/([0-9.]{1,5})", re.IGNORECASE)


class ListedName(NamedTuple):
    """What a link to an article says, and which article."""

    text: str
    title: str


class ListPage(NamedTuple):
    """A list page: what it is called, where it says it is, its licence, and the names on it as often as they stand."""

    title: str
    address: str  # "" where neither the page nor who gave it knows
    licence: str  # "" where it is not stated
    names: list[ListedName]


def read_list_page(body: bytes, url: str = "", content_type: str = "") -> ListPage:
    """A list page with what it tells of itself. Any bytes will do; what is no list page has no names."""
    tree = turbohtml.parse(decode(body[:LONGEST_PAGE], content_type or None).text, positions=False)
    head = _PageHead(tree, url)
    wiki = wiki_of(head.address)
    names = [name for link in _links_in_lists(tree) if (name := _name_at(link, wiki))]
    return ListPage(head.title or wiki.title, head.address, head.licence, names)


def tidied(text: str) -> str:
    """A name as it can stand in our files, without remarks in brackets behind it; "" if nothing is left of it."""
    plain = unicodedata.normalize("NFC", one_line(_SPECIAL.sub(" ", text[: 10 * LONGEST_NAME])))
    before = ""
    while plain != before:  # what one step leaves may be for the other
        before, plain = plain, without_remark(plain).strip(_EDGES)
    return plain


class _PageHead:
    """What a page's head tells: title, address, licence."""

    def __init__(self, tree: Tree, url: str) -> None:
        self.title = self.licence = ""
        canonical = base = ""
        for node in tree.iter_elements(("title", "link", "base")):
            target, relation = node.attr("href") or "", (node.attr("rel") or "").lower()
            if node.tag == "title":
                self.title = self.title or _page_title(node.text)
            elif node.tag == "base":
                base = base or target
            elif relation in ("canonical", "dc:isversionof"):
                canonical = canonical or target
            elif relation in ("license", "copyright"):
                self.licence = self.licence or licence_named(target)
        address = canonical or url or base
        self.address = one_line(f"https:{address}" if address.startswith("//") else address)[:2_000]
        if not self.licence and wiki_of(self.address).host.endswith("wikipedia.org"):
            self.licence = "CC BY-SA 4.0"


def licence_named(address: str) -> str:
    """The licence that a link leads to, if it is one of Creative Commons.

    >>> licence_named("https://creativecommons.org/licenses/by-sa/4.0/deed.en")
    'CC BY-SA 4.0'
    """
    found = _LICENCE.search(address)
    return f"CC {found[1].upper()} {found[2].strip('.')}" if found else ""


def _page_title(text: str) -> str:
    """`List of islands - Wikipedia` is called List of islands."""
    line = one_line(text[:1_000])
    return re.split(r" [-–—] (?=[^-–—]*$)", line)[0][:200]


def _links_in_lists(tree: Tree) -> list[Element]:
    """The links in lists and tables that are neither navigation nor in an appendix."""
    states: dict[Node, int] = {}
    found: list[tuple[Element, int]] = []
    appendix = 0  # the level of the heading of the appendix that we are in
    for node in tree.iter_elements(("a", *_HEADINGS)):
        state = _state_of(node, states)
        if state & _IN_NAVIGATION:
            continue
        if node.tag != "a":
            level = int(node.tag[1])
            if not appendix or level <= appendix:
                appendix = level if _is_appendix(node) else 0
        elif state & _IN_LIST and not appendix and len(found) < _MOST_LINKS:
            found.append((node, state))
    has_content = any(state & _IN_CONTENT for state in states.values())
    return [node for node, state in found if state & _IN_CONTENT or not has_content]


def _is_appendix(heading: Element) -> bool:
    text = " ".join(heading.text[:1_000].partition("[")[0].split())  # what follows the bracket is [edit]
    return text.casefold() in APPENDICES


def _state_of(node: Element, known: dict[Node, int]) -> int:
    """What the elements above a link make of it."""
    above: list[Element] = []
    here: Node | None = node
    while isinstance(here, Element) and here not in known:
        above.append(here)
        here = here.parent
    state = known.get(here, 0) if here is not None else 0
    for element in reversed(above):
        state |= _own_state(element)
        known[element] = state
    return state


def _own_state(element: Element) -> int:
    marks = {*(element.attr("class") or "").split(), element.attr("id") or ""}
    is_navigation = (
        element.tag in NAVIGATION_TAGS
        or not NAVIGATION.isdisjoint(marks)
        or element.attr("role") in NAVIGATION_ROLES
        or "display:none" in (element.attr("style") or "").replace(" ", "")
    )
    return (
        (_IN_NAVIGATION if is_navigation else 0)
        | (_IN_LIST if element.tag in _LISTING else 0)
        | (0 if _CONTENT.isdisjoint(marks) else _IN_CONTENT)
    )


def _name_at(link: Element, wiki: Wiki) -> ListedName | None:
    classes = (link.attr("class") or "").split()
    title = article_of((link.attr("href") or "").strip(), classes, link.attr("rel") or "", wiki)
    if not title:
        return None
    text = tidied(link.text)
    is_name = sum(map(str.isalpha, text)) > 1 and len(text) <= LONGEST_NAME
    return ListedName(text, title) if is_name and not is_time(text) and not is_overview(text) else None
