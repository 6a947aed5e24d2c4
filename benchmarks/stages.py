"""Where a live crawl's CPU time goes, stage by stage, in microseconds a page. `live.py` runs this on a core of its own.

The crawl is a real one, in this process, with its reader process. Methods of the driver's parts are wrapped in a
clock that charges time to the innermost stage. The readers' CPU time is told by the kernel; what it is made of is
measured afterwards by reading a sample of the same pages again here, function by function.

    python benchmarks/stages.py DIR      prints one line of JSON; DIR has a crawl.toml
"""

import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import turbohtml

from exonym import crawl
from exonym.config import CONFIG_NAME, load
from exonym.crawl import Crawl
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.extract.charset import decode
from exonym.extract.document import Wants
from exonym.extract.html import extract
from exonym.fetch import Fetcher, decoded_body
from exonym.fetch.messages import header_value
from exonym.frontier.disk import DiskFrontier
from exonym.journal import Journal
from exonym.judges.by_name import judge_settings, make_judge
from exonym.live import driver
from exonym.live.requests import RequestQueue
from exonym.live.stop import StopRequest
from exonym.readers.page import Job, packed, read_page
from exonym.readers.pool import ReaderPool, ReaderPoolOptions
from exonym.strategies.by_name import make_strategy

SAMPLED_PAGES = 1_500
REST = "main: rest"

# What is charged to which stage. Time spent in another stage below is charged there.
STAGES: dict[str, list[tuple[Any, str]]] = {
    "fetch": [(Fetcher, "start"), (Fetcher, "poll")],
    "requests, robots.txt": [(RequestQueue, name) for name in ("begin", "start_due", "receive", "collect_addresses")],
    "pipe: main's side": [(ReaderPool, name) for name in ("submit", "collect", "check")],
    "WARC": [(CrawlWriter, "archive"), (driver, "exchange_of"), (driver, "digest_text")],
    "journal rows": [(driver, "row_of"), (CrawlWriter, "add"), (Journal, "append"), (Journal, "seal")],
    "columns": [(driver, "links_of"), (driver, "links_to"), (crawl, "link_batch"), (crawl, "_page_batch")],
    "frontier: meet": [(DiskFrontier, "meet")],
    "frontier: push": [(DiskFrontier, "push")],
    "frontier: pop, done": [(DiskFrontier, name) for name in ("pop", "done", "park", "release", "put_back")],
    "frontier: commit": [(DiskFrontier, "commit"), (DiskFrontier, "committed")],
    "crawl, score": [(Crawl, "due"), (Crawl, "take")],
    "commit, fsync": [(CrawlWriter, "commit")],
}


class StageClock:
    """Adds up this process's CPU time by stage; time inside a stage within a stage counts for the inner one."""

    def __init__(self) -> None:
        self.nanoseconds: dict[str, int] = {REST: 0}
        self.calls = 0
        self._open = [REST]
        self._last = time.process_time_ns()

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, charged to `stage`."""
        totals, stack, now = self.nanoseconds, self._open, time.process_time_ns
        totals.setdefault(stage, 0)

        def call(*args: Any, **named: Any) -> Any:
            self.calls += 1
            at = now()
            totals[stack[-1]] += at - self._last
            self._last = at
            stack.append(stage)
            try:
                return function(*args, **named)
            finally:
                at = now()
                totals[stack.pop()] += at - self._last
                self._last = at

        return call

    def wrap_all(self) -> None:
        """Put the clock around every method of STAGES."""
        for stage, places in STAGES.items():
            for owner, name in places:
                if hasattr(owner, name):
                    setattr(owner, name, self.timed(stage, getattr(owner, name)))
                else:
                    print(f"stages.py: {owner.__name__}.{name} is gone; its time is in the rest", file=sys.stderr)


def cost_of_clock() -> float:
    """Nanoseconds that wrapping adds to a call."""
    clock, count = StageClock(), 20_000
    nothing = clock.timed("nothing", lambda: None)
    began = time.process_time_ns()
    for _ in range(count):
        nothing()
    return (time.process_time_ns() - began) / count


class Sample:
    """Keeps some of the pages that go to the readers, evenly over the crawl."""

    def __init__(self, pages: int) -> None:
        self.jobs: list[Job] = []
        self._share = min(1.0, SAMPLED_PAGES / pages)
        self._random = random.Random(7)

    def keep_from(self, submit: Callable[[Any, list[Job]], None]) -> Callable[[Any, list[Job]], None]:
        """`Workers.submit` with a look at what is submitted."""

        def submitting(workers: Any, jobs: list[Job]) -> None:
            self.jobs += [job for job in jobs if self._random.random() < self._share]
            submit(workers, jobs)

        return submitting


# The readers


def children_cpu_seconds() -> float:
    """CPU time of the processes that ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cost_of_reader_start(judge: dict[str, Any]) -> float:
    """CPU seconds from nothing to a reader that has read one small page."""
    before = children_cpu_seconds()
    workers = ReaderPool(ReaderPoolOptions(count=1), judge, Wants(around=False, place=False, anchor=False))
    try:
        workers.submit([Job(0, "http://a.example/", b"HTTP/1.1 200 OK\r\n\r\n", b"")])
        deadline = time.monotonic() + 60
        while not workers.collect() and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        workers.close()
    return children_cpu_seconds() - before


def mean_us(function: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> tuple[float, list[Any]]:
    """Microseconds a call, best of three rounds (caches warm, as in a reader), and the results."""
    best, results = float("inf"), []
    for _ in range(3):
        began = time.process_time_ns()
        results = [function(*each) for each in arguments]
        best = min(best, (time.process_time_ns() - began) / max(1, len(arguments)) / 1_000)
    return best, results


def reading_stages(jobs: list[Job], judge_asked: dict[str, Any], wants: Wants) -> dict[str, float]:
    """Microseconds a page of each step of reading; steps that are only called inside others are differences."""
    judge = make_judge(judge_asked)
    heads = [(header_value(job.head, "content-type") or b"").decode("latin-1") for job in jobs]
    unpacking, bodies = mean_us(decoded_body, [(job.head, job.body, 1 << 24) for job in jobs])
    decoding, decoded = mean_us(decode, list(zip(bodies, heads, strict=True)))
    parsing, _ = mean_us(lambda text: turbohtml.parse(text, positions=False) and None, [(one.text,) for one in decoded])
    extracting, documents = mean_us(
        lambda body, job, head: extract(body, job.url, head, wants), list(zip(bodies, jobs, heads, strict=True))
    )
    judging, _ = mean_us(judge.judge, [(document,) for document in documents])
    del documents, decoded, bodies
    reading, readings = mean_us(lambda job: read_page(job, judge, wants), [(job,) for job in jobs])
    packing, _ = mean_us(packed, [(one,) for one in readings])
    return {
        "read: gunzip, chunks": unpacking,
        "read: charset": decoding,
        "read: parse": parsing,
        "read: text, joined links": extracting - decoding - parsing,
        "read: language, judge": judging,
        "read: ids, columns": reading - unpacking - extracting - judging,
        "read: pack": packing,
    }


# All together


def measure(directory: Path) -> dict[str, Any]:
    """Crawl `directory` and say what each stage cost."""
    settings = load(directory / CONFIG_NAME)
    judge_asked = judge_settings(settings, directory)
    strategy = make_strategy(settings.strategy.name, settings.strategy.options)
    wants = Wants("around" in strategy.needs, "place" in strategy.needs, anchor="anchor" in strategy.needs)
    start = time.process_time()
    reader_start = cost_of_reader_start(judge_asked)
    sample = Sample(settings.limits.pages)
    setattr(ReaderPool, "submit", sample.keep_from(ReaderPool.submit))  # noqa: B010  a plain assignment is no method to mypy
    clock_ns = cost_of_clock()
    before_children, before = children_cpu_seconds(), time.process_time()
    clock = StageClock()
    clock.wrap_all()
    pages = driver.run(directory, settings, lambda _: None, StopRequest()).totals.pages
    main_cpu = time.process_time() - before
    reader_cpu = children_cpu_seconds() - before_children
    return report(pages, clock, clock_ns, (start, main_cpu), (reader_start, reader_cpu)) | {
        "sampled_pages": len(sample.jobs),
        "reading": reading_stages(sample.jobs, judge_asked, wants),
    }


def report(
    pages: int, clock: StageClock, clock_ns: float, main: tuple[float, float], reader: tuple[float, float]
) -> dict[str, Any]:
    """Everything in microseconds a page; the clock's own cost is taken out of the rest and told."""
    us = 1e6 / pages
    stages = {name: spent / 1_000 / pages for name, spent in clock.nanoseconds.items()}
    measuring = clock.calls * clock_ns / 1_000 / pages
    return {
        "pages": pages,
        "main": {"start, imports": main[0] * us, **stages},
        "measuring": measuring,
        "main_cpu_us": (main[0] + main[1]) * us - measuring,
        "reader_start": reader[0] * us,
        "reader_cpu_us": reader[1] * us,
        "core": sorted(os.sched_getaffinity(0)),
    }


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
