"""The five features of the thesis: what is known of a link's target segment before it is fetched.

The relevance degree of the source segment, two shares of nation names, two countries, two top-level domains, and the
words. Numbers are cut into ten steps; an unknown country or domain is a value like others.
"""

from typing import Literal, NamedTuple, get_args
from urllib.parse import unquote

import numpy as np

from exonym.batches import Floats, Integers
from exonym.urls import server_of, top_level_domain_of

Feature = Literal["degree", "names", "countries", "domains", "words"]
FEATURES: tuple[Feature, ...] = get_args(Feature)

STEPS = 10
LONGEST_TEXT = 2_000  # characters that are read of an anchor, and of what is around it


class LinkTexts(NamedTuple):
    """Links as columns of one length; "" for what is not known."""

    urls: list[str]  # of the targets, in normal form
    anchors: list[str]
    around: list[str]  # up to 100 characters on each side of the anchor, joined by a blank
    source_domains: list[str]  # top-level
    source_countries: list[str]  # two letters
    countries: list[str]  # of the targets' servers

    def rows(self, first: int, end: int) -> "LinkTexts":
        """Some of the links."""
        return LinkTexts(*(column[first:end] for column in self))


# Where links lead from and to, in the order in which models keep weights of these.
PLACES = ("source_country", "country", "source_domain", "domain")


def steps_of(values: Floats) -> Integers:
    """Numbers from 0 to 1 cut into ten steps; NaN counts as 0.

    >>> steps_of(np.array([0.0, 0.0999, 0.1, 0.6, 1.0])).tolist()
    [0, 0, 1, 6, 9]
    """
    # Floating point: 3 / 10 * 10 may come out just below 3, so a tiny amount is added before rounding down.
    within = np.clip(np.nan_to_num(values, nan=0.0), 0.0, 1.0)
    return np.minimum(within * STEPS + 1e-9, STEPS - 1).astype(np.int64)


def text_of(anchor: str, around: str) -> str:
    """The words of a link: its own and those around it."""
    return f"{anchor[:LONGEST_TEXT]}\n{around[:LONGEST_TEXT]}"


def path_text_of(url: str) -> str:
    """The words of a URL without its host name, unescaped: `%20` is a blank.

    >>> path_text_of("http://www.example.com/koh%20samui/hotels.html?page=2")
    'koh samui/hotels.html?page=2'
    """
    parts = url.split("/", 3)
    path = parts[3] if len(parts) == 4 else ""
    return unquote(path) if "%" in path else path


def domain_of(url: str) -> str:
    """The top-level domain of a URL, "" if it has none."""
    return top_level_domain_of(server_of(url)) if url.startswith(("http://", "https://")) else ""


def places_of(texts: LinkTexts) -> list[list[str]]:
    """The columns that `PLACES` names."""
    return [texts.source_countries, texts.countries, texts.source_domains, list(map(domain_of, texts.urls))]
