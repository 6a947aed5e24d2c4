"""The journal row of a visit that ended, and its exchange for the archive."""

import time

from exonym.archive import Exchange
from exonym.batches import SITEMAP_HOP, Outcome
from exonym.fetch import Response
from exonym.journal import JournalRow
from exonym.live.requests import Ended
from exonym.readers.page import JudgedPage


def row_of(number: int, ended: Ended, reading: JudgedPage | None) -> JournalRow:
    """The journal row of a visit that ended."""
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
        failure=response.failure,
        truncated=response.truncated,
        note=visit.note,
        attempts=visit.attempts,
    )
    if reading is not None:
        _add_reading(row, reading)
    return row


def _add_reading(row: JournalRow, reading: JudgedPage) -> None:
    row.charset = reading.charset
    row.language = reading.language
    row.shares = " ".join(f"{name}:{share:.2f}" for name, share in reading.shares.items())
    row.relevance = reading.relevance
    row.relevant = reading.relevant
    row.why = reading.evidence
    row.failure = reading.failure
    row.title = reading.title
    row.links = len(reading.url)


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
