"""A crawl on a cluster against the same crawl in one process: what workers, partitions and Ray cost.

The web is that of `live.py` (20 kB and 50 links a page), ready in a server that needs little of its core. One process,
or one worker, has the other core for itself and its reader; two workers have both. By turns: one process; one worker
with one partition; one worker with four; two workers with eight. CPU time is counted from the first request on, for all
processes of ours (coordinator, workers, readers). Ray's own (raylet, gcs_server and others) are counted apart, and so
is the start.

Then: a worker with more and more partitions (each commit of each of them flushes its archive once and its store twice);
bytes a link between two workers, counted in a cluster of threads; and seconds from SIGKILL of one of two workers to the
first page again of its partitions, by the times in the journal.

    python benchmarks/cluster.py --pages 10000 --repeats 3 --json
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import lmdb
from live import EXONYM, WEBS, Site, crawl_directory, machine, serving
from watching import Processes, cores, open_files, own_bytes, resident_bytes

from exonym.cli.program import main as exonym
from exonym.cluster import running as running_crawl
from exonym.cluster.worker_messages import Links, Packet, WorkerReport, unpacked
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.link_bytes import unpacked_links
from exonym.metrics import Summary
from exonym.practice import PracticeWeb
from exonym.testing.cluster import LocalWorkers, crawl_in_cluster

OURS = ("crawl", "coordinator", "worker", "reader")
AVAILABLE = os.sched_getaffinity(0)  # before the server is bound to one
SAMPLE_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 300.0
SHAPES = [(0, 1), (1, 1), (1, 4), (2, 8)]  # workers and partitions; 0 workers: one process, without a cluster


@dataclass(slots=True)
class Cost:
    """What one crawl cost."""

    workers: int
    partitions: int
    pages: int = 0
    links: int = 0
    seconds: float = 0.0  # from the first request to the end
    start_cpu_seconds: float = 0.0  # before the first request, with that of Ray
    cpu_seconds: dict[str, float] = field(default_factory=dict)  # by role, from the first request on
    worker_bytes: int = 0  # the most that a worker and its readers had resident
    worker_own_bytes: int = 0  # the same, pages that processes share counted in parts (PSS)
    open_files: int = 0  # of a worker, the most
    commits: int = 0
    archive_bytes: int = 0
    state_bytes: int = 0
    messages: int = 0  # between workers
    message_bytes: int = 0

    @property
    def us_a_page(self) -> float:
        """CPU time a page of our own processes, in microseconds."""
        return sum(self.cpu_seconds.get(role, 0.0) for role in OURS) / self.pages * 1e6

    @property
    def ray_cpu_seconds_a_second(self) -> float:
        """What Ray's own processes took of a core."""
        return sum(spent for role, spent in self.cpu_seconds.items() if role not in OURS) / self.seconds


# Crawls


@contextmanager
def running(directory: Path, workers: int, core: int, told: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A crawl that runs: that of two workers on all cores, others on one."""
    chosen = {core} if workers < 2 else AVAILABLE
    command = [EXONYM, "crawl", str(directory)]
    if workers:
        command = [sys.executable, __file__, "--told", str(told), "--crawl", str(directory), "--workers", str(workers)]
    child = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, chosen), start_new_session=True
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


class ToldWorkers:
    """The workers of a crawl; keeps what they say of the messages that they sent."""

    def __init__(self, workers: running_crawl.Workers) -> None:
        self.names = workers.names
        self.give = workers.give
        self.sent: dict[str, tuple[int, int]] = {}  # by life of a worker: messages, bytes
        self._workers = workers

    def reports(self, seconds: float) -> dict[str, bytes]:
        """Those that have arrived."""
        found = self._workers.reports(seconds)
        for data in filter(None, found.values()):
            report = unpacked(data, WorkerReport)
            self.sent[report.life] = report.messages, report.message_bytes
        return found


def crawl_and_tell(directory: Path, workers: int, told: Path) -> None:
    """`exonym crawl --cluster`; writes down how much the workers sent to each other."""
    run = running_crawl.run

    def told_run(layout: ClusterLayout, settings: Any, workers: running_crawl.Workers, *others: Any) -> Summary:
        watched = ToldWorkers(workers)
        try:
            return run(layout, settings, watched, *others)
        finally:
            told.write_text(json.dumps([sum(column) for column in zip(*watched.sent.values(), strict=True)]))

    running_crawl.run = told_run  # type: ignore[assignment]
    exonym(["crawl", str(directory), "--cluster", "--workers", str(workers)])


def run_crawl(site: Site, shape: tuple[int, int], pages: int, core: int) -> Cost:
    """Crawl with so many workers and partitions, and say what it cost."""
    workers, partitions = shape
    cost = Cost(workers, partitions)
    with crawl_directory(site, pages) as directory, tempfile.NamedTemporaryFile() as told:
        if workers:
            ClusterLayout.create(directory, partitions)
        site.address.reset()
        with running(directory, workers, core, Path(told.name)) as child:
            _watch(site, child, cost, directory)
        if child.returncode:
            raise RuntimeError(f"The crawl with {workers} workers ended with {child.returncode}.")
        if workers:
            cost.messages, cost.message_bytes = json.loads(Path(told.name).read_text())
        crawl = CrawlDirectory(directory)
        cost.pages = crawl.status.totals.pages
        cost.links = sum(crawl.journal(["links"])["links"].to_pylist())
        cost.archive_bytes = sum(path.stat().st_size for path in crawl.archives())
        cost.state_bytes = sum(store.stat().st_blocks * 512 for store in crawl.stores())
    return cost


def _transactions(directory: Path) -> int:
    """How often the stores of a crawl were written."""
    count = 0
    for data in directory.glob("**/state/data.mdb"):
        with lmdb.open(str(data.parent), readonly=True, lock=False) as environment:
            count += int(environment.info()["last_txnid"])
    return count


def _watch(site: Site, child: "subprocess.Popen[bytes]", cost: Cost, directory: Path) -> None:
    """Look at the processes of a crawl until it ends."""
    processes = Processes(child.pid, cost.workers > 0)
    started, looks, commits = 0.0, 0, 0
    before: dict[str, float] = {}
    while child.poll() is None:
        processes.look()
        if not started and site.address.stats()["requests"]:
            started, before, commits = time.monotonic(), processes.spent(), _transactions(directory)
        if looks % 10 == 0:
            for worker, family in processes.families.items():
                cost.worker_bytes = max(cost.worker_bytes, sum(map(resident_bytes, family)))
                cost.worker_own_bytes = max(cost.worker_own_bytes, sum(map(own_bytes, family)))
                cost.open_files = max(cost.open_files, len(open_files(worker)))
        looks += 1
        time.sleep(SAMPLE_SECONDS)
    cost.seconds = time.monotonic() - started
    cost.commits = _transactions(directory) - commits
    cost.start_cpu_seconds = sum(before.values())
    cost.cpu_seconds = {role: spent - before.get(role, 0.0) for role, spent in processes.spent().items()}


def run_links(site: Site, pages: int) -> dict[str, float]:
    """What the links between two workers with eight partitions are, counted in a cluster of threads."""
    counts: Counter[str] = Counter()

    def send(self: LocalWorkers, worker: str, packet: bytes) -> None:
        counts["packets"] += 1
        counts["bytes"] += len(packet)
        for message in unpacked(packet, Packet):
            if isinstance(message, Links):
                counts["batches"] += 1
                counts["links"] += len(unpacked_links(message.links))
        deliver(self, worker, packet)

    deliver, LocalWorkers.send = LocalWorkers.send, send  # type: ignore[method-assign]
    with crawl_directory(site, pages) as directory:
        done = crawl_in_cluster(directory, 2, 8).totals.pages
        found = sum(CrawlDirectory(directory).journal(["links"])["links"].to_pylist())
    LocalWorkers.send = deliver  # type: ignore[method-assign]
    return {
        "pages": done,
        "links_found_a_page": found / done,
        "links_sent_a_page": counts["links"] / done,
        "bytes_a_link_sent": counts["bytes"] / max(counts["links"], 1),
        "links_a_batch": counts["links"] / max(counts["batches"], 1),
    }


def run_kills(site: Site, kills: int, core: int) -> list[float]:
    """Seconds from each SIGKILL of one of two workers to the first page that its partitions fetched after it."""
    killed: list[tuple[float, set[str]]] = []
    with crawl_directory(site, 0) as directory, tempfile.NamedTemporaryFile() as told:
        ClusterLayout.create(directory, 8)
        with running(directory, 2, core, Path(told.name)) as child:
            processes = Processes(child.pid, is_cluster=True)
            for number in range(kills):
                working = _until_both_work(processes, directory)
                time.sleep(1.0)  # so that pages are in flight
                worker = sorted(working)[number % 2]
                killed.append((time.time(), working[worker]))
                os.kill(worker, signal.SIGKILL)
            _until_both_work(processes, directory, besides=worker)
            time.sleep(3.0)  # so that pages are committed
            os.kill(child.pid, signal.SIGINT)
            child.wait(LONGEST_WAIT_SECONDS)
        return [_first_page(directory, when, partitions) - when for when, partitions in killed]


def _until_both_work(processes: Processes, directory: Path, besides: int = 0) -> dict[int, set[str]]:
    """The partitions that each of two workers has open, once both have some and these are all."""
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while time.monotonic() < deadline:
        processes.look()
        opened: dict[int, set[str]] = defaultdict(set)
        for worker in processes.families:
            for path in open_files(worker):
                if path.startswith(f"{directory}/partitions/") and path.endswith("data.mdb"):
                    opened[worker].add(Path(path).parts[-3])
        if len(opened) == 2 and sum(map(len, opened.values())) == 8 and besides not in opened:
            return opened
        time.sleep(SAMPLE_SECONDS)
    raise RuntimeError("A worker that was killed did not come back.")


def _first_page(directory: Path, after: float, partitions: set[str]) -> float:
    ends: list[float] = []
    for name in partitions:
        rows = CrawlDirectory(directory / "partitions" / name).journal(["when", "seconds"]).to_pylist()
        ends += [row["when"] + row["seconds"] for row in rows if row["when"] > after]
    return min(ends)


# Report


def median_of(costs: list[Cost], workers: int, partitions: int) -> Cost:
    """The run with the median CPU time a page."""
    own = [cost for cost in costs if (cost.workers, cost.partitions) == (workers, partitions)]
    return sorted(own, key=lambda cost: cost.us_a_page)[(len(own) - 1) // 2]


def name_of(cost: Cost) -> str:
    """The shape of a crawl, for people."""
    return f"{cost.workers} workers, {cost.partitions} partitions" if cost.workers else "one process"


def line_of(cost: Cost) -> str:
    """One crawl on one line."""
    roles = ", ".join(f"{role} {cost.cpu_seconds.get(role, 0) / cost.pages * 1e6:.0f}" for role in OURS)
    return (
        f"{name_of(cost):25} {cost.us_a_page:6.0f} µs CPU a page ({roles})  start {cost.start_cpu_seconds:4.1f} s  "
        f"Ray's own {cost.ray_cpu_seconds_a_second:5.1%} of a core  {cost.worker_bytes / 1e6:4.0f} MB a worker "
        f"({cost.worker_own_bytes / 1e6:.0f} of its own)  {cost.open_files} files  "
        f"{cost.commits / cost.seconds:.1f} commits/s  {cost.message_bytes / cost.pages:.0f} bytes sent a page"
    )


def figures(cost: Cost) -> dict[str, Any]:
    """A crawl with its quotients."""
    return asdict(cost) | {
        "us_a_page": cost.us_a_page,
        "ray_cpu_seconds_a_second": cost.ray_cpu_seconds_a_second,
        "pages_a_second": cost.pages / cost.seconds,
        "commits_a_second": cost.commits / cost.seconds,
        "messages_a_page": cost.messages / cost.pages,
        "message_bytes_a_page": cost.message_bytes / cost.pages,
        "message_bytes_a_link": cost.message_bytes / max(cost.links, 1),
        "archive_bytes_a_page": cost.archive_bytes / cost.pages,
    }


def said(cost: Cost) -> Cost:
    """The same, shown to those who wait."""
    print(line_of(cost), file=sys.stderr, flush=True)
    return cost


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that is asked for; `ratio` is the lowest of the pages per CPU second over those of one process."""
    web = PracticeWeb(7, options.pages * 5 // 4, replace(WEBS["small"], servers=options.servers))
    core, server_core = cores()
    told: dict[str, Any] = {"machine": machine()}
    with serving(web, server_core) as site:
        if "ratio" in options.only:
            shapes = SHAPES * options.repeats
            costs = [said(run_crawl(site, shape, options.pages, core)) for shape in shapes]
            medians = [median_of(costs, *shape) for shape in SHAPES]
            ratios = {name_of(cost): medians[0].us_a_page / cost.us_a_page for cost in medians[1:]}
            told |= {"ratio": min(ratios.values()), "ratios": ratios, "median": [figures(cost) for cost in medians]}
            told["runs"] = [figures(cost) for cost in costs]
        if "partitions" in options.only:
            counts = options.partitions
            told["partitions"] = [figures(said(run_crawl(site, (1, count), options.pages, core))) for count in counts]
        if "links" in options.only:
            told["links"] = run_links(site, options.pages // 2)
    if "kills" in options.only:
        large = PracticeWeb(7, options.kill_pages, replace(WEBS["small"], servers=options.servers))
        with serving(large, server_core) as site:
            told["kill_seconds"] = run_kills(site, options.kills, core)
    return told


def print_summary(told: dict[str, Any]) -> None:
    """The figures for people."""
    print(told["machine"])
    for name, ratio in told.get("ratios", {}).items():
        print(f"{name}: pages per CPU second are {ratio:.2f} of those of one process")
    if links := told.get("links"):
        print(", ".join(f"{name.replace('_', ' ')} {number:,.1f}" for name, number in links.items()))
    if seconds := told.get("kill_seconds"):
        print(f"seconds from SIGKILL to the first page: median {median(seconds):.1f}, longest {max(seconds):.1f}")


def main() -> int:
    """Serve, crawl by turns, print."""
    parts = ["ratio", "partitions", "links", "kills"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--servers", type=int, default=300)
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32], help="of one worker")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--kill-pages", type=int, default=60_000, help="of the web in which workers are killed")
    parser.add_argument("--only", choices=parts, nargs="+", default=parts)
    parser.add_argument("--json", action="store_true")
    # How this program runs itself as the coordinator.
    parser.add_argument("--told", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--crawl", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        crawl_and_tell(options.crawl, options.workers, options.told)
    told = measure(options)
    if options.json:
        print(json.dumps(told))
    else:
        print_summary(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
