"""The functions of `import exonym`, for notebooks and scripts.

They take paths as texts and options as keywords, and return objects with a readable display; commands do the same work.
All errors that they raise on purpose are ExonymErrors. Each function imports the modules that it needs, so that a
session loads only what it uses.

Long work is done in this process unless `jobs` is set; imports of graphs always run in separate processes, because they
read untrusted data.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.progress import Progress, no_progress
from exonym.system.extras import require

if TYPE_CHECKING:
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.crawl_progress import CrawlProgress
    from exonym.extract.document import Document
    from exonym.judges.base import Judge
    from exonym.language.base import Identified
    from exonym.models.links.trained import TrainedLinkModel
    from exonym.models.topic import ModelKind, TopicModel
    from exonym.models.weight_table import WeightTable
    from exonym.nations import Nation
    from exonym.report.table import Table
    from exonym.simulation.plan import Plan
    from exonym.simulation.results import Results
    from exonym.strategies.base import Strategy
    from exonym.webgraph import Graph

    PathText = str | os.PathLike[str]
    Strategies = str | Strategy | type[Strategy] | Sequence[str | Strategy | type[Strategy]] | Mapping[str, Strategy]

# Crawls


def open_crawl(directory: PathText) -> CrawlDirectory:
    """The crawl in a directory, for reading; the crawl may be running in another process.

    >>> open_crawl("nowhere")
    Traceback (most recent call last):
        ...
    exonym.errors.DirectoryError: nowhere is no directory. Name a crawl directory, as `exonym new` makes it.
    """
    from exonym.crawl_directory.crawl_reader import CrawlDirectory

    return CrawlDirectory.open(directory)


def run_crawl(directory: PathText, progress: Progress = no_progress) -> CrawlDirectory:
    """Start the crawl that a directory's crawl.toml describes, or go on with it, until it ends; then open it.

    `progress` is called with a text, the pages fetched, and their limit (0: no limit). Ctrl-C, or the stop button of a
    notebook, ends the crawl once the requests under way have ended; pressed again, at once. Nothing is lost.
    """
    from exonym.config import CONFIG_NAME, load
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.errors import DiskFullError
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals

    path = Path(directory)
    settings = load(path / CONFIG_NAME)

    def show(now: CrawlProgress) -> None:
        totals = now.totals
        text = f"{totals.relevant:,} relevant pages ({totals.harvest_rate:.1%}), {now.pages_per_second:.1f} pages/s"
        progress(text, totals.pages, settings.limits.pages)

    with stop_on_signals() as stop:
        summary = run(path, settings, show, stop)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {path}. Make room, then run the crawl again.")
    return CrawlDirectory(path)


# Graphs


def open_graph(directory: PathText) -> Graph:
    """The web graph in a directory. Takes no time: columns are mapped into memory when they are used."""
    from exonym.webgraph import Graph

    return Graph.open(Path(directory))


def generate_graph(directory: PathText, pages: int = 20_000, seed: int = 0, profile: str = "thai2006") -> Graph:
    """Generate a web with the statistics of a real one, and write it to `directory`, which must not exist yet.

    The same `pages`, `seed` and `profile` (the name of a profile that ships, or a TOML file) give the same web.
    """
    from exonym.webgraph import Graph
    from exonym.webgraph.generating.generate import Order, generate
    from exonym.webgraph.generating.profile import load_profile

    path = Path(directory)
    generate(path, Order(pages, seed, profile, load_profile(profile)))
    return Graph.open(path)


def import_graph(
    directory: PathText,
    sources: PathText | Sequence[PathText] = (),
    *,
    languages: Sequence[str] = (),
    pages: Sequence[PathText] = (),
    links: Sequence[PathText] = (),
    seeds: Sequence[str] = (),
    jobs: int = 0,
    progress: Progress = no_progress,
) -> Graph:
    """Write to `directory` the graph of crawl directories, WARC and WAT files (`sources`) or of tables.

    Pages in one of the `languages` are relevant; without `languages`, those that the judge of the crawl found relevant.
    `pages` and `links` are tables in CSV, TSV or Parquet. `jobs` processes read the files; 0 is one for each core.
    """
    from exonym.language_names import language_of
    from exonym.webgraph.importing.import_graph import ImportRequest
    from exonym.webgraph.importing.import_graph import import_graph as run_import
    from exonym.webgraph.importing.import_sources import ImportOptions

    request = ImportRequest(
        paths=tuple(map(Path, _listed(sources))),
        pages=tuple(map(Path, pages)),
        links=tuple(map(Path, links)),
        seeds=tuple(seeds),
        options=ImportOptions(languages=tuple(map(language_of, languages))),
        jobs=jobs,
    )
    return run_import(
        Path(directory), request, lambda now: progress(f"{now.step}, file", now.files_done, now.files)
    ).graph


def analyse(
    graph: Graph | PathText, *analyses: str, nation: Nation | None = None, compare: Sequence[str] = ()
) -> list[Table]:
    """The tables of the analyses named (`languages`, `degrees`, …), or of all; `exonym graph analyse` lists them.

    With a `nation`, `segments` also counts the links and addresses that have one of its names. `compare` names
    published figures to show beside those of the graph, as in `["thai2006"]`.
    """
    require("research")
    from exonym.nations.matching.matcher import matcher_of
    from exonym.webgraph.analyses.analyse import analysed

    matcher = matcher_of(nation) if nation else None
    return [table for _, tables in analysed(_graph(graph), analyses, matcher, compare) for table in tables]


def _graph(graph: Graph | PathText) -> Graph:
    return open_graph(graph) if isinstance(graph, str | os.PathLike) else graph


def _listed(paths: PathText | Sequence[PathText]) -> Sequence[PathText]:
    return [paths] if isinstance(paths, str | os.PathLike) else paths


# Simulations


def simulate(
    graph: Graph | PathText,
    strategies: Strategies,
    plan: Plan | None = None,
    *,
    k: int | None = None,
    budget: int | None = None,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Results:
    """Crawl a graph with each of the strategies, and measure what they find and how soon.

    A strategy is a name with options (`"lswc:S=3,T=5"`), a class of your own, or an object of it; a dictionary gives
    them other labels. An object is copied first: it learns nothing from being simulated. `k` pages a round (1 is exact,
    more is faster) and the `budget` of pages are the most usual parts of a `Plan`; the plan has all.

    The same call gives the same result. `jobs` other than 1 simulates strategies given by name in that many processes
    at a time (0: as many as fit); classes and objects are simulated in this one.
    """
    require("research")
    from dataclasses import replace

    from exonym.simulation.plan import Plan
    from exonym.simulation.results import Results
    from exonym.simulation.side_by_side import simulate_here

    plan = plan or Plan()
    plan = replace(plan, k=plan.k if k is None else k, budget=plan.budget if budget is None else budget)
    return Results(simulate_here(_graph(graph), _labelled(strategies), plan, jobs, progress))


def _labelled(strategies: Strategies) -> dict[str, str | Strategy | type[Strategy]]:
    """Each strategy under its own label: its name, or the name of its class."""
    if isinstance(strategies, Mapping):
        return dict(strategies)
    listed = strategies if isinstance(strategies, Sequence) and not isinstance(strategies, str) else [strategies]
    labelled: dict[str, str | Strategy | type[Strategy]] = {}
    for strategy in listed:
        if isinstance(strategy, str):
            labelled[strategy] = strategy
            continue
        name = strategy.__name__ if isinstance(strategy, type) else type(strategy).__name__
        again = sum(label.startswith(name) for label in labelled) + 1
        labelled[f"{name} {again}" if name in labelled else name] = strategy
    return labelled


# Languages and pages


def identify(page: str | Document) -> Identified:
    """The language of a text or a page: its code, the shares of languages in it, how sure, and the evidence.

    >>> identify("Fremde Namen für den eigenen Ort heißen Exonyme; Ortsfremde haben sie erfunden.").language
    'de'
    """
    from exonym.judges.by_name import make_identifier
    from exonym.language.base import clues_of

    identifier = make_identifier("default")
    return identifier.identify(page) if isinstance(page, str) else identifier.identify(page.blocks, clues_of(page))


def read_page(body: bytes, url: str = "http://page.invalid/", content_type: str = "text/html") -> Document:
    """Read HTML as a crawl does: charset, title, visible text, links in normal form. Anything else is plain text.

    >>> page = read_page(b"<title>Market</title><p>Open daily.<p><a href='/map'>Map</a>", "http://market.example/")
    >>> page.title, page.text, page.links.urls
    ('Market', 'Open daily.\\nMap', ['http://market.example/map'])
    """
    from exonym.readers.parsing import document_in_file
    from exonym.urls import normal_form

    return document_in_file(normal_form(url), body, content_type)


# Judges and models


def load_judge(source: PathText | TopicModel | TrainedLinkModel | WeightTable) -> Judge:
    """What decides whether a page is relevant: the judge of a crawl (its directory or crawl.toml), or a model.

    The model is a topic model or a weight table, or the path of its file; a link model judges no pages and raises
    ModelError. `judge.judge(document)` gives a Verdict.
    """
    from exonym.config import CONFIG_NAME, load
    from exonym.errors import ModelError
    from exonym.judges.by_name import judge_settings, make_judge
    from exonym.judges.language import AnyLanguage
    from exonym.judges.topic import TopicJudge
    from exonym.judges.weight_table import WeightTableJudge
    from exonym.models.topic import TopicModel
    from exonym.models.weight_table import WeightTable

    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if path.suffix == ".toml" or path.is_dir() or not (path.suffix or path.is_file()):
            file = path / CONFIG_NAME if path.suffix != ".toml" else path
            return make_judge(judge_settings(load(file), file.parent))
        source = load_model(path)
    if isinstance(source, TopicModel):
        return TopicJudge(source, AnyLanguage())
    if isinstance(source, WeightTable):
        return WeightTableJudge(source, AnyLanguage())
    raise ModelError(f"the link model {source.name!r} judges links, not pages. Name a topic model or a weight table.")


def train_topic(
    positive: PathText | Sequence[PathText],
    negative: PathText | Sequence[PathText],
    *,
    output: PathText | None = None,
    name: str = "",
    language: str = "en",
    kind: ModelKind = "linear",
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> TopicModel:
    """Train a topic model from pages of the topic and others, validate it, and write it to `output` if one is named.

    Sources are those of `exonym model topic train`: files or folders of pages, WARCs, labels in .jsonl,
    `CRAWL:relevant`, `GRAPH:irrelevant`. `model.provenance["validations"]` has measures of how well such a model judges
    pages that it has not seen.
    """
    require("train")
    from exonym.language_names import language_of
    from exonym.models.terms import TermOptions
    from exonym.models.topic_file import save_model
    from exonym.training.material.gathering import MaterialRequest
    from exonym.training.topic import TrainOptions
    from exonym.training.topic_command import TopicRequest, train_from

    code = language_of(language)
    sources = [tuple(map(str, _listed(paths))) for paths in (positive, negative)]
    request = TopicRequest(
        MaterialRequest(sources[0], sources[1], (), code, jobs),
        TrainOptions(kind, TermOptions(language=code), seed=seed, jobs=jobs),
        name=name or (Path(output).stem if output else "topic"),
    )
    model = train_from(request, progress).model
    if output:
        save_model(model, Path(output))
    return model


def load_model(path: PathText) -> TopicModel | TrainedLinkModel | WeightTable:
    """The topic model, link model or weight table in a file, whichever it is. Nothing in the file is executed.

    A file that holds none of these raises ModelError.
    """
    from exonym.models.any_model_file import load_any_model

    return load_any_model(Path(path))
