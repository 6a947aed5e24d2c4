"""How far decisions of ours agree with those that are listed, and what would agree by itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from exonym.experiments.haprc.published import DOWNLOAD, NONE, SKIP, Decision
from exonym.experiments.haprc.queries import QueryAnswer
from exonym.models.weight_table import TYPICAL_SHARE

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)  # of the typical weight, as thresholds to try


@dataclass(frozen=True, slots=True)
class DecisionAgreement:
    """Listed decisions beside ours, counted; unclear ones and documents that the corpus has not are left out."""

    both_download: int = 0
    both_skip: int = 0
    only_listed: int = 0  # listed as download; not so by us
    only_ours: int = 0

    def __add__(self, other: "DecisionAgreement") -> "DecisionAgreement":
        return DecisionAgreement(
            self.both_download + other.both_download,
            self.both_skip + other.both_skip,
            self.only_listed + other.only_listed,
            self.only_ours + other.only_ours,
        )

    @property
    def decided(self) -> int:
        """How many are compared."""
        return self.agreed + self.only_listed + self.only_ours

    @property
    def agreed(self) -> int:
        """Of these, how many agree."""
        return self.both_download + self.both_skip

    @property
    def listed_downloads(self) -> int:
        """How many agree with downloading everything."""
        return self.both_download + self.only_listed

    @property
    def by_chance(self) -> float | None:
        """The share expected to agree if as many downloads as ours were drawn at random."""
        if not self.decided:
            return None
        listed, ours = self.listed_downloads / self.decided, (self.both_download + self.only_ours) / self.decided
        return listed * ours + (1 - listed) * (1 - ours)

    @property
    def kappa(self) -> float | None:
        """Cohen's: the share of the way from chance to full agreement; None where chance agrees fully."""
        chance = self.by_chance
        if chance is None or chance >= 1.0:
            return None
        return (self.agreed / self.decided - chance) / (1 - chance)


Decide = Callable[[Decision], bool | None]


def agreement(rows: Iterable[Decision], decide: Decide) -> DecisionAgreement:
    """Listed decisions held against those of `decide`, which says None of what it cannot decide."""
    counts = dict.fromkeys([(True, True), (False, False), (True, False), (False, True)], 0)
    for row in rows:
        ours = decide(row) if row.decision in (DOWNLOAD, SKIP) else None
        if ours is not None:
            counts[row.decision == DOWNLOAD, ours] += 1
    return DecisionAgreement(*counts.values())


def agreed_by(
    answers: Sequence[QueryAnswer], rows: Sequence[Decision], share: float = TYPICAL_SHARE
) -> DecisionAgreement:
    """Listed decisions held against those of the tables that each query left."""
    by_query = {answer.query: answer for answer in answers}
    return agreement(rows, lambda row: by_query[row.query].downloads(row.document, share))


def agreed_by_count(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> DecisionAgreement:
    """Listed decisions held against those by plain counts of the queries' words."""
    by_query = {answer.query: answer for answer in answers}
    return agreement(rows, lambda row: by_query[row.query].downloads_by_count(row.document))


def agreed_held_out(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> DecisionAgreement:
    """Each query's decisions by the threshold that agrees best with the other queries'.

    Of thresholds that agree as well, the one nearest to a table's usual one. Nothing is chosen on what it is
    counted on.
    """
    whole = DecisionAgreement()
    for query in dict.fromkeys(row.query for row in rows):
        others = [row for row in rows if row.query != query]
        chosen = min(SHARES, key=lambda share: (-agreed_by(answers, others, share).agreed, abs(share - TYPICAL_SHARE)))
        whole += agreed_by(answers, [row for row in rows if row.query == query], chosen)
    return whole


def in_common(answer: QueryAnswer, rows: Iterable[Decision]) -> int:
    """How many of the documents listed for a query are retrieved by us."""
    return len({row.document for row in rows if row.query == answer.query} & set(answer.retrieved))


def listed_count(query: str, rows: Iterable[Decision]) -> int:
    """How many documents are listed for a query."""
    return sum(row.query == query and row.decision != NONE for row in rows)
