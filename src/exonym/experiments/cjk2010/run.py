"""The control experiment of Chan and Yamana (2010): breadth first, and a rule, from the same seeds.

The paper's rule crawl stopped after far fewer pages than its baseline, hence nearer to the seeds. Therefore each pair
here has a third crawl: the baseline, cut to as many pages as the rule crawl.
"""

import msgspec

from exonym.experiments.checked_claims import checked_claims_table
from exonym.experiments.cjk2010.claims import NOTE, claims_about
from exonym.experiments.cjk2010.crawls import Pair, crawled_pair
from exonym.experiments.cjk2010.published import NATIONS, PAPER, SEEDS
from exonym.experiments.cjk2010.tables import change_of, language_table, share_table, verdict_table
from exonym.experiments.directory import take_directory, web_at
from exonym.experiments.request import ExperimentRequest
from exonym.progress import Tell
from exonym.report.findings import Findings, write_findings
from exonym.webgraph.generating.generate import Order
from exonym.webgraph.generating.profile import load_profile

NAME = "cjk2010"
PAGES = 1_000_000  # of each web: the real web has no end, ours must be much larger than the crawls


def run_cjk2010(request: ExperimentRequest, tell: Tell) -> Findings:
    """Make the three webs, crawl each twice, compare with the published figures, and write the results."""
    orders = []
    for nation in NATIONS:
        profile = msgspec.structs.replace(load_profile(nation.profile), seeds=_seeds(request))
        orders.append(Order(request.pages, request.seed, nation.profile, profile, request.command))
    take_directory(request.directory, NAME, request.settings())
    pairs = []
    for nation, order in zip(NATIONS, orders, strict=True):
        graph = web_at(request.directory / nation.profile, order, tell)
        tell(f"{nation.name}: baseline and rule")
        pairs.append(crawled_pair(graph, nation, request.pages / PAGES))
    claims = claims_about(pairs)
    claimed = checked_claims_table(claims, NOTE, PAPER)
    tables = (claimed, verdict_table(pairs), language_table(pairs, _note(request)), *map(share_table, pairs))
    document = {"experiment": NAME, **request.settings(), "command": request.command, "crawls": [*map(_values, pairs)]}
    document["claims"] = [claim.values() for claim in claims]
    findings = Findings("cjk2010: a rule for Chinese, Japanese and Korean pages, and its control", tables, document)
    tell("writing figures and pages")
    write_findings(request.directory, findings)
    return findings


def _seeds(request: ExperimentRequest) -> int:
    """The number of seeds, in proportion to the size of the web."""
    return max(1, round(request.pages / PAGES * SEEDS))


def _values(pair: Pair) -> dict[str, object]:
    language = pair.nation.language
    published, _ = change_of(pair.nation.baseline, pair.nation.rule, language)
    ours, _ = change_of(pair.baseline, pair.rule, language)
    cut, _ = change_of(pair.cut, pair.rule, language)
    return {
        **pair.values(),
        "rise": {"published": published, "ours": ours, "from_as_many_pages": cut},
        "raised": ours > 0,
    }


def _note(request: ExperimentRequest) -> str:
    return (
        "Other: every other language, and pages of unknown language. Crawls begin with "
        f"{_seeds(request):,} random pages of the language and fetch {request.pages / PAGES:.0%} as many pages as the "
        f"published ones. The webs are generated, {request.pages:,} pages each: shares and links are guesses, set so "
        "that the baseline comes near the published one (profiles korean2010, japanese2010, chinese2010). So the "
        "baseline is not a result; the effect of the rule is one, for these guesses. "
        f"Made by: {request.command} (seed {request.seed}, k 1)."
    )
