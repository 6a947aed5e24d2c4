"""A page's links, each target once: what was wanted of them, put together.

The first place of a target counts for its surroundings and its place; its anchor is the first that says anything.
"""

from collections.abc import Iterable
from itertools import repeat

from turbohtml import Element, Node

from exonym.errors import UrlError
from exonym.extract.document import FoundLink, Wants
from exonym.extract.elements import Elements
from exonym.extract.url_joining import Joiner
from exonym.extract.visible_text import MarkedText
from exonym.urls import normal_form

_DEEPEST_PLACE = 40


class PageLinks:
    """Where the links of a page lead. Made, like `places`, before the tree is taken apart for its text."""

    def __init__(self, elements: Elements, url: str, wants: Wants) -> None:
        joiner = Joiner(_base_of(url, elements.base), wants.session_parameters)
        self._raw = elements.links
        self._wants = wants
        self._targets = joiner.joined([href for href, _, _, _ in elements.links])
        self._first: dict[str, int] = {}  # number of the first link to each target
        for number, target in enumerate(self._targets):
            if target not in self._first:
                self._first[target] = number
        for unwanted in ("", url):
            self._first.pop(unwanted, None)
        self._places = self._tag_paths() if wants.place else repeat("")

    def found(self, marked: MarkedText | None) -> tuple[FoundLink, ...]:
        """The links with what `marked` text tells of them."""
        anchors = befores = afters = repeat("")  # type: Iterable[str]
        if marked is not None and self._wants.anchor:
            anchors = self._anchors(marked)
        if marked is not None and self._wants.around and self._first:
            befores, afters = zip(*map(marked.around, self._first.values()), strict=True)
        kinds = [self._raw[number][1] for number in self._first.values()]
        columns = zip(self._first, anchors, befores, afters, self._places, kinds, strict=False)
        # Tuples first: making named ones one by one takes three times as long.
        return tuple(map(tuple.__new__, repeat(FoundLink), columns))

    def _anchors(self, marked: MarkedText) -> Iterable[str]:
        anchors = dict.fromkeys(self._first, "")
        for number, target in enumerate(self._targets):
            if anchors.get(target) == "":
                anchors[target] = marked.anchor(number)
        return anchors.values()

    def _tag_paths(self) -> list[str]:
        known: dict[Node, str] = {}
        return [_tag_path(self._raw[number][2], known) for number in self._first.values()]


def _base_of(url: str, base: str | None) -> str:
    if not base:
        return url
    try:
        return normal_form(base.strip(), url)
    except UrlError:
        return url


def _tag_path(node: Element, known: dict[Node, str]) -> str:
    """The tags from the root down to `node`; of a very deep one, the topmost and its own.

    Every element above a link is climbed over once a page, so deep trees cost no more.
    """
    above: list[Element] = []
    parent, path = node.parent, ""
    while isinstance(parent, Element):
        found = known.get(parent)
        if found is not None:
            path = found
            break
        above.append(parent)
        parent = parent.parent
    for element in reversed(above):
        if path.count("/") < _DEEPEST_PLACE:
            path = f"{path}{element.tag}/"
        known[element] = path
    return path + node.tag
