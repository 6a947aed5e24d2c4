"""The practice web: a deterministic web of many virtual hosts to crawl, test and measure on.

>>> from exonym.testing.practice import PracticeWeb
>>> web = PracticeWeb(seed=1, pages=200)
>>> len(web.seeds()), web.page_id(web.url(7))
(3, 7)

`PracticeWeb` is pure: any page, response or the whole graph is worked out from the seed number.
`GraphWeb` is the same for a web graph in files, imported or generated.
`serve` and `running_practice_web` put it on a loopback address.
"""

from exonym.testing.practice.describing import describe
from exonym.testing.practice.graph import FORBIDDEN, PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeGraph
from exonym.testing.practice.graph_web import GraphWeb
from exonym.testing.practice.kinds import PageKind
from exonym.testing.practice.linking import Section
from exonym.testing.practice.options import PracticeOptions
from exonym.testing.practice.pages import PracticeLink, PracticePage, PracticeResponse
from exonym.testing.practice.running import PracticeAddress, running_practice_web
from exonym.testing.practice.serving import BoundTo, PracticeServer, ServedWeb, ServingOptions, serve
from exonym.testing.practice.topical.subjects import TARGETS, Truth, relevant_to
from exonym.testing.practice.web import PracticeWeb

__all__ = [
    "FORBIDDEN",
    "PAGE_NOFOLLOW",
    "REL_NOFOLLOW",
    "TARGETS",
    "BoundTo",
    "GraphWeb",
    "PageKind",
    "PracticeAddress",
    "PracticeGraph",
    "PracticeLink",
    "PracticeOptions",
    "PracticePage",
    "PracticeResponse",
    "PracticeServer",
    "PracticeWeb",
    "Section",
    "ServedWeb",
    "ServingOptions",
    "Truth",
    "describe",
    "relevant_to",
    "running_practice_web",
    "serve",
]
