"""Crawls for tests of what is shown of crawls: by a rule and by a learner, each in a single directory and divided."""

import shutil
from pathlib import Path

import pytest
from made_once import made_once

from exonym.cluster.repartition import repartition
from exonym.config import CONFIG_NAME, load
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.progress import no_progress
from exonym.scope.scope_file import add_rules
from exonym.testing.live import SettingsTables, crawl, merged, running_practice_web, write_crawl

DEAD_SEED = "http://dead.example/"
DROPPED = "*.fr"
_TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)


WEB = PracticeWeb(seed=11, pages=500, options=_TIMELESS)


def whole_crawl(factory: pytest.TempPathFactory) -> Path:
    """A crawl by `lswc` of 300 pages with a dead seed, a rule of the scope, and a small budget for each server."""
    return _crawl(factory, "whole-crawl", {"strategy": {"name": "lswc"}})


def divided_crawl(factory: pytest.TempPathFactory) -> Path:
    """The same crawl, divided into three partitions."""
    return _divided(factory, "divided-crawl", whole_crawl(factory))


def learned_crawl(factory: pytest.TempPathFactory) -> Path:
    """Such a crawl by the strategy `adaptive`, with links that wait at its end."""
    return _crawl(factory, "learned-crawl", {"strategy": {"name": "adaptive"}})


def divided_learned_crawl(factory: pytest.TempPathFactory) -> Path:
    """That crawl, divided into three partitions."""
    return _divided(factory, "divided-learned-crawl", learned_crawl(factory))


def _crawl(factory: pytest.TempPathFactory, name: str, asked: SettingsTables) -> Path:
    def make(place: Path) -> None:
        usual: SettingsTables = {
            "seeds": {"urls": [*WEB.seeds(), DEAD_SEED]},
            "limits": {"pages": 300, "pages_per_server": 25},
            "network": {"connections": 4},
            "readers": {"count": 0},
        }
        with running_practice_web(WEB) as address:
            write_crawl(place / "crawl", WEB, address, merged(usual, asked))
            add_rules(place / "crawl", [f"drop {DROPPED}"], "asked by letter")
            crawl(place / "crawl")

    return made_once(factory, name, make) / "crawl"


def _divided(factory: pytest.TempPathFactory, name: str, whole: Path) -> Path:
    def make(place: Path) -> None:
        shutil.copytree(whole, place / "crawl")
        repartition(place / "crawl", load(place / "crawl" / CONFIG_NAME), 3, no_progress)

    return made_once(factory, name, make) / "crawl"
