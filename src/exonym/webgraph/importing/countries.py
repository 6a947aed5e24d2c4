"""The countries of servers: by the addresses that archives keep, else by their top-level domains.

Addresses are known of pages that were fetched; the other pages of a server are in the same country.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, country_code
from exonym.nations.country import Countries, country_of_domain
from exonym.webgraph.importing.groups import Groups

_MOST_KEPT = 65_536  # addresses: pages of one server follow each other


@lru_cache(maxsize=_MOST_KEPT)
def country_at(address: str) -> int:
    """The number of the country that an address is registered in; 0 unknown."""
    return country_code(_countries().country_of(address.strip()).code) if address else 0


@lru_cache(maxsize=1)
def _countries() -> Countries:
    return Countries()


def countries_of(groups: Groups, by_address: Codes) -> Codes:
    """The country of each node: of the first address that is known of its server, else of its domain."""
    by_domain = np.array([country_code(country_of_domain(name)) for name in groups.domains] or [0], np.uint16)
    of_server: NDArray[Any] = by_domain[groups.domain_of_server]
    known = np.flatnonzero(by_address)[::-1]  # the first is written last
    of_server[groups.server[known]] = by_address[known]
    countries: Codes = of_server[groups.server]
    return countries
