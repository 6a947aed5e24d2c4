"""The archive: WARC files that other people's tools read, and reading them back."""

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
