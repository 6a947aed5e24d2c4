"""Articles and categories of a wiki, fetched one after the other: the list pages in a category and in those below it.

MediaWiki marks the two parts of a category page, subcategories and pages, with ids that are the same in every language.
A long category is spread over several pages; a link in each part leads to the next. Every page is fetched once, so
categories that contain each other come to an end.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import turbohtml
from turbohtml import Element

from exonym.errors import UrlError
from exonym.extract.charset import decode
from exonym.nations.dictionary.list_pages import LONGEST_PAGE, ListPage, read_list_page
from exonym.nations.dictionary.named_pages import NO_NAMES, PageRead
from exonym.nations.dictionary.wiki import article_address, is_overview, title_in, wiki_of
from exonym.progress import Tell
from exonym.urls import normal_form, server_of

DEPTH = 1  # the category itself and its subcategories, as in the thesis
MOST_PAGES = 500

_SUBCATEGORIES, _PAGES = "mw-subcategories", "mw-pages"
_NEXT = {_SUBCATEGORIES: "subcatfrom", _PAGES: "pagefrom"}  # the parameter that the link to the next page has
_MOST_LINKS = 10_000  # of a page; MediaWiki shows 200


class CategoryPage(NamedTuple):
    """One page of a category: addresses by their titles."""

    subcategories: dict[str, str]
    lists: dict[str, str]
    others: int  # articles that are no lists
    following: tuple[str, ...]  # addresses of the next pages of the same category


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """How far to go: `depth` 0 is the category alone, 1 its subcategories too."""

    depth: int = DEPTH
    pages: int = MOST_PAGES  # to fetch, those of categories included


class _Waiting(NamedTuple):
    title: str
    address: str
    depth: int


class CategoryWalk:
    """Fetches articles, and the list pages of categories, breadth-first; counts what it left out.

    `fetch` returns the bytes at an address, or a text that explains the failure.
    """

    def __init__(self, wiki: str, fetch: Callable[[str], bytes | str], limits: WalkLimits, tell: Tell) -> None:
        self._wiki = wiki
        self._fetch = fetch
        self._limits = limits
        self._tell = tell
        self._waiting: deque[_Waiting] = deque()
        self._seen: set[str] = set()
        self.fetched = 0
        self.categories = 0
        self.other_articles = 0  # in categories, that are no lists
        self.too_deep = 0  # subcategories below the depth

    @property
    def unread(self) -> int:
        """How many pages are known and have not been fetched: beyond the limit, or at an interrupt."""
        return len(self._waiting)

    def pages(self, titles: Iterable[str]) -> Iterator[PageRead]:
        """Each list page with its names, and each page that failed, as soon as it was read."""
        for title in titles:
            self._add(title, article_address(self._wiki, title), 0)
        while self._waiting and self.fetched < self._limits.pages:
            title, address, depth = self._waiting[0]
            self._tell(f"fetching {title[:80]}: {self.fetched:,} pages read, {len(self._waiting):,} to go")
            content = self._fetch(address)
            self._waiting.popleft()
            self.fetched += 1
            if isinstance(content, str):
                yield PageRead(title, ListPage("", address, "", []), why=content)
            elif (category := read_category(content, address)) is not None:
                self._add_members(category, title, depth)
            else:
                page = read_list_page(content, address)
                yield PageRead(title, page, datetime.now(UTC).date().isoformat(), "" if page.names else NO_NAMES)

    def _add_members(self, category: CategoryPage, title: str, depth: int) -> None:
        self.categories += 1
        self.other_articles += category.others
        for address in category.following:
            self._add(title, address, depth)
        for name, address in category.lists.items():
            self._add(name, address, depth)
        if depth < self._limits.depth:
            for name, address in category.subcategories.items():
                self._add(name, address, depth + 1)
        else:
            self.too_deep += sum(address not in self._seen for address in category.subcategories.values())

    def _add(self, title: str, address: str, depth: int) -> None:
        if address not in self._seen:
            self._seen.add(address)
            self._waiting.append(_Waiting(title, address, depth))


def read_category(body: bytes, address: str) -> CategoryPage | None:
    """The category on a page; None if the page is no category, or an empty one. Any bytes will do."""
    tree = turbohtml.parse(decode(body[:LONGEST_PAGE], None).text, positions=False)
    parts: dict[str, Element] = {}
    for element in tree.iter_elements(("div", "section")):
        if (name := element.attr("id") or "") in _NEXT:
            parts.setdefault(name, element)
    if not parts:
        return None
    following: dict[str, None] = {}
    found: dict[str, dict[str, str]] = {_SUBCATEGORIES: {}, _PAGES: {}}
    for name, part in parts.items():
        for count, link in enumerate(part.iter_elements(("a",))):
            if count >= _MOST_LINKS:
                break
            href = (link.attr("href") or "").strip()
            if next_page := _next_page(href, _NEXT[name], address):
                following[next_page] = None
            elif (title := _member(href, link, address)) and (target := _address(href, address)):
                found[name].setdefault(title, target)
    lists = {title: target for title, target in found[_PAGES].items() if is_overview(title)}
    others = len(found[_PAGES]) - len(lists)
    return CategoryPage(found[_SUBCATEGORIES], lists, others, tuple(following))


def _member(href: str, link: Element, address: str) -> str:
    """The title of the page that a link leads to; "" for an anchor, a missing page or another site."""
    if href.startswith("#") or "new" in (link.attr("class") or "").split():
        return ""
    try:
        return title_in(href, wiki_of(address))
    except ValueError:
        return ""


def _next_page(href: str, parameter: str, address: str) -> str:
    """The address of the next page of a category; "" if the link does not lead there.

    The link leads to /w/index.php, from which wikis keep crawlers out; the address of the category with the same
    parameter shows the same page.
    """
    try:
        query = parse_qs(urlsplit(href).query, max_num_fields=50)
    except ValueError:
        return ""
    if parameter not in query:
        return ""
    plain = urlsplit(address)
    kept = [(name, value) for name, values in parse_qs(plain.query).items() if name == "title" for value in values]
    base = plain._replace(query=urlencode([*kept, (parameter, query[parameter][0])]), fragment="")
    return _address(base.geturl(), address)


def _address(href: str, base: str) -> str:
    """The address of a link, if it is on the same server."""
    try:
        target = normal_form(urljoin(base, href))
    except (UrlError, ValueError):
        return ""
    return target if server_of(target) == server_of(base) else ""
