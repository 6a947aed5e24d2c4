"""The experiment of Somboonviwat, Tamura and Kitsuregawa (2006): strategies on the Thai web, at its published size."""

from collections.abc import Mapping, Sequence

from exonym.experiments.claims import Evidence, table_of, text_of, verdicts_on
from exonym.experiments.lswc2006.claims import CLAIMS, STRATEGIES
from exonym.experiments.request import ExperimentRequest
from exonym.experiments.shared import simulated, take_directory, web_at
from exonym.progress import Tell
from exonym.report.findings import Findings, write_findings
from exonym.report.table import LSWC, Table, TableRow
from exonym.simulation.curves import drawings_of, label_of
from exonym.simulation.report import Report, document_of, save_report
from exonym.simulation.results import COVERAGE_PERCENTS, HARVEST_PERCENTS, StrategyResult
from exonym.simulation.side_by_side import SimulationRequest
from exonym.webgraph.generating.generate import Order
from exonym.webgraph.generating.profile import load_profile
from exonym.webgraph.generating.published import PAGES

NAME = "lswc2006"
PROFILE = "thai2009"

_HONESTY = (
    "The web is generated. It has the published tables (exonym graph check); where the tables leave a choice, it was "
    "made so that LSWC does as published: which share of a server's pages is relevant, seeds on large servers that are "
    "nearly all relevant, pages that nobody asked for away from these. Other webs with the same tables treat LSWC "
    "otherwise: see --family, and docs/why/simulation.md."
)
_COUNTING = (
    "By request: failed ones are fetches that find nothing. By document: only requests that found a page. Outcomes go "
    "by requests."
)
_SCALED = ' Here "a million" are {:,} pages; the claims are about the full size, a small web is a first look only.'


def run_lswc2006(asked: ExperimentRequest, tell: Tell) -> Findings:
    """Make the web, simulate every strategy, hold the papers' claims against the results, and write all of it."""
    order = Order(asked.pages, asked.seed, PROFILE, load_profile(PROFILE), asked.command)
    take_directory(asked.directory, NAME, asked.settings())
    web = asked.directory / "web"
    graph = web_at(web, order, tell)
    request = SimulationRequest(web, STRATEGIES, asked.plan)
    finished = simulated(asked.directory / "runs", graph, request, tell)
    tell("writing figures and pages")
    report = Report(request, tuple(finished), asked.command, f"{NAME}: strategies on the Thai web")
    save_report(asked.directory / "results", report, force=True)
    results = {one.result.strategy: one.result for one in finished}
    verdicts = verdicts_on(CLAIMS, results, asked.pages)
    evidence = [Evidence(results, asked.pages), Evidence(results, asked.pages, by_document=True)]
    findings = Findings(
        title=f"{NAME}: language specific web crawling on a generated Thai web",
        tables=(table_of(verdicts, _note(asked)), _coverage_table(results), _harvest_table(evidence)),
        document={
            "experiment": NAME,
            **asked.settings(),
            **document_of(report),
            "claims": [verdict.values() for verdict in verdicts],
            "note": _note(asked),
        },
        drawings=drawings_of([one.trace for one in finished]),
        texts={"claims": text_of(verdicts, _note(asked))},
    )
    write_findings(asked.directory, findings)
    return findings


def _note(asked: ExperimentRequest) -> str:
    scaled = "" if asked.pages == PAGES else _SCALED.format(Evidence({}, asked.pages).million)
    made = f"Made by: {asked.command} (pages {asked.pages:,}, seed {asked.seed}, k {asked.plan.k})."
    return f"{_COUNTING}{scaled} {_HONESTY} {made}"


def _coverage_table(results: Mapping[str, StrategyResult]) -> Table:
    shares = [f"{percent}%" for percent in COVERAGE_PERCENTS]
    columns = ("strategy", "requests", "documents", "relevant", "coverage", *(f"requests for {one}" for one in shares))
    rows: tuple[TableRow, ...] = tuple(
        (
            label_of(one.strategy, one.is_oracle),
            *(one.pages, one.documents, one.relevant, one.coverage),
            *(one.pages_for_coverage[share] for share in shares),
        )
        for one in results.values()
    )
    return Table("coverage", "Figure 4. Coverage", columns, rows, paper=LSWC)


def _harvest_table(evidence: Sequence[Evidence]) -> Table:
    requests, documents = evidence
    shares = [f"{percent}%" for percent in HARVEST_PERCENTS]
    columns = ("strategy", "first million", "… by document", *(f"first {share}" for share in shares))
    rows: tuple[TableRow, ...] = tuple(
        (
            label_of(name, one.is_oracle),
            requests.early_harvest(name),
            documents.early_harvest(name),
            *(one.harvest_at[share] for share in shares),
        )
        for name, one in requests.results.items()
    )
    note = "A crawl that ended before is measured over what it fetched."
    return Table("harvest", "Figure 5. Harvest rate", columns, rows, note, paper=LSWC)
