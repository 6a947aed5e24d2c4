"""A live crawl against Scrapy's: the same practice webs, one core each, the web's server on another core.

Exonym does all of its work: robots.txt, parsing, language, WARC, frontier and journal on disk. Scrapy follows links
and keeps nothing (`scrapy_links.py` says how it is set up). Two webs: small pages of 20 kB and 50 links, mostly text,
and pages with the size, scripts, menus and links of real ones (67 kB, 123 links: `exonym practice-web --real-size`).
No delays; each crawler asks a server one thing at a time, over 100 connections.

The start is measured apart, by a crawl of one page: CPU until the first request, and in all.

CPU is user and system time of the whole process tree, start included. Memory is the highest sum of resident sets,
looked at ten times a second. The server has all pages ready, and its core's load is shown: it must not be the limit.

    python benchmarks/live.py --pages 10000 --repeats 3 --json
    python benchmarks/live.py --pages 4000 --web real
"""

import argparse
import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from watching import cores, cpu_seconds_of, tree, watched

from exonym.cli.new import write_config
from exonym.config import CONFIG_NAME
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.practice import (
    REAL_SIZE,
    PracticeAddress,
    PracticeOptions,
    PracticeWeb,
    ServingOptions,
    running_practice_web,
)

HERE = Path(__file__).parent
EXONYM = str(Path(sys.executable).with_name("exonym"))

# Failures, traps and sitemaps would cost the two crawlers different numbers of requests a page.
PLAIN: dict[str, Any] = {
    "slow_seconds": 0.0,
    "crawl_delay_seconds": 0.0,
    "failures": False,
    "traps": False,
    "sitemaps": False,
}
WEBS = {
    "small": PracticeOptions(page_bytes=20_000, links_per_page=50, **PLAIN),
    "real": replace(REAL_SIZE, **PLAIN),
}


@dataclass(frozen=True, slots=True)
class Site:
    """The web to crawl, where it is served, and by which process."""

    web: PracticeWeb
    address: PracticeAddress
    server: int


@dataclass(frozen=True, slots=True)
class Run:
    """What one crawl cost."""

    crawler: str
    pages: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    requests: int
    most_at_once: int  # requests that one server had under way
    server_busy: float  # share of the time that the server's core had work from us

    @property
    def us_a_page(self) -> float:
        """CPU time a page in microseconds."""
        return self.cpu_seconds / self.pages * 1e6

    @property
    def pages_a_second(self) -> float:
        """Pages a second of wall time."""
        return self.pages / self.seconds


# Crawls


@contextmanager
def serving(web: PracticeWeb, core: int) -> Iterator[Site]:
    """Serve the web, every page made ready beforehand, on `core`."""
    os.sched_setaffinity(0, {core})  # the server inherits it
    ready = ServingOptions(cached_responses=2 * web.page_count, prewarm=True)
    with running_practice_web(web, ready) as address:
        yield Site(web, address, server=tree(os.getpid())[1])


def run_exonym(site: Site, pages: int, core: int) -> Run:
    """Crawl with Exonym, as a user would."""
    with crawl_directory(site, pages) as directory:
        command = [EXONYM, "crawl", str(directory)]
        return measured("exonym", site, command, core, lambda _: CrawlDirectory(directory).status.totals.pages)


@contextmanager
def crawl_directory(site: Site, pages: int) -> Iterator[Path]:
    """A directory that is ready to crawl, on the disk that is used for temporary files."""
    with tempfile.TemporaryDirectory(prefix="exonym-live-") as temporary:
        directory = Path(temporary) / "crawl"
        write_config(directory, exonym_settings(site, pages))
        yield directory


def exonym_settings(site: Site, pages: int) -> dict[str, dict[str, Any]]:
    """What crawl.toml says."""
    return {
        "seeds": {"urls": site.web.seeds()},
        "target": {"languages": [site.web.language]},
        "strategy": {"name": "bfs", "eagerness": 1.0},  # keep every connection busy, as Scrapy does
        "limits": {"pages": pages, "pages_per_server": 0},
        "politeness": {
            "operator": "https://exonym.example/benchmark",
            "delay_seconds": 0.0,
            "address_delay_seconds": 0.0,
            "retry_seconds": 0.2,
        },
        "network": {"connections": 100, "connect_to": str(site.address)},
    }


def run_scrapy(site: Site, pages: int, core: int, style: str) -> Run:
    """Crawl with Scrapy."""
    script = [sys.executable, str(HERE / "scrapy_links.py"), "--style", style]
    command = [*script, "--connect-to", str(site.address), "--pages", str(pages), *site.web.seeds()]
    name = "scrapy" if style == "plain" else f"scrapy-{style}"
    return measured(name, site, command, core, lambda told: int(json.loads(told.splitlines()[-1])["pages"]))


def measured(name: str, site: Site, command: list[str], core: int, pages_of: Callable[[str], int]) -> Run:
    """Run one crawler and say what it cost."""
    site.address.reset()
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "output"
        before = cpu_seconds_of(site.server)
        seconds, cpu_seconds, peak = watched(command, core, output)
        busy = (cpu_seconds_of(site.server) - before) / seconds
        pages = pages_of(output.read_text())
    stats = site.address.stats()
    at_once = max(host["most_at_once"] for host in stats["hosts"].values())
    return Run(name, pages, seconds, cpu_seconds, peak, stats["requests"], at_once, busy)


def run_start(site: Site, core: int) -> tuple[float, float]:
    """CPU seconds of a crawl of one page: until its first request, and in all."""
    with crawl_directory(site, 1) as directory, socket.create_server(("127.0.0.1", 0)) as listener:
        config = directory / CONFIG_NAME
        here = f"127.0.0.1:{listener.getsockname()[1]}"
        config.write_text(config.read_text().replace(str(site.address), here))
        child = subprocess.Popen(
            [EXONYM, "crawl", str(directory)],
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        asked, _ = listener.accept()
        while not (request := asked.recv(65_536)):  # the crawl only looked whether anybody listens
            asked.close()
            asked, _ = listener.accept()
        first = sum(map(cpu_seconds_of, tree(child.pid)))
        with asked:
            while b"robots.txt" in request:
                asked.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                request = asked.recv(65_536)
            asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nHello")
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return first, usage.ru_utime + usage.ru_stime


def run_stages(site: Site, pages: int, core: int) -> dict[str, float]:
    """Microseconds of CPU a page by stage, main process and readers (see `stages.py`)."""
    with crawl_directory(site, pages) as directory:
        output = directory / "stages.json"
        watched([sys.executable, str(HERE / "stages.py"), str(directory)], core, output)
        told = json.loads(output.read_text().splitlines()[-1])
    reader_rest = told["reader_cpu_us"] - told["reader_start"] - sum(told["reading"].values())
    main: dict[str, float] = told["main"]
    main["main: rest"] -= told["measuring"]
    return main | {"reader: start": told["reader_start"], **told["reading"], "reader: pipe, rest": reader_rest}


def stages_or_none(site: Site, pages: int, core: int) -> dict[str, float]:
    """The stages, or a word on why there are none: the minutes of crawling before are not to be lost for that."""
    try:
        return run_stages(site, pages, core)
    except RuntimeError as error:
        print(f"no stages: {error}", file=sys.stderr)
        return {}


# Report


CRAWLERS: dict[str, Callable[[Site, int, int], Run]] = {
    "exonym": run_exonym,
    "scrapy": lambda site, pages, core: run_scrapy(site, pages, core, "plain"),
    "scrapy-lean": lambda site, pages, core: run_scrapy(site, pages, core, "lean"),
}


def run_all(site: Site, names: list[str], pages: int, repeats: int, core: int) -> list[Run]:
    """The crawlers by turns, so that a slow spell of the machine hits all of them."""
    runs = []
    for repeat in range(repeats):
        for name in names:
            runs.append(CRAWLERS[name](site, pages, core))
            print(f"{repeat + 1}/{repeats} {line_of(runs[-1])}", file=sys.stderr, flush=True)
    return runs


def line_of(run: Run) -> str:
    """One crawl on one line."""
    return (
        f"{run.crawler:12} {run.pages:,} pages  {run.pages_a_second:7.0f} pages/s  {run.us_a_page:7.0f} µs CPU a page  "
        f"{run.peak_bytes / 1e6:6.0f} MB  {run.requests:7,} requests, {run.most_at_once} at once a server  "
        f"server's core {run.server_busy:4.0%} busy"
    )


def median_of(runs: list[Run], name: str) -> Run | None:
    """The run with the median CPU time a page."""
    own = sorted((run for run in runs if run.crawler == name), key=lambda run: run.us_a_page)
    return own[(len(own) - 1) // 2] if own else None


def summary(runs: list[Run], starts: list[tuple[float, float]], stages: dict[str, float]) -> dict[str, Any]:
    """All figures of one web; `ratio` is Scrapy's CPU time a page over Exonym's."""
    medians = {name: run for name in CRAWLERS if (run := median_of(runs, name))}
    ours = medians.get("exonym")
    ratios = {name: run.us_a_page / ours.us_a_page for name, run in medians.items() if ours and name != "exonym"}
    first, one_page = (median(times) for times in zip(*starts, strict=True)) if starts else (None, None)
    return {
        "ratio": ratios.get("scrapy"),
        "ratio_lean": ratios.get("scrapy-lean"),
        "cpu_seconds_to_first_request": first,
        "cpu_seconds_of_one_page": one_page,
        "median": {name: figures(run) for name, run in medians.items()},
        "runs": [figures(run) for run in runs],
        "stages_us_a_page": {name: round(spent, 1) for name, spent in stages.items()},
    }


def figures(run: Run) -> dict[str, Any]:
    """A run with its quotients."""
    return asdict(run) | {"us_a_page": run.us_a_page, "pages_a_second": run.pages_a_second}


def machine() -> str:
    """Processor, cores, Python."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def print_summary(told: dict[str, Any], runs: list[Run], stages: dict[str, float]) -> None:
    """The figures of one web for people."""
    for name in CRAWLERS:
        if run := median_of(runs, name):
            print(f"median {line_of(run)}")
    for name, ratio in (("scrapy", told["ratio"]), ("scrapy-lean", told["ratio_lean"])):
        if ratio:
            print(f"Exonym's pages per CPU second are {ratio:.1f} times those of {name}")
    if told["cpu_seconds_to_first_request"] is not None:
        first, one_page = told["cpu_seconds_to_first_request"], told["cpu_seconds_of_one_page"]
        print(f"Exonym's start: {first:.2f} s of CPU to the first request, {one_page:.2f} s for a crawl of one page")
    if stages:
        print("\nµs of CPU a page, by stage")
        for name, spent in stages.items():
            print(f"  {name:28}{spent:8.0f}")
        print(f"  {'all':28}{sum(stages.values()):8.0f}")


def run_web(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Serve one web, crawl it by turns, and print the figures unless they are wanted as JSON."""
    wanted = options.only or ["exonym", "scrapy", "stages", "start"]
    names = [crawler for crawler in CRAWLERS if crawler.partition("-")[0] in wanted]
    # A quarter more than is crawled: the last pages of a web are on few servers, and would measure waiting.
    web = PracticeWeb(7, options.pages * 5 // 4, replace(WEBS[name], servers=options.servers))
    core, server_core = cores()
    with serving(web, server_core) as site:
        runs = run_all(site, names, options.pages, options.repeats, core)
        starts = [run_start(site, core) for _ in range(options.repeats)] if "start" in wanted else []
        stages = stages_or_none(site, options.pages, core) if "stages" in wanted else {}
    told = summary(runs, starts, stages)
    if not options.json:
        print(f"\n{name} pages")
        print_summary(told, runs, stages)
    return told


def main() -> None:
    """Serve, crawl by turns, print; one web after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--servers", type=int, default=300)
    parser.add_argument("--web", choices=list(WEBS), action="append", help="may be repeated; else both")
    parser.add_argument("--only", choices=["exonym", "scrapy", "stages", "start"], action="append", help="likewise")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.json:
        print(machine())
    told = {name: run_web(name, options) for name in options.web or WEBS}
    if options.json:
        print(json.dumps({"machine": machine(), "webs": told}))


if __name__ == "__main__":
    main()
