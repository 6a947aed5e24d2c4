"""The visible text of a page, block by block, with the anchors of links and the words around them.

The tree is dismantled in steps that the parser does natively and in linear time: invisible elements are removed,
inline elements are unwrapped, and then each run of text that is left is one block. Where anchors are wanted, links are
first marked by numbers between NULs, which an HTML parser never leaves in a tree.
"""

from bisect import bisect
from itertools import accumulate

from turbohtml import Document as Tree
from turbohtml import Element, Node, Text
from turbohtml.clean import strip_comments_node

from exonym.extract.elements import RawLink

AROUND = 100  # characters of context on each side of a link
_WINDOW = 128  # characters searched for them: runs of white space count as one
_LONGEST_ANCHOR, _WIDEST_ANCHOR = 500, 2_000  # with single spaces, and as written
_MOST_PARTS = 64  # of an anchor with images
_DEEPEST_TEXT = 3
_MARK = "\0"
_BREAK = "\1"  # between blocks; a stray one in a page's text reads as a block's end, which is harmless
_ALT = "="
_TEXTLESS = frozenset(["area", "frame", "iframe"])  # links without text of their own

_HIDDEN_TAGS = (
    "script style title textarea iframe noframes noembed xmp plaintext noscript template select datalist object audio "
    "video canvas svg math"
)
# All others, unknown ones too, are blocks.
_INLINE_TAGS = (
    "a span b i em strong font img u s small big sub sup code tt kbd samp var cite abbr acronym dfn q mark del ins "
    "strike label time input bdo bdi data ruby rb rt rp rtc nobr wbr meter progress output area map picture source "
    "track embed param slot link meta base blink"
)
_HIDDEN, _INLINE = frozenset(_HIDDEN_TAGS.split()), frozenset(_INLINE_TAGS.split())


def visible_text(tree: Tree) -> str:
    """The blocks of a page as lines. `tree` is unusable afterwards."""
    return _lines(_blocks(tree))


class MarkedText:
    """The blocks of a page, and by number of link its anchor and, if wanted, the words around it."""

    def __init__(self, tree: Tree, links: list[RawLink], around: bool) -> None:
        self._labels = [label for _, _, _, label in links]  # anchors that are known without marks
        self._mark(tree, links, around)
        raw = _blocks(tree)
        parts = raw.split(_MARK)
        self._texts, self._marks = parts[::2], parts[1::2]
        text = "".join(self._texts)
        self.blocks = _lines(text)
        for blank in f"{_BREAK}\n\t\r\f\xa0":  # one for one, so that offsets hold
            text = text.replace(blank, " ")
        self._line = text
        self._offsets = list(accumulate(map(len, self._texts)))  # the position of each mark in the line
        count = len(self._marks)
        self._first = dict(zip(reversed(self._marks), range(count - 1, -1, -1), strict=True))
        self._last = dict(zip(self._marks, range(count), strict=True))
        has_images = _MARK + _ALT in raw
        self._alts = [place for place, mark in enumerate(self._marks) if mark.startswith(_ALT)] if has_images else []

    def _mark(self, tree: Tree, links: list[RawLink], around: bool) -> None:
        """Put numbers where links begin and end, and alternative texts in the places of images.

        Links that contain only text, as most do, need no marks for their anchors: marks take time.
        """
        for number, (_, kind, node, _) in enumerate(links):
            mark = f"{_MARK}{number}{_MARK}"
            text = _only_text(node) if kind == "a" else None
            if text is not None:
                self._labels[number] = written = text.data
                if around:
                    text.data = mark + written + mark
            elif kind == "a":
                node.insert(0, Text(mark))
                node.append(Text(mark))
            elif kind in _TEXTLESS and around:
                node.insert_before(Text(mark))
        for image in list(tree.iter_elements(("img",))):
            if alt := image.attr("alt"):
                image.insert_before(Text(f"{_MARK}{_ALT}{alt}{_MARK}"))

    def anchor(self, number: int) -> str:
        """The text of a link."""
        mark = str(number)
        if (label := self._labels[number]) or mark not in self._first:
            return " ".join(label[:_WIDEST_ANCHOR].split())[:_LONGEST_ANCHOR]
        first, last = self._first[mark], self._last[mark]
        if self._alts and bisect(self._alts, first) < bisect(self._alts, last):
            return self._anchor_with_images(first, min(last, first + _MOST_PARTS))
        start = self._offsets[first]
        return _single_spaced(self._line[start : min(self._offsets[last], start + _LONGEST_ANCHOR)])

    def _anchor_with_images(self, first: int, last: int) -> str:
        parts: list[str] = []
        for text, mark in zip(self._texts[first + 1 : last + 1], self._marks[first + 1 : last + 1], strict=True):
            parts += (text.replace(_BREAK, " "), mark[1:] if mark.startswith(_ALT) else "")
        return " ".join("".join(parts).split())[:_LONGEST_ANCHOR]

    def around(self, number: int) -> tuple[str, str]:
        """The words before and after a link."""
        mark = str(number)
        if mark not in self._first:
            return "", ""
        start, end = self._offsets[self._first[mark]], self._offsets[self._last[mark]]
        before = _single_spaced(self._line[max(0, start - _WINDOW) : start])
        after = _single_spaced(self._line[end : end + _WINDOW])
        return before[-AROUND:].lstrip(), after[:AROUND].rstrip()


def _only_text(node: Node) -> Text | None:
    """The text node that is the only content of an element, perhaps inside inline elements."""
    for _ in range(_DEEPEST_TEXT):
        if len(node) != 1:
            return None
        node = node[0]
        if type(node) is Text:
            return node
        if not isinstance(node, Element) or node.tag not in _INLINE:
            return None
    return None


def _blocks(tree: Tree) -> str:
    """The texts of all blocks, with breaks between them."""
    strip_comments_node(tree)
    for element in list(tree.iter_elements(_HIDDEN)):
        element.extract()
    for element in list(tree.iter_elements(_INLINE)):
        element.unwrap()
    if tree.root is not None:
        tree.root.normalize()
    return _BREAK.join(tree.stripped_strings)


def _lines(blocks: str) -> str:
    return blocks.replace("\n", " ").replace(_BREAK, "\n")


def _single_spaced(text: str) -> str:
    """The text with single spaces, none at the ends. Faster, for short texts, than to split and join."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip()
