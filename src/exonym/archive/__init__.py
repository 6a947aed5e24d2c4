"""Archives: writes our own, WARC files which other tools can read, and reads those of any crawler.

`warc_writer` appends exchanges (`exchange` defines them) as `records`, and `originals` knows which payloads the archive
has; `archived_responses` reads one response of our own archive and checks its digest. `any_warc` iterates over files of
any crawler: `archive_files` knows which files are archives, `wacz` finds those in zip files, `unpacking` unpacks,
`record_heads` parses, `ranges` cuts long files into parts, `recovery` finds the next record after damage. The package
knows nothing of crawls or graphs.
"""

from exonym.archive.exchange import ArchiveOptions, ArchivePlace, Exchange, Original, Position
from exonym.archive.originals import Originals
from exonym.archive.records import digest_text
from exonym.archive.warc_writer import WarcWriter

__all__ = [
    "ArchiveOptions",
    "ArchivePlace",
    "Exchange",
    "Original",
    "Originals",
    "Position",
    "WarcWriter",
    "digest_text",
]
