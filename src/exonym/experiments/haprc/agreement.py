"""Counts how many of our decisions agree with the listed ones, and how many would agree by chance."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from operator import add

from exonym.experiments.haprc.published import DOWNLOAD, NONE, SKIP, Decision
from exonym.experiments.haprc.queries import QueryAnswer
from exonym.models.weight_table import TYPICAL_SHARE

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)  # of the typical weight, as thresholds to try


@dataclass(frozen=True, slots=True)
class DecisionAgreement:
    """Counts of listed and our decisions; unclear ones and documents missing from the corpus are left out."""

    both_download: int = 0
    both_skip: int = 0
    only_listed: int = 0  # downloads that are listed, and skipped by us
    only_ours: int = 0  # downloads that are ours, and listed as skipped

    def __add__(self, other: "DecisionAgreement") -> "DecisionAgreement":
        return DecisionAgreement(*map(add, astuple(self), astuple(other)))

    @property
    def decided(self) -> int:
        """The decisions that are compared."""
        return self.agreed + self.only_listed + self.only_ours

    @property
    def agreed(self) -> int:
        """The decisions that agree."""
        return self.both_download + self.both_skip

    @property
    def listed_downloads(self) -> int:
        """The decisions that agree with downloading everything."""
        return self.both_download + self.only_listed

    @property
    def by_chance(self) -> float | None:
        """The share that would agree if as many downloads as ours were drawn at random."""
        if not self.decided:
            return None
        listed, ours = self.listed_downloads / self.decided, (self.both_download + self.only_ours) / self.decided
        return listed * ours + (1 - listed) * (1 - ours)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: 0 is agreement by chance, 1 full agreement; None if chance agrees fully."""
        chance = self.by_chance
        if chance is None or chance >= 1.0:
            return None
        return (self.agreed / self.decided - chance) / (1 - chance)


Decide = Callable[[Decision], bool | None]


def agreement(rows: Iterable[Decision], decide: Decide) -> DecisionAgreement:
    """Listed decisions compared with those of `decide`, which returns None for what it cannot decide."""
    counts = dict.fromkeys([(True, True), (False, False), (True, False), (False, True)], 0)
    for row in rows:
        ours = decide(row) if row.decision in (DOWNLOAD, SKIP) else None
        if ours is not None:
            counts[row.decision == DOWNLOAD, ours] += 1
    return DecisionAgreement(*counts.values())


def table_agreement(
    answers: Sequence[QueryAnswer], rows: Sequence[Decision], share: float = TYPICAL_SHARE
) -> DecisionAgreement:
    """Listed decisions compared with those by the table after each query."""
    by_query = {answer.query: answer for answer in answers}
    return agreement(rows, lambda row: by_query[row.query].downloads(row.document, share))


def word_count_agreement(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> DecisionAgreement:
    """Listed decisions compared with those by counts of the query's words alone."""
    by_query = {answer.query: answer for answer in answers}
    return agreement(rows, lambda row: by_query[row.query].downloads_by_count(row.document))


def held_out_agreement(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> DecisionAgreement:
    """Listed decisions of each query compared with ours by the threshold that agrees best with the other queries.

    Of thresholds that agree equally, the one nearest to the default. So no threshold is chosen by the decisions that it
    is tested on.
    """
    whole = DecisionAgreement()
    for query in dict.fromkeys(row.query for row in rows):
        others = [row for row in rows if row.query != query]
        chosen = min(
            SHARES, key=lambda share: (-table_agreement(answers, others, share).agreed, abs(share - TYPICAL_SHARE))
        )
        whole += table_agreement(answers, [row for row in rows if row.query == query], chosen)
    return whole


def retrieved_in_common(answer: QueryAnswer, rows: Iterable[Decision]) -> int:
    """How many of the documents listed for a query we retrieve."""
    return len({row.document for row in rows if row.query == answer.query} & set(answer.retrieved))


def retrieved_in_place(answer: QueryAnswer, rows: Iterable[Decision]) -> int:
    """How many of the documents listed for a query we retrieve at the same rank."""
    listed = [row.document for row in rows if row.query == answer.query]
    return sum(ours == theirs for ours, theirs in zip(answer.retrieved, listed, strict=False))


def listed_count(query: str, rows: Iterable[Decision]) -> int:
    """How many documents are listed for a query."""
    return sum(row.query == query and row.decision != NONE for row in rows)
