"""The countries of servers: by the IP addresses that archives keep, else by their top-level domains.

An archive has the address of each page that was fetched; the other pages of a server are in the same country.
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
    """The number of the country that an IP address is registered in; 0 unknown."""
    return country_code(_countries().country_of(address.strip()).code) if address else 0


@lru_cache(maxsize=1)
def _countries() -> Countries:
    return Countries()


def countries_of(groups: Groups, by_address: Codes) -> Codes:
    """The country of each node: that of the first known address of its server, else that of its domain."""
    by_domain = np.array([country_code(country_of_domain(name)) for name in groups.domains] or [0], np.uint16)
    of_server: NDArray[Any] = by_domain[groups.domain_of_server]
    known = np.flatnonzero(by_address)[::-1]  # reversed, so that the first address is written last and stays
    of_server[groups.server[known]] = by_address[known]
    countries: Codes = of_server[groups.server]
    return countries
