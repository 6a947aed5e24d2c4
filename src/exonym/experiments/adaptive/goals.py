"""The goals of the adaptive strategy, each with its rule: reached, not reached, or not measured.

The rules were written down before the held-out webs were looked at. Means are over the seed numbers of a family; where
a rule says "on every web", each seed number of each family counts for itself. Pages are given in R, the number of
relevant pages that can be reached.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import mean
from textwrap import fill
from typing import Any, NamedTuple

from exonym.experiments.adaptive.crawls import (
    ADAPTIVE,
    FLOOR,
    JUDGE,
    LSWC,
    PERFECT,
    RULES,
    CrawlFigures,
    Told,
    WebFigures,
    label_of_timed,
    label_shuffled,
)
from exonym.experiments.adaptive.webs import CJK
from exonym.report.table import Table

AREAS = {
    **dict.fromkeys(("thai2006", "dense", "portals"), 0.97),
    **dict.fromkeys(("linkfarm", "sparse"), 0.95),
    **dict.fromkeys(("mixed-servers", "remote-servers"), 0.94),
    **dict.fromkeys(CJK, 0.99),
    "scattered": 0.80,
}
PAGES_FOR_90 = {"dense": 1.03, "sparse": 1.10, "scattered": 2.2}  # in R
_AS_GOOD, _AT = 0.005, (25, 50, 90, 95)  # in R, at these per cents of coverage
_LSWC_LEAD, _REAL_LOSS = 0.25, 0.01
_LOSS, _LOSS_SCATTERED = 0.01, 0.03
_CONNECTIONS, _TIME, _REQUESTS = 64, 1.15, 1.35
_STOP_COVERAGE, _STOP_PAGES, _HARD_TO_STOP = 0.97, 1.4, ("scattered", "remote-servers")
SURE, _HOLDS = 0.99, 0.8
ESTIMATES = (0.75, 0.9, 5.0), (0.9, SURE, 3.0)  # coverage from, and to, and how many points an estimate may be off
NOT_MEASURED = "not measured"
_WIDTH, _INDENT = 100, " " * 12

Webs = Sequence[WebFigures]


@dataclass(frozen=True, slots=True)
class MeasuredGoal:
    """A goal and what was measured of it."""

    name: str
    words: str
    rule: str  # when it counts as reached
    measured: str
    is_reached: bool | None  # None: not measured

    @property
    def outcome(self) -> str:
        """In a word or two."""
        return {True: "reached", False: "not reached", None: NOT_MEASURED}[self.is_reached]

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return {**asdict(self), "outcome": self.outcome}


class _Judged(NamedTuple):
    measured: str
    is_reached: bool | None


_NOTHING = _Judged(NOT_MEASURED, None)


@dataclass(frozen=True, slots=True)
class _Goal:
    name: str
    words: str
    rule: str
    judge: Callable[[Webs], _Judged]

    def of(self, webs: Webs) -> MeasuredGoal:
        return MeasuredGoal(self.name, self.words, self.rule, *self.judge(webs))


def goals_on(webs: Webs) -> list[MeasuredGoal]:
    """All goals about generated webs, judged on these."""
    return [goal.of(webs) for goal in _GOALS]


def goal_on_real(webs: Webs) -> MeasuredGoal:
    """The goal about real graphs, judged on these."""
    return _REAL.of(webs)


def goals_table(name: str, caption: str, goals: Sequence[MeasuredGoal], note: str) -> Table:
    """Goals with what was measured."""
    rows = tuple((goal.words, goal.measured, goal.outcome, goal.rule) for goal in goals)
    return Table(name, caption, ("goal", "measured", "outcome", "rule"), rows, note)


def goals_text(caption: str, goals: Sequence[MeasuredGoal], note: str) -> str:
    """The same as `goals_table`, for a terminal."""
    lines = [
        line
        for goal in goals
        for line in (
            f"{goal.outcome.upper()}: {goal.words}",
            f"  measured  {fill(goal.measured, _WIDTH, subsequent_indent=_INDENT)}",
            f"  rule      {goal.rule}",
        )
    ]
    return "\n".join([caption, "", *lines, "", fill(note, _WIDTH), ""])


def families_of(webs: Webs) -> dict[str, list[WebFigures]]:
    """Webs by family, in the order in which they are given."""
    families: dict[str, list[WebFigures]] = {}
    for web in webs:
        families.setdefault(web.web, []).append(web)
    return families


def best_rule(web: WebFigures) -> str:
    """The rule with the largest area."""
    return max(RULES, key=lambda rule: web.crawls[rule].area)


def in_r(web: WebFigures, crawl: CrawlFigures, percent: int) -> float:
    """The pages for so much coverage, in R; infinite if it was not reached."""
    needed = crawl.needed(percent)
    return float("inf") if needed is None else needed / web.relevant_pages


# Rules


def _area(family: str, webs: Webs) -> _Judged:
    areas = [web.crawls[ADAPTIVE].area for web in webs if web.web == family]
    return _at_least(areas, AREAS[family])


def _lead_on_scattered(webs: Webs) -> _Judged:
    leads = [
        web.crawls[ADAPTIVE].area - max(web.crawls[rule].area for rule in LSWC)
        for web in webs
        if web.web == "scattered"
    ]
    return _at_least(leads, _LSWC_LEAD)


def _pages_for_90(family: str, webs: Webs) -> _Judged:
    needed = [in_r(web, web.crawls[ADAPTIVE], 90) for web in webs if web.web == family]
    if not needed:
        return _NOTHING
    return _Judged(f"{_spread(needed, '.2f')} R", mean(needed) <= PAGES_FOR_90[family])


def _reaches_99(webs: Webs) -> _Judged:
    if not webs:
        return _NOTHING
    reached = [web for web in webs if web.crawls[ADAPTIVE].needed(99)]
    in_time = [web for web in reached if _behind_best(web, 99) <= 0]
    late = [web.web for web in webs if web not in in_time]
    return _Judged(f"reached on {len(reached)} of {len(webs)} webs, in time on {len(in_time)}{_where(late)}", not late)


def _never_below(webs: Webs) -> _Judged:
    if not webs:
        return _NOTHING
    below, worst, where = [], float("-inf"), ""
    for web in webs:
        behind = [_behind_best(web, percent) for percent in _AT]
        if max(behind) > _AS_GOOD:
            below.append(web.web)
        if max(behind) > worst:
            worst, where = max(behind), f"{web.web} at {_AT[behind.index(max(behind))]} %"
    shown = f"so on {len(webs) - len(below)} of {len(webs)} webs{_where(below)}; at worst {worst:+.3f} R ({where})"
    return _Judged(shown, not below)


def _behind_best(web: WebFigures, percent: int) -> float:
    """How many R later than the first rule so much is found; what neither finds is no delay."""
    own = in_r(web, web.crawls[ADAPTIVE], percent)
    best = min(in_r(web, web.crawls[rule], percent) for rule in RULES)
    return own - best if best < float("inf") else float("-inf")


def _on_real(webs: Webs) -> _Judged:
    if not webs:
        return _NOTHING
    leads = [web.crawls[ADAPTIVE].area - web.crawls[best_rule(web)].area for web in webs]
    above = sum(lead > 0 for lead in leads)
    shown = f"above on {above} of {len(webs)} graphs; {_spread(leads, '+.3f')}"
    return _Judged(shown, min(leads) >= -_REAL_LOSS and above > len(webs) / 2)


def _judge_loss(webs: Webs) -> _Judged:
    losses = {
        family: mean(web.crawls[ADAPTIVE].area - web.crawls[JUDGE].area for web in members)
        for family, members in families_of(webs).items()
    }
    if not losses:
        return _NOTHING
    missed = [family for family, loss in losses.items() if loss > _most_loss(family)]
    worst = max(losses, key=lambda family: losses[family] - _most_loss(family))
    return _Judged(f"{_families(missed, losses)}; at worst {losses[worst]:.3f} ({worst})", not missed)


def _most_loss(family: str) -> float:
    return _LOSS_SCATTERED if family == "scattered" else _LOSS


def _time_for_90(webs: Webs) -> _Judged:
    ratios = {family: mean(time_ratio(web, _CONNECTIONS) for web in each) for family, each in families_of(webs).items()}
    return _at_most_on_families(ratios, _TIME, "× the time")


def time_ratio(web: WebFigures, connections: int) -> float:
    """The time until 90 % are found, divided by that of perfect; infinite if they are not."""
    own, ideal = (web.crawls[label_of_timed(text, connections)].hours_for_90 for text in (FLOOR, PERFECT))
    return own / ideal if own is not None and ideal else float("inf")


def _requests_for_90(webs: Webs) -> _Judged:
    label = label_of_timed(FLOOR, _CONNECTIONS)
    needed = {
        family: mean(in_r(web, web.crawls[label], 90) for web in each) for family, each in families_of(webs).items()
    }
    return _at_most_on_families(needed, _REQUESTS, "R")


def _at_most_on_families(values: dict[str, float], most: float, unit: str) -> _Judged:
    if not values:
        return _NOTHING
    missed = [family for family, value in values.items() if value > most]
    worst = max(values, key=values.__getitem__)
    most_shown = (
        f"at most {values[worst]:.2f} {unit}" if values[worst] < float("inf") else "not found at all on some webs"
    )
    return _Judged(f"{_families(missed, values)}; {most_shown} ({worst})", not missed)


def _stops(webs: Webs) -> _Judged:
    stops = {family: _stop_of(each) for family, each in families_of(webs).items()}
    due = [family for family in stops if family not in _HARD_TO_STOP]
    missed = [family for family in due if stops[family][0] < _STOP_COVERAGE or stops[family][1] > _STOP_PAGES]
    named = [*missed, *(family for family in stops if family in _HARD_TO_STOP)]
    shown = ", ".join(f"{family} {stops[family][0]:.1%} at {stops[family][1]:.2f} R" for family in named)
    if not due:
        return _Judged(shown or NOT_MEASURED, None)
    return _Judged(f"{_families(missed, due)}" + (f"; {shown}" if shown else ""), not missed)


def _stop_of(webs: Webs) -> tuple[float, float]:
    """Coverage and pages in R at the stop by the floor."""
    crawls = [(web, web.crawls[FLOOR]) for web in webs]
    return mean(crawl.coverage for _, crawl in crawls), mean(crawl.pages / web.relevant_pages for web, crawl in crawls)


def _control(webs: Webs) -> _Judged:
    leads = {family: _control_lead(each) for family, each in families_of(webs).items()}
    if not leads:
        return _NOTHING
    missed = [family for family, lead in leads.items() if lead < 0]
    worst = min(leads, key=leads.__getitem__)
    return _Judged(f"{_families(missed, leads)}; at worst {leads[worst]:+.4f} ({worst})", not missed)


def _control_lead(webs: Webs) -> float:
    return mean(web.crawls[label_shuffled(ADAPTIVE)].area - web.crawls[label_shuffled("soft")].area for web in webs)


def _at_least(values: Sequence[float], least: float) -> _Judged:
    return _Judged(_spread(values, ".3f"), mean(values) >= least) if values else _NOTHING


def _estimates(first: float, last: float, most: float, webs: Webs) -> _Judged:
    errors = {
        family: 100 * mean(abs(told.share - told.true) for told in moments)
        for family, moments in moments_of(webs, first, last).items()
    }
    return _at_most_on_families(errors, most, "points")


def _intervals_hold(webs: Webs) -> _Judged:
    moments = moments_of(webs, 0.0, SURE)
    if not moments:
        return _NOTHING
    hold = {family: mean(one.low <= one.true <= one.high for one in told) for family, told in moments.items()}
    least = min(hold, key=hold.__getitem__)
    share = mean(hold.values())
    return _Judged(f"{share:.0%}; at the least {hold[least]:.0%} ({least})", share >= _HOLDS)


def moments_of(webs: Webs, first: float, last: float) -> dict[str, list[Told]]:
    """What was told while the coverage was between these, by family; only families of which something was told."""
    told = {
        family: [one for web in each for one in web.crawls[ADAPTIVE].estimates if first <= one.true < last]
        for family, each in families_of(webs).items()
    }
    return {family: moments for family, moments in told.items() if moments}


def _unmeasured(webs: Webs) -> _Judged:
    return _NOTHING


# Words


def _spread(values: Sequence[float], form: str) -> str:
    """The mean, and the least and largest value if there are several."""
    shown = f"{mean(values):{form}}"
    return shown if len(values) == 1 else f"{shown} ({min(values):{form}} to {max(values):{form}})"


def _families(missed: Sequence[str], families: object) -> str:
    """On how many families a goal is reached, and which miss it."""
    total = len(families)  # type: ignore[arg-type]
    return f"so on {total - len(missed)} of {total} families{_where(missed)}"


def _where(webs: Sequence[str]) -> str:
    """The families of webs, each once with how many there are."""
    names = [f"{name}{f' {webs.count(name)} ×' if webs.count(name) > 1 else ''}" for name in dict.fromkeys(webs)]
    return f", not: {', '.join(names)}" if names else ""


_GOALS = (
    *(
        _Goal(f"area-{family}", f"area on {family}", f"at least {least:.2f}, on average", partial(_area, family))
        for family, least in AREAS.items()
    ),
    _Goal(
        "area-scattered-lswc",
        "area on scattered above LSWC",
        f"at least {_LSWC_LEAD} above the better of both, on average",
        _lead_on_scattered,
    ),
    *(
        _Goal(
            f"pages-{family}",
            f"pages for 90 % coverage on {family}",
            f"at most {most:.2f} R, on average",
            partial(_pages_for_90, family),
        )
        for family, most in PAGES_FOR_90.items()
    ),
    _Goal("coverage-99", "99 % coverage", "reached, and not later than the best rule, on every web", _reaches_99),
    _Goal(
        "never-below",
        "never below the best rule at 25, 50, 90, 95 % coverage",
        f"on every web at most {_AS_GOOD} R after the rule that has found as much first",
        _never_below,
    ),
    _Goal(
        "judge",
        "a judge of 95 % precision and recall",
        f"costs at most {_LOSS} of the area on average of each family, on scattered {_LOSS_SCATTERED}",
        _judge_loss,
    ),
    _Goal(
        f"time-{_CONNECTIONS}",
        f"time for 90 % with {_CONNECTIONS} connections and floor",
        f"on average of each family at most {_TIME} times that of perfect",
        _time_for_90,
    ),
    _Goal(
        f"requests-{_CONNECTIONS}",
        f"requests for 90 % with {_CONNECTIONS} connections and floor",
        f"on average of each family at most {_REQUESTS} R",
        _requests_for_90,
    ),
    _Goal(
        "floor",
        "the stop by the floor",
        f"at least {_STOP_COVERAGE:.0%} coverage at {_STOP_PAGES} R at most on average of each family, without a rule "
        f"for {' and '.join(_HARD_TO_STOP)}",
        _stops,
    ),
    _Goal(
        "control",
        "relevant pages exchanged at random: no worse than soft",
        "the area is no smaller than that of soft, on average of each family",
        _control,
    ),
    *(
        _Goal(
            f"estimate-{first:.0%}".replace("%", ""),
            f"the crawl's own estimate of its coverage, while that is {first:.0%} to {last:.0%}",
            f"off by at most {most} points, on average of each family",
            partial(_estimates, first, last, most),
        )
        for first, last, most in ESTIMATES
    ),
    _Goal(
        "estimate-interval",
        "the 90 % intervals of that estimate",
        f"hold at {_HOLDS:.0%} of the moments at least, on average of the families, until {SURE:.0%} is found",
        _intervals_hold,
    ),
    _Goal("large", "14 M pages simulated to the end", "at most 2 minutes and 4 GB: exonym simulate", _unmeasured),
)
_REAL = _Goal(
    "real",
    "area on real graphs",
    f"never more than {_REAL_LOSS} below the best rule, and above it on most",
    _on_real,
)
