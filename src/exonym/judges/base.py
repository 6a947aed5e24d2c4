"""What every judge is: a pure function of a page that was read.

Laws, checked by `exonym.testing.check_judge`: the same document gets the same verdict, always; no document
is changed; relevance lies in 0..1; no document, however odd, makes a judge raise; what a verdict says is one line of
at most 500 characters, without control characters, whatever the page held.
"""

from dataclasses import dataclass
from typing import Protocol

from exonym.extract.document import Document


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a page: how relevant, whether relevant, in which language, and why (one line)."""

    relevance: float
    relevant: bool
    language: str
    shares: dict[str, float]
    evidence: str


class Judge(Protocol):
    """Looks at a fetched page and says whether it is what the crawl is for."""

    def judge(self, document: Document) -> Verdict:
        """The verdict on `document`."""
        ...
