"""An additive strategy that also reads the words of links: two more facts, and tables that say what they are worth.

Where nothing is known of a link's words, these tables say nothing and learn nothing. So on a graph of numbers, without
URLs and anchors, the strategy is the one without words, and runs compiled as that one does.
"""

import itertools
from collections.abc import Sequence

import numpy as np

from exonym.batches import NO_ROW, Flags, Floats, Ids, Integers, LinkBatch, PageBatch, WaitingBatch
from exonym.strategies.adaptive.additive import Additive
from exonym.strategies.adaptive.facts import word_facts
from exonym.strategies.adaptive.link_words import LinkWords, Pieces, pieces_of
from exonym.strategies.adaptive.odds import MOST_STEPS, STEPS_PER_UNIT
from exonym.strategies.adaptive.site_credit import SiteCredit
from exonym.strategies.base import State, is_download

LEAST_SCORE = -MOST_STEPS / STEPS_PER_UNIT  # of links to sites that have used up their credit
_WORDS, _SITES = "words_", "sites_"  # in states and differences
_TEXTS = frozenset(["text", "anchor"])


class Worded(Additive):
    """`Additive` with words, unless `text` is false; a subclass names the pairs of facts with and without words."""

    needs = Additive.needs | _TEXTS
    may_lack = Additive.may_lack | _TEXTS
    learns_copies = True  # they count for the credit of their site, and for nothing else
    word_pairs: tuple[tuple[str, str], ...] = ()  # the first of each pair is a fact of words

    def __init__(self, own_domains: Sequence[str] = (), least_chance: float = 0.0, text: bool = True) -> None:
        self.text = text
        self.words = LinkWords() if text else None
        self.sites = SiteCredit() if text else None
        if text:
            self.pairs = (*self.pairs, *self.word_pairs)
        else:
            self.needs -= _TEXTS
        super().__init__(own_domains, least_chance)
        self._read: tuple[LinkBatch, Pieces] | None = None
        self._is_blank = np.zeros(self.tables.cells, np.bool_)  # cells of links of whose words nothing is known
        for table in range(len(self.pairs_of_numbers), len(self.pairs)):
            begin = self.tables.begins[table]
            self._is_blank[begin : begin + (1 << self.tables.second_bits[table])] = True

    @property
    def pairs_of_numbers(self) -> Sequence[tuple[str, str]]:
        return type(self).pairs

    def _facts_now(self, links: LinkBatch | WaitingBatch) -> Integers:
        facts = super()._facts_now(links)
        if self.words is None or (links.text is None and (isinstance(links, WaitingBatch) or links.anchor is None)):
            return facts
        urls, anchors = self.words.classes(self._pieces(links))
        if isinstance(links, LinkBatch):
            return facts | word_facts(urls, anchors)
        return facts | word_facts(urls, np.zeros_like(urls))

    def _pieces(self, links: LinkBatch | WaitingBatch) -> Pieces:
        """The pieces of links' URLs and anchors; `meet` and `score` ask for those of the same links."""
        if isinstance(links, WaitingBatch):
            return pieces_of(links.text or [])
        if self._read is None or self._read[0] is not links:
            blank = [""] * len(links)
            self._read = links, pieces_of(links.text or blank, links.anchor or blank)
        return self._read[1]

    def score(self, links: LinkBatch) -> Floats:
        scores = super().score(links)
        return np.where(links.source == NO_ROW, scores, self._credited(links, scores))

    def again(self, waiting: WaitingBatch) -> tuple[Floats, Ids]:
        scores, notes = super().again(waiting)
        return self._credited(waiting, scores), notes

    def _credited(self, links: LinkBatch | WaitingBatch, scores: Floats) -> Floats:
        """The scores, or the least one for links to sites that get no more visits."""
        if self.sites is None or links.text is None:
            return scores
        return np.where(self.sites.is_used_up(links.server, links.text), LEAST_SCORE, scores)

    def meet(self, links: LinkBatch) -> Ids:
        if self.words is not None and links.anchor is not None:
            self.words.meet(links.url, self._pieces(links))
        return super().meet(links)

    def learn(self, pages: PageBatch) -> Ids:
        changed = super().learn(pages)
        self._read = None
        if self.words is not None and pages.text is not None:
            counted = is_download(pages)
            if self.sites is not None:
                self.sites.add(pages.server[counted], _those(pages.text, counted), pages.relevant[counted])
            is_new = counted if pages.is_copy is None else counted & ~pages.is_copy
            self.words.visit(pages.url[is_new], _those(pages.text, is_new), pages.relevant[is_new])
        return changed

    def _cells_told(self, notes: Integers) -> list[list[int]]:
        cells = self.tables.of(notes)
        rows = zip(cells.tolist(), (~self._is_blank[cells]).tolist(), strict=True)
        return [list(itertools.compress(row, told)) for row, told in rows]

    # What survives, and what copies tell each other

    def state(self) -> State:
        state = super().state()
        if self.words is not None and self.sites is not None:
            state |= _named(self.words.state(), _WORDS) | _named(self.sites.state(), _SITES)
        return state

    def restore(self, state: State) -> None:
        super().restore(state)
        if self.words is not None and self.sites is not None:
            self.words.restore(_parted(state, _WORDS)[1])
            self.sites.restore(_parted(state, _SITES)[1])

    def merge(self, state: State) -> Ids:
        changed = super().merge(state)
        if self.words is not None and self.sites is not None:
            self.words.merge(_parted(state, _WORDS)[1])
            self.sites.merge(_parted(state, _SITES)[1])
        return changed

    def differences(self, everything: bool = False) -> State:
        words = {} if self.words is None else self.words.differences(everything)
        return super().differences(everything) | _named(words, _WORDS)

    def add_differences(self, differences: State) -> Ids:
        self._noted = None
        numbers, words = _parted(differences, _WORDS)
        if self.words is not None and words:
            self.words.add_differences(words)
        return super().add_differences(numbers)

    def link_updates(self) -> State:
        return super().link_updates() | _named({} if self.words is None else self.words.link_updates(), _WORDS)

    def apply_link_updates(self, updates: State) -> None:
        self._noted = None
        numbers, words = _parted(updates, _WORDS)
        super().apply_link_updates(numbers)
        if self.words is not None and words:
            self.words.apply_link_updates(words)


def _those(texts: list[str], wanted: Flags) -> list[str]:
    return texts if wanted.all() else list(itertools.compress(texts, wanted.tolist()))


def _named(state: State, prefix: str) -> State:
    return {prefix + name: part for name, part in state.items()}


def _parted(state: State, prefix: str) -> tuple[State, State]:
    """What a state says of other things, and what it says of words, or of sites."""
    parts = {name.removeprefix(prefix): part for name, part in state.items() if name.startswith(prefix)}
    return {name: part for name, part in state.items() if not name.startswith(prefix)}, parts
