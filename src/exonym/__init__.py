"""Exonym collects a nation's web, wherever it is hosted and in whatever language it is written.

The life of a URL, by the folders that it passes through:

    seeds/        Some addresses to begin with: a file, a directory of sites, Wikidata, sitemaps.
    frontier/     Every address that is known and not yet visited waits here, in the order of its score.
    politeness/   Decides when, and whether, the address may be requested: robots.txt, delays.
    fetch/        Sends the request, and receives the bytes of the response.
    readers/      A process with limits decodes the bytes, then reads and judges the page:
    extract/          HTML becomes a Document: title, text, links.
    judges/           A Document becomes a Verdict: relevant or not, in which language, and why.
    archive/      Request and response are written to a WARC file, as they went over the wire;
    journal/      one row records the result of the visit. (Both are in a crawl_directory/, above a store/.)
    strategies/   Learns from the page, and scores the links on it: which are visited first, which later, which never.
    frontier/     The links wait here in turn.

`crawl.py` is this loop without input and output; `live/` drives it on the real web, `simulation/` has the same rules
compiled and runs them on a `webgraph/`.

The names in `__all__` are public, and are explained in docs/reference/python.md; everything else may move. A name is
imported when it is first used, so that `import exonym` takes no time.

>>> import exonym as ex
>>> ex.normal_form("HTTP://Example.ORG:80/a/../b#top")
'http://example.org/b'
"""

from typing import TYPE_CHECKING

from exonym.system.late_names import late_names
from exonym.version import __version__

if TYPE_CHECKING:
    from exonym.api import (
        analyse,
        generate_graph,
        identify,
        import_graph,
        load_judge,
        load_model,
        open_crawl,
        open_graph,
        read_page,
        run_crawl,
        simulate,
        train_topic,
    )
    from exonym.batches import Group, LinkBatch, Outcome, PageBatch
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.errors import ExonymError
    from exonym.extract.document import Document
    from exonym.judges.base import Judge, Verdict
    from exonym.metrics import Totals
    from exonym.nations import Nation, load_nation
    from exonym.report.table import Table
    from exonym.simulation.plan import Plan
    from exonym.simulation.results import Results
    from exonym.strategies import STRATEGIES
    from exonym.strategies.base import Counting, Rule, Strategy
    from exonym.testing import check_strategy
    from exonym.urls import normal_form
    from exonym.webgraph import Graph

__all__ = [
    "STRATEGIES",
    "Counting",
    "CrawlDirectory",
    "Document",
    "ExonymError",
    "Graph",
    "Group",
    "Judge",
    "LinkBatch",
    "Nation",
    "Outcome",
    "PageBatch",
    "Plan",
    "Results",
    "Rule",
    "Strategy",
    "Table",
    "Totals",
    "Verdict",
    "__version__",
    "analyse",
    "check_strategy",
    "generate_graph",
    "identify",
    "import_graph",
    "load_judge",
    "load_model",
    "load_nation",
    "normal_form",
    "open_crawl",
    "open_graph",
    "read_page",
    "run_crawl",
    "simulate",
    "train_topic",
]

_PLACES = {  # of names that are not in `exonym.api`
    **dict.fromkeys(("Group", "LinkBatch", "Outcome", "PageBatch"), "batches"),
    "CrawlDirectory": "crawl_directory.crawl_reader",
    "ExonymError": "errors",
    "Document": "extract.document",
    **dict.fromkeys(("Judge", "Verdict"), "judges.base"),
    "Totals": "metrics",
    **dict.fromkeys(("Nation", "load_nation"), "nations"),
    "Table": "report.table",
    "Plan": "simulation.plan",
    "Results": "simulation.results",
    "STRATEGIES": "strategies",
    **dict.fromkeys(("Counting", "Rule", "Strategy"), "strategies.base"),
    "check_strategy": "testing.strategies",
    "normal_form": "urls",
    "Graph": "webgraph",
}


__getattr__ = late_names("exonym", dict.fromkeys(__all__, "api") | _PLACES)


def __dir__() -> list[str]:
    return __all__
