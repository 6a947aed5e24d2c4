"""The archive: WARC files that other people's tools read, and reading them back."""

from exonym.archive.exchange import ArchiveOptions, Exchange, Original, Place, Position
from exonym.archive.originals import Originals
from exonym.archive.records import digest_text
from exonym.archive.writing import WarcWriter

__all__ = ["ArchiveOptions", "Exchange", "Original", "Originals", "Place", "Position", "WarcWriter", "digest_text"]
