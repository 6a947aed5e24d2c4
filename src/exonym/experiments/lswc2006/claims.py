"""The claims of Somboonviwat, Tamura and Kitsuregawa about language specific web crawling, and of others about rivals.

The rules follow the papers' words, not our figures (only a prototype's were known when the rules were written): "about"
is a quarter to either side for counts and five points for shares, "almost all" 95 %, "all" 99 %, "much higher" ten
points. "Rises from 92 to 99 %" begins within five points of 92, falls by no more than a point on the way, and ends
within two points of 99.
"""

from functools import partial
from itertools import pairwise

from exonym.experiments.claims import Claim, Evidence, Measured
from exonym.published.thai_web import PAGES

NARROW, WIDE = "lswc:S=1,T=1", "lswc:S=3,T=5"
RIVALS = ("hard", "soft", "bfs")
FILTERS = ("server-filter:mode=aggressive", "server-filter:mode=conservative", "directory-filter")
# What the papers leave open: whether a failed request is a download, and what the rule for English pages does.
NARROW_WITHOUT_FAILURES, WIDE_WITHOUT_FAILURES = (f"{strategy},count_failures=false" for strategy in (NARROW, WIDE))
WIDE_WITHOUT_ENGLISH = f"{WIDE},english=false"
VARIANTS = (NARROW_WITHOUT_FAILURES, WIDE_WITHOUT_FAILURES, WIDE_WITHOUT_ENGLISH)
BASELINES = ("dfs", "larger-site-first")  # named by the papers, without a result
STRATEGIES = (NARROW, WIDE, *VARIANTS, *RIVALS, "perfect", "relevant-only", *FILTERS, *BASELINES)

_SOURCE = "Finding Thai Web Pages in Foreign Web Spaces, §6.2"
_SECOND_SOURCE = "Finding Thai Web Pages in Foreign Web Spaces, short version, §4.2"
_TAMURA = "Tamura 2006, as described by Chan and Yamana 2010, §2.2"
_STOP, _STOP_LEAST, _STOP_MOST = (round(million * 1e6) / PAGES for million in (4, 3, 5))
_STOP_RULE = f"{_STOP_LEAST:.1%} to {_STOP_MOST:.1%} of the web's pages (3 to 5 M)"
_STOP_FAILS = "it stops sooner or later"
_HALF, _NEARLY_ALL, _ALL = 0.5, 0.95, 0.99
_HARVEST, _ABOUT = 0.80, 0.05
_HARVEST_RULE = f"{100 * (_HARVEST - _ABOUT):.0f} to {100 * (_HARVEST + _ABOUT):.0f} %"
_HARVEST_FAILS = "the rate is lower or higher"
_MUCH = 0.10
_PERFECT_START, _PERFECT_END, _FALL = (0.87, 0.97), 0.97, 0.01
_PERFECT_SHARES = ("1%", "5%", "10%", "100%")  # of the web's pages: the last is the end of the crawl
_EARLY = "over the first million pages"


def _stops_early(evidence: Evidence) -> Measured:
    fetched = evidence.fetched(NARROW)
    share = fetched / evidence.pages
    holds = evidence.results[NARROW].reason == "empty frontier" and share <= _HALF
    return Measured(f"{fetched:,} of {evidence.pages:,} ({share:.1%})", holds)


def _stops_there(strategy: str, evidence: Evidence) -> Measured:
    share = evidence.fetched(strategy) / evidence.pages
    return Measured(f"{share:.1%}", _STOP_LEAST <= share <= _STOP_MOST)


def _covers(strategy: str, least: float, evidence: Evidence) -> Measured:
    coverage = evidence.results[strategy].coverage
    return Measured(f"{coverage:.1%}", coverage >= least)


def _harvests(strategy: str, evidence: Evidence) -> Measured:
    rate = evidence.early_harvest(strategy)
    return Measured(f"{rate:.1%}", abs(rate - _HARVEST) <= _ABOUT)


def _beats(rival: str, evidence: Evidence) -> Measured:
    ours = min(evidence.early_harvest(strategy) for strategy in (NARROW, WIDE))
    theirs = evidence.early_harvest(rival)
    return Measured(f"{ours:.1%} against {theirs:.1%}", ours >= theirs + _MUCH)


def _leaves_room(evidence: Evidence) -> Measured:
    best = max(evidence.early_harvest(strategy) for strategy in (NARROW, WIDE))
    perfect = evidence.early_harvest("perfect")
    return Measured(f"{perfect:.1%} against {best:.1%}", perfect > best)


def _rises(evidence: Evidence) -> Measured:
    result = evidence.results["perfect"]
    rates = result.documents_harvest_at if evidence.by_document else result.harvest_at
    start, *_, end = way = [rates[share] for share in _PERFECT_SHARES]
    never_falls = all(later >= earlier - _FALL for earlier, later in pairwise(way))
    low, high = _PERFECT_START
    holds = low <= start <= high and never_falls and end >= _PERFECT_END and end > start
    return Measured(" → ".join(f"{rate:.1%}" for rate in way), holds)


def _described(strategy: str, evidence: Evidence) -> Measured:
    result = evidence.results[strategy]
    early = evidence.early_harvest(strategy)
    shown = f"{evidence.fetched(strategy):,} fetched, coverage {result.coverage:.1%}, {early:.1%} {_EARLY}"
    return Measured(shown, None)


def _of_rival(rival: str) -> Claim:
    return Claim(
        f"above-{rival}",
        f"LSWC is much higher than {rival} {_EARLY}",
        _SOURCE,
        "much higher",
        f"the lower of both LSWC is at least {100 * _MUCH:.0f} points above",
        f"either LSWC is less than {100 * _MUCH:.0f} points above {rival}, or below it",
        partial(_beats, rival),
    )


def _without_figure(strategy: str, source: str) -> Claim:
    words = f"{strategy} is described or named, without a figure"
    return Claim(strategy, words, source, "no figure published", "", "", partial(_described, strategy))


CLAIMS = (
    Claim(
        "stops-early",
        "LSWC with S=1, T=1 stops by itself, long before all pages are fetched",
        _SOURCE,
        "about 4 M of 14 M",
        f"nothing waits any more, at most {_HALF:.0%} of the web's pages fetched",
        f"links still wait at the end, or more than {_HALF:.0%} were fetched",
        _stops_early,
    ),
    Claim(
        "stops-at-4-million",
        "… at about 4 M downloads of 14 M pages",
        _SOURCE,
        f"{_STOP:.1%}",
        _STOP_RULE,
        _STOP_FAILS,
        partial(_stops_there, NARROW),
    ),
    Claim(
        "stops-at-4-million-without-failures",
        "… at about 4 M, in a variant of ours: failed requests do not count towards S",
        _SOURCE,
        f"{_STOP:.1%}",
        _STOP_RULE,
        _STOP_FAILS,
        partial(_stops_there, NARROW_WITHOUT_FAILURES),
    ),
    Claim(
        "nearly-all",
        "… with almost all relevant pages",
        _SOURCE,
        "almost all",
        f"coverage at least {_NEARLY_ALL:.0%}",
        f"coverage is below {_NEARLY_ALL:.0%}",
        partial(_covers, NARROW, _NEARLY_ALL),
    ),
    Claim(
        "all",
        "LSWC with S=3, T=5 obtains all relevant pages",
        _SOURCE,
        "all",
        f"coverage at least {_ALL:.0%}",
        f"coverage is below {_ALL:.0%}",
        partial(_covers, WIDE, _ALL),
    ),
    # The papers do not say which LSWC has this rate: so both are tested.
    Claim(
        "harvest-narrow",
        f"the harvest rate of LSWC {_EARLY} is about 80 %: with S=1, T=1",
        _SOURCE,
        f"{_HARVEST:.0%}",
        _HARVEST_RULE,
        _HARVEST_FAILS,
        partial(_harvests, NARROW),
    ),
    Claim(
        "harvest-wide",
        "… and with S=3, T=5",
        _SOURCE,
        f"{_HARVEST:.0%}",
        _HARVEST_RULE,
        _HARVEST_FAILS,
        partial(_harvests, WIDE),
    ),
    *map(_of_rival, RIVALS),
    Claim(
        "room-left",
        f"perfect (oracle) is above LSWC {_EARLY}: there is room left",
        _SECOND_SOURCE,
        "a gap",
        "the harvest rate of perfect is higher than that of both LSWC",
        "one LSWC has the higher rate: perfect passes through irrelevant pages and is no upper bound",
        _leaves_room,
    ),
    Claim(
        "perfect",
        "the harvest rate of perfect (oracle) rises from 92 to 99 %, on their own 18.3 M pages of 2004",
        _TAMURA,
        "92 to 99 %",
        "over the first 1 % of the web's pages 87 to 97 %, at 5, 10 % and the end never lower by more than a point, at "
        "the end at least 97 % and higher than at the start",
        "it starts elsewhere, falls on the way, or ends lower",
        _rises,
    ),
    *(_without_figure(strategy, _TAMURA) for strategy in FILTERS),
    *(_without_figure(strategy, _SOURCE) for strategy in BASELINES),
)
