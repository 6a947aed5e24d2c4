"""The progress of a crawl while somebody watches it, as server-sent events: one about every second."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from exonym.crawl_progress import document_of
from exonym.dashboard.served_crawls import ServedCrawl
from exonym.errors import DirectoryError

EVERY_SECONDS = 1.0
_STEP_SECONDS = 0.2  # after which a stream notices that the dashboard ends
_SILENT_ROUNDS = 15  # after which something is sent, so that a connection that broke is noticed


def event_stream(crawl: ServedCrawl, is_ending: Callable[[], bool]) -> StreamingResponse:
    """An answer that goes on for as long as the browser listens and the dashboard runs."""
    return StreamingResponse(
        _events(crawl, is_ending), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def _events(crawl: ServedCrawl, is_ending: Callable[[], bool]) -> AsyncIterator[bytes]:
    last, silent = "", 0
    yield b"retry: 3000\n\n"
    while not is_ending():
        document = await run_in_threadpool(progress_document, crawl)
        text = json.dumps(document, ensure_ascii=False)
        if text != last:
            last, silent = text, 0
            yield f"event: progress\ndata: {text}\n\n".encode()
        else:
            silent += 1
            if silent >= _SILENT_ROUNDS:
                silent = 0
                yield b": still here\n\n"
        for _ in range(round(EVERY_SECONDS / _STEP_SECONDS)):
            if not is_ending():
                await asyncio.sleep(_STEP_SECONDS)


def progress_document(crawl: ServedCrawl) -> dict[str, Any]:
    """What a crawl does now, for JSON."""
    try:
        state = str(crawl.state())
        return {"state": state, **(document_of(crawl.progress()) if crawl.has_begun else {})}
    except DirectoryError as error:
        return {"state": "damaged", "problem": str(error)}
