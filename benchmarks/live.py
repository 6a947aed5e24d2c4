"""A live crawl against Scrapy's: the same practice web, one core each, the web's server on another core.

Exonym does all of its work: robots.txt, parsing, language, WARC, frontier and journal on disk. Scrapy follows links
and keeps nothing (`scrapy_links.py` says how it is set up). Pages have about 20 kB and 50 links, on hundreds of
servers, without delays; each crawler asks a server one thing at a time, over 100 connections in all.

CPU is user and system time of the whole process tree, start included. Memory is the highest sum of resident sets,
looked at ten times a second. The server has all pages ready, and its core's load is shown: it must not be the limit.

    python benchmarks/live.py --pages 10000 --repeats 3 --json
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from watching import cores, cpu_seconds_of, tree, watched

from exonym.cli.new import write_config
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, ServingOptions, running_practice_web

HERE = Path(__file__).parent

# Failures, traps and sitemaps would cost the two crawlers different numbers of requests a page.
WEB_OPTIONS = PracticeOptions(
    page_bytes=20_000,
    links_per_page=50,
    slow_seconds=0.0,
    crawl_delay_seconds=0.0,
    failures=False,
    traps=False,
    sitemaps=False,
)


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
        command = [str(Path(sys.executable).with_name("exonym")), "crawl", str(directory)]
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
        "strategy": {"name": "bfs"},
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


def summary(runs: list[Run], stages: dict[str, float]) -> dict[str, Any]:
    """All figures; `ratio` is Scrapy's CPU time a page over Exonym's."""
    medians = {name: run for name in CRAWLERS if (run := median_of(runs, name))}
    ours = medians.get("exonym")
    ratios = {name: run.us_a_page / ours.us_a_page for name, run in medians.items() if ours and name != "exonym"}
    return {
        "machine": machine(),
        "ratio": ratios.get("scrapy"),
        "ratio_lean": ratios.get("scrapy-lean"),
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
    """The figures for people."""
    print(told["machine"])
    for name in CRAWLERS:
        if run := median_of(runs, name):
            print(f"median {line_of(run)}")
    for name, ratio in (("scrapy", told["ratio"]), ("scrapy-lean", told["ratio_lean"])):
        if ratio:
            print(f"Exonym's pages per CPU second are {ratio:.1f} times those of {name}")
    if stages:
        print("\nµs of CPU a page, by stage")
        for name, spent in stages.items():
            print(f"  {name:28}{spent:8.0f}")
        print(f"  {'all':28}{sum(stages.values()):8.0f}")


def main() -> None:
    """Serve, crawl by turns, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--servers", type=int, default=300)
    parser.add_argument("--only", choices=["exonym", "scrapy", "stages"], action="append", help="may be repeated")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    wanted = options.only or ["exonym", "scrapy", "stages"]
    names = [name for name in CRAWLERS if name.partition("-")[0] in wanted]
    # A quarter more than is crawled: the last pages of a web are on few servers, and would measure waiting.
    web = PracticeWeb(7, options.pages * 5 // 4, replace(WEB_OPTIONS, servers=options.servers))
    core, server_core = cores()
    with serving(web, server_core) as site:
        runs = run_all(site, names, options.pages, options.repeats, core)
        stages = stages_or_none(site, options.pages, core) if "stages" in wanted else {}
    told = summary(runs, stages)
    if options.json:
        print(json.dumps(told))
    else:
        print_summary(told, runs, stages)


if __name__ == "__main__":
    main()
