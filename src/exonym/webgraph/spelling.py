"""URLs of generated graphs, spelled on demand from numbers alone, and read back.

Numbers are random permutations, so a spelling says which server, segment and top-level domain a page has and nothing
of its language. Part of what makes two runs comparable: never change how a number is spelled.
"""

import re

from exonym.webgraph.graph import Graph

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aeio"
_SYLLABLES = [consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS]  # 64: six bits each
_BITS = 32
_MASK = (1 << _BITS) - 1
# An odd factor makes a permutation of all 32-bit numbers; its inverse undoes it.
_FACTOR = 0x9E3779B1
_INVERSE = pow(_FACTOR, -1, 1 << _BITS)
_PAGE = re.compile(r"http://www\.[a-z]+\.[a-z0-9]+/[a-z]+/p([0-9a-f]{8})\.html")


def url_of(graph: Graph, node: int) -> str:
    """The URL of a node: the one that was kept, or else spelled from its numbers."""
    if graph.has("url"):
        return graph.texts("url")[node]
    return f"{segment_name_of(graph, node)}p{_scrambled(node):08x}.html"


def segment_name_of(graph: Graph, node: int) -> str:
    """The address of a node's segment, up to its last `/`."""
    return f"http://{server_name_of(graph, node)}/{_word(int(graph.segment[node]))}/"


def server_name_of(graph: Graph, node: int) -> str:
    """The host name of a node's server."""
    return f"www.{_word(int(graph.server[node]))}.{graph.manifest.domains[int(graph.domain[node])]}"


def node_of(graph: Graph, url: str) -> int | None:
    """The node that is spelled so, or None if there is no such page in a generated graph."""
    found = _PAGE.fullmatch(url)
    if not found:
        return None
    node = _unscrambled(int(found[1], 16))
    return node if node < len(graph) and url_of(graph, node) == url else None


def _word(number: int) -> str:
    """A pronounceable name, different for every 32-bit number."""
    rest, word = _scrambled(number), ""
    for _ in range(6):
        rest, digit = divmod(rest, len(_SYLLABLES))
        word += _SYLLABLES[digit]
    return word


def _scrambled(number: int) -> int:
    mixed = number * _FACTOR & _MASK
    return (mixed ^ mixed >> 16) * _FACTOR & _MASK


def _unscrambled(mixed: int) -> int:
    folded = mixed * _INVERSE & _MASK
    return (folded ^ folded >> 16) * _INVERSE & _MASK
