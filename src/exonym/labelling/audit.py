"""Estimates from the labels of an audit a crawl's true harvest rate, and how reliable its judge is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.intervals import Interval, Stratum, recall_of, stratified, wilson
from exonym.labelling.audit_sample import Draw, check_same_crawl, draw_in
from exonym.progress import Tell
from exonym.system.files import disk_errors
from exonym.training.labels import labels_in, read_objects

METHODS = {
    "both": "Wilson's (precision, the rest), exact ones of both kinds joined by MOVER (all others)",
    **dict.fromkeys(("all", "relevant", "irrelevant"), "Wilson's"),
}


@dataclass(frozen=True, slots=True)
class Audit:
    """Shares with their 95 % intervals; None where this sample, or too few labels, leave them unknown."""

    draw: Draw
    labelled: int
    yes: int
    harvest_rate: Interval | None  # relevant pages of all pages fetched
    precision: Interval | None  # relevant pages of those that the crawl's judge took
    recall: Interval | None  # taken pages of those that are relevant
    missed: Interval | None  # relevant pages of those that the judge did not take
    agreement: Interval | None  # pages on which judge and person agree


def read_draw(path: Path, pages: CrawlPages) -> Draw | None:
    """The sample that a file of labels begins with, which must be of this crawl; None if the file is new or empty."""
    with disk_errors(path):
        is_there = path.exists()
    objects = read_objects(path) if is_there else []
    if not objects:  # no file, an empty one, or one whose first line a kill cut short
        return None
    draw = draw_in(objects, path)
    check_same_crawl(draw, pages, path)
    return draw


def answers_in(path: Path, draw: Draw, pages: CrawlPages, tell: Tell) -> dict[int, bool]:
    """The answers for the sample's pages, by row."""
    labels = labels_in(read_objects(path, tell), path)
    rows = dict(zip(pages.urls(draw.sample), draw.sample, strict=True))
    others = labels.keys() - rows.keys()
    if others:
        tell(f"{path} has {len(others):,} labels of pages that are not in the sample; they do not count.")
    return {row: labels[url].positive for url, row in rows.items() if url in labels}


def audit_of(draw: Draw, answers: Mapping[int, bool], judged: Mapping[int, bool]) -> Audit:
    """The audit by a person's answers; `answers` and the crawl's verdicts `judged` are by row."""
    rows = [row for row in draw.sample if row in answers]
    taken, left = [row for row in rows if judged[row]], [row for row in rows if not judged[row]]
    kept = Stratum(draw.relevant, len(taken), sum(answers[row] for row in taken))
    dropped = Stratum(draw.irrelevant, len(left), sum(answers[row] for row in left))
    of_all = _shares_of_all_alike(draw, kept, dropped) if draw.of == "all" else _shares_by_kind(draw, kept, dropped)
    return Audit(
        draw=draw,
        labelled=len(rows),
        yes=kept.positive + dropped.positive,
        precision=_if_known(wilson(kept.positive, kept.looked_at, kept.pages)) if kept.pages else None,
        missed=_if_known(wilson(dropped.positive, dropped.looked_at, dropped.pages)) if dropped.pages else None,
        **of_all,
    )


def _shares_by_kind(draw: Draw, kept: Stratum, dropped: Stratum) -> dict[str, Interval | None]:
    """From both kinds of pages, each weighted by its number of pages; None as long as no page of a kind is labelled."""
    if any(kind.pages and not kind.looked_at for kind in (kept, dropped)):
        return dict.fromkeys(("harvest_rate", "recall", "agreement"))
    agreeing = [kept, dropped._replace(positive=dropped.looked_at - dropped.positive)]
    return {
        "harvest_rate": _if_known(stratified([kept, dropped], draw.pages)),
        "recall": _if_known(recall_of(kept, dropped)),
        "agreement": _if_known(stratified(agreeing)),
    }


def _shares_of_all_alike(draw: Draw, kept: Stratum, dropped: Stratum) -> dict[str, Interval | None]:
    """From a sample that treats all pages alike: each share is that of the sample."""
    pages, looked_at = draw.relevant + draw.irrelevant, kept.looked_at + dropped.looked_at
    positive = kept.positive + dropped.positive
    agreeing = kept.positive + dropped.looked_at - dropped.positive
    # A share of the pages, as a share of all requests: failures are not relevant.
    fetched = pages / draw.pages if pages else 0.0
    of_requests = Interval(*(limit * fetched for limit in wilson(positive, looked_at, pages)))
    return {
        "harvest_rate": _if_known(of_requests),
        "recall": _if_known(wilson(kept.positive, positive)),
        "agreement": _if_known(wilson(agreeing, looked_at, pages)),
    }


def _if_known(interval: Interval) -> Interval | None:
    return None if math.isnan(interval.share) else interval


def meaning_of(audit: Audit) -> str:
    """A sentence that explains the figures."""
    if not audit.labelled:
        return "Nothing is labelled yet."
    if audit.harvest_rate is None:
        if audit.draw.of == "relevant" and audit.precision:
            return f"Of the pages that the crawl took for relevant, {_between(audit.precision)} are."
        if audit.draw.of == "irrelevant" and audit.missed:
            return f"Of the pages that the crawl took for irrelevant, {_between(audit.missed)} are relevant."
        return "Too few pages are labelled to estimate the harvest rate: continue with the same command."
    counted, true = audit.draw.counted_harvest_rate, audit.harvest_rate
    claim = f"The crawl counts {counted:.1%} of its pages as relevant"
    if true.low <= counted <= true.high:
        return f"{claim}, and the labels ({_between(true)}) do not contradict it."
    fault = "takes too many" if counted > true.high else "misses too many"
    return f"{claim}, but by the labels it is {_between(true)}: its judge {fault}."


def _between(share: Interval) -> str:
    if share.low == share.high:  # every page was looked at
        return f"{share.share:.1%}"
    return f"between {share.low:.1%} and {share.high:.1%}"
