"""The heads of records in WARC and ARC files: one format for both, however their lines end.

WARC (ISO 28500) wants CRLF; some programs write LF. Names of fields are compared without regard to case. An ARC
record begins with one line, of version 1 (URL, address, date, type, length) or 2 (five more fields before the length).
"""

import re
from typing import NamedTuple

from exonym.archive.unpacking import CutOffError, DamageError, UnpackedStream

LONGEST_HEAD_BYTES = 1 << 20
WARC_START = b"WARC/"
ARC_LINE = re.compile(
    rb"([a-z][a-z0-9+.-]{1,15}:\S.{0,16000}?) ([0-9a-fA-F.:]{1,45}|-) (\d{8,17}|-) (.*?) ?(\d{1,18})\r?\n"
)
_ARC_START = re.compile(rb"[a-z][a-z0-9+.-]{0,15}(:|$)")  # of a line that is cut off


class RecordHead(NamedTuple):
    """The head of a record; its block follows."""

    kind: str  # as in WARC-Type: response, revisit, request …
    fields: dict[str, str]  # their names in lower case; of an ARC record, by the names that WARC has for them
    length: int  # of the block
    offset: int  # in the file; in a packed one, that of the member or frame

    def field(self, name: str) -> str:
        """The value of a field, by its name in lower case; "" if it is missing."""
        return self.fields.get(name, "")


def next_head(source: UnpackedStream) -> RecordHead | None:
    """The next head, None at the end of the file; DamageError if what follows is no record."""
    while True:
        offset = source.place
        line = source.line(LONGEST_HEAD_BYTES)
        if not line:
            return None
        if line.strip():
            break
    if line[: len(WARC_START)].upper() == WARC_START:
        return _warc_head(source, offset)
    if found := ARC_LINE.fullmatch(line):
        return _arc_head(found, offset)
    if not line.endswith(b"\n") and (WARC_START.startswith(line) or _ARC_START.match(line)):
        raise CutOffError(offset)
    raise DamageError(offset)


def _warc_head(source: UnpackedStream, offset: int) -> RecordHead:
    fields, last, size = dict[str, str](), "", 0
    while line := source.line(LONGEST_HEAD_BYTES):
        size += len(line)
        if size > LONGEST_HEAD_BYTES:
            raise DamageError(offset)
        text = line.decode("utf-8", "replace")
        name, colon, value = text.partition(":")
        if not text.strip():
            break
        if text[0] in " \t" and last:  # a continued line
            fields[last] = f"{fields[last]} {text.strip()}".strip()
        elif colon:
            last = name.strip().lower()
            fields.setdefault(last, value.strip())
    else:
        raise CutOffError(offset)
    length = fields.get("content-length", "")
    if not (length.isascii() and length.isdecimal() and len(length) < 19):
        raise DamageError(offset)
    return RecordHead(fields.get("warc-type", "").lower(), fields, int(length), offset)


def _arc_head(found: "re.Match[bytes]", offset: int) -> RecordHead:
    url, address, date, _, length = (part.decode("utf-8", "replace") for part in found.groups())
    scheme = url.partition(":")[0].lower()
    kind = "response" if scheme in ("http", "https") else "warcinfo" if scheme == "filedesc" else "resource"
    fields = {"warc-target-uri": url, "warc-ip-address": address, "warc-date": date, "content-length": length}
    return RecordHead(kind, fields, int(length), offset)
