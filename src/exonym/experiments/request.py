"""The request for an experiment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.simulation.plan import Plan

SMALL = 20_000  # pages of a web, for a first look and for tests
_LARGEST_ROUND = 256


@dataclass(frozen=True, slots=True)
class ExperimentRequest:
    """Everything that a result depends on, and the directory to write to."""

    directory: Path
    pages: int  # of each web
    seed: int
    command: str = ""

    @property
    def plan(self) -> Plan:
        """Rounds of at most a thousandth of the web's pages: so small that they hardly change a result."""
        return Plan(k=max(1, min(_LARGEST_ROUND, self.pages // 1_000)))

    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same for a later run to continue the experiment."""
        return {"pages": self.pages, "seed": self.seed}
