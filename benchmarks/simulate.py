"""Simulations at the papers' size: pages and links a second, beside the limit and beside plain Python.

The limit is a compiled loop that does nothing but look at the target of every link, pages in random order: no
simulation can visit all pages without that. Plain Python is a breadth-first crawl with a set and a queue. Each strategy
is a process of its own; its highest memory has the mapped graph in it.

    python benchmarks/simulate.py --pages 1_000_000 14_000_000 --json
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

STRATEGIES = ["bfs", "soft", "hard", "lswc:S=1,T=1", "lswc:S=3,T=5", "server-filter", "directory-filter", "perfect"]
PLAIN_VISITS = 200_000
SEED = 7
K = 256


def limit_seconds(graph: Graph) -> float:
    """Seconds for a look at every link's target, pages in random order; the best of three."""
    import numpy as np
    from numba import njit

    @njit
    def look(offsets: Any, targets: Any, level: Any, order: Any) -> int:
        found = 0
        for node in order:
            for link in range(offsets[node], offsets[node + 1]):
                found += level[targets[link]]
        return found

    level = np.ones(len(graph), np.int16)
    order = np.random.default_rng(1).permutation(len(graph)).astype(np.uint32)
    columns = np.asarray(graph.offsets), np.asarray(graph.targets), level
    look(*columns, order[:1])
    return min(timed(lambda: look(*columns, order)) for _ in range(3))


def timed(work: Any) -> float:
    """CPU seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def plain_visits_a_second(graph: Graph) -> float:
    """Visits a second of a breadth-first crawl in plain Python, lists made beforehand."""
    offsets, targets = graph.offsets.tolist(), graph.targets.tolist()

    def crawl() -> None:
        waiting = collections.deque(graph.seeds.tolist())
        seen, visits = set(waiting), 0
        while waiting and visits < PLAIN_VISITS:
            node = waiting.popleft()
            visits += 1
            for target in targets[offsets[node] : offsets[node + 1]]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)

    return PLAIN_VISITS / timed(crawl)


def simulated(directory: Path, strategy: str) -> dict[str, Any]:
    """One strategy over a graph; run in a process of its own."""
    import numpy as np

    from exonym.simulation import Plan, simulate, warm_up
    from exonym.strategies.by_name import strategy_from

    warm_up()
    graph = Graph.open(directory)
    start, cpu = time.perf_counter(), time.process_time()
    found = simulate(graph, strategy_from(strategy, "th"), Plan(k=K))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    links = int(np.diff(graph.offsets)[found.nodes].sum())
    return {
        "strategy": strategy,
        "visits": len(found.nodes),
        "links": links,
        "coverage": float(found.relevant.sum() / graph.relevant.sum()),
        "seconds": seconds,
        "cpu_seconds": cpu,
        "visits_a_second": len(found.nodes) / seconds,
        "links_a_second": links / seconds,
        "peak_mb": peak_mb(),
    }


def peak_mb() -> float:
    """The most memory this process has had; ru_maxrss would have its parent's in it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def in_a_process(directory: Path, strategy: str) -> dict[str, Any]:
    """The same, started from here."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", strategy, "--graph", str(directory)], capture_output=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(directory: Path, pages: int, strategies: list[str]) -> dict[str, Any]:
    """Strategies over one web."""
    place = directory / f"graph-{pages}"
    if not place.exists():
        generate(place, Order(pages, SEED, "thai2006", load_profile("thai2006")))
    graph = Graph.open(place)
    limit = limit_seconds(graph)
    results = [in_a_process(place, strategy) for strategy in strategies]
    for found in results:
        # What the limit would take for as many links.
        found["ratio"] = limit * found["links"] / graph.manifest.links / found["seconds"]
    plain = plain_visits_a_second(graph) if pages <= 2_000_000 else None
    return {"pages": pages, "k": K, "seed": SEED, "limit_seconds": limit, "plain_python": plain, "results": results}


def show(found: dict[str, Any]) -> None:
    """For people."""
    print(
        f"{found['pages']:,} pages, k = {found['k']}, seed {found['seed']}: the limit is {found['limit_seconds']:.2f} s"
    )
    for one in found["results"]:
        print(
            f"  {one['strategy']:<18}{one['visits']:>12,} visits {one['coverage']:>7.1%} {one['seconds']:>7.2f} s "
            f"{one['visits_a_second'] / 1e6:>6.2f} M visits/s {one['links_a_second'] / 1e6:>6.2f} M links/s "
            f"{one['ratio']:>6.1%} of the limit {one['peak_mb']:>7,.0f} MB"
        )
    if found["plain_python"]:
        times = found["results"][0]["visits_a_second"] / found["plain_python"]
        print(f"  plain Python: {found['plain_python']:,.0f} visits/s; compiled bfs {times:.0f} ×")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", nargs="+", type=lambda text: int(text.replace("_", "")), default=[1_000_000])
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--directory", type=Path, help="where graphs are, or are to be kept")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--graph", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(simulated(given.graph, given.one)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        found = [measured(given.directory or Path(temporary), pages, given.strategies) for pages in given.pages]
    if given.json:
        print(json.dumps(found))
    else:
        for one in found:
            show(one)


if __name__ == "__main__":
    main()
