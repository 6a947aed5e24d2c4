"""The site crawler of Tadapak et al. (2010), as Suebchua's thesis describes it: whole sites, by the links to them.

A site is a server here, the unit of politeness. The site that a linear model on the features of links rates best is
begun, and all its known pages are fetched before another site is begun.
"""

import numpy as np

from exonym.batches import NO_SERVER, Floats, Group, Ids, LinkBatch, PageBatch, Rows
from exonym.models.links.base import LinkModel, pools_links
from exonym.strategies.base import NO_GROUPS, State, is_download
from exonym.strategies.link_models import Guessing
from exonym.strategies.numbering import Numbering, grown
from exonym.strategies.segment.page_counts import SegmentPages
from exonym.strategies.segment.segment_links import LEAST_RELEVANCE, STEPS, SegmentLinks, whole_readings

_NEVER = 2**62  # irrelevant pages in a row: no site is dropped
_LARGEST_SCORE = 1 - 1 / STEPS  # so that a site that was begun always comes before one that was not


class SiteCrawler(Guessing):
    """`site`: sites with the best mean of (relevance of source site · guess of the link model) first, one at a time.

    This is equation 8 of the thesis with sites in the place of segments. Several links from one site count as one, as
    in `segment`: a link model that pools links guesses from all of them and from the present share of relevant pages of
    the source site; another one guesses when a link is found. Links inside a site are ignored. A seed counts as a
    relevant source with the guess 1.
    """

    group = Group.SERVER
    unit = "site"
    least_relevance = LEAST_RELEVANCE  # with less on all pages of a site, its links add 0 to scores

    def __init__(self, model: str = "") -> None:
        super().__init__(model)
        self._updates: list[State] | None = None
        self._forget()

    def use(self, link_model: LinkModel) -> None:
        super().use(link_model)
        self._forget()

    def _forget(self) -> None:
        self._numbering = Numbering()
        self._pages = SegmentPages(_NEVER)
        self._links = SegmentLinks(model=self.link_model if pools_links(self.link_model) else None)
        self._ranks: Floats = np.zeros(0)
        seeds = self._take(np.array([NO_SERVER], dtype=np.uint64))  # the source that seeds have
        self._links.weigh(seeds, np.ones(1), np.ones(1))

    def _take(self, sites: Ids) -> Rows:
        """The numbers of sites; new ones get rows in all parts."""
        before = len(self._numbering)
        rows = self._numbering.take(sites)
        count = len(self._numbering)
        if count > before:
            self._pages.make_room(count)
            self._links.make_room(count)
            self._ranks = grown(self._ranks, count)
            self._ranks[before:count] = _LARGEST_SCORE
        return rows

    # What links and pages teach

    def meet(self, links: LinkBatch) -> Ids:
        links = links.pick(links.source_server != links.server)
        update: State = {"source": links.source_server, "target": links.server, "sums": self._sums_of(links)}
        if self._updates is not None and len(links):
            self._updates.append(update)
        return self._apply(update)

    def _sums_of(self, links: LinkBatch) -> Rows:
        """What each link adds to its pair of sites: a guess and its number, 1; or a reading, to be pooled."""
        is_seed = links.source_server == NO_SERVER
        sums = np.zeros((len(links), self._links.width), dtype=np.int64)
        if pools_links(self.link_model):
            assert links.reading is not None
            sums[:, 2:] = np.where(is_seed[:, None], 0, whole_readings(links.reading))
            sums[is_seed, :2] = STEPS, 1
        else:
            steps = self.guess_steps(links, self._pages.degrees(self._take(links.source_server)))
            sums[:, 0], sums[:, 1] = np.where(is_seed, STEPS, steps), 1
        return sums

    def _apply(self, update: State) -> Ids:
        sources, targets = self._take(update["source"]), self._take(update["target"])  # type: ignore[arg-type]
        ends, places = np.unique(np.column_stack([sources, targets]), axis=0, return_inverse=True)
        sums = np.zeros((len(ends), self._links.width), dtype=np.int64)
        np.add.at(sums, places.ravel(), update["sums"])
        self._links.add(ends, sums)
        return self._moved(targets)

    def learn(self, pages: PageBatch) -> Ids:
        pages = pages.pick(is_download(pages))
        rows = self._take(pages.server)
        self._pages.add(rows, pages)
        once = np.unique(rows)
        return self._moved(np.concatenate([once, self._weigh(once)]))

    def _weigh(self, rows: Rows) -> Rows:
        return self._links.weigh(rows, self._pages.relevances(rows), self._pages.degrees(rows))

    # The order

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))

    def rank(self, groups: Ids) -> Floats:
        rows = self._numbering.of(groups)
        return np.where(rows < 0, _LARGEST_SCORE, self._ranks[np.maximum(rows, 0)])

    def _moved(self, touched: Rows) -> Ids:
        """Set the ranks of sites again; those whose rank changed."""
        rows = np.unique(touched)
        if not len(rows):
            return NO_GROUPS
        old, new = self._ranks[rows], self._rank_of(rows)
        self._ranks[rows] = new
        return self._numbering.ids(rows[old != new])

    def _rank_of(self, rows: Rows) -> Floats:
        scores = np.minimum(self._links.scores(rows), _LARGEST_SCORE)
        return np.where(self._pages.are_begun(rows), 1.0 + scores, scores)

    # What survives

    def link_updates(self) -> State:
        recorded, self._updates = self._updates, []
        if not recorded:
            return {}
        return {name: np.concatenate([update[name] for update in recorded]) for name in recorded[0]}

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            self._apply(updates)

    def state(self) -> State:
        return {"ids": self._numbering.all(), **self._pages.state(len(self._numbering)), **self._links.state()}

    def restore(self, state: State) -> None:
        self._forget()
        every = self._take(state["ids"].astype(np.uint64))
        self._pages.restore(state)
        self._links.add(state["ends"].reshape(-1, 2), state["sums"])  # type: ignore[arg-type]
        self._weigh(every[1:])  # the first stands for seeds
        self._ranks[every] = self._rank_of(every)

    def merge(self, state: State) -> Ids:
        rows = self._take(state["ids"].astype(np.uint64))
        self._pages.merge(rows, state)
        ends = rows[state["ends"].astype(np.int64).reshape(-1, 2)]
        self._links.add(ends, state["sums"].astype(np.int64))
        return self._moved(np.concatenate([rows, self._weigh(rows[rows > 0])]))

    # What other partitions learned: the relevance of sites that link to ours

    def differences(self, everything: bool = False) -> State:
        return self._pages.differences(self._numbering, everything)

    def add_differences(self, differences: State) -> Ids:
        if not differences:
            return NO_GROUPS
        rows = self._take(differences["ids"].astype(np.uint64))
        self._pages.add_foreign(rows, differences["pages"].astype(np.int64))
        return self._moved(np.concatenate([rows, self._weigh(rows)]))
