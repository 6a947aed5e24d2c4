"""HAPRC's experiment: builds a weight table query by query on a collection, and compares its decisions with a paper's.

The paper gives no thresholds, weights of places or ranking function. The reproduction decides a term at a time, as the
pseudo-code prints it, with settings that were found by looking at the paper's table; `held_out_settings` tries them on
queries that had no say. Our way runs next to it: nothing in it was chosen by looking at the paper's decisions.
`docs/why/weight-tables.md` has both.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from exonym.experiments.checked_claims import CheckedClaim, checked_claims_table
from exonym.experiments.directory import take_directory
from exonym.experiments.haprc.agreement import (
    DecisionAgreement,
    held_out_agreement,
    listed_count,
    retrieved_in_common,
    retrieved_in_place,
    table_agreement,
    word_count_agreement,
)
from exonym.experiments.haprc.claims import (
    RelevanceEvidence,
    TableEvidence,
    claims_about_relevance,
    claims_about_table,
)
from exonym.experiments.haprc.held_out_settings import held_out_settings_table
from exonym.experiments.haprc.published import DOWNLOAD, NONE, SKIP
from exonym.experiments.haprc.queries import HaprcMaterial, IndexedMaterial, QueryAnswer
from exonym.experiments.haprc.relevance import JudgedQuery, relevance_table
from exonym.experiments.haprc.tables import (
    agreement_table,
    baseline_table,
    decision_table,
    fixed_table,
    sensitivity_table,
    variant_table,
)
from exonym.models.weight_table import TableSettings
from exonym.models.weight_table_words import TextToTerms
from exonym.progress import Tell
from exonym.report.findings import Findings, write_findings
from exonym.report.table import Table
from exonym.training.retrieval import RANKINGS

NAME = "haprc"
_CLAIMS_NOTE = (
    "The settings of the reproduction were found by looking at Table 4.1, so its rows show how that table was made, "
    "not that the method is good. Held out: each query with settings chosen on the others."
)


@dataclass(frozen=True, slots=True)
class HaprcRequest:
    """Everything that a result depends on, and the directory to write to, if any."""

    material: HaprcMaterial
    settings: TableSettings
    reading: TextToTerms
    retrieval: str  # a name in RANKINGS
    is_published: bool  # whether decisions are the paper's
    command: str
    directory: Path | None = None
    judged: tuple[JudgedQuery, ...] = ()  # queries with judgements of relevance, if there are any

    def facts(self) -> dict[str, Any]:
        """The settings that must stay the same for a directory to be used again."""
        return {**self.material.names, **asdict(self.settings), **asdict(self.reading), "retrieval": self.retrieval}


def run_haprc(request: HaprcRequest, tell: Tell) -> Findings:
    """Run all queries, count agreement, try other settings, and write the results into the directory."""
    if request.directory:
        take_directory(request.directory, NAME, request.facts())
    tell("reading the corpus")
    read = IndexedMaterial(request.material, request.reading, RANKINGS[request.retrieval])
    answers, rows = read.answers(request.settings), request.material.decisions
    own_settings = replace(request.settings, rule="weighted")
    own_read = IndexedMaterial(request.material, replace(request.reading, keep_numbers=False))
    own_answers = own_read.answers(own_settings)
    tell("trying other settings")
    tables = [
        decision_table(answers, rows, request.is_published),
        agreement_table(answers, rows),
        baseline_table(answers, own_answers, rows),
        held_out_settings_table(read, request.settings),
        sensitivity_table(own_read, own_settings),
        fixed_table(own_read, own_settings),
        variant_table(own_read, own_settings),
    ]
    if request.judged:
        tell("comparing with judgements of relevance")
        reading = replace(request.reading, stem=True, drop_stop_words=True, keep_numbers=False)
        judged_read = IndexedMaterial(request.material, reading, RANKINGS[request.retrieval])
        tables.insert(4, relevance_table(judged_read, request.settings, request.judged))
    claims = _claims(request, answers, {table.name: table for table in tables})
    document = _document(request, answers, own_answers) | {table.name: table.values() for table in tables[3:]}
    document["claims"] = [claim.values() for claim in claims]
    if claims:
        tables.insert(0, checked_claims_table(claims, _CLAIMS_NOTE))
    findings = Findings("haprc: the decisions of a weight table compared with listed ones", tuple(tables), document)
    if request.directory:
        tell("writing the page")
        write_findings(request.directory, findings)
    return findings


def _claims(request: HaprcRequest, answers: list[QueryAnswer], tables: dict[str, Table]) -> list[CheckedClaim]:
    """What our documentation says about the paper's table, and about relevance, as far as there are figures for it."""
    rows, claims = request.material.decisions, list[CheckedClaim]()
    if request.is_published:
        total = dict(zip(tables["held_out_settings"].columns, tables["held_out_settings"].rows[-1], strict=True))
        nothing = {row.query for row in rows if row.decision == NONE}
        claims += claims_about_table(
            TableEvidence(
                listed=sum(row.decision != NONE for row in rows),
                in_common=sum(retrieved_in_common(answer, rows) for answer in answers),
                in_place=sum(retrieved_in_place(answer, rows) for answer in answers),
                decided=sum(row.decision in (DOWNLOAD, SKIP) for row in rows),
                agreed=table_agreement(answers, rows).agreed,
                downloaded_for_none=sum(
                    bool(answer.downloads(document))
                    for answer in answers
                    if answer.query in nothing
                    for document in answer.retrieved
                ),
                held_out_in_common=int(str(total["in common"])),
                held_out_agreed=int(str(total["agreed"])),
            )
        )
    if "relevance" in tables:  # the paper's rule, ours, the ranking: see relevance.py
        f1 = tables["relevance"].columns.index("F1")
        claims += claims_about_relevance(RelevanceEvidence(*(float(str(row[f1])) for row in tables["relevance"].rows)))
    return claims


def _document(request: HaprcRequest, answers: list[QueryAnswer], ours: list[QueryAnswer]) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    rows = request.material.decisions
    return {
        "experiment": NAME,
        **request.facts(),
        "corpus_documents": len(request.material.documents),
        "command": request.command,
        "queries": [_query_values(answer, request) for answer in answers],
        "agreement": _agreement_values(table_agreement(answers, rows)),
        "agreement_ours": _agreement_values(table_agreement(ours, rows)),
        "agreement_by_count": _agreement_values(word_count_agreement(ours, rows)),
        "agreement_held_out": _agreement_values(held_out_agreement(ours, rows)),
    }


def _query_values(answer: QueryAnswer, request: HaprcRequest) -> dict[str, Any]:
    rows = [row for row in request.material.decisions if row.query == answer.query]
    return {
        "query": answer.query,
        "retrieved": list(answer.retrieved),
        "listed": listed_count(answer.query, rows),
        "in_common": retrieved_in_common(answer, rows),
        "threshold": answer.threshold(),
        "decisions": [
            {
                "document": row.document,
                "listed": row.decision,
                "downloads": answer.downloads(row.document),
                "weight": answer.weights.get(row.document),
            }
            for row in rows
        ],
        "terms": {term: weighted.weight for term, weighted in sorted(answer.table.terms.items())},
    }


def _agreement_values(counts: DecisionAgreement) -> dict[str, Any]:
    values = {name: getattr(counts, name) for name in ("decided", "agreed", "by_chance", "kappa")}
    return {**asdict(counts), **values, "download_all": counts.listed_downloads}
