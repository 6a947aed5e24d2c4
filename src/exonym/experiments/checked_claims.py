"""Claims compared with figures of any kind, for experiments that do not compare strategies (`claims` does that).

Each claim has a rule, and says which outcome would refute it (`fails`): tests feed such an outcome to every claim. A
figure that our web was generated to match shows nothing about a paper: it is calibration, and is labelled so.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from exonym.experiments.claims import CAPTION
from exonym.report.table import Table, TableRow


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A statement of a paper, or of our documentation, and whether our figures bear it out."""

    name: str
    words: str  # what is claimed
    source: str
    published: str  # the published figure
    rule: str  # when the claim counts as reproduced
    fails: str  # an outcome that would be "not reproduced"
    ours: str  # our figure
    holds: bool
    is_calibration: bool = False  # our web was made to match the figure

    @property
    def outcome(self) -> str:
        """Whether the claim is reproduced; for calibration, whether the web is as it was meant to be."""
        word = "calibrated" if self.is_calibration else "reproduced"
        return word if self.holds else f"not {word}"

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return {**asdict(self), "outcome": self.outcome}


def checked_claims_table(claims: Sequence[CheckedClaim], note: str, paper: str = "") -> Table:
    """Published and our figures side by side, with rule and outcome."""
    columns = ("claim", "published", "ours", "outcome", "rule", "refuted if")
    rows: list[TableRow] = [
        (one.words, f"{one.published} ({one.source})", one.ours, one.outcome, one.rule, one.fails) for one in claims
    ]
    return Table("claims", CAPTION, columns, tuple(rows), note, paper=paper)
