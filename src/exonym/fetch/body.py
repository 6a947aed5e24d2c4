"""The body of a reply without its encodings: first chunked, then gzip, deflate, br or zstd.

Tolerant, because heads are often wrong: bytes that are not encoded as the head says are returned as they are, and
truncated streams give what they hold. Bounded, because a few kilobytes can expand to gigabytes.
"""

import re
import zlib

from isal import isal_zlib

from exonym.fetch.messages import header_value

_ENCODED = re.compile(rb"^(?:transfer|content)-encoding[ \t]*:", re.I | re.M)
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
_LAYERS = 3  # of content encodings; honest servers use two at most
_MEMBERS = 64  # of a gzip file; each costs a copy of the rest, so millions of empty members would take hours
_PIECE_BYTES = 256
_GZIP, _ZLIB, _RAW = 31, 15, -15
# isal's type stub declares an instance where the class is.
_IsalError: type[Exception] = isal_zlib.error  # type: ignore[assignment]


def decoded_body(response_head: bytes, body: bytes, limit_bytes: int) -> bytes:
    """The content of a reply: at most `limit_bytes` of it, without transfer and content encoding."""
    if not _ENCODED.search(response_head):
        return body[:limit_bytes] if len(body) > limit_bytes else body
    content = payload_of(response_head, body)
    encodings = (header_value(response_head, "content-encoding") or b"").lower().split(b",")
    for encoding in encodings[: -_LAYERS - 1 : -1]:
        content = _unpacked(encoding.strip(), content, limit_bytes)
    return content[:limit_bytes]


def payload_of(response_head: bytes, body: bytes) -> bytes:
    """The body without transfer encoding: what the server would have sent over a plain connection."""
    encoding = header_value(response_head, "transfer-encoding")
    if encoding is None or b"chunked" not in encoding.lower():
        return body
    return dechunked(body)


def dechunked(body: bytes) -> bytes:
    """The data of all chunks up to the first that is broken; `body` itself if no chunk is whole."""
    joined = bytearray()  # not a list: a hostile body has millions of chunks
    at = 0
    while found := _CHUNK_SIZE.match(body, at):
        size = int(found[1], 16)
        if not size:
            return bytes(joined)
        start = found.end()
        joined += body[start : start + size]
        at = start + size
        if body.startswith(b"\r\n", at):
            at += 2
        elif body.startswith(b"\n", at):
            at += 1
        else:
            break
    return bytes(joined) if joined else body


def gunzipped(data: bytes, limit_bytes: int) -> bytes:
    """What can be unpacked of a gzip file of one or more members, at most `limit_bytes`."""
    return _inflated(data, _GZIP, limit_bytes) or b""


def _unpacked(encoding: bytes, data: bytes, limit_bytes: int) -> bytes:
    if encoding in (b"gzip", b"x-gzip"):
        unpacked = _inflated(data, _GZIP, limit_bytes) if data[:2] == b"\x1f\x8b" else None
    elif encoding == b"deflate":  # zlib streams by the standard, raw streams by many servers
        unpacked = _inflated(data, _ZLIB, limit_bytes) if _begins_zlib(data) else None
        unpacked = _inflated(data, _RAW, limit_bytes) if unpacked is None else unpacked
    elif encoding in (b"br", b"zstd"):  # not requested, but some servers send them, and archives of others have them
        from exonym.fetch.encodings import unbrotlied, unzstded

        unpacked = unbrotlied(data, limit_bytes) if encoding == b"br" else unzstded(data, limit_bytes)
    else:
        unpacked = data
    return data if unpacked is None else unpacked


def _begins_zlib(data: bytes) -> bool:
    return len(data) > 1 and data[0] & 15 == 8 and (data[0] << 8 | data[1]) % 31 == 0


def _inflated(data: bytes, window: int, limit_bytes: int) -> bytes | None:
    """Unpacked bytes, also of a stream cut short; None if nothing could be unpacked."""
    parts: list[bytes] = []
    room = limit_bytes
    while data and room > 0 and len(parts) < _MEMBERS:
        try:
            stream = isal_zlib.decompressobj(window)
            part = stream.decompress(data, room)
        except (_IsalError, zlib.error, ValueError):
            part = _salvaged(data, window, room)
            return b"".join([*parts, part]) if parts or part else None
        parts.append(part)
        room -= len(part)
        data = stream.unused_data if stream.eof and window == _GZIP else b""
    return b"".join(parts)


def _salvaged(data: bytes, window: int, room: int) -> bytes:
    """What can be unpacked before the first error: in small pieces, because an error loses its whole piece."""
    stream = zlib.decompressobj(window)
    parts: list[bytes] = []
    try:
        for at in range(0, len(data), _PIECE_BYTES):
            part = stream.decompress(data[at : at + _PIECE_BYTES], room)
            parts.append(part)
            room -= len(part)
            if room <= 0:
                break
    except zlib.error:
        pass
    return b"".join(parts)
