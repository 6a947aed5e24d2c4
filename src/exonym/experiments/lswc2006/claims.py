"""The claims of Somboonviwat, Tamura and Kitsuregawa about language specific web crawling, and of others about rivals.

The rules follow the papers' words, not our figures (only a prototype's were known when the rules were written): "about"
is a quarter to either side for counts and five points for shares, "almost all" 95 %, "all" 99 %, "much higher" ten
points.
"""

from collections.abc import Callable
from functools import partial

from exonym.experiments.claims import Claim, Evidence, Measured
from exonym.published.thai_web import PAGES

NARROW, WIDE = "lswc:S=1,T=1", "lswc:S=3,T=5"
RIVALS = ("hard", "soft", "bfs")
FILTERS = ("server-filter:mode=aggressive", "server-filter:mode=conservative", "directory-filter")
STRATEGIES = (NARROW, WIDE, *RIVALS, "perfect", *FILTERS)

_SOURCE = "Finding Thai Web Pages in Foreign Web Spaces, §6.2"
_SECOND_SOURCE = "Finding Thai Web Pages in Foreign Web Spaces, short version, §4.2"
_TAMURA = "Tamura 2006, as described by Chan and Yamana 2010, §2.2"
_STOP, _STOP_LEAST, _STOP_MOST = (round(million * 1e6) / PAGES for million in (4, 3, 5))
_HALF, _NEARLY_ALL, _ALL = 0.5, 0.95, 0.99
_HARVEST, _ABOUT = 0.80, 0.05
_MUCH = 0.10
_PERFECT = 0.92
_EARLY = "over the first million pages"


def _stops_early(evidence: Evidence) -> Measured:
    fetched = evidence.fetched(NARROW)
    share = fetched / evidence.pages
    holds = evidence.results[NARROW].reason == "empty frontier" and share <= _HALF
    return Measured(f"{fetched:,} of {evidence.pages:,} ({share:.1%})", holds)


def _stops_there(evidence: Evidence) -> Measured:
    share = evidence.fetched(NARROW) / evidence.pages
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


def _is_perfect(evidence: Evidence) -> Measured:
    fetched = evidence.fetched("perfect")
    rate = evidence.results["perfect"].relevant / fetched if fetched else 0.0
    return Measured(f"{rate:.1%} at the end", rate >= _PERFECT)


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
        partial(_beats, rival),
    )


def _of_filter(strategy: str) -> Claim:
    words = f"{strategy} is described, without a figure"
    return Claim(strategy, words, _TAMURA, "no figure published", "", partial(_described, strategy))


def _of_lswc(name: str, words: str, figure: tuple[str, str], measure: Callable[[Evidence], Measured]) -> Claim:
    published, rule = figure
    return Claim(name, words, _SOURCE, published, rule, measure)


CLAIMS = (
    _of_lswc(
        "stops-early",
        "LSWC with S=1, T=1 stops by itself, long before all pages are fetched",
        ("about 4 M of 14 M", f"nothing waits any more, at most {_HALF:.0%} of the web's pages fetched"),
        _stops_early,
    ),
    _of_lswc(
        "stops-at-4-million",
        "… at about 4 M downloads of 14 M pages",
        (f"{_STOP:.1%}", f"{_STOP_LEAST:.1%} to {_STOP_MOST:.1%} of the web's pages (3 to 5 M)"),
        _stops_there,
    ),
    _of_lswc(
        "nearly-all",
        "… with almost all relevant pages",
        ("almost all", f"coverage at least {_NEARLY_ALL:.0%}"),
        partial(_covers, NARROW, _NEARLY_ALL),
    ),
    _of_lswc(
        "all",
        "LSWC with S=3, T=5 obtains all relevant pages",
        ("all", f"coverage at least {_ALL:.0%}"),
        partial(_covers, WIDE, _ALL),
    ),
    # The papers do not say which LSWC has this rate: so both are tested.
    _of_lswc(
        "harvest-narrow",
        f"the harvest rate of LSWC {_EARLY} is about 80 %: with S=1, T=1",
        (f"{_HARVEST:.0%}", f"within {100 * _ABOUT:.0f} points"),
        partial(_harvests, NARROW),
    ),
    _of_lswc(
        "harvest-wide",
        "… and with S=3, T=5",
        (f"{_HARVEST:.0%}", f"within {100 * _ABOUT:.0f} points"),
        partial(_harvests, WIDE),
    ),
    *map(_of_rival, RIVALS),
    Claim(
        "room-left",
        f"perfect (oracle) is above LSWC {_EARLY}: there is room left",
        _SECOND_SOURCE,
        "a gap",
        "the harvest rate of perfect is higher",
        _leaves_room,
    ),
    Claim(
        "perfect",
        "the harvest rate of perfect (oracle) rises from 92 to 99 %, on their own 18.3 M pages of 2004",
        _TAMURA,
        "92 to 99 %",
        f"at least {_PERFECT:.0%} at the end",
        _is_perfect,
    ),
    *map(_of_filter, FILTERS),
)
