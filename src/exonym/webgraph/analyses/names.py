"""Which texts of a column name a nation.

Anchors repeat (home, next, more …): each distinct text is searched once, up to a limit on the texts remembered.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from urllib.parse import unquote

import numpy as np

from exonym.batches import Flags
from exonym.webgraph.graph import Graph

NamesNation = Callable[[str], bool]

_PART = 1 << 20  # texts searched at once
_MOST_REMEMBERED = 1 << 21  # texts; a few hundred megabytes


def anywhere(names: Iterable[str]) -> NamesNation:
    """A test whether a text contains any of `names`, in letters of any case, also inside a word."""
    pattern = re.compile("|".join(re.escape(name.casefold()) for name in names if name) or "(?!)")
    return lambda text: pattern.search(text.casefold()) is not None


def texts_naming(graph: Graph, column: str, names_nation: NamesNation) -> Flags:
    """For each text of `column` whether it names the nation."""
    texts, answer_to = graph.texts(column), lru_cache(_MOST_REMEMBERED)(names_nation)
    found = np.zeros(len(texts), dtype=np.bool_)
    for first in range(0, len(texts), _PART):
        part = texts.part(first, min(first + _PART, len(texts)))
        found[first : first + len(part)] = np.fromiter(map(answer_to, part), dtype=np.bool_, count=len(part))
    return found


def links_naming(graph: Graph, names_nation: NamesNation) -> Flags:
    """For each link whether its anchor, or the words around it, name the nation."""
    found = texts_naming(graph, "anchor", names_nation)
    return found | texts_naming(graph, "around", names_nation) if graph.has("around") else found


def words_of_path(names_nation: NamesNation) -> NamesNation:
    """The same test for URLs: it gets what follows the host name, with percent-escapes decoded."""
    return lambda url: names_nation(unquote(url.partition("://")[2].partition("/")[2]))
