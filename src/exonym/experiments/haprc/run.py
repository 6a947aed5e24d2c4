"""HAPRC's experiment: builds a weight table query by query on a collection, and compares its decisions with a paper's.

The paper gives no thresholds, weights of places or ranking function: `docs/why/weight-tables.md` says what was chosen
and how. Nothing was chosen by looking at the paper's decisions.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from exonym.experiments.directory import take_directory
from exonym.experiments.haprc.agreement import (
    DecisionAgreement,
    held_out_agreement,
    listed_count,
    retrieved_in_common,
    table_agreement,
    word_count_agreement,
)
from exonym.experiments.haprc.queries import HaprcMaterial, IndexedMaterial, QueryAnswer
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

NAME = "haprc"


@dataclass(frozen=True, slots=True)
class HaprcRequest:
    """Everything that a result depends on, and the directory to write to, if any."""

    material: HaprcMaterial
    settings: TableSettings
    reading: TextToTerms
    is_published: bool  # whether decisions are the paper's
    command: str
    directory: Path | None = None

    def facts(self) -> dict[str, Any]:
        """The settings that must stay the same for a directory to be used again."""
        return {**self.material.names, **asdict(self.settings), **asdict(self.reading)}


def run_haprc(request: HaprcRequest, tell: Tell) -> Findings:
    """Run all queries, count agreement, try other settings, and write the results into the directory."""
    if request.directory:
        take_directory(request.directory, NAME, request.facts())
    tell("reading the corpus")
    read = IndexedMaterial(request.material, request.reading)
    answers, rows = read.answers(request.settings), request.material.decisions
    tell("trying other settings")
    tables = (
        decision_table(answers, rows, request.is_published),
        agreement_table(answers, rows),
        baseline_table(answers, rows),
        sensitivity_table(read, request.settings),
        fixed_table(read, request.settings),
        variant_table(read, request.settings),
    )
    document = _document(request, answers) | {table.name: table.values() for table in tables[3:]}
    findings = Findings("haprc: the decisions of a weight table compared with listed ones", tables, document)
    if request.directory:
        tell("writing the page")
        write_findings(request.directory, findings)
    return findings


def _document(request: HaprcRequest, answers: list[QueryAnswer]) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    rows = request.material.decisions
    return {
        "experiment": NAME,
        **request.facts(),
        "corpus_documents": len(request.material.documents),
        "command": request.command,
        "queries": [_query_values(answer, request) for answer in answers],
        "agreement": _agreement_values(table_agreement(answers, rows)),
        "agreement_by_count": _agreement_values(word_count_agreement(answers, rows)),
        "agreement_held_out": _agreement_values(held_out_agreement(answers, rows)),
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
