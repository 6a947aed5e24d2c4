"""What a robots.txt permits, by RFC 9309.

One pass over the lines makes a table of literal prefixes and a list of patterns with wildcards.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from exonym.errors import UrlError
from exonym.politeness.path_pattern import PathPattern, canonical
from exonym.urls import normal_form, path_of

PARSED_BYTES = 500 * 1024
MOST_SITEMAPS = 50

_TOKEN = re.compile(rb"[a-zA-Z_-]+")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?")
_REQUEST_RATE = re.compile(r"([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*([smh]?)(?:\s.*)?")
_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3_600}

_AGENT_KEYS = frozenset([b"user-agent", b"useragent", b"user agent"])
_ALLOW_KEYS = frozenset([b"allow"])
_DISALLOW_KEYS = frozenset([b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"])
_SITEMAP_KEYS = frozenset([b"sitemap", b"site-map"])
_DELAY_KEYS = frozenset([b"crawl-delay", b"crawldelay", b"crawl delay"])
_RULE_KEYS = _ALLOW_KEYS | _DISALLOW_KEYS


class RobotsVerdict(Enum):
    """What the reply to a request for robots.txt means."""

    PARSE = "parse"
    ALLOW_ALL = "allow all"
    DISALLOW_ALL = "disallow all"  # for now: ask for robots.txt again later


def robots_verdict(status: int, failure: str = "") -> RobotsVerdict:
    """What the reply to a request for robots.txt means, after at most 5 redirects."""
    if failure or status == 429:  # 429 asks for less traffic: it does not permit everything
        return RobotsVerdict.DISALLOW_ALL
    if 200 <= status < 300:
        return RobotsVerdict.PARSE
    return RobotsVerdict.ALLOW_ALL if 300 <= status < 500 else RobotsVerdict.DISALLOW_ALL


class _PatternRule(NamedTuple):
    """A path with wildcards that is allowed or not."""

    pattern: PathPattern
    allow: bool


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one robots.txt for one user agent."""

    delay_seconds: float | None = None
    sitemaps: tuple[str, ...] = ()
    _prefixes: dict[bytes, bool] = field(default_factory=dict)  # literal path → allowed
    _lengths: tuple[int, ...] = ()  # of the prefixes, longest first
    _patterns: tuple[_PatternRule, ...] = ()  # the longest first

    @staticmethod
    def parse(content: bytes, agent: str) -> "RobotsRules":
        """The rules for `agent` (`Exonym/1.0 (…)` or just `Exonym`) in a robots.txt."""
        found = _TOKEN.match(agent.encode("ascii", "replace"))
        reader = _RulesReader(found[0].lower() if found else b"")
        for key, value in _lines(content):
            reader.take(key, value)
        return reader.rules()

    def allows(self, url: str) -> bool:
        """Whether a URL in normal form may be fetched: the longest matching rule decides, `allow` in a tie."""
        if not self._prefixes and not self._patterns:
            return True
        path = canonical(path_of(url).encode())
        if path == b"/robots.txt":
            return True
        priority, allowed = self._longest_prefix(path)
        for pattern, allow in self._patterns:
            if pattern.length < priority or (allowed and pattern.length == priority):
                break
            if pattern.matches(path):
                return allow
        return allowed

    def _longest_prefix(self, path: bytes) -> tuple[int, bool]:
        for length in self._lengths:
            if length <= len(path):
                allowed = self._prefixes.get(path[:length])
                if allowed is not None:
                    return length, allowed
        return 0, True


class _RulesReader:
    """Reads a robots.txt line by line and keeps the rules for one user agent."""

    def __init__(self, agent: bytes) -> None:
        self._agent = agent
        self._names_us = False  # the current group names our agent
        self._names_all = False  # the current group names `*`
        self._in_rules = False  # the current group has a rule: the next agent line begins a new group
        self._seen_us = False  # some group names our agent: the groups for `*` do not count
        self._ours: list[tuple[bytes, bool]] = []
        self._everyones: list[tuple[bytes, bool]] = []
        self._our_delay: float | None = None
        self._everyones_delay: float | None = None
        self._sitemaps: dict[str, None] = {}

    def take(self, key: bytes, value: bytes) -> None:
        if key in _AGENT_KEYS:
            self._take_agent(value)
        elif key in _RULE_KEYS:
            self._in_rules = True
            if value and self._names_us:
                self._ours.append((value, key in _ALLOW_KEYS))
            if value and self._names_all:
                self._everyones.append((value, key in _ALLOW_KEYS))
        elif key in _SITEMAP_KEYS:
            if len(self._sitemaps) < MOST_SITEMAPS:
                with suppress(UrlError):
                    self._sitemaps[normal_form(value.decode("utf-8", "replace"))] = None
        elif key in _DELAY_KEYS:
            text = value.decode("latin-1")
            self._take_delay(float(text) if _SECONDS.fullmatch(text) else None)
        elif key == b"request-rate":
            self._take_delay(_rate_seconds(value.decode("latin-1")))

    def _take_agent(self, value: bytes) -> None:
        if self._in_rules:
            self._in_rules = self._names_us = self._names_all = False
        if value == b"*" or value[:2] in (b"* ", b"*\t"):
            self._names_all = True
            return
        found = _TOKEN.match(value)
        if found and found[0].lower() == self._agent:
            self._names_us = self._seen_us = True

    def _take_delay(self, seconds: float | None) -> None:
        if seconds is None:
            return
        if self._names_us:
            self._our_delay = max(seconds, self._our_delay or 0.0)
        if self._names_all:
            self._everyones_delay = max(seconds, self._everyones_delay or 0.0)

    def rules(self) -> RobotsRules:
        prefixes: dict[bytes, bool] = {}
        patterns: list[_PatternRule] = []
        for path, allow in self._ours if self._seen_us else self._everyones:
            if b"*" in path or path.endswith(b"$"):
                if (pattern := PathPattern.parse(path)).is_path:
                    patterns.append(_PatternRule(pattern, allow))
            elif path.startswith(b"/"):
                path = canonical(path)
                prefixes[path] = allow or prefixes.get(path, False)
        patterns.sort(key=lambda rule: (-rule.pattern.length, not rule.allow))
        return RobotsRules(
            self._our_delay if self._seen_us else self._everyones_delay,
            tuple(self._sitemaps),
            prefixes,
            tuple(sorted({len(path) for path in prefixes}, reverse=True)),
            tuple(patterns),
        )


def _lines(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    content = content[:PARSED_BYTES]
    for mark in (b"\xef", b"\xbb", b"\xbf"):  # a byte order mark, or a part of one that an editor left
        content = content.removeprefix(mark)
    for line in content.splitlines():
        key, colon, value = line.partition(b"#")[0].partition(b":")
        if colon:
            yield key.strip().lower(), value.strip()
        elif len(words := key.split(None, 2)) == 2:  # `disallow /` without a colon is a common mistake
            yield words[0].lower(), words[1]


def _rate_seconds(value: str) -> float | None:
    """`1/5` or `1/5s`: one page in five seconds."""
    found = _REQUEST_RATE.fullmatch(value)
    if not found or not int(found[1]):
        return None
    return int(found[2]) * _UNIT_SECONDS[found[3]] / int(found[1])
