"""The segment crawler of Suebchua's thesis (TFLSWC, 2014): segments are ranked by the links that lead to them.

The crawl begins the best segment, and fetches its known pages before others; S irrelevant pages in a row end it. A
segment that is reached only through D irrelevant segments in a row is not begun.
"""

from collections.abc import Callable

import numpy as np

from exonym.batches import NO_ROW, NO_SEGMENT, Flags, Floats, Group, Ids, LinkBatch, PageBatch, Rows
from exonym.errors import ConfigError
from exonym.models.links.base import LinkModel, NeutralModel, check_unit, pools_links
from exonym.strategies.base import NO_GROUPS, NOT_FOLLOWED, Rule, State, is_download
from exonym.strategies.numbering import Numbering, grown
from exonym.strategies.segment.areas import Areas, beside
from exonym.strategies.segment.page_counts import SegmentPages
from exonym.strategies.segment.segment_distance import SegmentDistances
from exonym.strategies.segment.segment_links import LEAST_RELEVANCE, STEPS, SegmentLinks, in_steps, whole_readings

LARGEST_D = 20
MOST_DOUBT = 1_000
LEAST_HISTORY = 10  # pages: with fewer, the history of a server is not used
# Ids of sources that are no segments: of a seed, and of a redirect or sitemap with and without a relevant source.
_SEED, _TRUSTED, _DOUBTED = NO_SEGMENT, NO_SEGMENT - 1, NO_SEGMENT - 2
_LARGEST_SCORE = 1 - 1 / STEPS  # so that a segment that was begun always comes before one that was not


class SegmentCrawler(Rule):
    """`segment`: segments with the best mean of (relevance of source · guess of the link model) first, one at a time.

    Several links from one segment count as one. A link model that pools links guesses from all of them and from the
    present relevance degree of the source segment. Another one guesses when a link is found, with the degree that the
    source has then, and the mean of these guesses counts. The relevance of the source stays up to date in the score.
    Links inside a segment are ignored. A seed counts as a relevant source with the guess 1.
    """

    group = Group.SEGMENT
    needs = frozenset(["source_segment"])
    least_relevance = LEAST_RELEVANCE  # with less on all pages of a segment, its links add 0 to scores

    def __init__(
        self,
        S: int = 2,  # noqa: N803 (the thesis' letters)
        D: int = 2,  # noqa: N803
        threshold: float = 0.5,
        model: str = "",
        history: float = 0.0,
        neighbourhood: float = 0.0,
        doubt: float = 0.0,
    ) -> None:
        _check("S", S, S >= 1, "1 or more")
        _check("D", D, 1 <= D <= LARGEST_D, f"1 to {LARGEST_D}")
        for name, share in (("threshold", threshold), ("history", history), ("neighbourhood", neighbourhood)):
            _check(name, share, 0 <= share <= 1, "0 to 1")
        self.S, self.D, self.threshold, self.model = S, D, threshold, model
        _check("doubt", doubt, 0 <= doubt <= MOST_DOUBT, f"0 to {MOST_DOUBT}")
        self.history, self.neighbourhood, self.doubt = history, neighbourhood, doubt
        self.link_model: LinkModel = NeutralModel()
        self.needs = SegmentCrawler.needs | ({"text"} if neighbourhood else frozenset())
        self._updates: list[State] | None = None
        self._forget()

    def use(self, link_model: LinkModel) -> None:
        """Use this link model from now on."""
        check_unit(link_model, "segment")
        self.link_model = link_model
        self.needs = self.needs | {"reading"} | (frozenset() if pools_links(link_model) else {"segment_degree"})
        self._forget()

    def _forget(self) -> None:
        self._numbering = Numbering([_SEED, _TRUSTED, _DOUBTED])
        self._pages = SegmentPages(self.S)
        self._links = SegmentLinks(self.doubt, self.link_model if pools_links(self.link_model) else None)
        self._distances = SegmentDistances(self._links, self.D)
        self._servers, self._directories = Areas(self._pages), Areas(self._pages)
        self._ranks: Floats = np.zeros(0)
        sources = self._take(np.array([_SEED, _TRUSTED, _DOUBTED], dtype=np.uint64))
        self._links.weigh(sources, np.ones(3), np.zeros(3))
        self._distances.judge(sources, np.array([True, True, False]))

    def _take(self, segments: Ids) -> Rows:
        """The numbers of segments; new ones get rows in all parts."""
        before = len(self._numbering)
        rows = self._numbering.take(segments)
        count = len(self._numbering)
        if count > before or not len(self._ranks):
            for part in (self._pages, self._links, self._distances, self._servers, self._directories):
                part.make_room(count)
            self._ranks = grown(self._ranks, count)
            fresh = np.arange(before, count)
            self._ranks[fresh] = self._rank_of(fresh)
        return rows

    # What links teach

    def meet(self, links: LinkBatch) -> Ids:
        assert links.source_segment is not None
        sources = np.where(links.source == NO_ROW, np.uint64(_SEED), links.source_segment)
        unknown = (sources == NO_SEGMENT) & (links.source != NO_ROW)
        substitutes = np.where(links.source_relevant, np.uint64(_TRUSTED), np.uint64(_DOUBTED))
        sources = np.where(unknown, substitutes, sources)
        between = sources != links.segment  # links inside a segment are ignored
        sums = self._sums_of(links, unknown)
        update = _update(sources[between], links.segment[between], sums[between]) | self._places(links)
        if self._updates is not None:
            self._updates.append(update)
        return self._moved(self._apply(update))

    def _sums_of(self, links: LinkBatch, unknown: Flags) -> Rows:
        """What each link adds to its pair of segments: a guess in steps and 1; or, if links are pooled, its reading."""
        is_seed, pools = links.source == NO_ROW, pools_links(self.link_model)
        guessed = (
            unknown if pools else ~is_seed
        )  # pooled, only links without a source segment have guesses of their own
        guesses = np.ones(len(links))
        if links.reading is not None and guessed.any():
            degrees = links.source_relevant if pools else links.segment_degree
            assert degrees is not None
            found = self.link_model.probability(links.reading[guessed], degrees[guessed].astype(np.float64))
            guesses[guessed] = np.nan_to_num(np.clip(found, 0.0, 1.0))
        guesses = np.where(unknown, guesses * links.source_relevance, guesses)
        sums = np.column_stack([in_steps(guesses), np.ones(len(links), np.int64)])
        if not pools:
            return sums
        assert links.reading is not None
        is_alone = (is_seed | unknown)[:, None]
        return np.hstack([sums * is_alone, whole_readings(links.reading) * ~is_alone])

    def _places(self, links: LinkBatch) -> State:
        """Server and directory of segments that are not placed yet, if `history` or `neighbourhood` needs them."""
        places: State = {}
        if self.history or self.neighbourhood:
            once, first = np.unique(links.segment, return_index=True)
            unplaced = ~self._servers.know(self._numbering.of(once))
            first = first[unplaced]
            places["placed"] = once[unplaced]
            places["server"] = links.server[first]
            if self.neighbourhood:
                assert links.text is not None
                places["beside"] = beside([links.text[at] for at in first.tolist()])
        return places

    def _apply(self, update: State) -> list[Rows]:
        """Apply an update; the segments that it touches."""
        touched: list[Rows] = []
        if "placed" in update:
            rows = self._take(update["placed"])  # type: ignore[arg-type]
            touched = [rows, self._servers.place(rows, update["server"])]  # type: ignore[arg-type]
            if "beside" in update:
                touched.append(self._directories.place(rows, update["beside"]))  # type: ignore[arg-type]
        targets = self._take(update["target"])  # type: ignore[arg-type]
        ends = np.column_stack([self._take(update["source"]), targets])  # type: ignore[arg-type]
        pairs = self._links.add(ends, update["sums"])  # type: ignore[arg-type]
        return [*touched, targets, self._distances.add(pairs)]

    # What pages teach

    def learn(self, pages: PageBatch) -> Ids:
        pages = pages.pick(is_download(pages))
        rows = self._take(pages.segment)
        once = np.unique(rows)
        touched = self._count(once, lambda: self._pages.add(rows, pages))
        return self._moved([once, *touched, *self._judge(once)])

    def _count(self, rows: Rows, count: Callable[[], None]) -> list[Rows]:
        """Count pages of segments by calling `count`, also for their areas; the segments of areas that changed."""
        before = self._pages.fetched(rows)
        count()
        fetched = self._pages.fetched(rows) - before
        return [self._servers.add(rows, fetched), self._directories.add(rows, fetched)]

    def _judge(self, rows: Rows) -> list[Rows]:
        """Pass on the relevance of segments to those that they link to; the segments that it may change."""
        weighed = self._links.weigh(rows, self._pages.relevances(rows), self._pages.degrees(rows))
        return [weighed, self._distances.judge(rows, self._pages.are_relevant(rows, self.threshold))]

    # The order

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))

    def rank(self, groups: Ids) -> Floats:
        rows = self._numbering.of(groups)
        return np.where(rows < 0, _LARGEST_SCORE, self._ranks[np.maximum(rows, 0)])

    def _moved(self, touched: list[Rows]) -> Ids:
        rows = np.unique(np.concatenate(touched))
        if not len(rows):
            return NO_GROUPS
        old, new = self._ranks[rows], self._rank_of(rows)
        self._ranks[rows] = new
        return self._numbering.ids(rows[~((old == new) | (np.isnan(old) & np.isnan(new)))])

    def _rank_of(self, rows: Rows) -> Floats:
        begun = self._pages.are_begun(rows)
        too_far = ~begun & (self._distances.of(rows) >= self.D)  # once begun, a segment is judged by its own pages
        ranks = begun + np.minimum(self._scores(rows), _LARGEST_SCORE)
        return np.where(too_far | self._pages.are_dropped(rows), NOT_FOLLOWED, ranks)

    def _scores(self, rows: Rows) -> Floats:
        scores = self._links.scores(rows)
        if self.neighbourhood:
            around = self._directories.shares(rows, 1)
            mixed = (1 - self.neighbourhood) * scores + self.neighbourhood * around
            scores = np.where(np.isnan(around), scores, mixed)
        if self.history:
            of_server = self._servers.shares(rows, LEAST_HISTORY)
            scores = scores * (1 - self.history * (1 - np.where(np.isnan(of_server), 1.0, of_server)))
        return scores

    # What survives

    def link_updates(self) -> State:
        recorded, self._updates = self._updates, []
        if not recorded:
            return {}
        return {name: np.concatenate([update[name] for update in recorded]) for name in recorded[0]}

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            update = _update(updates["source"], updates["target"], self._kept_sums(updates))  # type: ignore[arg-type]
            if "placed" in updates:
                # Several updates may place the same segment: the first counts.
                _, first = np.unique(updates["placed"], return_index=True)
                places = updates.keys() & {"placed", "server", "beside"}
                update |= {name: updates[name][first] for name in places}
            self._moved(self._apply(update))

    def _kept_sums(self, kept: State) -> Rows:
        """The sums in a state or in link updates; ConfigError if the model that they come from pooled otherwise."""
        sums = kept["sums"]
        if sums.shape[1:] != (self._links.width,):
            raise ConfigError("model pools links otherwise than before. Name the former model, or begin a new crawl.")
        return sums.astype(np.int64)

    def state(self) -> State:
        count = len(self._numbering)
        every = np.arange(count)
        places: State = {}
        if self.history or self.neighbourhood:
            places = {"server": self._servers.ids(every), "beside": self._directories.ids(every)}
        return {"ids": self._numbering.all(), **self._pages.state(count), **self._links.state(), **places}

    def restore(self, state: State) -> None:
        self._forget()
        every = self._take(state["ids"].astype(np.uint64))
        self._pages.restore(state)
        for part, name in ((self._servers, "server"), (self._directories, "beside")):
            known = np.flatnonzero(state[name]) if name in state else every[:0]
            part.place(known, state[name][known].astype(np.uint64) if len(known) else NO_GROUPS)
        pairs = self._links.add(state["ends"].reshape(-1, 2), self._kept_sums(state))  # type: ignore[arg-type]
        self._distances.add(pairs)
        self._judge(every[3:])
        self._ranks[every] = self._rank_of(every)

    def merge(self, state: State) -> Ids:
        rows = self._take(state["ids"].astype(np.uint64))
        touched = [rows, *self._count(rows, lambda: self._pages.merge(rows, state))]
        for part, name in ((self._servers, "server"), (self._directories, "beside")):
            known = np.flatnonzero(state[name]) if name in state else rows[:0]
            if len(known):
                touched.append(part.place(rows[known], state[name][known].astype(np.uint64)))
        pairs = self._links.add(rows[state["ends"].astype(np.int64).reshape(-1, 2)], self._kept_sums(state))
        return self._moved([*touched, self._distances.add(pairs), *self._judge(rows[rows > 2])])

    # What other partitions learned: the relevance of segments that link to ours

    def differences(self, everything: bool = False) -> State:
        return self._pages.differences(self._numbering, everything)

    def add_differences(self, differences: State) -> Ids:
        if not differences:
            return NO_GROUPS
        rows, counts = self._take(differences["ids"].astype(np.uint64)), differences["pages"].astype(np.int64)
        touched = self._count(rows, lambda: self._pages.add_foreign(rows, counts))
        return self._moved([rows, *touched, *self._judge(rows)])


def _update(sources: Ids, targets: Ids, sums: Rows) -> State:
    """What the links of each pair of segments add, added up."""
    order = np.lexsort((targets, sources))
    sources, targets = sources[order], targets[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    starts = np.flatnonzero(first)
    added = np.add.reduceat(sums[order], starts, axis=0) if len(starts) else sums[:0]
    return {"source": sources[starts], "target": targets[starts], "sums": added}


def _check(name: str, value: float, holds: bool, rule: str) -> None:
    if not holds:
        raise ConfigError(f"{name} must be {rule}, got {value:g}.")


class BestSegment(SegmentCrawler):
    """`best-segment`: the segment crawler by the mean relevance of the source segments alone, without a link model."""

    def __init__(self, S: int = 2, D: int = 2, threshold: float = 0.5) -> None:  # noqa: N803 (the thesis' letters)
        super().__init__(S, D, threshold)
