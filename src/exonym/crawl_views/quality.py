"""How good a crawl is, as far as people have looked: its audit, sample pages with evidence, and budgets reached."""

from typing import Any

from exonym.config import Settings
from exonym.crawl_views.crawl_report import audit_document, audit_found
from exonym.crawl_views.report_tables import budget_table, sampled_visits
from exonym.crawl_views.visit_index import VisitIndex
from exonym.scope import CrawlScope

_SAMPLED = 5  # of each kind: each is read from the journal, and nobody is to wait


def quality_of(index: VisitIndex, settings: Settings, scope: CrawlScope) -> dict[str, Any]:
    """The audit and the samples of a report, for JSON. Scripts rely on these names: none may be removed."""
    budgets = budget_table(index, settings, scope)
    return {
        "audit": audit_document(audit_found(index.directory)),
        "budget_reached": [dict(zip(budgets.columns, row, strict=True)) for row in budgets.rows],
        "budget_note": budgets.note,
        "samples": {
            kind: [
                {
                    "id": number,
                    "url": row.url,
                    "title": row.title,
                    "language": row.language,
                    "relevance": row.relevance,
                    "evidence": row.why or row.failure,
                }
                for number, row in visits
            ]
            for kind, visits in sampled_visits(index, _SAMPLED).items()
        },
    }
