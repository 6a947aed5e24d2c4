"""Every frontier does what the reference does."""

from pathlib import Path

import pytest

from exonym.batches import Group
from exonym.frontier.base import Frontier
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.store import Store
from exonym.testing.frontiers import check_frontier
from exonym.testing.reference import ReferenceFrontier

SEEDS = range(4)


class DiskLife:
    """Opens disk frontiers, and closes one to open it again."""

    def __init__(self, directory: Path, options: DiskFrontierOptions, kills: bool = True) -> None:
        self.kills = kills
        self.directory = directory
        self.options = options
        self.count = 0

    def make(self, group: Group) -> Frontier:
        self.count += 1
        self.group = group
        return self.open()

    def open(self) -> Frontier:
        path = self.directory / str(self.count)
        self.store = Store.open(path)
        return DiskFrontier(self.store, path / "seen", self.group, self.options)

    def commit(self, frontier: Frontier) -> None:
        assert isinstance(frontier, DiskFrontier)
        with self.store.writing() as txn:
            frontier.commit(txn)
        frontier.committed()

    def reopen(self, frontier: Frontier) -> Frontier:
        self.store.close()
        return self.open()


@pytest.mark.parametrize("seed", SEEDS)
def test_reference_frontier_agrees_with_itself(seed: int) -> None:
    check_frontier(ReferenceFrontier, seed)


@pytest.mark.parametrize("tail_bytes", [0, 1_000, 1_000_000])
@pytest.mark.parametrize("seed", SEEDS)
def test_disk_frontier_agrees_with_the_reference_through_kills(tmp_path: Path, seed: int, tail_bytes: int) -> None:
    life = DiskLife(tmp_path, DiskFrontierOptions(tail_bytes=tail_bytes, open_blocks=2))
    check_frontier(life.make, seed, disk=life)


@pytest.mark.parametrize("seed", SEEDS)
def test_disk_frontier_agrees_with_the_reference_while_links_leave_and_come_back(tmp_path: Path, seed: int) -> None:
    life = DiskLife(tmp_path, DiskFrontierOptions(tail_bytes=1_000, open_blocks=2), kills=False)
    check_frontier(life.make, seed, disk=life)
