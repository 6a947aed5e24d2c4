"""Facts of a crawl: what was asked, and what became of it."""

import json
import os
import shutil
import time
from pathlib import Path

import msgspec
import pytest
from crawls_to_look_at import divided_crawl, whole_crawl

from exonym.config import Settings
from exonym.config.settings import About, Target, Topic
from exonym.crawl_directory.progress_file import PROGRESS_NAME, RunningCrawl
from exonym.crawl_progress import CrawlProgress
from exonym.crawl_views.crawl_facts import crawl_facts, target_words
from exonym.metrics import REASON_WORDS, STOP_REASONS, Totals
from exonym.store.lock import DirectoryLock
from exonym.testing.live import rows_of


def test_facts_are_those_of_journal_archive_and_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = whole_crawl(tmp_path_factory)
    facts, rows = crawl_facts(directory), rows_of(directory)
    archives = list((directory / "warc").glob("*.warc.gz"))
    assert (facts.warc_files, facts.warc_bytes) == (len(archives), sum(path.stat().st_size for path in archives))
    assert facts.bytes == sum(row.length for row in rows)
    assert (facts.seeds, facts.scope_rules, facts.partitions) == (4, 1, 1)
    assert facts.limits == {"pages": 300, "pages_per_server": 25}
    assert (facts.target, facts.strategy) == ("pages in Thai", "lswc")
    assert (facts.reason, facts.is_finished, facts.is_running) == ("empty frontier", True, False)
    assert facts.how_it_ended == REASON_WORDS["empty frontier"]
    assert facts.totals["relevant"] == sum(row.relevant for row in rows)
    assert facts.began is not None
    assert facts.ended is not None
    assert facts.began <= min(row.when for row in rows) <= facts.ended
    assert facts.settings == (directory / "crawl.toml").read_text()
    json.dumps(facts.document(), allow_nan=False)


def test_divided_crawl_has_the_facts_of_the_whole(tmp_path_factory: pytest.TempPathFactory) -> None:
    whole, divided = crawl_facts(whole_crawl(tmp_path_factory)), crawl_facts(divided_crawl(tmp_path_factory))
    assert (divided.partitions, divided.missing_partitions) == (3, ())
    for name in ("pages", "relevant", "failures", "bytes", "languages", "servers"):
        assert divided.totals[name] == whole.totals[name]
    assert (divided.bytes, divided.warc_bytes, divided.reason) == (whole.bytes, whole.warc_bytes, whole.reason)


def test_crawl_runs_while_a_process_holds_it_and_no_longer(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory = Path(shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl"))
    # A moment ago it was running, and it never said why it ended.
    told = RunningCrawl(os.getpid(), time.time(), CrawlProgress(Totals()))
    (directory / PROGRESS_NAME).write_bytes(msgspec.json.encode(told))
    assert not crawl_facts(directory).is_running
    lock = DirectoryLock(directory / "state")
    assert crawl_facts(directory).is_running
    lock.release()
    assert not crawl_facts(directory).is_running


def test_every_reason_has_words() -> None:
    assert set(REASON_WORDS) == set(STOP_REASONS)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(target=Target(languages=["th", "lo", "km"])), "pages in Thai, Lao or Khmer"),
        (Settings(about=About(nation="TH", languages=["en"])), "pages about TH, in English"),
        (
            Settings(target=Target(languages=["th"], match="all"), topic=Topic(model="m", words=["rice"])),
            "pages in Thai and on the topic of m with the words rice",
        ),
        (Settings(about=About(nation="PT", domains=["pt"])), "pages about PT, or at servers in .pt"),
        (Settings(), "pages of any kind"),
    ],
)
def test_target_is_said_in_words(settings: Settings, words: str) -> None:
    assert target_words(settings) == words
