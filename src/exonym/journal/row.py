"""A row of the journal, and its bytes in the store.

The order of the fields is the format of the store's tail; their names are the columns of the
Parquet parts. New fields go to the end, with a default.
"""

from typing import Any

import msgspec

from exonym.batches import NO_ROW, Outcome
from exonym.errors import DirectoryError

# Texts from the web are cut: a server can send a title or a content type of any length.
LONGEST = {"title": 200, "why": 500, "failure": 300, "content_type": 100, "charset": 40, "shares": 200, "rule": 300}


class JournalRow(msgspec.Struct, array_like=True):
    """One visit and its result."""

    row: int
    url: str
    when: float  # seconds since 1970, when the request was sent
    outcome: Outcome
    status: int = 0  # 0: no answer
    content_type: str = ""
    charset: str = ""
    length: int = 0  # bytes received
    seconds: float = 0.0
    language: str = ""
    shares: str = ""  # as in "th:0.83 en:0.17"
    relevance: float = 0.0
    relevant: bool = False
    distance: int = 0
    score: float = 0.0
    source: int = NO_ROW  # the row of the page that had the link
    why: str = ""
    failure: str = ""
    truncated: str = ""
    title: str = ""
    links: int = 0
    note: int = 0
    attempts: int = 0
    digest: str = ""
    warc_file: str = ""
    warc_offset: int = NO_ROW
    inherited: bool = False  # the page shows no language: it was taken to be in that of the page that had the link
    copy: bool = False  # word for word as a page fetched before: not relevant whatever it says, its links not followed
    rank: float = 0.0  # the part of the score that was the rank of the link's group
    rule: str = ""  # the rules of the scope that decided about the visit
    address: str = ""  # the IP address that answered


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(JournalRow)
_cut_texts = tuple(LONGEST.items())


def encoded(row: JournalRow) -> bytes:
    """The row's bytes in the store, texts cut to their limits."""
    for name, limit in _cut_texts:
        if len(getattr(row, name)) > limit:
            row = msgspec.structs.replace(row, **{name: getattr(row, name)[:limit]})
    try:
        return _encoder.encode(row)
    except UnicodeEncodeError:  # half of a surrogate pair, from a page's script or a broken decoder
        return _encoder.encode(_without_surrogates(row))


def decoded(value: bytes) -> JournalRow:
    """The row that `encoded` turned into these bytes."""
    try:
        return _decoder.decode(value)
    except msgspec.MsgspecError as error:
        raise DirectoryError(f"the journal's tail is damaged ({error}). Restore state/ from a copy.") from error


def _without_surrogates(row: JournalRow) -> JournalRow:
    texts: dict[str, Any] = {
        name: value.encode("utf-8", "replace").decode()
        for name, value in msgspec.structs.asdict(row).items()
        if isinstance(value, str)
    }
    return msgspec.structs.replace(row, **texts)
