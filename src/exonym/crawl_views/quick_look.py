"""Dead seeds and the best servers of a crawl, by one pass over its journal: for those who do not wait for an index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError, DirectoryError
from exonym.seeds.seeds_file import seed_urls

if TYPE_CHECKING:
    import pyarrow

MOST_BEST = 5
_MOST_COUNTS = 1_000_000  # of servers, in parts of the journal, that are kept before they are added up


class BestServer(NamedTuple):
    """A server with many relevant pages."""

    server: str
    pages: int
    relevant: int


@dataclass(frozen=True, slots=True)
class QuickLook:
    """What one pass finds."""

    dead_seeds: tuple[str, ...]  # seeds whose request failed
    best_servers: tuple[BestServer, ...]  # those with most relevant pages

    def document(self) -> dict[str, Any]:
        """The findings for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "dead_seeds": list(self.dead_seeds),
            "best_servers": [server._asdict() for server in self.best_servers],
        }


def quick_look(directory: Path) -> QuickLook:
    """Look at a crawl; its memory grows with its servers, not with its visits."""
    import pyarrow

    crawl = CrawlDirectory(directory)
    try:
        seeds = seed_urls(crawl.settings, home_of(directory))
    except (ConfigError, DirectoryError):  # the file of seeds is gone
        seeds = []
    wanted = pyarrow.array(seeds, pyarrow.string())
    counts, dead = list[pyarrow.Table](), set[str]()
    for table in crawl.tables(["url", "outcome", "relevant"]):
        fetched = _fetched(table)
        dead.update(_dead_in(fetched, wanted))
        counts.append(_by_server(fetched))
        if sum(map(len, counts)) > _MOST_COUNTS:
            counts = [_added_up(counts)]
    return QuickLook(tuple(url for url in dict.fromkeys(seeds) if url in dead), _best_of(_added_up(counts)))


def _fetched(table: pyarrow.Table) -> pyarrow.Table:
    from pyarrow import compute

    return table.filter(compute.less_equal(table["outcome"], int(Outcome.FAILED)))


def _dead_in(table: pyarrow.Table, seeds: pyarrow.Array) -> list[str]:
    from pyarrow import compute

    failed = table.filter(compute.equal(table["outcome"], int(Outcome.FAILED)))["url"]
    found: list[str] = failed.filter(compute.is_in(failed, seeds)).to_pylist()
    return found


def _by_server(table: pyarrow.Table) -> pyarrow.Table:
    """Pages and relevant pages of each server."""
    import pyarrow
    from pyarrow import compute

    name = compute.list_element(compute.split_pattern(table["url"], "/", max_splits=3), 2)
    flags = pyarrow.table({"server": name, "relevant": table["relevant"]})
    counted = flags.group_by("server").aggregate([("relevant", "count"), ("relevant", "sum")])
    return pyarrow.table(
        {
            "server": counted["server"],
            "pages": counted["relevant_count"],
            "relevant": compute.cast(counted["relevant_sum"], "int64"),
        }
    )


def _added_up(counts: list[pyarrow.Table]) -> pyarrow.Table:
    import pyarrow

    counted = pyarrow.concat_tables(counts).group_by("server").aggregate([("pages", "sum"), ("relevant", "sum")])
    return counted.select(["server", "pages_sum", "relevant_sum"]).rename_columns(["server", "pages", "relevant"])


def _best_of(counts: pyarrow.Table) -> tuple[BestServer, ...]:
    from pyarrow import compute

    found = counts.filter(compute.greater(counts["relevant"], 0))
    best = found.sort_by([("relevant", "descending"), ("server", "ascending")]).slice(0, MOST_BEST)
    return tuple(BestServer(**row) for row in best.to_pylist())
