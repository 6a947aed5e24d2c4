"""What is needed to say why: a crawl's index, its scope, and what frontier and strategy knew at the last commit."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from exonym.batches import Group, Visit
from exonym.crawl_directory.aliases import Aliases
from exonym.crawl_directory.crawl_parts import home_of, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.progress_file import read_progress
from exonym.crawl_views.crawl_facts import CrawlFacts, crawl_facts
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ExonymError
from exonym.frontier.base import LEVELS_PER_UNIT, NO_FLOOR
from exonym.frontier.frontier_look import FrontierLook
from exonym.live.events import counted_text
from exonym.live.learned_so_far import Mind
from exonym.scope.scope_file import readable_scope
from exonym.strategies import ABOUT, STRATEGIES
from exonym.strategies.base import ScoresAgain
from exonym.strategies.by_name import strategy_options
from exonym.urls import partition_of


class Home(NamedTuple):
    """What the partition that owns a server knew of it at its last commit; what cannot be read is None."""

    number: int  # of the partition; 0 if the crawl is not divided
    look: FrontierLook | None
    mind: Mind | None
    aliases: Aliases | None
    problem: str  # why something cannot be read; "" if everything can


class Inquiry:
    """A crawl that is asked about, with all that answers have in common."""

    def __init__(self, index: VisitIndex) -> None:
        self.index = index
        self.cursor = index.cursor()
        self.settings = CrawlDirectory(index.directory).settings
        self.scope = readable_scope(home_of(index.directory), self.settings.scope.rules).scope
        self._homes: dict[str, Home] = {}  # by server

    @cached_property
    def facts(self) -> CrawlFacts:
        """Whether the crawl runs, and how it ended."""
        return crawl_facts(self.index.directory)

    def visit_of(self, url: str) -> int | None:
        """The id of the visit of a URL; None if there was none."""
        query = "select id from visits where url = ? and not starts_with(failure, 'scope:') order by id limit 1"
        found = self.cursor.execute(query, [url]).fetchone()
        return int(found[0]) if found else None

    def is_seed(self, url: str) -> bool:
        """Whether a URL is among the seeds of the crawl, as they are now."""
        return self.cursor.execute("select 1 from seed_urls where url = ? limit 1", [url]).fetchone() is not None

    def home_of(self, server: str) -> Home:
        """The partition that owns a server."""
        if server not in self._homes:
            self._homes[server] = self._read_home(server)
        return self._homes[server]

    def _read_home(self, server: str) -> Home:
        crawl = parts_of(self.index.directory)
        number = partition_of(server, crawl.layout.partitions) if crawl.layout else 0
        part = next((part for part in crawl.parts if part.number == number), None)
        if part is None:
            return Home(number, None, None, None, f"Its partition {number:04d} is not here, or damaged.")
        mind, problem = self.index.minds.of(number)
        look = aliases = None
        try:
            with part.store() as store:
                look = FrontierLook(store, part.path / "state" / "seen", server)
                with suppress(ExonymError):  # version 0.1.0 knows no aliases
                    aliases = Aliases(store)
        except ExonymError as error:
            problem = problem or str(error)
        return Home(number, look, mind, aliases, problem)

    @property
    def ending(self) -> str:
        """How the crawl ended, as a further sentence about what still waits; "" while it runs."""
        return "" if self.facts.is_running else f" The crawl {self.facts.how_it_ended}."

    def is_at_work(self, server: str) -> bool:
        """Whether a request to a server was in flight when the crawl, which runs, told of it last."""
        running = read_progress(self.index.directory) if self.facts.is_running else None
        return running is not None and server in running.progress.at_work

    @property
    def strategy(self) -> dict[str, Any]:
        """The strategy, with its options, and what it does."""
        choice = self.settings.strategy
        about = ABOUT.get(choice.name)
        known = strategy_options(choice.name) if choice.name in STRATEGIES else {}
        return {"name": choice.name, "options": {**known, **choice.options}, "rule": about.rule if about else ""}


class PlaceInOrder(NamedTuple):
    """How many links come before one that waits; of a divided crawl, those of its own partition."""

    before: int
    of_its_group: int  # among them, those to its own server, or to its own segment if the strategy ranks segments
    alike: int | None  # further links with the same score, ordered by arrival; None: `before` leaves out some links
    group: str  # "server" or "segment"

    def document(self) -> dict[str, Any]:
        """The place for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {"links": self.before, "of_its_group": self.of_its_group, "alike": self.alike}

    @property
    def words(self) -> str:
        """The place in words."""
        if not self.before and not self.alike:
            return "first in line" if self.alike == 0 else "among the first in line"
        least = "at least " if self.alike is None else ""
        alike = f"; {self.alike:,} with the same score, first found first" if self.alike else ""
        own = f" ({self.of_its_group:,} of its own {self.group})" if self.of_its_group else ""
        return f"{least}{counted_text(self.before, 'link') if self.before else 'no link'} before it{own}{alike}"


def place_of(home: Home, visit: Visit) -> PlaceInOrder | None:
    """The place of a link that waits; None if the strategy of the crawl is not known."""
    if home.look is None or home.mind is None:
        return None
    look, group, kind = home.look, group_of(home.mind, visit), home.mind.strategy.group.name.lower()
    of_its_group = next((at for at, other in enumerate(look.waiting.get(group, ())) if other.url == visit.url), 0)
    groups = list(look.sizes)
    ranks = home.mind.strategy.rank(np.array(groups, dtype=np.uint64))
    if len(set(ranks.tolist())) == 1:
        above, beside = look.around(visit.level)
        return PlaceInOrder(max(above, of_its_group), of_its_group, max(beside - 1, 0), kind)
    own_rank = rank_of(home.mind, group)
    higher = sum(look.sizes[groups[at]].waiting for at in np.flatnonzero(ranks > own_rank).tolist())
    return PlaceInOrder(higher + of_its_group, of_its_group, None, kind)


def first_of(home: Home) -> Visit | None:
    """The link to a server that comes first; None if none waits, or if the strategy of the crawl is not known."""
    firsts = [visits[0] for visits in home.look.waiting.values() if visits] if home.look else []
    if not firsts or home.mind is None:
        return None
    ranks = home.mind.strategy.rank(np.array([group_of(home.mind, visit) for visit in firsts], dtype=np.uint64))
    priorities = ranks + [visit.level / LEVELS_PER_UNIT for visit in firsts]
    return firsts[int(np.argmax(np.nan_to_num(priorities, nan=-np.inf)))]


def floor_of(home: Home) -> float | None:
    """The least score of links that are followed at present; None if there is none, or if that is not known."""
    strategy = home.mind.strategy if home.mind else None
    return strategy.floor if isinstance(strategy, ScoresAgain) and strategy.floor > NO_FLOOR else None


def rank_of(mind: Mind, group: int) -> float:
    """The present rank of a group; NaN if all that waits there is dropped."""
    return float(mind.strategy.rank(np.array([group], dtype=np.uint64))[0])


def group_of(mind: Mind, visit: Visit) -> int:
    """The group in which a link waits."""
    return visit.segment if mind.strategy.group == Group.SEGMENT else visit.server


def rule_words(rule: dict[str, Any]) -> str:
    """A rule of the scope, by its document, in words: as it is written, where, and why."""
    place = f"{rule['file']} line {rule['line']}" if rule["file"] else ""
    said = ", ".join(filter(None, (place, rule["comment"])))
    return f"`{rule['rule']}`" + (f" ({said})" if said else "")
