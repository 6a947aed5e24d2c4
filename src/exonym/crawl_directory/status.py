"""What a crawl directory says of its crawl, running or not."""

from dataclasses import dataclass
from pathlib import Path

from exonym.config import CONFIG_NAME, load
from exonym.crawl_directory.writing import read_finished, read_totals
from exonym.metrics import Totals
from exonym.store import Store


@dataclass(frozen=True, slots=True)
class Status:
    """Totals of the last commit, and how the crawl was asked to go."""

    totals: Totals
    strategy: str
    finished: bool
    reason: str


def read_status(directory: Path) -> Status:
    """Read the last commit; the crawl may go on meanwhile."""
    settings = load(directory / CONFIG_NAME)
    with Store.open(directory / "state", read_only=True) as store:
        reason = read_finished(store)
        return Status(read_totals(store), settings.strategy.name, bool(reason), reason)
