"""What a link model makes of the links of a page, with all that it wants to know of their ends."""

from functools import lru_cache

from exonym.batches import Readings
from exonym.extract.document import LinkColumns
from exonym.models.links.base import LinkModel
from exonym.models.links.features import LinkTexts
from exonym.nations.country import Countries, country_of_domain
from exonym.readers.page import Job
from exonym.urls import server_of, top_level_domain_of

_MOST_SEEN = 65_536


class ModelLinkReader:
    """Reads links with a model.

    The country of a server goes by its address, or its domain where that tells nothing. That of a target goes by its
    address if this reader has seen a page of the server: nobody asks for addresses of servers that are not visited.
    """

    def __init__(self, model: LinkModel) -> None:
        self._model = model
        self._countries = Countries()
        self._seen: dict[str, str] = {}  # the countries of servers whose pages were read

    def read(self, job: Job, links: LinkColumns) -> Readings:
        """What the model makes of the links of a page."""
        server = server_of(job.url)
        country = self._see(server, job.address)
        texts = LinkTexts(
            urls=links.urls,
            anchors=links.anchors,
            around=links.around,
            source_domains=[top_level_domain_of(server)] * len(links),
            source_countries=[country] * len(links),
            countries=[self._seen.get(target) or _country_of(target) for target in map(server_of, links.urls)],
        )
        return self._model.read(texts)

    def _see(self, server: str, address: str) -> str:
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[server] = country = self._countries.country_of(address, server).code
        return country


@lru_cache(maxsize=16_384)
def _country_of(server: str) -> str:
    return country_of_domain(top_level_domain_of(server))
