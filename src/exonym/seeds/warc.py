"""Seeds from WARC files, anybody's: the pages in them, all or only those in some languages."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from exonym.archive.any_warc import block_of, parted, records_of, url_of
from exonym.extract.content_kind import is_html
from exonym.extract.document import Wants
from exonym.fetch.messages import header_value
from exonym.judges.base import Judge
from exonym.readers.page import Job
from exonym.readers.process import read_safely
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed, TellLine
from exonym.system.files import disk_errors
from exonym.urls import path_of
from exonym.web_text import one_line
from exonym.webgraph.importing.record import SkippedRecord as Damage

with warnings.catch_warnings():
    # fastwarc warns, while it is imported, of old classes of its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import WarcRecordType

_RESPONSES = WarcRecordType.response
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")
_SUCCESS = range(200, 300)
_SNIFFED_BYTES = 1_024


def read_warc_seeds(path: Path, judge: Judge | None, tell: TellLine) -> Iterator[FoundSeed]:
    """The HTML pages of a WARC file, in its order; `judge` says which are wanted."""
    with disk_errors(path), path.open("rb") as stream:
        for record in records_of(stream, _RESPONSES):
            if isinstance(record, Damage):
                yield SkippedSeed(record.reason)
                continue
            tell(record.stream_pos)
            url, block = url_of(record), block_of(record)
            if isinstance(block, Damage):
                yield SkippedSeed(block.reason)
            elif not url or path_of(url) == "/robots.txt":
                yield SkippedSeed("robots.txt" if url else "no http(s) URL")
            else:
                yield _seed(Job(0, url, *parted(block)), judge, path.name)


def _seed(job: Job, judge: Judge | None, source: str) -> FoundSeed:
    status = _STATUS.match(job.head)
    if status is None or int(status[1]) not in _SUCCESS:
        return SkippedSeed("no page: a redirect or an error")
    if judge is None:
        kind = header_value(job.head, "content-type") or b""
        is_page = is_html(kind, job.body[:_SNIFFED_BYTES])
        return Seed(job.url, source) if is_page else SkippedSeed("no HTML")
    reading = read_safely(job, judge, Wants())
    if not reading.relevant:
        return SkippedSeed("in another language" if reading.language else "no language told")
    return Seed(job.url, source, "", one_line(reading.title))
