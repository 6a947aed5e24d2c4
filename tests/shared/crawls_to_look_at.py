"""Two crawls with the same visits, for tests of what is shown of crawls: one in a single directory, one divided."""

import shutil
from pathlib import Path

import pytest
from made_once import made_once

from exonym.cluster.repartition import repartition
from exonym.config import CONFIG_NAME, load
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.progress import no_progress
from exonym.scope.scope_file import add_rules
from exonym.testing.live import crawl, running_practice_web, write_crawl

DEAD_SEED = "http://dead.example/"
DROPPED = "*.fr"
_TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)


def whole_crawl(factory: pytest.TempPathFactory) -> Path:
    """A crawl of 300 pages with a dead seed, a rule of the scope, and a small budget for each server."""

    def make(place: Path) -> None:
        web = PracticeWeb(seed=11, pages=500, options=_TIMELESS)
        asked = {
            "seeds": {"urls": [*web.seeds(), DEAD_SEED]},
            "limits": {"pages": 300, "pages_per_server": 25},
            "network": {"connections": 4},
            "readers": {"count": 0},
        }
        with running_practice_web(web) as address:
            write_crawl(place / "crawl", web, address, asked)
            add_rules(place / "crawl", [f"drop {DROPPED}"], "asked by letter")
            crawl(place / "crawl")

    return made_once(factory, "whole-crawl", make) / "crawl"


def divided_crawl(factory: pytest.TempPathFactory) -> Path:
    """The same crawl, divided into three partitions."""
    whole = whole_crawl(factory)

    def make(place: Path) -> None:
        shutil.copytree(whole, place / "crawl")
        repartition(place / "crawl", load(place / "crawl" / CONFIG_NAME), 3, no_progress)

    return made_once(factory, "divided-crawl", make) / "crawl"
