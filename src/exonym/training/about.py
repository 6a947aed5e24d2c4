"""Learns from examples when pages are about a nation: finds names in pages, validates and chooses thresholds."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exonym.judges.about import AboutRule
from exonym.models.links.features import domain_of
from exonym.nations import Nation, load_nation, with_names
from exonym.nations.matching.page_names import PageNames
from exonym.progress import Progress, no_progress
from exonym.system.processes import cores, done_with_shared_data
from exonym.training.about_thresholds import NamedPages, Thresholds, chosen, g_mean_of, neighbours, validated
from exonym.training.examples import Example, classes_and_sites
from exonym.training.folds import Folds
from exonym.training.material.gathering import GatheredExamples, MaterialRequest, gather
from exonym.training.provenance import validation_figures
from exonym.training.validation import Validation, worst_mistakes

MATTERS = 0.005  # of G-mean: with a smaller gain or loss, a line about the nation's domains is not written
_PART = 200  # pages at a time
_WORTH_PROCESSES = 6_000  # pages; with fewer, starting processes takes longer
_MOST_NAMES = 5  # listed of a page
_MOST_MISTAKES = 20


@dataclass(frozen=True, slots=True)
class AboutRequest:
    """The nation whose thresholds are to be learned, the pages to learn from, and how to validate."""

    nation: str
    names: Path | None
    material: MaterialRequest
    folds: int = 10
    repeats: int = 10
    seed: int = 0


class Named(NamedTuple):
    """The nation's names in a page."""

    share: float
    variety: int
    names: tuple[str, ...]  # the first ones


@dataclass(frozen=True, slots=True)
class AboutTrained:
    """The thresholds, the pages that they were chosen on, and validations, the first of which is by site."""

    request: AboutRequest
    nation: Nation
    material: GatheredExamples
    named: list[Named]
    pages: NamedPages
    thresholds: Thresholds
    validations: tuple[Validation, ...]

    @property
    def lines(self) -> dict[str, Any]:
        """The lines for [target.about]; domains only where they change the best G-mean by `MATTERS` or more."""
        lines: dict[str, Any] = {"share": self.thresholds.share, "variety": self.thresholds.variety}
        if abs(g_mean_of(self.pages, True) - g_mean_of(self.pages, False)) >= MATTERS:
            lines["domains"] = list(self.nation.domains) if self.thresholds.domains else []
        return lines


def learn_from(request: AboutRequest, progress: Progress = no_progress) -> AboutTrained:
    """Gather pages, find names in them, validate and choose."""
    nation = _nation(request)
    material = gather(request.material, progress)
    positives, sites = classes_and_sites(material.examples)
    named = _names_in_pages(request, material.examples, progress)
    pages = NamedPages(
        shares=np.array([names.share for names in named]),
        varieties=np.array([names.variety for names in named], np.int64),
        homes=np.array([domain_of(example.url) in nation.domains for example in material.examples], np.bool_),
        positives=positives,
        sites=sites,
    )
    ways = [Folds(request.folds, True)] + ([Folds(request.folds, False)] if material.sites < len(pages) else [])
    validations: dict[bool, Validation] = {}
    for way in ways:  # where sites cannot be held out, both ways are plain folds: the first counts
        validation = validated(pages, way, request.repeats, request.seed)
        validations.setdefault(validation.by_site, validation)
    return AboutTrained(request, nation, material, named, pages, chosen(pages), tuple(validations.values()))


def _nation(request: AboutRequest) -> Nation:
    nation = load_nation(request.nation)
    return with_names(nation, request.names) if request.names else nation


def _names_in_pages(request: AboutRequest, examples: list[Example], progress: Progress) -> list[Named]:
    """The nation's names in each page, in order."""
    parts = ((first, examples[first : first + _PART]) for first in range(0, len(examples), _PART))
    # Processes are used if several were requested, or if the work outweighs starting them.
    is_worth_it = request.material.jobs > 1 or len(examples) >= _WORTH_PROCESSES
    jobs = cores(request.material.jobs) if is_worth_it else 1
    done: dict[int, list[Named]] = {}
    for first, some in done_with_shared_data(_names_in_part, (request.nation, request.names), parts, jobs):
        done[first] = some
        progress("Looking for names, page", sum(map(len, done.values())), len(examples))
    return [names for first in sorted(done) for names in done[first]]


def _names_in_part(shared: tuple[str, Path | None], part: tuple[int, list[Example]]) -> tuple[int, list[Named]]:
    names, named = _page_names(*shared), []
    for example in part[1]:
        page = names.mentions(example.fields.title, example.fields.body)
        named.append(Named(page.share, page.variety, page.names[:_MOST_NAMES]))
    return part[0], named


@lru_cache(maxsize=1)
def _page_names(nation: str, names: Path | None) -> PageNames:
    return PageNames(_nation(AboutRequest(nation, names, MaterialRequest())))


def document_of(trained: AboutTrained) -> dict[str, Any]:
    """Everything as plain data. Scripts rely on these names; more may be added, none may go."""
    examples, pages, usual = trained.material.examples, trained.pages, AboutRule()
    named = {example.url: names for example, names in zip(examples, trained.named, strict=True)}
    return {
        "nation": trained.nation.code,
        "name": trained.nation.name,
        "lines": trained.lines,
        **trained.material.document(),
        "validations": [validation_figures(validation) for validation in trained.validations],
        "on_all_pages": _scores_document(pages, trained.thresholds),
        "defaults": _scores_document(pages, Thresholds(usual.share, usual.variety)),
        "neighbours": [_scores_document(pages, thresholds) for thresholds in neighbours(trained.thresholds)],
        "domains": {
            "domains": list(trained.nation.domains),
            "pages": int(pages.homes.sum()),
            "g_mean_with": g_mean_of(pages, True),
            "g_mean_without": g_mean_of(pages, False),
            "count": trained.thresholds.domains,
        },
        # The pages judged most wrongly, by thresholds that were chosen without them.
        "mistakes": [
            {"url": page.url, "positive": page.positive, "relevance": page.probability, **named[page.url]._asdict()}
            for page in worst_mistakes(examples, trained.validations[0], _MOST_MISTAKES)
        ],
        "seed": trained.request.seed,
    }


def _scores_document(pages: NamedPages, thresholds: Thresholds) -> dict[str, Any]:
    scores = pages.scores(thresholds)
    rates = {"g_mean": scores.g_mean, "precision": scores.precision, "recall": scores.recall}
    return {"share": thresholds.share, "variety": thresholds.variety, **rates}
