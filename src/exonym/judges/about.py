"""Pages about a nation: the share of their words that are in its names, and how many different names they have."""

from dataclasses import dataclass, replace
from itertools import islice

from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.language.detector import percent
from exonym.nations.matching.page_names import Mentions, PageNames
from exonym.urls import server_of, top_level_domain_of

ENOUGH = 0.5  # the relevance from which on a page is relevant
_MOST_NAMES = 5  # in the evidence


@dataclass(frozen=True, slots=True)
class AboutRule:
    """When a page is about the nation."""

    share: float = 0.006  # of its words that are in names
    variety: int = 2  # different names; one that is mentioned often counts as two
    domains: frozenset[str] = frozenset()  # top-level; pages there are relevant whatever their text

    def relevance_of(self, mentioned: Mentions) -> float:
        """One half at the rule's share of words, more above it; always less than half with too few different names."""
        relevance = mentioned.share / (mentioned.share + self.share)
        return relevance if mentioned.variety >= self.variety else min(relevance, ENOUGH) / 2


class AboutJudge:
    """Judges a page that is in an allowed language by the nation's names in it."""

    def __init__(self, name: str, names: PageNames, language: Judge, rule: AboutRule) -> None:
        self._name = name
        self._names = names
        self._language = language
        self._rule = rule

    def judge(self, document: Document) -> Verdict:
        """Relevant if the language is, and enough words are in names and enough names differ."""
        written = self._language.judge(document)
        if not written.relevant:
            return replace(written, relevance=0.0)
        mentioned = self._names.mentions(document.title, document.blocks)
        count = len(mentioned.names)
        relevance = self._rule.relevance_of(mentioned)
        why = "none of its names"
        if count:
            listed = ", ".join(islice(mentioned.names, _MOST_NAMES)) + (" …" if count > _MOST_NAMES else "")
            why = f"{percent(mentioned.share)} of words are in names, {count} different: {listed}"
        domain = top_level_domain_of(server_of(document.url))
        if domain in self._rule.domains:
            relevance, why = max(relevance, ENOUGH), f"a server in .{domain}; {why}"
        why = f"{self._name}: {why}"
        return Verdict(relevance, relevance >= ENOUGH, written.language, written.shares, why, written.inherited)
