"""The tables of the experiment, each for one group of webs: development, held out, real."""

from collections.abc import Callable, Sequence
from statistics import mean, stdev

from exonym.experiments.adaptive.ablation import ABLATIONS, COLD
from exonym.experiments.adaptive.crawls import (
    ADAPTIVE,
    CONNECTIONS,
    FLOOR,
    JUDGE,
    LSWC,
    PERCENTS,
    ROUNDS,
    SHUFFLED,
    STRATEGIES,
    WebFigures,
    label_of_timed,
    label_shuffled,
    label_without,
)
from exonym.experiments.adaptive.goals import (
    ESTIMATES,
    SURE,
    Webs,
    best_rule,
    families_of,
    in_r,
    moments_of,
    time_ratio,
)
from exonym.report.table import Cell, Chart, Table, TableRow

_HARVESTS, _PAGES = PERCENTS[:3], PERCENTS[2:]
_DRAWN = (ADAPTIVE, COLD, "best rule", *LSWC, "soft")
_ALL = 0.0, SURE  # coverage from, and to
_IN_R = "Pages are given in R, the relevant pages that can be reached. –: not on all webs."


def areas_table(group: str, webs: Webs) -> Table:
    """One family a row: areas of the main strategies, and of the best rule."""
    rows: list[TableRow] = []
    for family, each in families_of(webs).items():
        areas = [mean(web.crawls[text].area for web in each) for text in (ADAPTIVE, COLD)]
        best = [best_rule(web) for web in each]
        rules = [mean(web.crawls[text].area for web in each) for text in (*LSWC, "soft")]
        lead = [web.crawls[ADAPTIVE].area - web.crawls[rule].area for web, rule in zip(each, best, strict=True)]
        rows.append(
            (
                family,
                len(each),
                round(mean(web.relevant_pages for web in each)),
                *areas,
                _deviation([web.crawls[ADAPTIVE].area for web in each]),
                areas[0] - mean(lead),
                *rules,
                min(lead),
                ", ".join(dict.fromkeys(best)),
            )
        )
    columns = ("web", "webs", "R", ADAPTIVE, COLD, "deviation", "best rule", *LSWC, "soft", "least lead")
    note = "Mean areas over the seed numbers, and their standard deviation. The best rule is chosen for each web."
    chart = Chart("bar", ("web",), _DRAWN)
    formats = dict.fromkeys(columns[3:], ".3f")
    return _table("areas", group, "Area", (*columns, "which rule"), rows, note, chart, formats)


def strategies_table(group: str, webs: Webs) -> Table:
    """Every strategy on every family: area, harvest rates and pages for a coverage."""
    rows: list[TableRow] = [
        (
            family,
            label,
            mean(web.crawls[label].area for web in each),
            _deviation([web.crawls[label].area for web in each]),
            *(_mean_of_known(web.harvest(label, percent) for web in each) for percent in _HARVESTS),
            *(_pages(each, label, percent) for percent in _PAGES),
        )
        for family, each in families_of(webs).items()
        for label in STRATEGIES
    ]
    columns = ("web", "strategy", "area", "deviation", *(f"harvest at {percent} %" for percent in _HARVESTS))
    columns += tuple(f"pages for {percent} %" for percent in _PAGES)
    formats = {"area": ".3f", "deviation": ".3f"} | dict.fromkeys(columns[7:], ".2f")
    note = f"Means over the seed numbers. {_IN_R}"
    return _table("strategies", group, "All strategies", columns, rows, note, None, formats)


def ablation_table(group: str, webs: Webs) -> Table:
    """What the area loses without some of what adaptive knows or does."""

    def loss(name: str) -> Callable[[WebFigures], float]:
        return lambda web: web.crawls[label_without(name)].area - web.crawls[COLD].area

    rows: list[TableRow] = [
        (
            family,
            mean(web.crawls[COLD].area for web in each),
            mean(web.crawls[COLD].area - web.crawls[ADAPTIVE].area for web in each),
            *(mean(map(loss(name), each)) for name in ABLATIONS),
        )
        for family, each in families_of(webs).items()
    ]
    columns = ("web", COLD, label_without("prior"), *map(label_without, ABLATIONS))
    formats = {COLD: ".3f"} | dict.fromkeys(columns[2:], "+.3f")
    note = (
        f"Changes of the area, means over the seed numbers: without the prior against {ADAPTIVE}, all others against "
        f"{COLD}. Generated webs have no texts, so words of links are not among them."
    )
    return _table("ablation", group, "What each part is worth", columns, rows, note, None, formats)


def conditions_table(group: str, webs: Webs) -> Table:
    """What the area depends on: the judge, the size of a round, and whether relevant pages can be told at all."""
    rows: list[TableRow] = [
        (
            family,
            round(mean(web.k for web in each)),
            mean(web.crawls[ADAPTIVE].area for web in each),
            *(mean(web.crawls[label].area - web.crawls[ADAPTIVE].area for web in each) for label in (JUDGE, *ROUNDS)),
            *(mean(web.crawls[label_shuffled(text)].area for web in each) for text in SHUFFLED),
        )
        for family, each in families_of(webs).items()
    ]
    columns = ("web", "k", "area", JUDGE, *ROUNDS, *map(label_shuffled, SHUFFLED))
    formats = {"area": ".3f"} | dict.fromkeys((JUDGE, *ROUNDS), "+.3f") | dict.fromkeys(columns[-2:], ".4f")
    note = "The judge and the sizes of rounds: changes of the area. Shuffled: areas. Means over the seed numbers."
    return _table("conditions", group, "What the area depends on", columns, rows, note, None, formats)


def stops_table(group: str, webs: Webs) -> Table:
    """Where the floor ends a crawl, and time with many connections."""
    rows: list[TableRow] = []
    for family, each in families_of(webs).items():
        timed = [
            cell
            for connections in CONNECTIONS
            for cell in (
                _finite(mean(time_ratio(web, connections) for web in each)),
                _pages(each, label_of_timed(FLOOR, connections), 90),
            )
        ]
        stop = [web.crawls[FLOOR] for web in each]
        pages = mean(web.crawls[FLOOR].pages / web.relevant_pages for web in each)
        rows.append((family, mean(crawl.coverage for crawl in stop), pages, *timed))
    of_times = [
        name.format(connections)
        for connections in CONNECTIONS
        for name in ("time for 90 % with {} connections", "pages for 90 % with {}")
    ]
    columns = ("web", "coverage at the stop", "pages at the stop", *of_times)
    formats = dict.fromkeys(columns[2:], ".2f")
    note = f"{FLOOR}. Times are multiples of the time of perfect. {_IN_R} Means over the seed numbers."
    return _table("stops", group, "The stop, and time with many connections", columns, rows, note, None, formats)


def estimates_table(group: str, webs: Webs) -> Table:
    """How far adaptive's estimates of its own coverage are off, and how often their intervals hold."""
    told = {bounds: moments_of(webs, *bounds) for bounds in (*((first, last) for first, last, _ in ESTIMATES), _ALL)}
    rows: list[TableRow] = []
    for family in families_of(webs):
        row: list[Cell] = [family]
        for bounds in list(told)[:-1]:
            errors = [100 * (one.share - one.true) for one in told[bounds].get(family, ())]
            row += [mean(errors) if errors else None, mean(map(abs, errors)) if errors else None]
        moments = told[_ALL].get(family, ())
        holds = [one.low <= one.true <= one.high for one in moments]
        row += [mean(holds) if holds else None, len(moments), min((one.true for one in moments), default=None)]
        rows.append(tuple(row))
    spans = [f"{first:.0%} to {last:.0%}" for first, last in list(told)[:-1]]
    errors_of = [name for span in spans for name in (f"{span}: mean error", f"{span}: mean absolute error")]
    columns = ("web", *errors_of, "intervals hold", "moments", "first told at")
    formats = dict.fromkeys(columns[1:5], ".1f") | dict.fromkeys(("intervals hold", "first told at"), ".0%")
    note = f"Errors in points, while the true coverage is so much. Intervals, while it is below {SURE:.0%}."
    return _table("estimates", group, "The crawl's own estimate of its coverage", columns, rows, note, None, formats)


def _table(
    name: str,
    group: str,
    caption: str,
    columns: tuple[str, ...],
    rows: Sequence[TableRow],
    note: str,
    chart: Chart | None,
    formats: dict[str, str],
) -> Table:
    name = f"{name}_{group.replace(' ', '_')}"
    return Table(name, f"{caption}: {group}", columns, tuple(rows), note, chart, formats=formats)


def _deviation(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _pages(webs: Webs, label: str, percent: int) -> Cell:
    return _finite(mean(in_r(web, web.crawls[label], percent) for web in webs))


def _finite(value: float) -> float | None:
    return value if value < float("inf") else None


def _mean_of_known(values: object) -> float | None:
    known = list(values)  # type: ignore[call-overload]
    return None if None in known else mean(known)
