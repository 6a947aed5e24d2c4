"""The disk frontier at size: insert-if-new with 80 % repeats, pops, bytes on disk, memory.

Links come as pages bring them: batches of 50, most of them to the page's own server, four in
five of them known. Yardsticks are plain designs at 20 M queued links: LMDB queue with a hash
table 4.6 µs a link, 12 µs a pop, 201 bytes a link; RocksDB 10.5, 44, 54; SQLite 13, 32, 184.

    python benchmarks/frontier.py --links 1_000_000 --json
"""

import argparse
import json
import os
import resource
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from exonym.frontier.disk import DiskFrontier
from exonym.model import Group, LinkBatch, language_code
from exonym.store import Store
from exonym.urls import id_of, segment_of, server_of

WORDS = "news article travel guide blog product view category page image archive forum topic user th".split()
LINKS_PER_PAGE = 50
NEW_PER_PAGE = 10
PAGES_PER_COMMIT = 500


@dataclass
class Web:
    """URLs spelled from numbers: heavy-tailed servers, a few directories, some numbers."""

    links: int
    random: np.random.Generator

    def servers(self, count: int) -> np.ndarray:
        """Server numbers, the small ones often."""
        most = max(200, self.links // 100)
        return (most * self.random.random(count) ** 3).astype(np.int64)

    def url(self, server: int, number: int) -> str:
        section, sub = WORDS[number % 15], WORDS[number // 15 % 15]
        return f"http://www.site{server}.example/{section}/{2001 + number % 25}/{sub}-{number * 2654435761 % 2**32}.html"


def batches(web: Web, pages: int):
    """Batches of 50 links: 10 new ones, 40 that were met before (lately, mostly)."""
    recent: list[str] = [web.url(0, 0)]
    number = 0
    for page in range(pages):
        servers = web.servers(3).tolist()
        texts = []
        for position in range(NEW_PER_PAGE):
            number += 1
            texts.append(web.url(servers[0] if position < 8 else servers[position - 7], number))
        known = [recent[i] for i in web.random.integers(0, len(recent), LINKS_PER_PAGE - NEW_PER_PAGE).tolist()]
        yield page, servers[0], texts + known
        recent = (recent + texts)[-200_000:] if page % 100 == 0 or len(recent) < 5_000 else recent + texts


def batch(page: int, source: int, texts: list[str]) -> LinkBatch:
    """As a reader process would send it: ids made there, facts of the source added."""
    count = len(texts)
    relevant = page % 4 == 0
    return LinkBatch(
        url=np.array([id_of(text) for text in texts], dtype=np.uint64),
        server=np.array([id_of(server_of(text)) for text in texts], dtype=np.uint64),
        segment=np.array([id_of(segment_of(text)) for text in texts], dtype=np.uint64),
        distance=np.full(count, 1 if relevant else 2, dtype=np.uint16),
        source=np.full(count, page, dtype=np.int64),
        source_server=np.full(count, source + 1, dtype=np.uint64),
        source_relevance=np.full(count, 0.75 if relevant else 0.0, dtype=np.float32),
        source_relevant=np.full(count, relevant),
        source_language=np.full(count, language_code("th"), dtype=np.uint16),
        hops=np.zeros(count, dtype=np.uint8),
        found_relevant=np.zeros(count, dtype=np.uint8),
        found_irrelevant=np.zeros(count, dtype=np.uint8),
        text=texts,
    )


def megabytes() -> float:
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024


class Clock:
    """Adds up wall and CPU seconds of what runs inside `with`."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter() - self._wall
        self.cpu += time.process_time() - self._cpu


def insert(store: Store, frontier: DiskFrontier, web: Web) -> tuple[Clock, int]:
    clock, met = Clock(), 0
    notes = np.zeros(LINKS_PER_PAGE, dtype=np.uint64)
    ranks = np.zeros(LINKS_PER_PAGE)
    for page, source, texts in batches(web, web.links // NEW_PER_PAGE):
        links = batch(page, source, texts)
        met += len(links)
        with clock:
            links = frontier.meet(links)
            frontier.push(links, np.where(links.source_relevant, 0.5, 0.25), notes[: len(links)], ranks[: len(links)])
            if page % PAGES_PER_COMMIT == 0:
                commit(store, frontier)
    with clock:
        commit(store, frontier)
    return clock, met


def commit(store: Store, frontier: DiskFrontier) -> None:
    with store.writing() as txn:
        frontier.commit(txn)
    frontier.committed()


def pop(store: Store, frontier: DiskFrontier, count: int) -> Clock:
    """Each visit parks its server until it is done, as in a crawl with 100 connections."""
    clock = Clock()
    flying: list = []
    for number in range(count):
        with clock:
            visit = frontier.pop()
            frontier.park(visit.server)
            flying.append(visit)
            if len(flying) == 100:
                first = flying.pop(0)
                frontier.done(first)
                frontier.release(first.server)
            if number % PAGES_PER_COMMIT == 0:
                commit(store, frontier)
    return clock


def measure(links: int, directory: Path, pops: int) -> dict[str, float]:
    store = Store.open(directory / "state")
    frontier = DiskFrontier(store, directory / "seen", Group.SERVER)
    before = megabytes()
    inserting, met = insert(store, frontier, Web(links, np.random.default_rng(7)))
    waiting = len(frontier)
    disk = sum(path.stat().st_blocks * 512 for path in (directory / "state").iterdir())
    seen = (directory / "seen").stat().st_size
    after = megabytes()
    popping = pop(store, frontier, pops)
    started = time.perf_counter()
    store.close()
    del frontier
    store = Store.open(directory / "state")
    reopened = DiskFrontier(store, directory / "seen", Group.SERVER)
    return {
        "queued_links": waiting,
        "links_met": met,
        "us_per_link": inserting.wall / met * 1e6,
        "cpu_us_per_link": inserting.cpu / met * 1e6,
        "us_per_pop": popping.wall / pops * 1e6,
        "cpu_us_per_pop": popping.cpu / pops * 1e6,
        "disk_bytes_per_queued_link": disk / waiting,
        "seen_bytes_per_url": seen / waiting,
        "groups": len(reopened.groups),
        "memory_mb": after - before,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "reopen_seconds": time.perf_counter() - started,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--pops", type=int, default=100_000)
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for links in options.links:
        directory = Path(tempfile.mkdtemp(dir=options.directory))
        try:
            results.append(measure(links, directory, min(options.pops, links // 10)))
        finally:
            shutil.rmtree(directory)
        if not options.json:
            print(f"{links:,} links queued, {os.cpu_count()} cores")
            for name, value in results[-1].items():
                print(f"  {name:28} {value:14,.2f}")
    if options.json:
        print(json.dumps({"results": results}))


if __name__ == "__main__":
    main()
