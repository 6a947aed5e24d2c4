"""What the words of links say about where they lead, learned during the crawl from the pages that were fetched.

The words are all pieces of four bytes of a link's URL and of its anchor: enough to tell `/th/` from `/en/`, and to read
scripts without blanks. For each piece it is counted on how many links to relevant and to irrelevant pages it was; the
log-odds of the counts, against those of all links, are its evidence. The evidence of a text is the mean of that of its
pieces, each weighted by its own strength, so that a few telling pieces are not lost among many that say nothing. It
becomes a small number, a *class*. It is no probability: the tables of `Additive` learn from fetched pages what a class
is worth, in each of the circumstances with which it is paired.

Counts are sums: pages may be learned in any order, copies can be added, and a copy that was restored is the same. The
URL of a page is learned at its visit. The anchors of links are learned when the outcome of their targets is known, that
is, from links that are found again; each pair of target and anchor counts once, however often a menu repeats it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, Ids, Integers
from exonym.strategies.base import State

_BUCKET_BITS = 18
_BUCKETS = 1 << _BUCKET_BITS  # of pieces of URLs, and as many of anchors
_LONGEST = 120  # bytes that are read of a text
_FACTOR, _SHIFT = np.uint32(0x9E3779B1), np.uint32(32 - _BUCKET_BITS)
_FRAME = 3  # bytes between texts, so that no piece has bytes of two
_REMEMBERED = 1 << 17  # visits whose outcome is known when links to them are found
_FEWEST = 3  # relevant links, and irrelevant ones, before anything is said
_TAUGHT = 1 << 20  # flags of pairs of target and anchor; when all are set, anchors are learned no more
_DOUBT = 1.0  # pages that every piece is taken to have been seen on before, as relevant as all others
_STEPS = 64  # of a unit of log-odds: whole numbers, so that sums do not depend on how links are grouped
_STRONGEST = 5 * _STEPS  # of a piece
_NO_EVIDENCE = _STEPS // 2  # weighs against the evidence of the pieces
# Where classes begin, in log-odds; class 0 is that of texts of which nothing is known.
URL_BOUNDS = np.array([-2, -1, -0.3, 0.3, 1, 2.0])
ANCHOR_BOUNDS = np.array([-0.5, 0.7])
_URL, _ANCHOR = 0, 1
_ONCE = np.int32(1)  # of the type of the counts, as NumPy takes ten times as long for any other


class Pieces(NamedTuple):
    """The pieces of some texts: text n has those from `starts[n]` to `ends[n]`; the first `urls` texts are URLs."""

    buckets: NDArray[np.uint32]
    starts: Integers
    ends: Integers
    urls: int


def pieces_of(urls: Sequence[str], anchors: Sequence[str] = ()) -> Pieces:
    """All runs of four bytes of each text, as buckets; a text begins after a line break and ends before two."""
    encoded = [text.encode("utf-8", "replace")[:_LONGEST] for text in (*urls, *anchors)]
    joined = b"\n" + b"\n\n\n".join(encoded).lower() + b"\n" * (2 * _FRAME)
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    ends = np.cumsum(lengths + _FRAME) - _FRAME
    starts = ends - lengths
    windows = np.ndarray(len(joined) - 2 * _FRAME, dtype="<u4", buffer=joined, strides=(1,))
    buckets = windows * _FACTOR
    buckets >>= _SHIFT
    if anchors:
        buckets[starts[len(urls)] :] += np.uint32(_BUCKETS)
    return Pieces(buckets, starts, ends, len(urls))


class LinkWords:
    """Counts of the pieces of URLs and anchors, on links to relevant and to irrelevant pages."""

    def __init__(self) -> None:
        rows = 2 * _BUCKETS + 2  # the last two are of all URLs, and of all anchors
        self._counts: NDArray[np.int32] = np.zeros((rows, 2), np.int32)  # irrelevant, relevant
        self._others: NDArray[np.int32] | None = None  # of `_counts`, what other copies told
        self._told: NDArray[np.int32] | None = None  # what this copy had counted at the last call of `differences`
        self._visited: Ids = np.zeros(_REMEMBERED, np.uint64)
        self._outcomes: NDArray[np.uint8] = np.zeros(_REMEMBERED, np.uint8)  # 0 unknown, 1 irrelevant, 2 relevant
        self._is_taught: Flags = np.zeros(_TAUGHT, np.bool_)
        self._updates: list[tuple[Integers, Integers]] | None = None

    # Classes

    def classes(self, pieces: Pieces) -> tuple[Integers, Integers]:
        """The classes of the URLs, and of the anchors."""
        evidence, urls = self._evidence(pieces), pieces.urls
        return _classes(evidence[:urls], URL_BOUNDS), _classes(evidence[urls:], ANCHOR_BOUNDS)

    def _evidence(self, pieces: Pieces) -> Floats:
        """The evidence of each text in log-odds; NaN if nothing is known of it."""
        evidence = np.full(len(pieces.starts), np.nan)
        is_read = pieces.ends > pieces.starts
        if not is_read.any():
            return evidence
        odds = self._counts.take(pieces.buckets, axis=0).astype(np.float32)
        cut = int(pieces.starts[pieces.urls]) if pieces.urls < len(is_read) else len(odds)
        known = [self._doubted(odds[:cut], _URL), self._doubted(odds[cut:], _ANCHOR)]
        if not any(known):
            return evidence
        np.log(odds, out=odds)
        steps = odds[:, 1] - odds[:, 0]
        steps *= np.float32(_STEPS)
        np.rint(steps, out=steps)
        whole = np.clip(steps, -_STRONGEST, _STRONGEST).astype(np.int32)
        strength = np.abs(whole)
        spans = np.stack([pieces.starts[is_read], pieces.ends[is_read]], axis=1).ravel()
        weights = np.add.reduceat(strength, spans)[::2]
        sums = np.add.reduceat(whole * strength, spans)[::2]
        evidence[is_read] = np.where(weights > 0, sums / (weights + _NO_EVIDENCE) / _STEPS, np.nan)
        for is_known, texts in zip(known, (slice(pieces.urls), slice(pieces.urls, None)), strict=True):
            if not is_known:
                evidence[texts] = np.nan
        return evidence

    def _doubted(self, counts: NDArray[np.float32], which: int) -> bool:
        """Add to counts of pieces what they are taken to have had before, relative to all texts; False if too few."""
        irrelevant, relevant = self._counts[2 * _BUCKETS + which].tolist()
        if min(irrelevant, relevant) < _FEWEST:
            counts.fill(1)
            return False
        share = (relevant + 0.5) / (irrelevant + relevant + 1)
        # Divided by the shares of all texts, so that the logarithms need no more correction.
        counts /= np.array([1 - share, share], np.float32)
        counts += np.float32(_DOUBT)
        return True

    # Learning

    def visit(self, urls: Ids, texts: Sequence[str], relevant: Flags) -> None:
        """Learn the URLs of pages, and remember what the pages were."""
        pieces = pieces_of(texts)
        self._add(_cells(pieces, np.arange(len(texts)), relevant))
        slots = (urls % np.uint64(_REMEMBERED)).astype(np.int64)
        self._visited[slots] = urls
        self._outcomes[slots] = 1 + relevant

    def meet(self, urls: Ids, pieces: Pieces) -> None:
        """Learn the anchors of links to pages that were visited lately; `pieces` are of the links' URLs and anchors."""
        slots = (urls % np.uint64(_REMEMBERED)).astype(np.int64)
        is_known = (self._visited[slots] == urls) & (self._outcomes[slots] > 0)
        is_known &= (pieces.ends > pieces.starts)[pieces.urls :]
        known = np.flatnonzero(is_known)
        if not len(known):
            return
        anchors = known + pieces.urls
        spans = np.stack([pieces.starts[anchors], pieces.ends[anchors]], axis=1).ravel()
        of_anchors = np.add.reduceat(pieces.buckets.astype(np.uint64) ** 2, spans)[::2]
        flags = ((urls[known] ^ of_anchors) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(44)).astype(np.int64)
        new = np.flatnonzero(~self._is_taught[flags])
        if len(new):
            new = new[np.unique(flags[new], return_index=True)[1]]
            self._is_taught[flags[new]] = True
            is_relevant = self._outcomes[slots[known[new]]] == 2
            cells = _cells(pieces, anchors[new], is_relevant)
            self._add(cells)
            if self._updates is not None:
                self._updates.append((cells, flags[new]))

    def _add(self, cells: Integers) -> None:
        np.add.at(self._counts.reshape(-1), cells, _ONCE)

    def _own(self) -> NDArray[np.int32]:
        """What this copy counted itself."""
        return self._counts.copy() if self._others is None else self._counts - self._others

    # What survives, and what copies tell each other

    def link_updates(self) -> State:
        """The changes that `meet` made since the previous call; the first call gives {} and switches recording on."""
        updates, self._updates = self._updates, []
        if not updates:
            return {}
        cells, flags = (np.concatenate(parts) for parts in zip(*updates, strict=True))
        return {"words": cells.astype(np.uint32), "taught": flags.astype(np.uint32)}

    def apply_link_updates(self, updates: State) -> None:
        """Repeat what `link_updates` gave."""
        self._add(updates["words"].astype(np.int64))
        self._is_taught[updates["taught"].astype(np.int64)] = True

    def state(self) -> State:
        """What this copy learned itself, as arrays."""
        slots = np.flatnonzero(self._outcomes)
        return {
            **{f"learned_{name}": column for name, column in _sparse(self._own()).items()},
            "taught": np.packbits(self._is_taught),
            "visited": self._visited[slots],
            "outcomes": self._outcomes[slots],
        }

    def restore(self, state: State) -> None:
        """Go on from what `state` gave; what came from other copies stays."""
        self._counts = _dense(_learned_in(state))
        if self._others is not None:
            self._counts += self._others
        self._is_taught = np.unpackbits(state["taught"].astype(np.uint8)).astype(np.bool_)
        self._outcomes[:] = 0
        self._remember(state)

    def merge(self, state: State) -> None:
        """Add what another copy learned itself."""
        self._counts += _dense(_learned_in(state))
        self._is_taught |= np.unpackbits(state["taught"].astype(np.uint8)).astype(np.bool_)
        # Of two visits with one place, either copy keeps the same one.
        visited = state["visited"].astype(np.uint64)
        slots = (visited % np.uint64(_REMEMBERED)).astype(np.int64)
        is_kept = (self._outcomes[slots] == 0) | (visited > self._visited[slots])
        self._remember({name: state[name][is_kept] for name in ("visited", "outcomes")})

    def _remember(self, state: State) -> None:
        slots = (state["visited"].astype(np.uint64) % np.uint64(_REMEMBERED)).astype(np.int64)
        self._visited[slots] = state["visited"]
        self._outcomes[slots] = state["outcomes"]

    def differences(self, everything: bool) -> State:
        """As in `SharesLearning`."""
        if everything:
            return _sparse(self._own())
        before, self._told = self._told, self._own()
        return {} if before is None else _sparse(self._told - before)

    def add_differences(self, differences: State) -> None:
        """Add what another copy learned."""
        more = _dense(differences)
        self._counts += more
        self._others = more if self._others is None else self._others + more


def _classes(evidence: Floats, bounds: Floats) -> Integers:
    return np.where(np.isnan(evidence), 0, 1 + np.searchsorted(bounds, evidence, side="right")).astype(np.int64)


def _cells(pieces: Pieces, texts: Integers, relevant: Flags) -> Integers:
    """Where some of the texts are counted: a cell for each piece, and one for each text as a whole."""
    starts = pieces.starts[texts]
    lengths = pieces.ends[texts] - starts
    begins = np.cumsum(lengths) - lengths  # among the pieces of these texts
    places = np.arange(lengths.sum()) + np.repeat(starts - begins, lengths)
    parts = 2 * pieces.buckets[places].astype(np.int64) + np.repeat(relevant, lengths)
    whole = 2 * (2 * _BUCKETS + np.where(texts < pieces.urls, _URL, _ANCHOR)) + relevant
    return np.concatenate([parts, whole[lengths > 0]])


def _sparse(counts: NDArray[np.int32]) -> State:
    """The counts that are not 0; {} if all are."""
    cells = np.flatnonzero(counts.reshape(-1))
    return {"words": cells.astype(np.uint32), "counts": counts.reshape(-1)[cells]} if len(cells) else {}


def _learned_in(state: State) -> State:
    return {name.removeprefix("learned_"): column for name, column in state.items() if name.startswith("learned_")}


def _dense(state: State) -> NDArray[np.int32]:
    counts: NDArray[np.int32] = np.zeros((2 * _BUCKETS + 2, 2), np.int32)
    if "words" in state:
        counts.reshape(-1)[state["words"].astype(np.int64)] = state["counts"]
    return counts
