"""Which texts of a column name a nation.

Anchors repeat (home, next, more …): each different text is looked at once, as long as memory allows to remember it.
"""

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

import numpy as np

from exonym.batches import Flags
from exonym.webgraph.graph import Graph

NamesNation = Callable[[str], bool]

_PART = 1 << 20  # texts searched at once
_MOST_REMEMBERED = 1 << 21  # texts; a few hundred megabytes


def anywhere(names: Iterable[str]) -> NamesNation:
    """Whether any of `names` is in a text, in letters of any case, be it within a word."""
    pattern = re.compile("|".join(re.escape(name.casefold()) for name in names if name) or "(?!)")
    return lambda text: pattern.search(text.casefold()) is not None


def texts_naming(graph: Graph, column: str, names_nation: NamesNation) -> Flags:
    """For each text of `column` whether it names the nation."""
    texts, known = graph.texts(column), _Known(names_nation)
    found = np.zeros(len(texts), dtype=np.bool_)
    for first in range(0, len(texts), _PART):
        part = texts.part(first, min(first + _PART, len(texts)))
        found[first : first + len(part)] = np.fromiter(map(known.__getitem__, part), dtype=np.bool_, count=len(part))
    return found


def links_naming(graph: Graph, names_nation: NamesNation) -> Flags:
    """For each link whether its anchor, or what stands around it, names the nation."""
    found = texts_naming(graph, "anchor", names_nation)
    return found | texts_naming(graph, "around", names_nation) if graph.has("around") else found


def words_of_path(names_nation: NamesNation) -> NamesNation:
    """The same for URLs: what follows the host name is looked at, with escaped letters as themselves."""
    return lambda url: names_nation(unquote(url.partition("://")[2].partition("/")[2]))


class _Known(dict[str, bool]):
    """What was found out about texts."""

    def __init__(self, names_nation: NamesNation) -> None:
        self._names_nation = names_nation

    def __missing__(self, text: str) -> bool:
        answer = self._names_nation(text)
        if len(self) < _MOST_REMEMBERED:
            self[text] = answer
        return answer
