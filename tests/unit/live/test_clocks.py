"""A crawl that goes on after its clock was put right, or on a machine whose clock is hours away."""

import time
from pathlib import Path

import pytest

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.frontier.disk import DiskFrontierOptions
from exonym.journal import JournalRow
from exonym.live.assembly import PartitionPlace, open_parts
from exonym.live.partition_driver import PartitionDriver
from exonym.partitions import Partition
from exonym.testing.live import write_settings

DELAY_SECONDS = 50.0
HOURS = 3_600.0
URLS = ["http://a.example/", "http://b.example/"]


@pytest.mark.parametrize("ahead_seconds", [-5 * HOURS, 0.0, 5 * HOURS])
@pytest.mark.parametrize("partition", [None, Partition(0, 1)], ids=["alone", "partition"])
def test_servers_rest_for_no_longer_than_their_delay(
    partition: Partition | None, ahead_seconds: float, tmp_path: Path
) -> None:
    politeness = {"delay_seconds": DELAY_SECONDS}
    write_settings(
        tmp_path,
        {"seeds": {"urls": URLS}, "target": {"languages": ["th"]}, "readers": {"count": 0}, "politeness": politeness},
    )
    settings = load(tmp_path / CONFIG_NAME)
    place = PartitionPlace(tmp_path, partition, "exonym", DiskFrontierOptions())
    with open_parts(tmp_path, settings, place=place) as parts:
        driver = PartitionDriver(parts)
        driver.restore()
        for row, url in enumerate(URLS):
            driver.writer.add(JournalRow(row, url, time.time() + ahead_seconds, Outcome.PAGE))
        driver.commit("")
    with open_parts(tmp_path, settings, place=place) as parts:
        driver = PartitionDriver(parts)
        driver.restore()
        # Of a partition nobody knows whose clock wrote its rows; one process forgets what its own clock says is old.
        is_resting = partition is not None or ahead_seconds >= 0
        assert driver.politeness.resting == (2 if is_resting else 0)
        assert driver.politeness.rested(time.monotonic() + DELAY_SECONDS - 10) == []
        assert len(driver.politeness.rested(time.monotonic() + DELAY_SECONDS)) == (2 if is_resting else 0)
