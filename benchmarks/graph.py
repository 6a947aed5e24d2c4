"""Web graphs at size: generating, analysing, importing; how time and memory grow.

Each step is a command of its own, `exonym graph …`, measured from outside: wall seconds, CPU seconds of it and its
children, highest resident memory of its largest process. Import reads the WARC of a crawl of a practice web, language
identification on.

    python benchmarks/graph.py --pages 1_000_000 14_000_000 --json
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

EXONYM = str(Path(sys.executable).with_name("exonym"))


def run(*arguments: str) -> dict[str, float]:
    """Runs a command; what it cost."""
    start = time.perf_counter()
    process = subprocess.Popen([EXONYM, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"exonym {' '.join(arguments)} failed")
    wall = time.perf_counter() - start
    return {
        "seconds": wall,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
    }


def sized(directory: Path, pages: int) -> dict[str, Any]:
    """Generates and analyses a web of so many pages."""
    graph = directory / f"graph-{pages}"
    found: dict[str, Any] = {"pages": pages}
    found["generate"] = run("graph", "generate", "-o", str(graph), "--size", str(pages), "--random-seed", "7")
    found["show"] = run("graph", "show", str(graph))
    found["check"] = run("graph", "check", str(graph))
    found["analyse"] = run("graph", "analyse", str(graph), "-o", str(directory / f"report-{pages}"))
    found["bytes"] = sum(path.stat().st_size for path in graph.iterdir())
    shutil.rmtree(graph)
    return found


def imported(directory: Path, pages: int) -> dict[str, Any]:
    """Imports the archive of a crawl of a practice web, in one process and in one for each core."""
    crawl = directory / "crawl"
    run("demo", str(crawl), "--size", str(pages))
    return {**import_in(directory, crawl, 1), "all_cores": import_in(directory, crawl, 0)}


def import_in(directory: Path, crawl: Path, jobs: int) -> dict[str, Any]:
    """Imports the archive of a crawl, its one file cut into parts, in so many processes."""
    graph = directory / f"imported-{jobs}"
    cost = run("graph", "import", "-o", str(graph), "--language", "th", "--jobs", str(jobs), str(crawl / "warc"))
    shown = subprocess.run([EXONYM, "graph", "show", str(graph), "--json"], capture_output=True, check=True)
    pages = json.loads(shown.stdout)["fetched"]
    speeds = {"pages_per_cpu_second": pages / cost["cpu_seconds"], "pages_per_second": pages / cost["seconds"]}
    return {**cost, "pages": pages, **speeds}


def main() -> None:
    """Measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000_000, 14_000_000])
    parser.add_argument("--crawled", type=int, default=80_000, help="practice web, a quarter of which is imported")
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    directory = Path(tempfile.mkdtemp(dir=options.directory))
    try:
        results: dict[str, Any] = {
            "import": imported(directory, options.crawled),
            "graphs": [sized(directory, pages) for pages in options.pages],
        }
    finally:
        shutil.rmtree(directory)
    if options.json:
        print(json.dumps(results))
        return
    one = results["import"]
    print(f"import: {one['pages']:,} pages, {one['pages_per_cpu_second']:,.0f} a CPU second, {one['peak_mb']:,.0f} MB")
    print(f"import on {os.cpu_count()} cores: {one['all_cores']['pages_per_second']:,.0f} pages a second")
    for found in results["graphs"]:
        print(f"{found['pages']:,} pages, {found['bytes'] / 1e6:,.0f} MB on disk")
        for step in ("generate", "show", "check", "analyse"):
            cost = found[step]
            print(f"  {step:10} {cost['seconds']:8.1f} s, CPU {cost['cpu_seconds']:8.1f} s, {cost['peak_mb']:8,.0f} MB")


if __name__ == "__main__":
    main()
