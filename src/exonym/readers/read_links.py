"""The links of a page read with a link model, which also gets the countries of both ends."""

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

    The country of a server is that of its address, or of its domain if the address has no known country. The address of
    a target is known if this reader has seen a page of its server: names of other servers are not looked up.
    """

    def __init__(self, model: LinkModel) -> None:
        self._model = model
        self._countries = Countries()
        self._seen: dict[str, str] = {}  # the countries of servers whose pages were read

    def read(self, job: Job, links: LinkColumns) -> Readings:
        """The model's numbers for each link of a page."""
        server = server_of(job.url)
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[server] = country = self._countries.country_of(job.address, server).code
        texts = LinkTexts(
            urls=links.urls,
            anchors=links.anchors,
            around=links.around,
            source_domains=[top_level_domain_of(server)] * len(links),
            source_countries=[country] * len(links),
            countries=[self._seen.get(target) or _country_of(target) for target in map(server_of, links.urls)],
        )
        return self._model.read(texts)


@lru_cache(maxsize=16_384)
def _country_of(server: str) -> str:
    return country_of_domain(top_level_domain_of(server))
