"""WARC files: writing ours, so that other people's tools can read them, and reading anybody's.

`writing` appends exchanges (`exchange` defines them) as `records`, and `originals` knows which payloads it has already;
`reading` gets one response of ours back and checks its digest. `any_warc` iterates over files of any crawler, `ranges`
cuts long files into parts, `recovery` finds the next record after damage. Knows nothing of crawls or graphs.
"""

from exonym.archive.exchange import ArchiveOptions, ArchivePlace, Exchange, Original, Position
from exonym.archive.originals import Originals
from exonym.archive.records import digest_text
from exonym.archive.writing import WarcWriter

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
