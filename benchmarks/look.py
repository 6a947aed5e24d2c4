"""How long it takes to look at a large crawl: its index, every view, whole pages of the dashboard, the report.

    python benchmarks/look.py                       5 million visits of 100,000 servers, in a temporary directory
    python benchmarks/look.py --at DIR              the crawl is kept in DIR, and used again
    python benchmarks/look.py --visits 20000        smaller

The crawl is made up, and written by the classes that write real ones. The same questions are also answered by pyarrow,
straight from the journal's Parquet files. Goals: 300 ms for every view, 60 s for the report.
"""

import argparse
import http.client
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from look_crawl import make_crawl
from look_pyarrow import QUESTIONS

from exonym.crawl_views.crawl_report import write_report
from exonym.crawl_views.index_file import INDEX_NAME
from exonym.crawl_views.timeline import timeline_of
from exonym.crawl_views.view import View, ViewRequest, page_of
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.visit_index import VisitIndex
from exonym.crawl_views.why import archived_text, page_story, server_story

GOAL_MS, REPORT_GOAL_SECONDS = 300.0, 60.0
# By view: a column to sort by, a rare text, and a value that a column must have.
ASKED = {
    "servers": ("-failures", "spice", {"country": "TH"}),
    "statuses-by-server": ("-status_404", "spice", {}),
    "segments": ("-pages", "spice", {}),
    "visits": ("-relevance", "spice harbour lemon", {"status": "404"}),
    "languages": ("language", "th", {}),
    "domains": ("-servers", "th", {}),
    "countries": ("-servers", "th", {}),
    "statuses": ("status", "", {}),
    "failures": ("-servers", "timeout", {}),
    "seeds": ("seed", "lemon", {}),
    "frontier": ("-relevant", "spice", {}),
}


def requests_of(view: View) -> Iterator[tuple[str, ViewRequest]]:
    """What users ask of a view."""
    sort, search, where = ASKED[view.name]
    yield "first page", ViewRequest()
    yield "sorted", ViewRequest(sort=sort)
    if view.searched:
        yield "searched", ViewRequest(search=search)
        yield "searched in vain", ViewRequest(search="no such text")
    for name in view.filters:
        yield f"only {name}", ViewRequest(only=name)
    if where:
        yield "with a value", ViewRequest(where=where)
    if view.name == "visits":
        yield "of a server", ViewRequest(where={"server": "www.lemon-spice7.th"})
        yield "searched and sorted", ViewRequest(search="spice", sort="-score")
    if not view.group_by:
        yield "later page", ViewRequest(first=500 if view.name == "seeds" else 10_000)
        yield "later page, sorted", ViewRequest(first=500 if view.name == "seeds" else 10_000, sort=sort)


def timed(work: Callable[[], Any], repeats: int) -> dict[str, float]:
    """Milliseconds of some runs: the median, the slowest, and the median of the processor time of all threads."""
    taken, used = [], []
    for _ in range(repeats):
        began, began_cpu = time.perf_counter(), time.process_time()
        work()
        taken.append(1_000 * (time.perf_counter() - began))
        used.append(1_000 * (time.process_time() - began_cpu))
    figures = {"median_ms": statistics.median(taken), "most_ms": max(taken), "cpu_ms": statistics.median(used)}
    return {name: round(figure, 1) for name, figure in figures.items()}


def questions_of(index: VisitIndex, draw: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that is asked of the index."""
    cursor = index.cursor()
    for view in VIEWS.values():
        for what, request in requests_of(view):
            yield f"{view.name}, {what}", partial(page_of, cursor, view, request)
    ids = [number for (number,) in cursor.execute("select id from visits using sample 50 rows").fetchall()]
    names = [name for (name,) in cursor.execute("select name from servers using sample 50 rows").fetchall()]
    yield "timeline", lambda: timeline_of(index)
    yield "story of a page", lambda: page_story(index, draw.choice(ids))
    yield "story of a server", lambda: server_story(index, draw.choice(names))
    yield "text of a page that is not archived", lambda: archived_text(index.directory, index, draw.choice(ids))


def pages_of(directory: Path, server: str, visit: int, repeats: int) -> dict[str, dict[str, float]]:
    """How long whole pages of the dashboard take, asked over HTTP from a process of its own."""
    places = ["", "quality", "scope", "settings", *(f"tables/{name}" for name in VIEWS)]
    places += [f"visits/{visit}", f"servers/{server}"]
    command = [sys.executable, "-m", "exonym", "serve", str(directory), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        netloc = urlsplit(process.stdout.readline().split()[-1]).netloc
        try:
            _page(netloc, f"/crawls/{directory.name}/")  # opens the index
            asked = {place: partial(_page, netloc, f"/crawls/{directory.name}/{place}") for place in places}
            return {place or "overview": timed(ask, repeats) for place, ask in asked.items()}
        finally:
            process.terminate()


def _page(netloc: str, path: str) -> None:
    connection = http.client.HTTPConnection(netloc)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == http.client.OK, answer.read()
    answer.read()
    connection.close()


@contextmanager
def crawl_at(options: argparse.Namespace) -> Iterator[Path]:
    """The directory of the crawl; a temporary one if none is named."""
    with tempfile.TemporaryDirectory(prefix="look-") as temporary:
        directory = options.at or Path(temporary) / "crawl"
        if not directory.exists():
            make_crawl(directory, options.visits, options.servers)
        yield directory


def measured(directory: Path, options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    (directory / INDEX_NAME).unlink(missing_ok=True)
    with VisitIndex(directory) as index:
        figures: dict[str, Any] = {"index": timed(index.refresh, 1), "visits": index.rows}
        figures["frontier and segments counted again"] = timed(partial(index.count_large_tables, at_once=True), 1)
        index.cursor().execute("checkpoint")
        figures["index_mb"] = round((directory / INDEX_NAME).stat().st_size / 1e6)
        draw = random.Random(0)
        figures["views"] = {
            name: timed(work, options.repeats) for name, work in questions_of(index, draw) if options.only in name
        }
        figures["refresh, nothing new"] = timed(index.refresh, options.repeats)
        largest = (
            "select s.name, min(v.id) from visits v join servers s on s.id = v.server group by 1 order by count(*) desc"
        )
        server, visit = index.cursor().execute(f"{largest} limit 1").fetchone() or ("", 0)
    if not options.only:
        figures["pyarrow"] = {name: timed(partial(ask, directory), 3) for name, ask in QUESTIONS.items()}
        figures["pages"] = pages_of(directory, server, visit, options.repeats)
        figures["report"] = timed(partial(write_report, directory, directory / "report"), 1)
    asked = {**figures["views"], **figures.get("pages", {})}
    figures["over_goal"] = [name for name, taken in asked.items() if taken["most_ms"] > GOAL_MS]
    return figures


def _seconds(taken: dict[str, float]) -> str:
    return f"{taken['median_ms'] / 1e3:.1f} s, {taken['cpu_ms'] / 1e3:.1f} s of processor time"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=5_000_000)
    parser.add_argument("--servers", type=int, default=0, help="0: one for 50 visits")
    parser.add_argument("--at", type=Path, help="where the crawl is kept, to be used again")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="only questions with this text in their names, and no report")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with crawl_at(options) as directory:
        figures = measured(directory, options)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{figures['visits']:,} visits; index of {figures['index_mb']:,} MB made in {_seconds(figures['index'])}")
    for title in ("views", "pages", "pyarrow"):
        print(f"\n{title:<44}{'median':>9}{'most':>9}{'CPU':>9}  ms")
        for name, taken in figures.get(title, {}).items():
            mark = "  over the goal" if taken["most_ms"] > GOAL_MS and title != "pyarrow" else ""
            print(f"{name:<44}{taken['median_ms']:>9}{taken['most_ms']:>9}{taken['cpu_ms']:>9}{mark}")
    if "report" in figures:
        print(f"\nreport: {_seconds(figures['report'])} (goal: {REPORT_GOAL_SECONDS:.0f} s with the index)")
    print(f"{len(figures['over_goal'])} views or pages take longer than {GOAL_MS:.0f} ms", file=sys.stderr)


if __name__ == "__main__":
    main()
