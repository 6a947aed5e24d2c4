"""Keeps a crawl within its scope: takes links out of the frontier's order, and brings them back when rules change.

Links of a server that is dropped as a whole leave the order at once. Where a rule is about a part of a server, a link
leaves when its turn comes. Nothing is forgotten: links come back when the rule that left them out goes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Group, Ids, LinkBatch, Visit
from exonym.frontier.base import Frontier
from exonym.politeness.delays import Politeness
from exonym.scope.crawl_scope import NO_RULES, CrawlScope, ScopeDecision
from exonym.scope.scope_rule import ScopeRule
from exonym.strategies.base import Tally
from exonym.urls import id_of, server_of

MOST_TOLD = 1_000  # servers that are named for each rule
_UNKNOWN_SCORE, _UNKNOWN_RANK = 0.0, 0.0  # of links and groups that are followed against the strategy


class OutOfScope(NamedTuple):
    """A rule leaves out a server, or a part of one, for the first time; `url` is a link there, or the server's root."""

    url: str
    rule: ScopeRule


class ScopeGuard:
    """Applies the scope of a crawl to its frontier. Without rules it does nothing."""

    def __init__(self, frontier: Frontier, group: Group, politeness: Politeness, servers: Tally) -> None:
        """`servers` counts the pages fetched of each server."""
        self.scope = CrawlScope()
        self._frontier = frontier
        self._group = group
        self._politeness = politeness
        self._servers = servers
        self._pages: Counter[tuple[int, ScopeRule]] = Counter()  # fetched under limits for parts of servers
        self._kept: set[int] = set()  # groups with links that are kept against the strategy
        self._told: set[tuple[str, str]] = set()  # servers, and rules by their texts
        self._told_of: Counter[str] = Counter()  # servers told of each rule
        self._left_out: list[OutOfScope] = []

    # Rules

    def set_scope(self, scope: CrawlScope, pages: Iterable[list[str]] = ()) -> Ids:
        """Obey other rules from now on; returns the groups that got links back, whose ranks must be set again.

        `pages` are the URLs of all pages fetched so far, needed if the scope has limits for parts of servers.
        """
        self.scope = scope
        self._kept.clear()
        self._pages.clear()
        for urls in pages:
            self.count(urls)
        self._politeness.forget_own_delays()
        return self._frontier.rescope(self._is_group_out, self._is_in)

    def _is_group_out(self, group: int, server: str) -> bool:
        if not self.scope:
            return False
        if self.scope.keeps_of(server):
            self._kept.add(group)
        if not self.scope.leaves_out_server(server, self._servers.pages_of(id_of(server))):
            return False
        decision = self.scope.server_decision(server)
        if (rule := decision.drop or decision.limit) is not None:
            self._tell(f"http://{server}/", rule)
        return True

    def _is_in(self, url: str) -> bool:
        decision = self.scope.decide(url)
        return decision.drop is None and not self._is_part_full(url, decision)

    def _is_part_full(self, url: str, decision: ScopeDecision) -> bool:
        rule = decision.limit
        if rule is None or rule.target.path is None:
            return False
        return self._pages[id_of(server_of(url)), rule] >= rule.number

    # Visits

    def leaves_out(self, visit: Visit) -> bool:
        """Whether a visit that was popped must not be made; if so, its link is out of the frontier's order."""
        if not self.scope:
            return False
        decision = self.scope.decide(visit.text)
        if decision.drop is not None:
            self._frontier.set_aside(visit)
            self._tell(visit.text, decision.drop)
            return True
        if decision.limit is not None:
            if self._is_part_full(visit.text, decision):
                self._frontier.set_aside(visit)
                self._tell(visit.text, decision.limit)
                return True
            if decision.limit.target.path is None and self._servers.pages_of(visit.server) >= decision.limit.number:
                self._frontier.exclude(visit)
                self._tell(visit.text, decision.limit)
                return True
        self._set_delay(visit.server, decision)
        return False

    def know_visit(self, url: str) -> None:
        """Take note that a URL was visited just before a restart: its server keeps the delay that a rule gives it."""
        if self.scope:
            self._set_delay(id_of(server_of(url)), self.scope.decide(url))

    def _set_delay(self, server: int, decision: ScopeDecision) -> None:
        self._politeness.set_own_delay(server, decision.delay.number if decision.delay is not None else None)

    def count(self, urls: Iterable[str]) -> None:
        """Count pages that were fetched, for limits of parts of servers."""
        if not self.scope.has_part_limits:
            return
        for url in urls:
            rule = self.scope.decide(url).limit
            if rule is not None and rule.target.path is not None:
                self._pages[id_of(server_of(url)), rule] += 1

    def rule_text(self, url: str) -> str:
        """The rules that decide about a URL, for its row in the journal."""
        return (self.scope.decide(url) if self.scope else NO_RULES).text

    def has_own_limit(self, visit: Visit) -> bool:
        """Whether a rule sets how many pages may be fetched of the server of a visit, or of the part that it is in."""
        return bool(self.scope) and self.scope.decide(visit.text).limit is not None

    def has_limit(self, links: LinkBatch) -> Flags | None:
        """Which links lead to servers that have a limit of their own; None: none of them."""
        if not self.scope.has_limits:
            return None
        decisions = (self.scope.server_decision(server_of(text)) for text in links.text or ())
        return np.array([decision.limit is not None for decision in decisions], dtype=np.bool_)

    # Links that are kept against the strategy

    def overruled(self, links: LinkBatch, scores: Floats, ranks: Floats) -> tuple[Floats, Floats]:
        """Scores and ranks of links, with those that the strategy would not follow but a rule keeps."""
        if not self.scope.overrules:
            return scores, ranks
        kept = np.array([self._is_kept(text) for text in links.text or ()], dtype=np.bool_)
        groups = links.server if self._group == Group.SERVER else links.segment
        self._kept.update(groups[kept].tolist())
        scores = np.where(kept & np.isnan(scores), _UNKNOWN_SCORE, scores)
        return scores, np.where(kept & np.isnan(ranks), _UNKNOWN_RANK, ranks)

    def _is_kept(self, url: str) -> bool:
        return self.scope.keeps_of(server_of(url)) and self.scope.decide(url).overrules

    def kept_ranks(self, groups: Ids, ranks: Floats) -> Floats:
        """Ranks of groups, where those with links that a rule keeps are never dropped."""
        if not self._kept:
            return ranks
        kept = np.array([group in self._kept for group in groups.tolist()], dtype=np.bool_)
        return np.where(kept & np.isnan(ranks), _UNKNOWN_RANK, ranks)

    def is_beside_kept(self, visit: Visit) -> bool:
        """Whether a link waits in a group that holds kept links, and is not one of them."""
        group = visit.server if self._group == Group.SERVER else visit.segment
        return group in self._kept and not self._is_kept(visit.text)

    # What the journal is told

    def know_told(self, rows: Iterable[tuple[str, str]]) -> None:
        """Take note that the journal has rows with these URLs and rules already."""
        for url, rule in rows:
            self._note(server_of(url), rule)

    def _tell(self, url: str, rule: ScopeRule) -> None:
        if self._note(server_of(url), rule.text):
            self._left_out.append(OutOfScope(url, rule))

    def _note(self, server: str, rule: str) -> bool:
        """Note that a rule left out a server; whether the journal is to be told."""
        if (server, rule) in self._told or self._told_of[rule] >= MOST_TOLD:
            return False
        self._told.add((server, rule))
        self._told_of[rule] += 1
        return True

    def take_left_out(self) -> Iterator[OutOfScope]:
        """What rules left out since the last call."""
        left_out, self._left_out = self._left_out, []
        return iter(left_out)
