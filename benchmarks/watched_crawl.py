"""What it costs a crawl to be watched: the same crawl with and without a dashboard that somebody looks at.

    python benchmarks/watched_crawl.py                       20,000 pages, 5 pairs of crawls
    python benchmarks/watched_crawl.py --pages 300 --pairs 1

The crawls run at full speed, without delays, on all cores; the server of the practice web, the crawl, its readers and
the dashboard share them. Whoever looks asks what the script of the overview asks: events, figures every second, four
charts every five seconds. Crawls with and without take turns. Goal: 2 % slower at most.
"""

import argparse
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from watching import cpu_seconds_of

from exonym.practice import PracticeOptions, PracticeWeb, running_practice_web
from exonym.testing.live import write_crawl

GOAL = 0.02
EXONYM = [sys.executable, "-m", "exonym"]
CHARTS = ("harvest", "harvest-over-time", "pages", "pace")


class Looker:
    """Asks for what an open overview asks for, until it is told to stop."""

    def __init__(self, address: str, crawl: str) -> None:
        self._place, self._crawl = urlsplit(address).netloc, crawl
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.asked = 0

    def __enter__(self) -> "Looker":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        rounds = 0
        while not self._over.wait(1.0):
            self._ask(f"/crawls/{self._crawl}/live")
            self._ask(f"/api/crawls/{self._crawl}/progress")  # as often as the stream of events tells it
            if rounds % 5 == 0:
                for chart in CHARTS:
                    self._ask(f"/api/crawls/{self._crawl}/charts/{chart}")
            rounds += 1

    def _ask(self, path: str) -> None:
        connection = http.client.HTTPConnection(self._place)
        connection.request("GET", path)
        connection.getresponse().read()
        connection.close()
        self.asked += 1


@contextmanager
def watched(directory: Path, used: list[float]) -> Iterator[None]:
    """A dashboard that somebody looks at; `used` gets its CPU seconds."""
    with subprocess.Popen(
        [*EXONYM, "serve", str(directory), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        try:
            with Looker(address, directory.name):
                yield
            used.append(cpu_seconds_of(server.pid))
        finally:
            server.terminate()


def seconds_of(folder: Path, pages: int, used: list[float] | None) -> float:
    """How long a crawl takes, from its first page to its last."""
    web = PracticeWeb(seed=5, pages=pages * 3, options=PracticeOptions(crawl_delay_seconds=0.0, slow_seconds=0.0))
    with running_practice_web(web) as served:
        limits = {"pages": pages, "pages_per_server": 0}
        write_crawl(folder, web, served, {"limits": limits, "strategy": {"name": "bfs"}})
        with nullcontext() if used is None else watched(folder, used):
            ended = subprocess.run([*EXONYM, "crawl", str(folder), "--json", "-q"], capture_output=True, check=True)
    return float(json.loads(ended.stdout)["seconds"])


def main() -> None:
    """Measure, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    alone, looked_at, used = list[float](), list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(asked.pairs):
            for is_watched in (pair % 2 == 0, pair % 2 == 1):
                place = Path(folder) / f"crawl-{pair}-{is_watched}"
                seconds = seconds_of(place, asked.pages, used if is_watched else None)
                (looked_at if is_watched else alone).append(seconds)
                print(f"{'watched' if is_watched else 'alone':8} {seconds:7.2f} s", file=sys.stderr)
    ratio = statistics.median(looked_at) / statistics.median(alone)
    document = {
        "pages": asked.pages,
        "alone_seconds": alone,
        "watched_seconds": looked_at,
        "dashboard_cpu_seconds": used,
        "ratio": ratio,
        "goal": 1 + GOAL,
        "when": time.strftime("%Y-%m-%d"),
    }
    if asked.json:
        print(json.dumps(document))
        return
    cores = statistics.median(used) / statistics.median(looked_at)
    print(f"watched / alone: {ratio:.3f} (goal: {1 + GOAL:.2f}); the dashboard uses {cores:.1%} of a core")


if __name__ == "__main__":
    main()
