"""The values that the archive takes and returns: exchanges, places in files, originals of copies."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and the response to it, byte for byte as they went over the wire.

    `body` is as received, transfer coding included: that is what the record's payload digest
    covers, because it is what warcio and fastwarc verify.
    """

    url: str
    started_epoch_seconds: float
    address: str  # of the server; "" if unknown
    request_head: bytes
    head: bytes
    body: bytes
    truncated: str = ""  # why the body was cut: length, time, disconnect; "" if it is whole
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """Where a response (or a revisit in its place) is in the archive."""

    file: str
    offset: int
    length: int
    digest: bytes  # SHA-1 of the body as received
    is_original: bool  # a whole payload was written that later copies may refer to
    original: "Original | None" = None  # the page that this one repeats


@dataclass(frozen=True, slots=True)
class Position:
    """How far the archive has been written: the newest file and its length."""

    file: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class Original:
    """The page that a copy repeats."""

    url: str
    started_epoch_seconds: float
    address: str = ""  # of its server; "" if unknown


@dataclass(frozen=True, slots=True)
class ArchiveOptions:
    """When a new file begins, and what the first record of a file states about the crawl."""

    file_bytes: int = 1_000_000_000
    prefix: str = "exonym"
    software: str = "Exonym"
    user_agent: str = ""
    operator: str = ""
    robots: str = "obey"
