"""The disk frontier at size: insert-if-new with 80 % repeats, pops, bytes on disk, memory.

Links come as pages bring them: 50 a page, most of them to the page's own server, four in five of
them known; the pages of one round (8 here) are taken together, as the live driver does. A commit,
fsync included, follows every 1,000 pages and is part of the time a link. A pop is given alone (from
the queue to a visit in hand) and with all that follows (done, server released, commit every 1,000).

Yardsticks are plain designs at 20 M queued links: LMDB queue with a hash table 4.6 µs a link,
12 µs a pop, 201 bytes a link; RocksDB 10.5, 44, 54; SQLite 13, 32, 184.

    python benchmarks/frontier.py --links 1_000_000 --json
"""

import argparse
import gc
import json
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from exonym.batches import Group, LinkBatch, language_code, uncounted
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.store import Store
from exonym.urls import id_of, segment_of, server_of

WORDS = ("news", "article", "travel", "guide", "blog", "product", "view", "category", "page", "image", "forum", "th")
LINKS_PER_PAGE = 50
NEW_PER_PAGE = 10
PAGES_PER_ROUND = 8
PAGES_PER_COMMIT = 1_000
CONNECTIONS = 100


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
        section, sub = WORDS[number % 12], WORDS[number // 12 % 12]
        scattered = number * 2_654_435_761 % 2**32
        return f"http://www.site{server}.example/{section}/{2001 + number % 25}/{sub}-{scattered}.html"


def rounds(web: Web, pages: int) -> Iterator[list[tuple[int, int, list[str]]]]:
    """Rounds of pages with their 50 links each: 10 new ones, 40 that were met before."""
    known: list[str] = [web.url(0, 0)]
    number = 0
    for first in range(0, pages, PAGES_PER_ROUND):
        found = []
        for page in range(first, first + PAGES_PER_ROUND):
            servers = web.servers(3).tolist()
            numbers = range(number + 1, number + NEW_PER_PAGE + 1)
            number += NEW_PER_PAGE
            new = [web.url(servers[0 if i < 8 else i - 7], n) for i, n in enumerate(numbers)]
            places = web.random.integers(0, len(known), LINKS_PER_PAGE - NEW_PER_PAGE).tolist()
            found.append((page, servers[0], new + [known[place] for place in places]))
            # A sample of what was met, in bounded memory: new ones take random places.
            if len(known) < 500_000:
                known += new
            else:
                for place, url in zip(web.random.integers(0, len(known), len(new)).tolist(), new, strict=True):
                    known[place] = url
        yield found


def batch(found: list[tuple[int, int, list[str]]]) -> LinkBatch:
    """As reader processes send it: ids made there, facts of the sources added."""
    texts = [text for _, _, page_texts in found for text in page_texts]
    counts = [len(page_texts) for _, _, page_texts in found]
    relevant = np.repeat([page % 4 == 0 for page, _, _ in found], counts)
    return LinkBatch(
        url=np.array([id_of(text) for text in texts], dtype=np.uint64),
        server=np.array([id_of(server_of(text)) for text in texts], dtype=np.uint64),
        segment=np.array([id_of(segment_of(text)) for text in texts], dtype=np.uint64),
        distance=np.where(relevant, 1, 2).astype(np.uint16),
        source=np.repeat(np.array([page for page, _, _ in found], dtype=np.int64), counts),
        source_server=np.repeat(np.array([server + 1 for _, server, _ in found], dtype=np.uint64), counts),
        source_relevance=np.where(relevant, 0.75, 0.0).astype(np.float32),
        source_relevant=relevant,
        source_language=np.full(len(texts), language_code("th"), dtype=np.uint16),
        hops=np.zeros(len(texts), dtype=np.uint8),
        **uncounted(len(texts))._asdict(),
        text=texts,
    )


def megabytes(kind: str = "RssAnon") -> float:
    """Memory of our own (RssAnon), or file pages that the system keeps for us and can take back (RssFile)."""
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith(kind)).split()[1]) / 1024


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
    size = LINKS_PER_PAGE * PAGES_PER_ROUND
    notes, ranks = np.zeros(size, dtype=np.uint64), np.zeros(size)
    for number, found in enumerate(rounds(web, web.links // NEW_PER_PAGE)):
        links = batch(found)
        met += len(links)
        with clock:
            links = frontier.meet(links)
            scores = np.where(links.source_relevant, 0.5, 0.25)
            frontier.push(links, scores, notes[: len(links)], ranks[: len(links)])
            if number % (PAGES_PER_COMMIT // PAGES_PER_ROUND) == 0:
                commit(store, frontier)
    with clock:
        commit(store, frontier)
    return clock, met


def commit(store: Store, frontier: DiskFrontier) -> None:
    with store.writing() as txn:
        frontier.commit(txn)
    frontier.committed()


def pop(store: Store, frontier: DiskFrontier, count: int) -> tuple[Clock, Clock]:
    """Pops in bursts of 100, each parking its server until the visit is done; and all that a visit costs."""
    popping, ending = Clock(), Clock()
    for number in range(0, count, CONNECTIONS):
        with popping:
            flying = [visit for _ in range(CONNECTIONS) if (visit := frontier.pop(park=True))]
        with ending:
            for visit in flying:
                frontier.done(visit)
                frontier.release(visit.server)
            if number % PAGES_PER_COMMIT == 0:
                commit(store, frontier)
    return popping, ending


def measure(links: int, directory: Path, pops: int, tail_bytes: int) -> dict[str, float]:
    store = Store.open(directory / "state")
    frontier = DiskFrontier(store, directory / "seen", Group.SERVER, DiskFrontierOptions(tail_bytes=tail_bytes))
    before = megabytes()
    inserting, met = insert(store, frontier, Web(links, np.random.default_rng(7)))
    waiting = len(frontier)
    disk = sum(path.stat().st_blocks * 512 for path in (directory / "state").iterdir())
    seen = (directory / "seen").stat().st_size
    after, cached = megabytes(), megabytes("RssFile")
    popping, ending = pop(store, frontier, pops)
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
        "us_per_pop_done_and_committed": (popping.wall + ending.wall) / pops * 1e6,
        "disk_bytes_per_queued_link": disk / waiting,
        "seen_bytes_per_url": seen / waiting,
        "groups": len(reopened.groups),
        "memory_mb": after - before,
        "file_cache_mb": cached,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "reopen_seconds": time.perf_counter() - started,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--pops", type=int, default=100_000)
    parser.add_argument("--tail-bytes", type=int, default=DiskFrontierOptions().tail_bytes)
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gc.set_threshold(100_000, 50, 100)  # as the live driver does: the frontier makes no cycles
    results = []
    for links in options.links:
        directory = Path(tempfile.mkdtemp(dir=options.directory))
        try:
            results.append(measure(links, directory, min(options.pops, links // 10), options.tail_bytes))
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
