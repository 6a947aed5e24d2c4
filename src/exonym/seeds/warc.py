"""Seeds from archives (WARC, ARC, WACZ) of any crawler: all pages in them, or only those in some languages."""

from collections.abc import Callable, Iterator
from pathlib import Path

from exonym.archive.any_warc import SkippedRecord, responses_in
from exonym.extract.content_kind import is_html
from exonym.extract.document import Wants
from exonym.fetch.messages import header_value, status_of
from exonym.judges.base import Judge
from exonym.readers.page import Job, read_safely
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed, TellLine
from exonym.system.files import disk_errors
from exonym.web_text import one_line

_SNIFFED_BYTES = 1_024
_WANTS = Wants(around=False, place=False)


def read_warc_seeds(
    path: Path, judge: Judge | None, tell: TellLine, warn: Callable[[str], None] = lambda warning: None
) -> Iterator[FoundSeed]:
    """The HTML pages of an archive, in its order; `judge`, if given, selects among them.

    `warn` is called with one line for each part of the file that cannot be read.
    """
    with disk_errors(path):
        for response in responses_in(path):
            if isinstance(response, SkippedRecord):
                if response.warning:
                    warn(response.warning)
                yield SkippedSeed(response.reason)
                continue
            if response.offset >= 0:
                tell(response.offset)
            if not 200 <= status_of(response.head) < 300:
                yield SkippedSeed("no page: a redirect or an error")
            elif judge is None:
                content_type = header_value(response.head, "content-type") or b""
                is_page = is_html(content_type, response.body[:_SNIFFED_BYTES])
                yield Seed(response.url, path.name) if is_page else SkippedSeed("no HTML")
            else:
                page = read_safely(Job(0, response.url, response.head, response.body), judge, _WANTS)
                if page.relevant:
                    yield Seed(response.url, path.name, "", one_line(page.title))
                else:
                    yield SkippedSeed("in another language" if page.language else "no language told")
