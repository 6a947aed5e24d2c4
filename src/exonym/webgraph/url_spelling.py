"""URLs of generated graphs, spelled on demand from numbers alone, and read back.

Numbers are random permutations, so a URL says which server, segment and top-level domain a page has and nothing about
its language. Never change how a number is spelled: runs on the same graph would no longer be comparable. `url_of`,
`segment_name_of` and `server_name_of` spell one node; `urls_of`, `segment_names_of` and `server_names_of` spell many at
once, the same way, as Arrow columns.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from exonym.webgraph.graph import Graph

if TYPE_CHECKING:
    import pyarrow

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aeio"
_SYLLABLES = [consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS]  # 64: six bits each
_BITS = 32
_MASK = (1 << _BITS) - 1
# An odd factor makes a permutation of all 32-bit numbers; its inverse undoes it.
_FACTOR = 0x9E3779B1
_INVERSE = pow(_FACTOR, -1, 1 << _BITS)
_SHIFTS = np.arange(0, 36, 6, dtype=np.uint32)
_LETTERS = np.frombuffer("".join(_SYLLABLES).encode(), np.uint8).reshape(-1, 2)
_BYTES = np.frombuffer(bytes(range(256)).hex().encode(), np.uint8).reshape(-1, 2)
_PAGE = re.compile(r"http://www\.[a-z]+\.[a-z0-9]+/[a-z]+/p([0-9a-f]{8})\.html")


def url_of(graph: Graph, node: int) -> str:
    """The URL of a node: the one that the graph keeps, else spelled from its numbers."""
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
    """The node of a URL in a generated graph, or None if it has no such page."""
    match = _PAGE.fullmatch(url)
    if not match:
        return None
    node = _unscrambled(int(match[1], 16))
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


def urls_of(graph: Graph, nodes: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """The URLs of many nodes."""
    if graph.has("url"):
        return kept_texts(graph, "url", nodes)
    return _joined(segment_names_of(graph, nodes), "p", _hexadecimal(_scrambled_all(nodes)), ".html")


def segment_names_of(graph: Graph, nodes: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """The addresses of the segments of many nodes."""
    return _joined("http://", server_names_of(graph, nodes), "/", _words(graph.segment[nodes]), "/")


def server_names_of(graph: Graph, nodes: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """The host names of the servers of many nodes."""
    return _joined("www.", _words(graph.server[nodes]), ".", named(graph.manifest.domains, graph.domain[nodes]))


def named(names: list[str], numbers: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """The name of each number."""
    import pyarrow

    return pyarrow.array(names, pyarrow.large_string()).take(pyarrow.array(numbers))


def kept_texts(graph: Graph, name: str, places: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """The texts of a column at `places`; bytes that are not UTF-8 are replaced."""
    import pyarrow

    offsets, data = graph.column(f"{name}.offsets"), graph.column(f"{name}.bytes")
    buffers = [None, pyarrow.py_buffer(np.ascontiguousarray(offsets)), pyarrow.py_buffer(np.ascontiguousarray(data))]
    raw = pyarrow.Array.from_buffers(pyarrow.large_binary(), len(offsets) - 1, buffers)
    texts = raw.take(pyarrow.array(places))
    try:
        return texts.cast(pyarrow.large_string())
    except pyarrow.ArrowInvalid:
        return pyarrow.array([text.decode("utf-8", "replace") for text in texts.to_pylist()], pyarrow.large_string())


def _joined(*parts: Any) -> "pyarrow.LargeStringArray":
    """Columns of texts joined row by row; a plain text is added to every row."""
    import pyarrow
    import pyarrow.compute

    columns = [pyarrow.scalar(part, pyarrow.large_string()) if isinstance(part, str) else part for part in parts]
    return pyarrow.compute.binary_join_element_wise(*columns, pyarrow.scalar("", pyarrow.large_string()))


def _words(numbers: NDArray[Any]) -> "pyarrow.LargeStringArray":
    """`_word` of many numbers."""
    digits = _scrambled_all(numbers)[:, None] >> _SHIFTS & np.uint32(len(_SYLLABLES) - 1)
    return _fixed_width(_LETTERS[digits].reshape(len(numbers), 2 * len(_SHIFTS)))


def _hexadecimal(numbers: NDArray[np.uint32]) -> "pyarrow.LargeStringArray":
    """Many numbers as eight hexadecimal digits."""
    return _fixed_width(_BYTES[numbers.astype(">u4").view(np.uint8)].reshape(len(numbers), 8))


def _fixed_width(letters: NDArray[np.uint8]) -> "pyarrow.LargeStringArray":
    """A text of each row of ASCII letters."""
    import pyarrow

    rows, width = letters.shape
    ends = np.arange(0, (rows + 1) * width, width, dtype=np.int64)
    buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(np.ascontiguousarray(letters))]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), rows, buffers)


def _scrambled_all(numbers: NDArray[Any]) -> NDArray[np.uint32]:
    factor = np.uint32(_FACTOR)
    mixed = numbers.astype(np.uint32) * factor
    scrambled: NDArray[np.uint32] = (mixed ^ mixed >> np.uint32(16)) * factor
    return scrambled


# From URLs back to nodes.

_PART = 1 << 20  # URLs compared at a time


def nodes_of(graph: Graph, urls: Sequence[str]) -> dict[str, int]:
    """The node of each URL in normal form that the graph has; of several nodes with the same URL the first."""
    wanted = list(dict.fromkeys(urls))
    if not graph.has("url"):
        return {url: node for url in wanted if (node := node_of(graph, url)) is not None}

    import pyarrow
    import pyarrow.compute

    value_set = pyarrow.array(wanted, pyarrow.large_string())
    nodes: dict[str, int] = {}
    for first in range(0, len(graph), _PART):
        places = np.arange(first, min(first + _PART, len(graph)))
        numbers = pyarrow.compute.index_in(kept_texts(graph, "url", places), value_set=value_set)
        for place in np.flatnonzero(numbers.is_valid().to_numpy(zero_copy_only=False)).tolist():
            nodes.setdefault(wanted[numbers[place].as_py()], first + place)
    return nodes
