"""Pages about a nation: how much of their text is its names, by the matcher, and how many different ones."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import islice

from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.language.detector import percent
from exonym.nations.matching.matcher import FoundNames, Matcher
from exonym.urls import server_of, top_level_domain_of

ENOUGH = 0.5  # the relevance from which on a page is relevant
_TITLE_WEIGHT = 3  # what a title says, the page is about
_MOST_TOLD = 5  # names in the evidence


@dataclass(frozen=True, slots=True)
class AboutRule:
    """When a page is about the nation."""

    share: float = 0.01  # of its words that are in names
    variety: int = 2  # different names
    domains: frozenset[str] = frozenset()  # top-level; pages there are the nation's, whatever they speak of


class AboutJudge:
    """Judges a page that is in an allowed language by the nation's names in it."""

    def __init__(self, name: str, matcher: Matcher, language: Judge, rule: AboutRule) -> None:
        self._name = name
        self._matcher = matcher
        self._language = language
        self._rule = rule

    def judge(self, document: Document) -> Verdict:
        """Relevant if the language is, and names are a large enough share of the words and enough of them differ."""
        written = self._language.judge(document)
        if not written.relevant:
            return replace(written, relevance=0.0)
        spoken = mentions(document, self._matcher)
        relevance, why = self._relevance(document, spoken), self._evidence(spoken)
        domain = top_level_domain_of(server_of(document.url))
        if domain in self._rule.domains:
            relevance, why = max(relevance, ENOUGH), f"a server in .{domain}; {why}"
        return Verdict(relevance, relevance >= ENOUGH, written.language, written.shares, f"{self._name}: {why}")

    def _relevance(self, document: Document, spoken: "Mentions") -> float:
        """Half at the share asked for, more beyond; less than half, however many, for too few different names."""
        relevance = spoken.share / (spoken.share + self._rule.share)
        return relevance if len(spoken.names) >= self._rule.variety else min(relevance, ENOUGH) / 2

    def _evidence(self, spoken: "Mentions") -> str:
        if not spoken.names:
            return "none of its names"
        listed = ", ".join(islice(spoken.names, _MOST_TOLD)) + (" …" if len(spoken.names) > _MOST_TOLD else "")
        return f"{percent(spoken.share)} of words are in names, {len(spoken.names)} different: {listed}"


@dataclass(frozen=True, slots=True)
class Mentions:
    """How a page speaks of a nation: the share of its words that are in names, and the names, the title's first."""

    share: float
    names: Collection[str]


def mentions(document: Document, matcher: Matcher) -> Mentions:
    """The nation's names in a page; a word of its title counts as three."""
    title, body = matcher.find(document.title), matcher.find(document.blocks)
    words = _TITLE_WEIGHT * title.words + body.words
    in_names = _TITLE_WEIGHT * title.words_in_names + body.words_in_names
    return Mentions(in_names / words if words else 0.0, _distinct(title, body))


def _distinct(title: FoundNames, body: FoundNames) -> list[str]:
    return list(dict.fromkeys(match.name for match in (*title.names, *body.names)))
