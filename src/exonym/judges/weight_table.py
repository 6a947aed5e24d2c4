"""Pages that a weight table finds to be about its topic: HAPRC's decision, as a judge."""

import math
from dataclasses import replace

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.models.weight_table import WeightTable, deciding
from exonym.models.weight_table_words import WordReader


class WeightTableJudge:
    """Judges a page that is in an allowed language by the table's terms in its URL, title and body.

    Relevance is half at the threshold and grows with the page's weight towards one. A threshold of 0 is the table's.
    """

    def __init__(self, table: WeightTable, language: Judge, threshold: float = 0.0) -> None:
        if not (isinstance(threshold, int | float) and math.isfinite(threshold) and threshold >= 0):
            raise ConfigError(f"target.table.threshold must be 0 or more, got {str(threshold)[:60]}.")
        self._table = table
        self._language = language
        self._threshold = threshold or table.threshold
        self._reader = WordReader(table.reading)

    def judge(self, document: Document) -> Verdict:
        """Relevant if the language is, and the page's weight exceeds the threshold."""
        written = self._language.judge(document)
        if not written.relevant:
            return replace(written, relevance=0.0)
        contributions = page_contributions(self._table, self._reader, document)
        weight = self._table.weight(contributions)
        relevance = weight / (weight + self._threshold) if weight > 0 else 0.0
        evidence = weight_evidence(self._table, contributions, self._threshold)
        is_relevant = weight > self._threshold
        return Verdict(relevance, is_relevant, written.language, written.shares, evidence, written.inherited)


def page_contributions(table: WeightTable, reader: WordReader, document: Document) -> dict[str, float]:
    """What each of the table's terms weighs on a page."""
    title, body = reader.counts(document.title), reader.counts(document.blocks)
    return table.contributions(reader.url_counts(document.url), title, body)


def weight_evidence(table: WeightTable, contributions: dict[str, float], threshold: float) -> str:
    """One line, as in "weight 60.0, more than 17.1: librari 70 %, catalogu 30 %".

    By the rule "paper", which looks at one term at a time: "librari 3.0, more than 1.0".
    """
    if not contributions:
        return "none of the table's terms"
    weight = table.weight(contributions)
    than = "more than" if weight > threshold else "not more than"
    if table.settings.rule == "paper":
        return f"{deciding(contributions, 1)[0][0]} {weight:,.1f}, {than} {threshold:,.1f}"
    shares = ", ".join(f"{term} {share:.0%}".replace("%", " %") for term, share in deciding(contributions))
    rest = " …" if len(contributions) > len(deciding(contributions)) else ""
    return f"weight {weight:,.1f}, {than} {threshold:,.1f}: {shares}{rest}"
