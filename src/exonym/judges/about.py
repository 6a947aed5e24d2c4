"""Pages about a nation: the share of their words that are in its names, and how many different names they have."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import islice

from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.language.detector import percent
from exonym.nations.matching.matcher import Matcher
from exonym.urls import server_of, top_level_domain_of

ENOUGH = 0.5  # the relevance from which on a page is relevant
_TITLE_WEIGHT = 3  # a page is about what its title names
_MOST_NAMES = 5  # in the evidence


@dataclass(frozen=True, slots=True)
class AboutRule:
    """When a page is about the nation."""

    share: float = 0.01  # of its words that are in names
    variety: int = 2  # different names
    domains: frozenset[str] = frozenset()  # top-level; pages there are relevant whatever their text


class AboutJudge:
    """Judges a page that is in an allowed language by the nation's names in it."""

    def __init__(self, name: str, matcher: Matcher, language: Judge, rule: AboutRule) -> None:
        self._name = name
        self._matcher = matcher
        self._language = language
        self._rule = rule

    def judge(self, document: Document) -> Verdict:
        """Relevant if the language is, and enough words are in names and enough names differ."""
        written = self._language.judge(document)
        if not written.relevant:
            return replace(written, relevance=0.0)
        mentioned = mentions(document, self._matcher)
        count = len(mentioned.names)
        # One half at the rule's share of words, more above it; always less than half with too few different names.
        relevance = mentioned.share / (mentioned.share + self._rule.share)
        if count < self._rule.variety:
            relevance = min(relevance, ENOUGH) / 2
        why = "none of its names"
        if count:
            listed = ", ".join(islice(mentioned.names, _MOST_NAMES)) + (" …" if count > _MOST_NAMES else "")
            why = f"{percent(mentioned.share)} of words are in names, {count} different: {listed}"
        domain = top_level_domain_of(server_of(document.url))
        if domain in self._rule.domains:
            relevance, why = max(relevance, ENOUGH), f"a server in .{domain}; {why}"
        why = f"{self._name}: {why}"
        return Verdict(relevance, relevance >= ENOUGH, written.language, written.shares, why, written.inherited)


@dataclass(frozen=True, slots=True)
class Mentions:
    """A nation's names in a page: the share of its words that are in names, and the names, the title's first."""

    share: float
    names: Collection[str]


def mentions(document: Document, matcher: Matcher) -> Mentions:
    """The nation's names in a page; a word of its title counts as three."""
    title, body = matcher.find(document.title), matcher.find(document.blocks)
    words = _TITLE_WEIGHT * title.words + body.words
    in_names = _TITLE_WEIGHT * title.words_in_names + body.words_in_names
    distinct = dict.fromkeys(match.name for match in (*title.names, *body.names))
    return Mentions(in_names / words if words else 0.0, list(distinct))
