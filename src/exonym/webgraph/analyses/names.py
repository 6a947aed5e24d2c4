"""Which texts of a column have one of some names in them."""

import re
from collections.abc import Sequence

import numpy as np

from exonym.model import Flags
from exonym.webgraph.graph import Graph

_PART = 1 << 20  # texts searched at once


def texts_naming(graph: Graph, column: str, names: Sequence[str], *, without_host: bool = False) -> Flags:
    """For each text of `column` whether any of `names` is in it, in letters of any case."""
    texts = graph.texts(column)
    pattern = re.compile("|".join(re.escape(name.casefold()) for name in names if name) or "(?!)")
    found = np.zeros(len(texts), dtype=np.bool_)
    for first in range(0, len(texts), _PART):
        for place, text in enumerate(texts.part(first, min(first + _PART, len(texts))), first):
            searched = _path_of(text) if without_host else text
            found[place] = pattern.search(searched.casefold()) is not None
    return found


def _path_of(url: str) -> str:
    """What follows the host name."""
    return url.partition("://")[2].partition("/")[2]
