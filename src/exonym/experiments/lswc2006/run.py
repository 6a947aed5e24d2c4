"""The experiment of Somboonviwat, Tamura and Kitsuregawa (2006): strategies on the Thai web, at its published size."""

from collections.abc import Sequence
from dataclasses import replace

from exonym.experiments.claims import Evidence, table_of, text_of, verdicts_on
from exonym.experiments.directory import take_directory, web_at
from exonym.experiments.lswc2006 import s_and_t
from exonym.experiments.lswc2006.claims import CLAIMS, STRATEGIES
from exonym.experiments.request import ExperimentRequest
from exonym.experiments.simulations import simulated
from exonym.progress import Tell
from exonym.published.thai_web import PAGES, PAPER
from exonym.report.findings import Findings, write_findings
from exonym.report.table import Table
from exonym.simulation.report_directory import Report, document_of, save_report
from exonym.simulation.results import Results, coverage_table, harvest_table
from exonym.simulation.side_by_side import SimulationRequest
from exonym.webgraph.generating.generate import Order
from exonym.webgraph.generating.profile import load_profile

NAME = "lswc2006"
PROFILE = "thai2006"

_HONESTY = (
    "The web is generated so that it has the published tables (exonym graph check). What the tables leave open was "
    "chosen so that LSWC performs as published: the share of relevant pages on a server, seeds on large servers whose "
    "pages are nearly all relevant, and pages that were never requested away from these servers. On other webs with "
    "the same tables LSWC performs differently: see --family, and docs/why/simulation.md."
)
_COUNTING = (
    "By request: failed requests count as pages that are not relevant. By document: only requests that returned a page "
    "count. Requests decide on the outcome."
)
_SCALED = ' Here "a million" are {:,} pages; the claims are about the full size, a small web is a first look only.'


def run_lswc2006(request: ExperimentRequest, tell: Tell) -> Findings:
    """Make the web, simulate every strategy, compare the results with the papers' claims, and write all of it."""
    order = Order(request.pages, request.seed, PROFILE, load_profile(PROFILE), request.command)
    take_directory(request.directory, NAME, request.settings())
    web = request.directory / "web"
    graph = web_at(web, order, tell)
    simulations = SimulationRequest(web, STRATEGIES, request.plan)
    finished = simulated(request.directory / "runs", graph, simulations, tell)
    searched = simulated(request.directory / "runs", graph, replace(simulations, strategies=s_and_t.STRATEGIES), tell)
    tell("writing figures and pages")
    report = Report(simulations, tuple(finished), request.command, f"{NAME}: strategies on the Thai web")
    save_report(request.directory / "results", report, force=True)
    by_name = {result.strategy: result for result in report.results}
    verdicts = verdicts_on(CLAIMS, by_name, request.pages)
    evidence = [Evidence(by_name, request.pages), Evidence(by_name, request.pages, by_document=True)]
    findings = Findings(
        title=f"{NAME}: language specific web crawling on a generated Thai web",
        tables=(
            table_of(verdicts, _note(request)),
            _coverage_table(report.results),
            _harvest_table(report.results, evidence),
            *s_and_t.tables_of_s_and_t({result.strategy: result for result, _ in searched}),
        ),
        document={
            "experiment": NAME,
            **request.settings(),
            **document_of(report),
            "claims": [verdict.values() for verdict in verdicts],
            "s_and_t": [result.values() for result, _ in searched],
            "note": _note(request),
        },
        texts={"claims": text_of(verdicts, _note(request))},
    )
    write_findings(request.directory, findings)
    return findings


def _note(request: ExperimentRequest) -> str:
    scaled = "" if request.pages == PAGES else _SCALED.format(Evidence({}, request.pages).million)
    made = f"Made by: {request.command} (pages {request.pages:,}, seed {request.seed}, k {request.plan.k})."
    return f"{_COUNTING}{scaled} {_HONESTY} {made}"


def _coverage_table(results: Results) -> Table:
    """Figure 4, with the numbers of each crawl and the requests that it needed for a coverage."""
    needed = coverage_table(results)
    counted = ("strategy", "requests", "documents", "relevant", "coverage")
    columns = (*counted, *(f"requests for {coverage}" for coverage in needed.columns[1:]))
    rows = tuple(
        (row[0], result.pages, result.documents, result.relevant, result.coverage, *row[1:])
        for row, result in zip(needed.rows, results, strict=True)
    )
    return Table("coverage", "Figure 4. Coverage", columns, rows, chart=results.figure("coverage"), paper=PAPER)


def _harvest_table(results: Results, evidence: Sequence[Evidence]) -> Table:
    """Figure 5, with the harvest rates over the first pages."""
    rates = harvest_table(results)
    shares = rates.columns[1:-1]  # without the first million, which is scaled to the web here
    columns = ("strategy", "first million", "… by document", *(f"first {share}" for share in shares))
    rows = tuple(
        (row[0], *(counted.early_harvest(result.strategy) for counted in evidence), *row[1:-1])
        for row, result in zip(rates.rows, results, strict=True)
    )
    note = "A crawl that ended before is measured over what it fetched."
    return Table("harvest", "Figure 5. Harvest rate", columns, rows, note, results.figure("harvest"), PAPER)
