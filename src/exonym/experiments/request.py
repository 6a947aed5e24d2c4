"""The request for an experiment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.simulation.plan import Plan

SMALL = 20_000  # pages of a web, for a first look and for tests
_LARGEST_ROUND = 256


@dataclass(frozen=True, slots=True)
class ExperimentRequest:
    """Everything that a result depends on, and where it goes."""

    directory: Path
    pages: int  # of each web
    seed: int
    command: str = ""

    @property
    def plan(self) -> Plan:
        """Rounds of at most a thousandth of the web's pages, so that they change little."""
        return Plan(k=max(1, min(_LARGEST_ROUND, self.pages // 1_000)))

    def settings(self, **more: Any) -> dict[str, Any]:
        """What must be the same for the experiment to be gone on with."""
        return {"pages": self.pages, "seed": self.seed, **more}
