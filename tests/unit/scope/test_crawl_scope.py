"""What the rules of a scope decide together."""

import random

import pytest

from exonym.scope.crawl_scope import CrawlScope, ScopeDecision
from exonym.scope.scope_rule import ScopeRule, Verb, rule_of
from exonym.urls import server_of


def scope_of(*lines: str) -> CrawlScope:
    return CrawlScope([rule for line in lines if (rule := rule_of(line))])


def is_dropped(scope: CrawlScope, url: str) -> bool:
    return scope.decide(url).drop is not None


def test_later_lines_win() -> None:
    scope = scope_of("drop *.example.pt", "keep www.example.pt", "drop www.example.pt/private/")
    assert is_dropped(scope, "http://blog.example.pt/")
    assert not is_dropped(scope, "http://www.example.pt/")
    assert is_dropped(scope, "http://www.example.pt/private/1")
    assert is_dropped(scope_of("keep example.pt", "drop example.pt"), "http://example.pt/")


def test_without_a_rule_everything_is_in_scope() -> None:
    assert scope_of().decide("http://example.org/") == ScopeDecision()
    assert not scope_of()


def test_limit_delay_and_drop_are_decided_apart() -> None:
    scope = scope_of("limit 5 *.pt", "delay 3 *.pt", "limit 9 a.pt", "keep a.pt")
    decision = scope.decide("http://a.pt/")
    assert decision.limit is not None
    assert decision.delay is not None
    assert (decision.limit.number, decision.delay.number, decision.overrules) == (9.0, 3.0, True)
    assert decision.text == "keep a.pt; limit 9 a.pt; delay 3 *.pt"


@pytest.mark.parametrize(("rule", "overrules"), [("keep a.pt", True), ("keep a.pt/x/", True), ("keep *.pt", False)])
def test_keep_overrules_the_strategy_only_for_a_single_host(rule: str, overrules: bool) -> None:
    assert scope_of(rule).decide("http://a.pt/x/").overrules is overrules


def test_white_list_names_the_rule_that_admits() -> None:
    scope = scope_of("drop *", "keep *.pt")
    assert scope.decide("http://a.pt/").text == "keep *.pt"
    assert scope.decide("http://a.com/").text == "drop *"


def test_server_is_dropped_as_a_whole_unless_a_part_is_kept() -> None:
    assert scope_of("drop a.pt/x/", "drop a.pt").drops_server("a.pt")
    assert not scope_of("drop a.pt", "keep a.pt/x/").drops_server("a.pt")
    assert not scope_of("drop a.pt/x/").drops_server("a.pt")
    assert scope_of("drop a.pt", "drop /x/").drops_server("a.pt")


TARGETS = [
    *("a.pt", "b.pt", "www.a.pt", "*.pt", "*.a.pt", "*", "/x/", "a.pt/x/", "*.pt/*y", "b.pt:8080"),
    *("http://(pt,a,", "http://(pt,b,)/x", "(pt,a", "sub.a.pt/x/y$"),
]
SERVERS = ["a.pt", "b.pt", "www.a.pt", "sub.a.pt", "b.pt:8080", "ab.pt", "c.com"]
PATHS = ["/", "/x/", "/x/y", "/z?y", "/x/y/z"]


@pytest.mark.parametrize("seed", range(30))
def test_looked_up_rules_decide_as_all_rules_do_one_by_one(seed: int) -> None:
    """The expected decision matches every rule alone, by a scope of one rule that drops."""
    chance = random.Random(seed)
    lines = [
        f"{chance.choice(['drop', 'keep', 'limit 3', 'delay 2'])} {chance.choice(TARGETS)}"
        for _ in range(chance.randint(1, 12))
    ]
    rules = [rule for line in lines if (rule := rule_of(line))]
    scope = CrawlScope(rules)
    for url in [f"http://{server}{path}" for server in SERVERS for path in PATHS]:
        matching = [rule for rule in rules if matches(rule, url)]
        fates = [rule for rule in matching if rule.verb in (Verb.DROP, Verb.KEEP)]
        limits = [rule for rule in matching if rule.verb is Verb.LIMIT]
        delays = [rule for rule in matching if rule.verb is Verb.DELAY]
        found = scope.decide(url)
        assert (found.drop or found.keep) == (fates[-1] if fates else None)
        assert (found.drop is not None) == bool(fates and fates[-1].verb is Verb.DROP)
        assert found.limit == (limits[-1] if limits else None)
        assert found.delay == (delays[-1] if delays else None)
        if scope.drops_server(server_of(url)):
            assert found.drop is not None


def matches(rule: ScopeRule, url: str) -> bool:
    alone = rule_of(f"drop {rule.text.split()[-1]}")
    assert alone is not None
    return CrawlScope([alone]).decide(url).drop is not None
