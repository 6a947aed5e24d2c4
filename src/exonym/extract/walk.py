"""One pass over a parsed page that collects its visible text, its links and what it says of itself.

Text is gathered with marks where links begin and end, so that anchors and surroundings can be cut out of
the finished text. The mark is NUL, which an HTML parser never leaves in a tree.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from turbohtml import Document as Tree
from turbohtml import Element, Namespace, Node, Text

MARK = "\0"
BREAK = "\1"  # between blocks; a stray one in a page's text reads as a block's end, which is harmless
_MOST_NODES = 2_000_000

_BLOCK_TAGS = (
    "address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre "
    "search section summary table tbody td tfoot th thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
# Their content is text that no reader sees, in one node.
_RAW = frozenset(["script", "style", "textarea", "iframe", "noframes", "noembed", "xmp", "plaintext"])
_HIDDEN = frozenset(["noscript", "template", "select", "datalist", "object", "audio", "video", "canvas", "svg", "math"])
_RELATIONS = ("alternate", "next", "canonical")
_NAMES_OF_US = ("robots", "exonym")


@dataclass(slots=True)
class RawLink:
    """A link as written; `opened` and `closed` number the marks around its text."""

    href: str
    kind: str
    node: Element
    label: str = ""  # what an element without text says of its target
    opened: int = -1
    closed: int = -1
    has_alt: bool = False


@dataclass(slots=True)
class Walk:
    """What one pass over a page collects."""

    most_links: int
    title: str | None = None
    base: str | None = None
    nofollow: bool = False
    noindex: bool = False
    is_frameset: bool = False
    links: list[RawLink] = field(default_factory=list)
    pieces: list[str] = field(default_factory=lambda: [BREAK])
    alts: set[int] = field(default_factory=set)  # numbers of the marks that open an image's alt text
    _marks: int = 0
    _open: list[tuple[Node | None, RawLink | None]] = field(default_factory=list)  # None: something hidden
    _end: Node | None = None  # the node at which the innermost open thing ends
    _hidden: int = 0

    def run(self, tree: Tree) -> None:
        """Visit every node of the page, in order. The one hot loop: hence the locals and the nesting."""
        pieces = self.pieces
        append, blocks, readers, line_break = pieces.append, _BLOCKS, _READERS, BREAK
        end, hidden = self._end, self._hidden
        nodes = islice(tree.descendants, _MOST_NODES)
        for node in nodes:
            if node is end:
                self._close_at(node)
                end, hidden = self._end, self._hidden
            if type(node) is Text:
                if hidden:
                    continue
                data = node.data
                if pieces[-1] is line_break:
                    data = data.lstrip()
                    if not data:
                        continue
                elif _follows_block(node):
                    append(line_break)
                append(data)
            elif type(node) is Element:
                tag = node.tag
                if tag in blocks:
                    if pieces[-1] is not line_break:
                        append(line_break)
                elif (read := readers.get(tag)) is not None:
                    read(self, node, nodes)
                    end, hidden = self._end, self._hidden
        self._close_at(None)

    def _close_at(self, node: Node | None) -> None:
        """End whatever `node` is the first to lie behind; everything at the end of the page."""
        while self._open and (node is None or self._open[-1][0] is node):
            link = self._open.pop()[1]
            if link is None:
                self._hidden -= 1
            else:
                link.closed = self._mark()
        self._end = self._open[-1][0] if self._open else None

    def _open_until_after(self, node: Element, link: RawLink | None) -> None:
        self._end = next(node.following, None)
        self._open.append((self._end, link))

    def _mark(self) -> int:
        self.pieces.append(MARK)
        self._marks += 1
        return self._marks - 1

    def _add_link(self, href: str | None, kind: str, node: Element, label: str | None = "") -> RawLink | None:
        if href is None or len(self.links) >= self.most_links:
            return None
        link = RawLink(href.strip(), kind, node, label or "")
        self.links.append(link)
        return link

    def read_anchor(self, node: Element, nodes: Iterator[Node]) -> None:
        """A link, open until the first node after it."""
        href = node.attr("href")
        if href is None or _is_nofollow(node) or len(self.links) >= self.most_links:
            return
        mark = self._marks
        link = RawLink(href.strip(), "a", node, "", mark, mark)
        self.links.append(link)
        if len(node) == 1 and type(child := node[0]) is Text and not self._hidden:
            # The common case: nothing but text, which needs no watching for the end.
            next(nodes)
            self.pieces += (MARK, child.data, MARK)
            self._marks = mark + 2
            link.closed = mark + 1
        else:
            self._mark()
            if len(node):
                self._open_until_after(node, link)

    def read_image(self, node: Element, nodes: Iterator[Node]) -> None:
        """An image inside a link says what the link says."""
        link = self._open[-1][1] if self._open else None
        if link is not None and (alt := node.attr("alt")):
            link.has_alt = True
            self.alts.add(self._mark())
            self.pieces.append(alt)
            self._mark()

    def read_area(self, node: Element, nodes: Iterator[Node]) -> None:
        """A region of an image map."""
        if not _is_nofollow(node) and (link := self._add_link(node.attr("href"), "area", node, node.attr("alt"))):
            link.opened = link.closed = self._mark()

    def read_frame(self, node: Element, nodes: Iterator[Node]) -> None:
        """A page within this page."""
        if link := self._add_link(node.attr("src"), node.tag, node, node.attr("title")):
            link.opened = link.closed = self._mark()
        _skip_children(node, nodes)

    def read_frameset(self, node: Element, nodes: Iterator[Node]) -> None:
        """A page that is nothing but its frames."""
        self.is_frameset = True

    def read_relation(self, node: Element, nodes: Iterator[Node]) -> None:
        """A <link>: to the same page elsewhere, or to the next one."""
        relations = (node.attr("rel") or "").lower().split()
        kind = next((relation for relation in _RELATIONS if relation in relations), "")
        # Feeds and style sheets are alternates too, but no pages.
        is_page = "stylesheet" not in relations and "html" in (node.attr("type") or "html").lower()
        if kind and is_page and "nofollow" not in relations:
            self._add_link(node.attr("href"), kind, node, node.attr("title"))

    def read_meta(self, node: Element, nodes: Iterator[Node]) -> None:
        """What the page asks of crawlers, and where it sends its readers."""
        content = node.attr("content") or ""
        if (node.attr("name") or "").strip().lower() in _NAMES_OF_US:
            words = content.lower().replace(",", " ").split()
            self.nofollow |= "nofollow" in words or "none" in words
            self.noindex |= "noindex" in words or "none" in words
        elif (node.attr("http-equiv") or "").strip().lower() == "refresh":
            self._add_link(refresh_target(content), "refresh", node)

    def read_base(self, node: Element, nodes: Iterator[Node]) -> None:
        """Where relative links start from; the first one counts."""
        if self.base is None:
            self.base = node.attr("href")

    def read_title(self, node: Element, nodes: Iterator[Node]) -> None:
        """The page's title; pictures have titles as well."""
        if node.namespace is Namespace.HTML:
            self.title = node.text if self.title is None else self.title
            _skip_children(node, nodes)

    def read_raw(self, node: Element, nodes: Iterator[Node]) -> None:
        """Scripts and the like, whose text is in one node."""
        _skip_children(node, nodes)

    def read_hidden(self, node: Element, nodes: Iterator[Node]) -> None:
        """What a reader does not see; its links are links all the same."""
        if len(node):
            self._open_until_after(node, None)
            self._hidden += 1


def _follows_block(node: Text) -> bool:
    """Descending tells when a block begins, not when it ends: its next sibling does."""
    earlier = node.previous_sibling
    return type(earlier) is Element and earlier.tag in _BLOCKS


def _skip_children(node: Element, nodes: Iterator[Node]) -> None:
    for _ in range(len(node)):
        next(nodes, None)


def _is_nofollow(node: Element) -> bool:
    relations = node.attr("rel")
    return relations is not None and "nofollow" in relations.lower().split()


def refresh_target(content: str) -> str | None:
    """The URL in a refresh, as in `5; url='next.html'`."""
    _, mark, rest = content.partition(";")
    name, equals, target = rest.partition("=")
    return target.strip().strip("\"'") if mark and equals and name.strip().lower() == "url" else None


_Reader = Callable[[Walk, Element, Iterator[Node]], None]
_READERS: dict[str, _Reader] = {
    **dict.fromkeys(_RAW, Walk.read_raw),
    **dict.fromkeys(_HIDDEN, Walk.read_hidden),
    "a": Walk.read_anchor,
    "img": Walk.read_image,
    "area": Walk.read_area,
    "frame": Walk.read_frame,
    "iframe": Walk.read_frame,
    "frameset": Walk.read_frameset,
    "link": Walk.read_relation,
    "meta": Walk.read_meta,
    "base": Walk.read_base,
    "title": Walk.read_title,
}
