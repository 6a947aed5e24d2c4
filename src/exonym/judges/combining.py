"""Several judges as one: all of them must find a page relevant, or any of them."""

from collections.abc import Sequence

from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict

_SEPARATOR = " | "


class AllOf:
    """Relevant if every judge finds it so; relevance is the lowest of theirs."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = judges

    def judge(self, document: Document) -> Verdict:
        """Stops at the first judge that finds the page irrelevant: put quick judges first."""
        verdicts: list[Verdict] = []
        for judge in self._judges:
            verdicts.append(judge.judge(document))
            if not verdicts[-1].relevant:
                break
        return _join_verdicts(verdicts, min(verdict.relevance for verdict in verdicts), verdicts[-1].relevant)


class AnyOf:
    """Relevant if at least one judge finds it so; relevance is the highest of theirs."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = judges

    def judge(self, document: Document) -> Verdict:
        """Runs every judge, so that the evidence names all that find the page relevant."""
        verdicts = [judge.judge(document) for judge in self._judges]
        agreeing = [verdict for verdict in verdicts if verdict.relevant] or verdicts
        return _join_verdicts(agreeing, max(verdict.relevance for verdict in agreeing), agreeing[0].relevant)


def _join_verdicts(verdicts: Sequence[Verdict], relevance: float, relevant: bool) -> Verdict:
    # All judges of one page see the same languages in it.
    language = next((verdict for verdict in verdicts if verdict.language), verdicts[0])
    evidence = _SEPARATOR.join(dict.fromkeys(verdict.evidence for verdict in verdicts))
    return Verdict(relevance, relevant, language.language, language.shares, evidence, language.inherited)
