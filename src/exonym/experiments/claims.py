"""Claims of papers, each with a rule, written down beforehand, that says when our results reproduce it.

A claim that no result can refute says nothing. So every claim also says which result would refute it (`fails`), and
tests feed such a result to each of them.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exonym.published.thai_web import PAGES
from exonym.report.table import Table
from exonym.simulation.results import StrategyResult

_SHARES = (5, 10)  # per cent of the web's pages: a million pages of the published web lie between
CAPTION = "What the papers claim, and what our results show"
_WIDTH = 100
_WORDS = {True: "yes", False: "no", None: "–"}


class Measured(NamedTuple):
    """Our figure for a claim, and whether the claim's rule holds for it; None if the claim has no rule."""

    shown: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All results on one web, counted by request (failed ones included) or by document."""

    results: Mapping[str, StrategyResult]
    pages: int  # of the web
    by_document: bool = False

    @property
    def million(self) -> int:
        """As large a part of this web as a million pages are of the published web."""
        return max(1, round(1_000_000 * self.pages / PAGES))

    def fetched(self, strategy: str) -> int:
        """The requests, or documents, of a strategy."""
        result = self.results[strategy]
        return result.documents if self.by_document else result.pages

    def early_harvest(self, strategy: str) -> float:
        """The harvest rate over the first `million`; for a smaller web interpolated between two known points."""
        result, fetched = self.results[strategy], self.fetched(strategy)
        if self.million == 1_000_000:
            return result.documents_harvest_first_million if self.by_document else result.harvest_first_million
        rates = result.documents_harvest_at if self.by_document else result.harvest_at
        ends = [min(fetched, max(1, self.pages * percent // 100)) for percent in _SHARES]
        relevant = [rates[f"{percent}%"] * end for percent, end in zip(_SHARES, ends, strict=True)]
        wanted = min(fetched, self.million)
        if not wanted:
            return 0.0
        way = (wanted - ends[0]) / (ends[1] - ends[0]) if ends[1] > ends[0] else 0.0
        return (relevant[0] + way * (relevant[1] - relevant[0])) / wanted


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper."""

    name: str
    words: str  # what is claimed
    source: str
    published: str  # the published figure
    rule: str  # when the claim counts as reproduced; "" if there is no figure to compare with
    fails: str  # an outcome that would be "not reproduced"
    measure: Callable[[Evidence], Measured]


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim compared with our results."""

    claim: Claim
    by_request: Measured
    by_document: Measured

    @property
    def outcome(self) -> str:
        """Requests decide: a crawl pays for those that fail too."""
        if self.by_request.holds is None:
            return "no figure published"
        return "reproduced" if self.by_request.holds else "not reproduced"

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        claim = self.claim
        facts = {name: getattr(claim, name) for name in ("name", "words", "source", "published", "rule", "fails")}
        ours = {"by_request": self.by_request._asdict(), "by_document": self.by_document._asdict()}
        return {**facts, **ours, "outcome": self.outcome}


def verdicts_on(claims: Sequence[Claim], results: Mapping[str, StrategyResult], pages: int) -> list[ClaimResult]:
    """Every claim compared with the results on a web of `pages` pages."""
    requests, documents = Evidence(results, pages), Evidence(results, pages, by_document=True)
    return [ClaimResult(claim, claim.measure(requests), claim.measure(documents)) for claim in claims]


def text_of(verdicts: Sequence[ClaimResult], note: str) -> str:
    """The same as `table_of`, for a terminal."""
    lines = [CAPTION, ""]
    for verdict in verdicts:
        claim, ours = verdict.claim, (verdict.by_request.shown, verdict.by_document.shown)
        shown = ours[0] if ours[0] == ours[1] else f"{ours[0]}; by document {ours[1]}"
        lines += [
            f"{verdict.outcome.upper()}: {claim.words}",
            f"  published  {claim.published} ({claim.source})",
            f"  ours       {shown}",
            *([f"  rule       {claim.rule}", f"  refuted    if {claim.fails}"] if claim.rule else []),
        ]
    return "\n".join([*lines, "", *textwrap.wrap(note, _WIDTH), ""])


def table_of(verdicts: Sequence[ClaimResult], note: str) -> Table:
    """Published and our figures side by side."""
    ours = ("ours, by request", "ours, by document", "holds by document")
    columns = ("claim", "published", *ours, "outcome", "rule", "refuted if")
    rows = tuple(
        (
            verdict.claim.words,
            f"{verdict.claim.published} ({verdict.claim.source})",
            verdict.by_request.shown,
            verdict.by_document.shown,
            _WORDS[verdict.by_document.holds],
            verdict.outcome,
            verdict.claim.rule,
            verdict.claim.fails,
        )
        for verdict in verdicts
    )
    return Table("claims", CAPTION, columns, rows, note)
