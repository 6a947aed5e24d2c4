"""All rules of a crawl's scope, and what they decide for a server or a URL.

Whether a URL is dropped or kept, the limit and the delay are decided apart: for each of them, the last rule that
matches wins. A rule is looked up by its host or domain, so ten thousand rules cost hardly more than ten.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from exonym.politeness.path_pattern import canonical
from exonym.scope.scope_rule import ScopeRule, Verb
from exonym.urls import host_of, path_of, server_of

_MOST_REMEMBERED = 100_000  # servers
_USUAL_PORTS = ("80", "443")  # a server on them has no port in its name


class ScopeDecision(NamedTuple):
    """What the rules say about a URL; each field names the rule that decided, None if there is none."""

    drop: ScopeRule | None = None  # the URL is left out
    keep: ScopeRule | None = None  # the URL is in scope
    limit: ScopeRule | None = None
    delay: ScopeRule | None = None

    @property
    def overrules(self) -> bool:
        """Whether the URL is followed, whatever the strategy says."""
        return self.keep is not None and self.keep.overrules

    @property
    def text(self) -> str:
        """The rules that decided, as they are written, for the journal."""
        return "; ".join(rule.text for rule in self if rule is not None)

    def document(self) -> dict[str, Any]:
        """The decision for JSON. Scripts rely on these names: more may be added, none may be removed."""
        fate = self.drop or self.keep
        return {
            "dropped": self.drop is not None,
            "overrules": self.overrules,
            "rule": fate.document() if fate else None,
            "limit": self.limit.document() if self.limit else None,
            "delay": self.delay.document() if self.delay else None,
        }


NO_RULES = ScopeDecision()


class _ServerRules(NamedTuple):
    """The rules that concern one server, in order, and what they decide where no path matters."""

    rules: tuple[ScopeRule, ...]
    has_paths: bool
    decision: ScopeDecision  # by the rules without a path
    is_dropped: bool  # every URL of the server is


class CrawlScope:
    """The rules of a crawl, in order.

    >>> from exonym.scope.scope_rule import rule_of
    >>> rules = ["drop *.example.pt", "keep www.example.pt", "delay 5 www.example.pt/slow/"]
    >>> scope = CrawlScope(rule for line in rules if (rule := rule_of(line)))
    >>> scope.decide("http://blog.example.pt/").drop.text, scope.decide("http://www.example.pt/slow/1").text
    ('drop *.example.pt', 'keep www.example.pt; delay 5 www.example.pt/slow/')
    """

    def __init__(self, rules: Iterable[ScopeRule] = ()) -> None:
        self.rules: tuple[ScopeRule, ...] = tuple(rules)
        self.overrules = any(rule.overrules for rule in self.rules)
        self.has_limits = any(rule.verb is Verb.LIMIT for rule in self.rules)
        self.has_part_limits = any(rule.verb is Verb.LIMIT and rule.target.path for rule in self.rules)
        self._of_hosts: dict[str, list[int]] = {}
        self._of_domains: dict[str, list[int]] = {}
        self._of_labels: list[int] = []
        self._of_all: list[int] = []
        self._known: dict[str, _ServerRules] = {}
        for number, rule in enumerate(self.rules):
            target = rule.target
            if target.labels:
                self._of_labels.append(number)
            elif not target.domain:
                self._of_all.append(number)
            else:
                places = self._of_domains if target.is_domain else self._of_hosts
                places.setdefault(target.domain, []).append(number)

    def __bool__(self) -> bool:
        return bool(self.rules)

    def decide(self, url: str) -> ScopeDecision:
        """What the rules say about a URL in normal form."""
        found = self._rules_of(server_of(url))
        if not found.has_paths:
            return found.decision
        path = canonical(path_of(url).encode())
        return _decision(found.rules, partial(_has_path, path))

    def drops_server(self, server: str) -> bool:
        """Whether every URL of a server is dropped."""
        return self._rules_of(server).is_dropped

    def server_decision(self, server: str) -> ScopeDecision:
        """What the rules say about a server as a whole; those about a part of it are left out."""
        return self._rules_of(server).decision

    def leaves_out_server(self, server: str, pages: int) -> bool:
        """Whether no URL of a server may be visited, of which so many pages were fetched."""
        if not self:
            return False
        limit = self.server_decision(server).limit
        return self.drops_server(server) or (limit is not None and pages >= limit.number)

    def keeps_of(self, server: str) -> bool:
        """Whether URLs of a server may be kept against the strategy."""
        return self.overrules and any(rule.overrules for rule in self._rules_of(server).rules)

    def concerning(self, server: str) -> Sequence[ScopeRule]:
        """The rules that concern a server or a part of it, in order."""
        return self._rules_of(server).rules

    def _rules_of(self, server: str) -> _ServerRules:
        known = self._known.get(server)
        if known is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[server] = self._look_up(server)
        return known

    def _look_up(self, server: str) -> _ServerRules:
        host = host_of(server)
        port = server[len(host) + 1 :]
        bare = host.removeprefix("www.")
        numbers = [*self._of_all, *self._of_hosts.get(bare, ())]
        if self._of_domains:
            labels = host.split(".")
            domains = [".".join(labels[at:]) for at in range(len(labels))]
            numbers += [number for domain in domains for number in self._of_domains.get(domain, ())]
        if self._of_labels:
            backwards = ",".join(reversed(host.split("."))) + ","
            numbers += [at for at in self._of_labels if backwards.startswith(self.rules[at].target.labels)]
        ports = ("", port) if port else ("", *_USUAL_PORTS)
        rules = tuple(rule for at in sorted(numbers) if (rule := self.rules[at]).target.port in ports)
        return _ServerRules(
            rules,
            any(rule.target.path for rule in rules),
            _decision(rules, lambda rule: rule.target.path is None),
            _is_dropped(rules),
        )


def _has_path(path: bytes, rule: ScopeRule) -> bool:
    return rule.target.path is None or rule.target.path.matches(path)


def _decision(rules: Sequence[ScopeRule], matches: Callable[[ScopeRule], bool]) -> ScopeDecision:
    last = {rule.verb: rule for rule in rules if rule.verb not in (Verb.DROP, Verb.KEEP) and matches(rule)}
    fate = next((rule for rule in reversed(rules) if rule.verb in (Verb.DROP, Verb.KEEP) and matches(rule)), None)
    drop, keep = ((fate if fate is not None and fate.verb is verb else None) for verb in (Verb.DROP, Verb.KEEP))
    return ScopeDecision(drop, keep, last.get(Verb.LIMIT), last.get(Verb.DELAY))


def _is_dropped(rules: Sequence[ScopeRule]) -> bool:
    """Whether a rule drops the whole server, and no later one keeps a part of it."""
    for rule in reversed(rules):
        if rule.verb is Verb.KEEP:
            return False
        if rule.verb is Verb.DROP and rule.target.path is None:
            return True
    return False
