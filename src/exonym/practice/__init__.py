"""The practice web: a deterministic web of many virtual hosts to crawl, test and measure on.

>>> from exonym.practice import PracticeWeb
>>> web = PracticeWeb(seed=1, pages=200)
>>> len(web.seeds()), web.page_id(web.url(7))
(3, 7)

`PracticeWeb` is pure: it computes any page, any response or the whole graph from the seed number.
`GraphWeb` does the same for a web graph in files, imported or generated.
`serve` and `running_practice_web` serve either of them on a loopback address.
"""

from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.graph.practice_graph import FORBIDDEN, PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeGraph
from exonym.practice.kinds import PageKind
from exonym.practice.linking import PageSection
from exonym.practice.pages import PracticeLink, PracticePage, PracticeResponse
from exonym.practice.serving.server import BoundTo, PracticeServer, ServedWeb, ServingOptions, serve
from exonym.practice.serving.server_process import PracticeAddress, running_practice_web
from exonym.practice.topical.subjects import TARGETS, PageTruth, relevant_to
from exonym.practice.web import PracticeWeb, describe
from exonym.practice.web_options import REAL_SIZE, PracticeOptions

__all__ = [
    "FORBIDDEN",
    "PAGE_NOFOLLOW",
    "REAL_SIZE",
    "REL_NOFOLLOW",
    "TARGETS",
    "BoundTo",
    "GraphWeb",
    "PageKind",
    "PageSection",
    "PageTruth",
    "PracticeAddress",
    "PracticeGraph",
    "PracticeLink",
    "PracticeOptions",
    "PracticePage",
    "PracticeResponse",
    "PracticeServer",
    "PracticeWeb",
    "ServedWeb",
    "ServingOptions",
    "describe",
    "relevant_to",
    "running_practice_web",
    "serve",
]
