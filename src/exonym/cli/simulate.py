"""`exonym simulate GRAPH --strategy …`: runs strategies over a web graph and compares them."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from exonym.cli.options import (
    AsJson,
    ClusterOptions,
    FigureFile,
    Force,
    GraphArgument,
    PagesPerServer,
    max_pages,
    number,
    output,
)
from exonym.cli.output import OutputRows, emit, harmless_lines, note
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.simulation.report_directory import Report
    from exonym.simulation.side_by_side import SimulationRequest
    from exonym.webgraph import Graph

_MOST_A_ROUND = 256  # pages, unless more are asked for
_DELAY_SECONDS, _CONNECTIONS = 2.0, 100  # the defaults of crawl.toml


def simulate(
    graph: GraphArgument,
    strategy: Annotated[
        list[str],
        typer.Option(
            metavar="STRATEGY",
            help="A strategy, as in lswc:S=1,T=1, or a class in your own file, as in mine.py:Mine; may be given again.",
        ),
    ],
    output: Annotated[Path | None, output("DIR", "Write tables, traces and figures here.")] = None,
    figure: FigureFile = None,
    budget: Annotated[int, max_pages("Pages each strategy may fetch; 0 for no limit.")] = 0,
    k: Annotated[
        int | None,
        typer.Option("--k", metavar="K", help="Pages per round: 1 is exact, more is faster (256, at most 1 %)."),
    ] = None,
    pages_per_server: PagesPerServer = 0,
    seeds: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE | URL", help="Seeds to use instead of the graph's; may be given again."),
    ] = None,
    judge_precision: Annotated[
        float, typer.Option(metavar="P", help="Precision of the simulated judge, 0.01 to 1.")
    ] = 1.0,
    judge_recall: Annotated[float, typer.Option(metavar="R", help="Recall of the simulated judge, 0 to 1.")] = 1.0,
    judge_seed: Annotated[
        int,
        typer.Option("--judge-random-seed", metavar="N", help="Another number makes the judge err about other pages."),
    ] = 0,
    time: Annotated[bool, typer.Option("--time", help="Simulate time as well.")] = False,
    delay: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Delay between two requests to a server (2).")
    ] = None,
    connections: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Servers visited at the same time (100).")
    ] = None,
    eagerness: Annotated[
        str,
        typer.Option(
            metavar="E",
            help="How far the crawl may stray from the order to keep connections busy: 0 to 1; auto is 0.02 with "
            "--max-pages, else 1.",
        ),
    ] = "auto",
    partitions: Annotated[
        int,
        typer.Option(
            metavar="N", help="Divide the servers, as a crawl on several machines does; --k is of all together."
        ),
    ] = 1,
    lag: Annotated[int, typer.Option(metavar="ROUNDS", help="How long links to another partition are under way.")] = 0,
    model_lag: Annotated[
        int,
        typer.Option(
            metavar="ROUNDS",
            help="How often partitions tell each other what they have learned; 0: they learn as one.",
        ),
    ] = 0,
    jobs: Annotated[int, number("jobs", "Simulations to run in parallel; 0 for as many as fit.", 0, 1_024)] = 0,
    force: Force = False,
    as_json: AsJson = False,
    *,
    where: ClusterOptions,
) -> None:
    """Run strategies over a web graph and compare what they find, and how soon.

    Coverage is the share of the graph's relevant pages that is found; harvest rate is the share of relevant pages among
    those fetched. `exonym strategies` lists the strategies.
    """
    require("research")
    from exonym.report.figures import check_figure_file, write_figures
    from exonym.simulation.plan import Plan
    from exonym.simulation.report_directory import Report, check_target, document_of, save_report
    from exonym.simulation.side_by_side import SimulationRequest, simulate_all
    from exonym.simulation.traces import FIGURES
    from exonym.webgraph import Graph

    if output is not None:
        check_target(output, force)
    if figure is not None:
        check_figure_file(figure)
    politeness: dict[str, Any] = {}
    if time or delay is not None or connections is not None:
        politeness = {
            "delay_seconds": _DELAY_SECONDS if delay is None else delay,
            "connections": _CONNECTIONS if connections is None else connections,
            "eagerness": _eagerness(eagerness),
        }
    elif eagerness != "auto":
        raise ConfigError("--eagerness is for simulated time. Give --time too.")
    opened = Graph.open(graph)
    plan = Plan(
        k=k if k is not None else _usual_k(budget or opened.manifest.fetched, partitions),
        budget=budget,
        pages_per_server=pages_per_server,
        seeds=_seed_nodes(opened, seeds or []),
        judge_precision=judge_precision,
        judge_recall=judge_recall,
        judge_seed=judge_seed,
        partitions=partitions,
        lag=lag,
        model_lag=model_lag,
        **politeness,
    )
    request = SimulationRequest(graph, tuple(dict.fromkeys(strategy)), plan, jobs)
    with where.runner(jobs) as runner, status_line("starting") as show:
        finished = simulate_all(request, show, runner)
    report = Report(request, tuple(finished), _command(request, seeds or [], output))
    try:
        if output is not None:
            note(f"The report is in {save_report(output, report, force)}")
        if figure is not None:
            write_figures(figure, {FIGURES[name]: drawn for name, drawn in report.results.figures.items()})
            note(f"The figures are in {figure}")
    finally:  # results are printed even if the report could not be written, and last, as the reader may close the pipe
        document = document_of(report)
        emit(document, _shown(report, document["graph"]), as_json)


def _usual_k(pages: int, partitions: int) -> int:
    """As many pages per round as hardly change the results: 1 % of all; each partition takes at least one."""
    return max(min(_MOST_A_ROUND, pages // 100), partitions, 1)


def _eagerness(text: str) -> "float | Literal['auto']":
    if text == "auto":
        return "auto"
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"--eagerness must be from 0 to 1, or auto, got {text[:60]!r}.") from None


def _seed_nodes(graph: "Graph", texts: list[str]) -> tuple[int, ...]:
    from exonym.simulation.start import found_seeds

    found = found_seeds(graph, texts)
    if found.missing:
        note(f"{len(found.missing):,} seeds are not in the graph and are left out, for example {found.missing[0]}.")
    if found.as_http:
        note(f"{len(found.as_http):,} seeds without a scheme are http in the graph, for example {found.as_http[0]}.")
    return found.nodes


def _command(request: "SimulationRequest", seeds: list[str], output: Path | None) -> str:
    """The command that gives the same results."""
    plan = request.plan
    options: dict[str, object] = {
        "--max-pages": plan.budget,
        "--pages-per-server": plan.pages_per_server,
        "--judge-precision": plan.judge_precision if plan.judge_precision < 1 else 0,
        "--judge-recall": f"{plan.judge_recall:g}" if plan.judge_recall < 1 else 0,
        "--judge-random-seed": plan.judge_seed,
        "--partitions": plan.partitions if plan.partitions > 1 else 0,
        "--lag": plan.lag,
        "--model-lag": plan.model_lag,
    }
    if plan.is_timed:
        options |= {"--delay": f"{plan.delay_seconds:g}", "--connections": plan.connections}
        options |= {} if plan.eagerness == "auto" else {"--eagerness": f"{plan.eagerness:g}"}
    words = ["exonym", "simulate", str(request.graph)]
    words += [word for text in request.strategies for word in ("--strategy", text)]
    words += ["--k", str(plan.k), *(word for text in seeds for word in ("--seeds", text))]
    words += [str(word) for name, value in options.items() if value for word in (name, value)]
    return shlex.join([*words, *(("-o", str(output)) if output else ())])


def _shown(report: "Report", graph: dict[str, Any]) -> "Iterator[str | OutputRows]":
    """The web graph and how exactly it was simulated, then the tables."""
    plan, seed = report.request.plan, graph["provenance"].get("seed")
    of_seed = f", seed {seed}" if isinstance(seed, int) else ""
    counts = f"{graph['fetched']:,} pages, {graph['relevant']:,} of them relevant, {graph['nodes']:,} known"
    at_a_time = report.finished[0].result.k if report.finished else plan.k
    yield clean(f"{graph['directory']}: {counts}{of_seed}; k {at_a_time}")
    pages = plan.budget or graph["fetched"]
    if not plan.is_timed and 100 * (at_a_time - 1) > pages and at_a_time > _usual_k(pages, plan.partitions):
        yield "k is more than 1 % of the pages, which changes results: --k 1 is exact."
    yield report.conditions
    for table in report.results.tables:
        yield ""
        yield from harmless_lines(table.text())  # names of strategies may be anything
