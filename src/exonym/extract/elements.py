"""The elements of a page that lead elsewhere or describe the page, read in one pass.

The parser hands over these elements only, so that the cost grows with the links, not with the markup.
"""

from functools import lru_cache

from turbohtml import Document as Tree
from turbohtml import Element, Namespace

_OTHER_TAGS = ("area", "frame", "iframe", "frameset", "link", "meta", "base", "title")
_TAGS = ("a", *_OTHER_TAGS)
_RELATED, _TYPED, _SAVED, _IN_LANGUAGE = {"rel": True}, {"type": True}, {"download": True}, {"hreflang": True}
_LONGEST_TAG = 35
_RELATIONS = ("alternate", "next", "canonical")
_OUR_ROBOTS_NAMES = ("robots", "exonym")


# A link as written: href, kind, element, and the label (alt, title) of an element without text of its own.
# A plain tuple, for speed: pages have dozens.
RawLink = tuple[str, str, Element, str]


class Elements:
    """Links of a page, in its order, and facts about the page from other elements."""

    def __init__(self, tree: Tree, most_links: int, files: bool = True, languages: bool = False) -> None:
        """Without `files`, links whose tags say that they lead to files are left out, and counted.

        With `languages`, the language tags of the links' targets are read, where links name them.
        """
        self.title: str | None = None
        self.base: str | None = None
        self.nofollow = self.noindex = self.is_frameset = False
        self.files = 0
        self.links: list[RawLink] = []
        add = self.links.append
        # The parser finds the few links with these attributes faster than each link is asked for them.
        related = frozenset(tree.find_all("a", attrs=_RELATED))
        typed = frozenset() if files else frozenset(tree.find_all("a", attrs=_TYPED) + tree.find_all("a", attrs=_SAVED))
        read_others = {tag: getattr(self, f"_read_{tag}") for tag in _OTHER_TAGS}
        for node in tree.iter_elements(_TAGS):
            tag = node.tag
            if tag != "a":
                read_others[tag](node)
            elif (href := node.attr("href")) is not None and not (related and node in related and _is_nofollow(node)):
                if typed and node in typed and _leads_to_file(node):
                    self.files += 1
                else:
                    add((href, tag, node, ""))
        del self.links[most_links:]
        self.hreflangs: dict[Element, str] = _hreflangs(tree) if languages else {}

    def _add(self, href: str | None, kind: str, node: Element, label: str | None) -> None:
        if href is not None and not _is_nofollow(node):
            self.links.append((href, kind, node, label or ""))

    def _read_area(self, node: Element) -> None:
        self._add(node.attr("href"), "area", node, node.attr("alt"))

    def _read_frame(self, node: Element) -> None:
        self._add(node.attr("src"), node.tag, node, node.attr("title"))

    _read_iframe = _read_frame

    def _read_frameset(self, node: Element) -> None:
        self.is_frameset = True

    def _read_link(self, node: Element) -> None:
        """Read <link> to another form of the page or to the next page; feeds and style sheets are no pages."""
        kind = _kind_of(node.attr("rel") or "")
        if kind and "html" in (node.attr("type") or "html").lower():
            self._add(node.attr("href"), kind, node, node.attr("title"))

    def _read_meta(self, node: Element) -> None:
        """Read <meta>: directives for crawlers, and refreshes to another page."""
        if _is_for_robots(node.attr("name")):  # the content of other <meta> is not read
            words = (node.attr("content") or "").lower().replace(",", " ").split()
            self.nofollow |= "nofollow" in words or "none" in words
            self.noindex |= "noindex" in words or "none" in words
        elif (node.attr("http-equiv") or "").strip().lower() == "refresh":
            self._add(refresh_target(node.attr("content") or ""), "refresh", node, "")

    def _read_base(self, node: Element) -> None:
        """Read <base>, where relative links start from; the first one counts."""
        if self.base is None:
            self.base = node.attr("href")

    def _read_title(self, node: Element) -> None:
        """Read <title> of the page; an SVG picture has titles as well."""
        if self.title is None and node.namespace is Namespace.HTML:
            self.title = node.text


@lru_cache(maxsize=1_024)
def _kind_of(rel: str) -> str:
    """The kind of a <link>, "" for style sheets and all that no crawler follows."""
    relations = rel.lower().split()
    return "" if "stylesheet" in relations else next((kind for kind in _RELATIONS if kind in relations), "")


@lru_cache(maxsize=1_024)
def _is_for_robots(name: str | None) -> bool:
    """Whether the name of a <meta> addresses all crawlers, or this one."""
    return name is not None and name.strip().lower() in _OUR_ROBOTS_NAMES


def _hreflangs(tree: Tree) -> dict[Element, str]:
    """The language tags that links name as those of their targets, as written."""
    nodes = tree.find_all("a", attrs=_IN_LANGUAGE) + tree.find_all("link", attrs=_IN_LANGUAGE)
    return {node: (node.attr("hreflang") or "").strip()[:_LONGEST_TAG] for node in nodes}


def _leads_to_file(node: Element) -> bool:
    """Whether a link is to be saved instead of opened, or names another type than HTML."""
    kind = node.attr("type")
    return node.attr("download") is not None or (kind is not None and "/" in kind and "html" not in kind.lower())


def _is_nofollow(node: Element) -> bool:
    relations = node.attr("rel")
    return relations is not None and "nofollow" in relations.lower().split()


def refresh_target(content: str) -> str | None:
    """The URL in a refresh, as in `5; url='next.html'`."""
    _, mark, rest = content.partition(";")
    name, equals, target = rest.partition("=")
    return target.strip().strip("\"'") if mark and equals and name.strip().lower() == "url" else None
