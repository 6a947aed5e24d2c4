"""What every judge is: a pure function of a page that was read.

Laws, checked by `exonym.testing.check_judge`: the same document gets the same verdict, always; no document
is changed; relevance lies in 0..1; no document, however odd, makes a judge raise; the evidence is one line of at most
500 characters, without control characters, whatever the page contains.
"""

from dataclasses import dataclass
from typing import Protocol

from exonym.extract.document import Document


@dataclass(frozen=True, slots=True)
class Verdict:
    """How relevant a page is, whether it counts as relevant, in which language it is, and why (one line).

    `inherited`: the page shows no language, and `language` is that of the page that linked to it.
    """

    relevance: float
    relevant: bool
    language: str
    shares: dict[str, float]
    evidence: str
    inherited: bool = False


class Judge(Protocol):
    """Decides whether a fetched page is what the crawl is for."""

    def judge(self, document: Document) -> Verdict:
        """The verdict on `document`."""
        ...
