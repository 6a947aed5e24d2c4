"""The journal row of a visit that ended, and its exchange for the archive."""

import time

from exonym.archive import Exchange
from exonym.batches import SITEMAP_HOP, Outcome
from exonym.fetch import Response
from exonym.frontier.base import LEVELS_PER_UNIT
from exonym.journal import JournalRow
from exonym.live.requests import Ended
from exonym.readers.page import JudgedPage
from exonym.scope.guard import OutOfScope


def row_of(number: int, ended: Ended, page: JudgedPage | None) -> JournalRow:
    """The journal row of a visit that ended; `page` is its judged page, if it has one."""
    visit, response = ended.visit, ended.response
    is_sitemap = ended.outcome == Outcome.PAGE and bool(visit.hops & SITEMAP_HOP)
    row = JournalRow(
        row=number,
        url=visit.text,
        when=response.started or time.time(),
        outcome=Outcome.SITEMAP if is_sitemap else ended.outcome,
        status=response.status,
        content_type=response.content_type,
        length=len(response.head) + len(response.body),
        seconds=response.seconds,
        distance=visit.distance,
        score=visit.score,
        source=visit.source,
        failure=_failure_of(ended),
        truncated=response.truncated,
        note=visit.note,
        attempts=visit.attempts,
        rank=visit.score - visit.risen - visit.level / LEVELS_PER_UNIT,
        address=response.address,
    )
    if page is not None:
        row.charset = page.charset
        row.language = page.language
        row.shares = " ".join(f"{name}:{share:.2f}" for name, share in page.shares.items())
        row.relevance = page.relevance
        row.relevant = page.relevant
        row.inherited = page.inherited
        row.why = page.evidence
        row.failure = page.failure
        row.title = page.title
        row.links = len(page.url)
    return row


def _failure_of(ended: Ended) -> str:
    """Why a visit failed, never empty if it did: an answer with a status of failure is a failure too."""
    response = ended.response
    if response.failure or ended.outcome != Outcome.FAILED:
        return response.failure
    return f"http: {response.status}" if response.status else "unknown"


def exchange_of(row: JournalRow, response: Response) -> Exchange:
    """The request and response of a visit, with the metadata of its row."""
    metadata = {
        "fetchTimeMs": f"{response.seconds * 1000:.0f}",
        "score": f"{row.score:g}",
        "relevance": f"{row.relevance:.3f}",
        "relevant": "yes" if row.relevant else "no",
        "language": row.language,
        "why": row.why or row.failure,
        "distance": str(row.distance),
        "sourceRow": str(row.source),
        "row": str(row.row),
    }
    return Exchange(
        row.url,
        row.when,
        response.address,
        response.request_head,
        response.head,
        response.body,
        response.truncated,
        metadata,
    )


def row_left_out(number: int, left_out: OutOfScope, when: float) -> JournalRow:
    """The journal row that names a rule of the scope, and a link that the rule leaves out."""
    return JournalRow(
        row=number,
        url=left_out.url,
        when=when,
        outcome=Outcome.FORBIDDEN,
        failure=f"scope: {left_out.rule.verb.value}",
        why=left_out.rule.comment,
        rule=left_out.rule.text,
    )
