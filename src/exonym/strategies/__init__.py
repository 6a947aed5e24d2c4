"""Strategies: which links a crawl follows, and in which order. Each has a file or folder.

`STRATEGIES` names them all. A new strategy needs a file and two lines here; the tests find it by its name.
"""

from typing import NamedTuple

from exonym.batches import ORACLE_COLUMNS
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.base import Strategy
from exonym.strategies.best_first import BestPage, MeanSegment
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.cjk import NationalDomain
from exonym.strategies.depth_first import DepthFirst
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.filters import DirectoryFilter, ServerFilter
from exonym.strategies.focused import HardFocused, SoftFocused
from exonym.strategies.larger_site_first import LargerSiteFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.strategies.naive_bayes import NaiveBayes
from exonym.strategies.oracle import Perfect, RelevantOnly
from exonym.strategies.segment.crawler import BestSegment, SegmentCrawler
from exonym.strategies.site import SiteCrawler


class StrategySummary(NamedTuple):
    """The rule of a strategy in a line, and where it is published."""

    rule: str
    source: str


STRATEGIES: dict[str, type[Strategy]] = {
    "adaptive": Adaptive,
    "bfs": BreadthFirst,
    "dfs": DepthFirst,
    "larger-site-first": LargerSiteFirst,
    "hard": HardFocused,
    "soft": SoftFocused,
    "limited-distance": LimitedDistance,
    "lswc": LanguageSpecific,
    "server-filter": ServerFilter,
    "directory-filter": DirectoryFilter,
    "cjk": NationalDomain,
    "best-page": BestPage,
    "best-segment": BestSegment,
    "mean-segment": MeanSegment,
    "segment": SegmentCrawler,
    "site": SiteCrawler,
    "naive-bayes": NaiveBayes,
    "perfect": Perfect,
    "relevant-only": RelevantOnly,
}
ABOUT = {
    "adaptive": StrategySummary(
        "learn while crawling which links lead to relevant pages; the most probable first, scored again when their "
        "turn comes",
        "ours",
    ),
    "bfs": StrategySummary("follow all, first found first: the control", "all papers"),
    "dfs": StrategySummary("follow all, the links of the page fetched last first", "named by Somboonviwat et al. 2006"),
    "larger-site-first": StrategySummary(
        "follow all; links to the server with most pages known and not fetched first",
        "Baeza-Yates et al. 2005, named by Somboonviwat et al. 2006",
    ),
    "hard": StrategySummary("follow links of relevant pages only", "Somboonviwat et al. 2006"),
    "soft": StrategySummary("follow all; links of relevant pages first", "Somboonviwat et al. 2006"),
    "limited-distance": StrategySummary(
        "follow while distance ≤ T; prioritized: nearer first", "DEWS 2005, cited by Somboonviwat et al. 2006"
    ),
    "lswc": StrategySummary(
        "links to relevant servers first, then of relevant pages, then by distance; drop servers with no relevant page "
        "after S downloads, and links at a distance over T",
        "Somboonviwat et al. 2006",
    ),
    "server-filter": StrategySummary(
        "follow links to servers whose share of relevant pages holds up to the threshold, links of relevant pages "
        "first; to new servers always (aggressive) or only from relevant pages (conservative)",
        "Tamura 2006, described by Chan and Yamana 2010",
    ),
    "directory-filter": StrategySummary(
        "the conservative server-filter, with segments in the place of servers",
        "Tamura 2006, described by Chan and Yamana 2010",
    ),
    "cjk": StrategySummary(
        "follow links into the nation's top-level domains, and those whose anchor is in the language; drop the rest",
        "Chan and Yamana 2010",
    ),
    "best-page": StrategySummary("order by the relevance of the page on which the link was found", "Suebchua 2014"),
    "best-segment": StrategySummary(
        "begin the segment whose source segments have the highest mean relevance; S and D as in segment",
        "Suebchua 2014",
    ),
    "mean-segment": StrategySummary(
        "order segments by the mean, over the links found into them, of the linking segment's relevance; drop none",
        "Exonym 0.1.0, where it was called best-segment",
    ),
    "segment": StrategySummary(
        "begin the segment whose links promise most, by their sources' relevance and a link model; drop segments after "
        "S irrelevant pages in a row, and those behind D irrelevant segments in a row",
        "Suebchua 2014",
    ),
    "site": StrategySummary(
        "begin the site whose links promise most, by their source sites' relevance and a link model for sites, and "
        "fetch all its known pages",
        "Tadapak et al. 2010, described by Suebchua 2014",
    ),
    "naive-bayes": StrategySummary(
        "order links by the probability that the target page is relevant, by a link model for pages",
        "Srisukha et al. 2008, described by Suebchua 2014",
    ),
    "perfect": StrategySummary(
        "oracle, for simulations only: follow the paths of a breadth-first crawl that end in relevant pages",
        "Somboonviwat et al. 2006; Tamura 2006, described by Chan and Yamana 2010",
    ),
    "relevant-only": StrategySummary(
        "oracle, for simulations only: follow only links that lead to relevant pages", "ours, to compare with perfect"
    ),
}


# The names under which crawls save what strategies learned, where they differ: what 0.1.0 saved as best-segment is of
# today's mean-segment.
SAVED_AS = {"mean-segment": "best-segment", "best-segment": "best-segment by S and D"}


def is_oracle(strategy: Strategy | type[Strategy]) -> bool:
    """Whether a strategy knows which links lead to relevant pages, which no live crawl knows."""
    return bool(strategy.needs & ORACLE_COLUMNS)
