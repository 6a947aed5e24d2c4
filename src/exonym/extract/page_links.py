"""A page's links as columns, each target once.

Of several links to one target, the first gives the words around it and its place; its anchor is the first that has
text, and its hreflang the first that is given.
"""

from turbohtml import Element, Node

from exonym.extract.document import LinkColumns, Wants
from exonym.extract.elements import Elements
from exonym.extract.url_joining import Joiner, base_of
from exonym.extract.visible_text import MarkedText

_DEEPEST_PLACE = 40


class PageLinks:
    """The links of a page. Targets and places are read before the tree is taken apart for its text."""

    def __init__(self, elements: Elements, url: str, wants: Wants) -> None:
        joiner = Joiner(base_of(url, elements.base), wants.session_parameters)
        self._raw = elements.links
        self._wants = wants
        self._targets = joiner.joined([href for href, _, _, _ in elements.links])
        # The number of the first link to each target, in the order of these links; loops in Python take twice the time.
        count = len(self._targets)
        self._first: dict[str, int] = dict.fromkeys(self._targets, 0)
        self._first.update(zip(reversed(self._targets), range(count - 1, -1, -1), strict=True))
        for unwanted in ("", url):
            self._first.pop(unwanted, None)
        known: dict[Node, str] = {}
        self._places = [_tag_path(self._raw[at][2], known) for at in self._first.values()] if wants.place else None
        self._hreflangs = self._languages_named(elements.hreflangs) if elements.hreflangs else []

    def _languages_named(self, hreflangs: dict[Element, str]) -> list[str]:
        """The language tag of each target, "" if no link to it names one."""
        tags = dict.fromkeys(self._first, "")
        for target, (_, _, node, _) in zip(self._targets, self._raw, strict=True):
            if tags.get(target) == "":
                tags[target] = hreflangs.get(node, "")
        return list(tags.values())

    def columns(self, marked: MarkedText | None) -> LinkColumns:
        """The wanted columns; `marked` text has the anchors and the words around links."""
        nothing = [""] * len(self._first)
        anchors = befores = afters = nothing
        if marked is not None and self._wants.anchor:
            texts = dict.fromkeys(self._first, "")
            for number, target in enumerate(self._targets):
                if texts.get(target) == "":
                    texts[target] = marked.anchor(number)
            anchors = list(texts.values())
        if marked is not None and self._wants.around and self._first:
            befores, afters = map(list, zip(*map(marked.around, self._first.values()), strict=True))
        places = nothing if self._places is None else self._places
        kinds = [self._raw[number][1] for number in self._first.values()]
        return LinkColumns(list(self._first), anchors, befores, afters, places, kinds, self._hreflangs)


def _tag_path(node: Element, known: dict[Node, str]) -> str:
    """The tags from the root down to `node`; of a very deep one, the topmost and its own.

    `known` has the paths of elements above earlier links: each element is visited once a page, however deep the tree.
    """
    above: list[Element] = []
    parent = node.parent
    while isinstance(parent, Element) and parent not in known:
        above.append(parent)
        parent = parent.parent
    path = known.get(parent, "") if parent is not None else ""
    for element in reversed(above):
        if path.count("/") < _DEEPEST_PLACE:
            path = f"{path}{element.tag}/"
        known[element] = path
    return path + node.tag
