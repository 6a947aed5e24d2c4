"""Charsets and text lengths of generated pages. No figures are published: these are guesses for pages of 2006.

Pages of a server that are in the same language share their charset. Pages of unknown language are short and have a
charset that suggests no language; otherwise their language would be known. Front doors have little text as well.
"""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import language_code, language_name
from exonym.webgraph.generating.population import Population

_SHARES: dict[str, dict[str, float]] = {
    "th": {"windows-874": 0.45, "tis-620": 0.35, "utf-8": 0.2},
    "ja": {"shift_jis": 0.45, "euc-jp": 0.3, "utf-8": 0.25},
    "ko": {"euc-kr": 0.7, "utf-8": 0.3},
    "zh": {"gbk": 0.6, "big5": 0.1, "utf-8": 0.3},
    "ru": {"windows-1251": 0.7, "koi8-r": 0.05, "utf-8": 0.25},
    "cs": {"windows-1250": 0.5, "iso-8859-2": 0.2, "utf-8": 0.3},
    "en": {"iso-8859-1": 0.4, "windows-1252": 0.1, "utf-8": 0.5},
    "": {"iso-8859-1": 0.4, "": 0.3, "utf-8": 0.3},
}
_WESTERN = ("de", "fr", "es", "it", "nl", "pt")
_SHARES.update({key: {"iso-8859-1": 0.5, "windows-1252": 0.1, "utf-8": 0.4} for key in _WESTERN})
_OTHERWISE = {"utf-8": 1.0}
CHARSETS = sorted({name for shares in (*_SHARES.values(), _OTHERWISE) for name in shares})  # "" is the first
_TYPICAL, _SPREAD = 2_000, 1.0  # characters of text: the median, and the width of its logarithm
_SHORT = 40  # most characters of a page of unknown language
_LITTLE = 200  # most characters of a front door


def charsets(population: Population, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The charset of each page, an index into CHARSETS."""
    draws = rng.random(len(population.starts) - 1, dtype=np.float32)
    found = np.zeros(len(population), dtype=np.uint8)
    for code in np.unique(population.language).tolist():
        pages = np.flatnonzero(population.language == code)
        shares = _SHARES.get(language_name(code), _OTHERWISE)
        numbers = np.array([CHARSETS.index(name) for name in shares], dtype=np.uint8)
        ends = np.cumsum(list(shares.values()))[:-1]
        found[pages] = numbers[np.searchsorted(ends, draws, side="right")][population.server[pages]]
    return found


def text_lengths(population: Population, rng: np.random.Generator) -> NDArray[np.uint32]:
    """How many characters of text each page has."""
    language = population.language
    lengths = rng.standard_normal(len(language), dtype=np.float32)
    lengths *= np.float32(_SPREAD)
    np.exp(lengths, out=lengths)
    lengths *= np.float32(_TYPICAL)
    found = lengths.astype(np.uint32) + np.uint32(_SHORT)
    doors = population.starts[population.remote.servers[population.remote.has_front_door]]
    found[doors] = rng.integers(_SHORT, _LITTLE, len(doors), dtype=np.uint32)
    short = np.flatnonzero(language == language_code(""))
    found[short] = rng.integers(0, _SHORT, len(short), dtype=np.uint32)
    return found
