"""Every strategy keeps the laws; the check itself notices broken ones."""

from typing import Any

import numpy as np
import pytest

from exonym.batches import Floats, Group, Ids, LinkBatch, PageBatch, Readings, language_code
from exonym.errors import ConfigError
from exonym.models.links.base import LinkModel
from exonym.models.links.features import LinkTexts
from exonym.strategies import STRATEGIES
from exonym.strategies.base import NO_GROUPS, Learner, State, Strategy, Tally
from exonym.strategies.best_first import MeanSegment
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.by_name import check_mergeable, make_strategy
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.filters import ServerFilter
from exonym.strategies.larger_site_first import LargerSiteFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.strategies.naive_bayes import NaiveBayes
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.strategies.site import SiteCrawler
from exonym.testing import check_strategy
from exonym.testing.language_odds import LanguageOdds

OTHER_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("limited-distance", {"T": 1}),
    ("limited-distance", {"T": 7, "prioritized": True}),
    ("lswc", {"S": 1, "T": 1}),
    ("lswc", {"S": 5, "T": 90}),
    ("server-filter", {"mode": "conservative", "threshold": 0.25}),
    ("directory-filter", {"threshold": 1.0}),
    ("cjk", {"language": "th", "domains": "th"}),
    ("cjk", {"language": "ja th", "domains": "jp com"}),
    ("segment", {"S": 1, "D": 1, "threshold": 1.0}),
    ("segment", {"S": 5, "D": 6, "threshold": 0.25}),
    ("segment", {"history": 0.5}),
    ("segment", {"neighbourhood": 0.5, "D": 3}),
    ("segment", {"history": 1.0, "neighbourhood": 0.25, "doubt": 4}),
]


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategy_keeps_the_laws(name: str) -> None:
    check_strategy(lambda: make_strategy(name, {}))


@pytest.mark.parametrize(("name", "options"), OTHER_OPTIONS)
def test_strategy_with_other_options_keeps_the_laws(name: str, options: dict[str, Any]) -> None:
    check_strategy(lambda: make_strategy(name, options))


class _Logistic:
    name = "logistic"

    def read(self, texts: LinkTexts) -> Readings:
        raise AssertionError("readings come with the links")

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        logits: Floats = readings[:, 0].astype(np.float64) + degrees
        return 1 / (1 + np.exp(-logits))


class _PooledLogistic(_Logistic):
    pool = "pair"

    def read(self, texts: LinkTexts) -> Readings:
        return np.zeros((len(texts.urls), 2), np.float32)


@pytest.mark.parametrize("options", [{}, {"history": 0.5, "neighbourhood": 0.5, "D": 4}])
@pytest.mark.parametrize("model", [_Logistic(), _PooledLogistic()])
def test_segment_crawler_with_a_link_model_keeps_the_laws(options: dict[str, Any], model: LinkModel) -> None:
    def made() -> SegmentCrawler:
        strategy = SegmentCrawler(**options)
        strategy.use(model)
        return strategy

    check_strategy(made)


@pytest.mark.parametrize("model", [_Logistic, _PooledLogistic])
@pytest.mark.parametrize("kind", [SiteCrawler, NaiveBayes])
def test_strategy_of_another_unit_with_a_link_model_keeps_the_laws(
    kind: type[SiteCrawler | NaiveBayes], model: type[_Logistic]
) -> None:
    def made() -> SiteCrawler | NaiveBayes:
        strategy = kind()
        strategy.use(model())
        return strategy

    check_strategy(made)


class _OnlyTheThree:
    """Has what every strategy must have, and nothing beside: drops servers after two irrelevant pages."""

    group = Group.SERVER
    needs: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._tally = Tally()

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source_relevant, 0.5, 0.0)

    def learn(self, pages: PageBatch) -> Ids:
        self._tally.add(pages.server, pages.relevant)
        return np.unique(pages.server)

    def rank(self, groups: Ids) -> Floats:
        pages, relevant = self._tally.of(groups)
        return np.where((pages >= 2) & (relevant == 0), np.nan, 0.0)


def test_score_learn_and_rank_are_all_that_a_strategy_must_have() -> None:
    check_strategy(_OnlyTheThree)


class _HalfLearner(_OnlyTheThree):
    def state(self) -> State:
        return self._tally.state()


class _Boundless(BreadthFirst):
    def score(self, links: LinkBatch) -> Floats:
        return np.full(len(links), np.inf)


class _Rough(BreadthFirst):
    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links), dtype=np.float32)  # type: ignore[return-value]


class _Relative(BreadthFirst):
    """Scores links by how they compare with the others of their batch."""

    def score(self, links: LinkBatch) -> Floats:
        distance = links.distance.astype(np.float64)
        return distance - distance.mean() if len(links) else distance


class _ByPlace(BreadthFirst):
    """Scores links by where they stand in their batch."""

    def score(self, links: LinkBatch) -> Floats:
        return np.arange(len(links), dtype=np.float64)


class _Careless(BreadthFirst):
    def score(self, links: LinkBatch) -> Floats:
        links.distance[:] = 0
        return np.zeros(len(links))


class _Forgetful(LanguageSpecific):
    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        return None


class _Unpicklable(LanguageSpecific):
    def __reduce__(self) -> Any:
        return _Unpicklable, ()


class _Boxed(LanguageSpecific):
    def state(self) -> State:
        return {"all": np.array([self], dtype=object)}


class _Silent(LanguageSpecific):
    def learn(self, pages: PageBatch) -> Ids:
        super().learn(pages)
        return NO_GROUPS


class _Batchwise(LanguageSpecific):
    """Counts each batch's servers once."""

    def learn(self, pages: PageBatch) -> Ids:
        _, first = np.unique(pages.server, return_index=True)
        return super().learn(pages.pick(first))


class _Gossip(BreadthFirst):
    def __init__(self) -> None:
        self._pages = 0

    def learn(self, pages: PageBatch) -> Ids:
        self._pages += len(pages)
        return NO_GROUPS

    def score(self, links: LinkBatch) -> Floats:
        return np.full(len(links), float(self._pages))

    def state(self) -> State:
        return {"pages": np.array([self._pages])}

    def restore(self, state: State) -> None:
        self._pages = int(state["pages"].tolist()[0])


class _Nosy(BreadthFirst):
    def score(self, links: LinkBatch) -> Floats:
        return np.array([len(anchor) for anchor in links.anchor or ()], dtype=np.float64)


class _Demanding(BreadthFirst):
    needs = frozenset(["country"])


class _Mute(MeanSegment):
    def meet(self, links: LinkBatch) -> Ids:
        super().meet(links)
        return NO_GROUPS


class _Summary(MeanSegment):
    """Counts each batch's segments once."""

    def meet(self, links: LinkBatch) -> Ids:
        _, first = np.unique(links.segment, return_index=True)
        return super().meet(links.pick(first))


class _Curious(MeanSegment):
    needs = frozenset[str]()


class _Altering(MeanSegment):
    def meet(self, links: LinkBatch) -> Ids:
        links.source[:] = 0
        return super().meet(links)


class _Rumour(MeanSegment):
    """Ranks all segments by all links."""

    def rank(self, groups: Ids) -> Floats:
        return np.full(len(groups), float(len(self.state()["ids"])))

    def meet(self, links: LinkBatch) -> Ids:
        super().meet(links)
        return np.unique(links.segment)


class _Amnesic(MeanSegment):
    """Records no link updates."""

    def link_updates(self) -> State:
        return {}


class _Repetitive(MeanSegment):
    """Gives everything with every commit."""

    def link_updates(self) -> State:
        return self._means.state()


class _Boxing(SegmentCrawler):
    def link_updates(self) -> State:
        updates = super().link_updates()
        return updates and {"all": np.array([updates], dtype=object)}


class _Replacing(MeanSegment):
    """The last update counts."""

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            self._means.restore(updates)


class _Hasty(SegmentCrawler):
    """Judges by what it knew when it met a link, not by what it knows."""

    def apply_link_updates(self, updates: State) -> None:
        known = self._numbering.of(updates["source"].astype(np.uint64)) >= 0
        super().apply_link_updates(
            {name: array[known] if len(array) == len(known) else array for name, array in updates.items()}
        )


class _Talkative(BreadthFirst):
    facts = frozenset(["weather"])


class _Sly(BreadthFirst):
    """Says that it looks at nothing, and looks at distances."""

    def score(self, links: LinkBatch) -> Floats:
        return -links.distance.astype(np.float64)


class _Shortsighted(LimitedDistance):
    def __init__(self) -> None:
        super().__init__(T=5)
        self.farthest = 2


class _Polyglot(BreadthFirst):
    facts = frozenset(["source_language"])
    languages = ("en",)

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source_language == language_code("ja"), 1.0, 0.0)


class _Neighbourly(BreadthFirst):
    facts = frozenset(["source_relevant"])

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.server == links.source_server, 1.0, 0.0)


class _Local(BreadthFirst):
    facts = frozenset(["same_server"])

    def score(self, links: LinkBatch) -> Floats:
        return (links.server % np.uint64(2)).astype(np.float64)


class _Biased(ServerFilter):
    """Scores by standings and says nothing of it."""

    facts = frozenset(["source_relevant"])


class _Counted(LanguageSpecific):
    """Looks at the counts behind the standing."""

    def score(self, links: LinkBatch) -> Floats:
        return super().score(links) + self._tally.of(links.server)[0] / 1024


class _Promoted(LanguageSpecific):
    def rank(self, groups: Ids) -> Floats:
        return super().rank(groups) + 1


class _Overflowing(LanguageSpecific):
    standings = 2


class _Overwriting(LanguageSpecific):
    def merge(self, state: State) -> Ids:
        changed = np.union1d(self.state()["ids"], state["ids"]).astype(np.uint64)
        self.restore(state)
        return changed


class _Hushed(LanguageSpecific):
    def merge(self, state: State) -> Ids:
        super().merge(state)
        return NO_GROUPS


class _Spoiling(MeanSegment):
    def merge(self, state: State) -> Ids:
        changed = super().merge(state)
        state["sums"][:] = 0  # type: ignore[call-overload]
        return changed


class _Inflating(LargerSiteFirst):
    """Merging anything counts twice what is there."""

    def merge(self, state: State) -> Ids:
        super().merge(self.state() if not len(state["ids"]) else state)
        return np.concatenate([self.state()["ids"], state["ids"]]).astype(np.uint64)


class _Recording(MeanSegment):
    def merge(self, state: State) -> Ids:
        if self._recent is not None:
            self._recent.merge(state)
        return super().merge(state)


class _Echoing(LanguageOdds):
    """Tells others what others told it."""

    def add_differences(self, differences: State) -> Ids:
        return self.merge(differences) if differences else NO_GROUPS


class _Oblivious(LanguageOdds):
    def add_differences(self, differences: State) -> Ids:
        self._others[:] = 0
        return super().add_differences(differences)


class _Hoarding(LanguageOdds):
    """Saves what others learned as its own."""

    def state(self) -> State:
        state = super().state()
        return {**state, "counts": (self._own + self._others)[state["languages"].astype(np.int64)]}

    def merge(self, state: State) -> Ids:
        return super().merge(state)


class _Private(LanguageOdds):
    """Tells a new copy only the latest."""

    def differences(self, everything: bool = False) -> State:
        return super().differences()


class _Unaware(SegmentCrawler):
    def add_differences(self, differences: State) -> Ids:
        super().add_differences(differences)
        return NO_GROUPS


@pytest.mark.parametrize(
    ("lawless", "law"),
    [
        (_HalfLearner, "state is there and apply_link_updates is not"),
        (_Boundless, "infinite"),
        (_Rough, "float64"),
        (_Relative, "splitting"),
        (_ByPlace, "splitting|one by one"),
        (_Careless, "mutated"),
        (_Forgetful, r"restore\(state\(\)\)"),
        (_Unpicklable, "pickled"),
        (_Boxed, "without pickle"),
        (_Silent, "does not name"),
        (_Batchwise, "one by one give other ranks"),
        (_Gossip, "without differences"),
        (_Nosy, "needs does not name"),
        (_Demanding, "country"),
        (_Mute, "meet does not name"),
        (_Summary, "links met one by one"),
        (_Curious, "needs does not name"),
        (_Altering, "mutated"),
        (_Rumour, "without differences|does not name"),
        (_Amnesic, "apply_link_updates in any order"),
        (_Repetitive, "the same updates twice"),
        (_Boxing, "link_updates must be plain arrays"),
        (_Replacing, "apply_link_updates in any order"),
        (_Hasty, "apply_link_updates in any order"),
        (_Talkative, "weather"),
        (_Sly, "more than the facts"),
        (_Shortsighted, "more than the facts"),
        (_Polyglot, "more than the facts"),
        (_Neighbourly, "more than the facts"),
        (_Local, "more than the facts"),
        (_Biased, "more than the facts"),
        (_Counted, "not that of its group's standing"),
        (_Promoted, "not that of its standing"),
        (_Overflowing, "standing gives 2"),
        (_Overwriting, "merged the state of another"),
        (_Hushed, "merge does not name"),
        (_Spoiling, "merge changed the state"),
        (_Inflating, "merged a state that learned nothing"),
        (_Recording, "among the link updates"),
        (_Echoing, "what came from others"),
        (_Oblivious, "copies and others disagree on scores"),
        (_Hoarding, "restored copy and others disagree"),
        (_Private, "new copy and others disagree"),
        (_Unaware, "add_differences does not name"),
    ],
)
def test_check_names_the_broken_law(lawless: type, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_strategy(lawless)


def test_learning_about_more_than_a_server_is_allowed_to_those_that_share_it() -> None:
    check_strategy(LanguageOdds)


class _Unmerged(_OnlyTheThree):
    """A whole Learner of its own, without merge."""

    def meet(self, links: LinkBatch) -> Ids:
        return NO_GROUPS

    def note(self, links: LinkBatch) -> Ids:
        return np.zeros(len(links), dtype=np.uint64)

    def state(self) -> State:
        return self._tally.state()

    def restore(self, state: State) -> None:
        self._tally.restore(state)

    def link_updates(self) -> State:
        return {}

    def apply_link_updates(self, updates: State) -> None:
        return None


class _Extended(LanguageSpecific):
    """Has more state than the strategy whose merge it inherits."""

    def state(self) -> State:
        return {**super().state(), "more": np.zeros(1)}


class _Stateful(BreadthFirst):
    def state(self) -> State:
        return {"more": np.zeros(1)}


@pytest.mark.parametrize("kind", [_Unmerged, _Extended, _Stateful])
def test_strategy_with_state_and_no_merge_keeps_the_laws_but_cannot_run_on_a_cluster(kind: type[Strategy]) -> None:
    assert isinstance(kind(), Learner)
    check_strategy(kind)
    with pytest.raises(ConfigError, match=r"^mine\.py:Mine has state\(\) and no merge\(state\) of its own, [^\n]*$"):
        check_mergeable("mine.py:Mine", kind())


@pytest.mark.parametrize("kind", [*STRATEGIES.values(), _OnlyTheThree, LanguageOdds])
def test_other_strategies_can_run_on_a_cluster(kind: type[Strategy]) -> None:
    check_mergeable("it", kind())
