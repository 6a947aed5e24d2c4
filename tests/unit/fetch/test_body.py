"""Encodings taken off, honest and hostile ones."""

import gzip
import sys
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.fetch import decoded_body, payload_of
from exonym.fetch.body import dechunked, gunzipped

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LIMIT = 1_000_000
TEXT = b"".join(b"line %d\n" % number for number in range(2_000))


def head(*lines: str) -> bytes:
    return ("HTTP/1.1 200 OK\r\n" + "".join(f"{line}\r\n" for line in lines) + "\r\n").encode()


def raw_deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, sizes: list[int]) -> bytes:
    parts = []
    for size in sizes:
        piece, data = data[:size], data[size:]
        parts.append(b"%x\r\n%s\r\n" % (len(piece), piece) if piece else b"")
    parts.append(b"%x\r\n%s\r\n" % (len(data), data) if data else b"")
    return b"".join(parts) + b"0\r\n\r\n"


def test_plain_body_is_the_same_object() -> None:
    body = bytes(range(256))
    assert decoded_body(head("Content-Type: text/html"), body, LIMIT) is body


def test_plain_body_is_cut_at_the_limit() -> None:
    assert decoded_body(head(), b"12345", 3) == b"123"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("X-GZIP", gzip.compress(TEXT, mtime=0)),
        ("gzip", gzip.compress(TEXT[:100], mtime=0) + gzip.compress(TEXT[100:], mtime=0)),
        ("gzip", gzip.compress(TEXT, mtime=0) + b"rubbish after the end"),
        ("deflate", zlib.compress(TEXT)),
        ("Deflate", raw_deflated(TEXT)),
        ("deflate, gzip", gzip.compress(zlib.compress(TEXT), mtime=0)),
        ("br", brotli.compress(TEXT)),
        ("BR", brotli.compress(TEXT) + b"rubbish after the end"),
        ("zstd", zstd.compress(TEXT)),
        ("zstd", zstd.compress(TEXT[:100]) + zstd.compress(TEXT[100:])),
        ("zstd", zstd.compress(TEXT) + b"rubbish after the end"),
        ("br, gzip", gzip.compress(brotli.compress(TEXT), mtime=0)),
        ("identity", TEXT),
        ("", TEXT),
        ("zstd", TEXT),
        ("br", TEXT),
        ("gzip", TEXT),
        ("deflate", TEXT),
    ],
)
def test_content_encoding_is_taken_off_or_bytes_are_left_alone(encoding: str, body: bytes) -> None:
    assert decoded_body(head(f"Content-Encoding: {encoding}"), body, LIMIT) == TEXT


LONG = b"".join(b"line %d\n" % number for number in range(60_000))  # zstd unpacks block by block, of 128 kB


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("deflate", zlib.compress(TEXT)),
        ("br", brotli.compress(TEXT)),
        ("zstd", zstd.compress(LONG)),
    ],
)
def test_stream_cut_short_gives_its_beginning(encoding: str, body: bytes) -> None:
    decoded = decoded_body(head(f"Content-Encoding: {encoding}"), body[: -len(body) // 8], LIMIT)
    assert len(decoded) > 1_000
    assert LONG.startswith(decoded)


def test_stream_with_an_error_gives_what_came_before_it() -> None:
    packed = gzip.compress(TEXT, mtime=0)
    wrong_sum = packed[:-8] + b"\0\0\0\0" + packed[-4:]
    decoded = decoded_body(head("Content-Encoding: gzip"), wrong_sum, LIMIT)
    assert len(decoded) > 1_000
    assert TEXT.startswith(decoded)


def test_bomb_is_unpacked_only_up_to_the_limit() -> None:
    bomb = gzip.compress(bytes(50_000_000), mtime=0)
    assert decoded_body(head("Content-Encoding: gzip"), bomb, 1_000) == bytes(1_000)
    assert decoded_body(head("Content-Encoding: gzip, gzip"), gzip.compress(bomb, mtime=0), 100_000) == bytes(100_000)
    assert gunzipped(bomb * 3, 60_000_000) == bytes(60_000_000)


@pytest.mark.parametrize(
    ("encoding", "bomb"),
    [("br", brotli.compress(bytes(20_000_000), quality=1)), ("zstd", zstd.compress(bytes(20_000_000)))],
)
def test_bomb_of_other_encodings_is_unpacked_only_up_to_the_limit(encoding: str, bomb: bytes) -> None:
    assert decoded_body(head(f"Content-Encoding: {encoding}"), bomb, 1_000) == bytes(1_000)
    assert decoded_body(head(f"Content-Encoding: {encoding}"), bomb, 30_000_000) == bytes(20_000_000)


def test_zstd_window_larger_than_the_web_allows_is_left_alone() -> None:
    parameter = zstd.CompressionParameter
    options: dict[int, int] = {parameter.window_log: 27, parameter.content_size_flag: 0}
    packer = zstd.ZstdCompressor(options=options)
    body = packer.compress(TEXT) + packer.flush()
    assert decoded_body(head("Content-Encoding: zstd"), body, LIMIT) == b""


def test_brotli_stream_with_an_error_gives_what_came_before_it() -> None:
    packed = bytearray(brotli.compress(TEXT))
    packed[len(packed) // 2] ^= 255
    decoded = decoded_body(head("Content-Encoding: br"), bytes(packed), LIMIT)
    assert decoded[:1_000] == TEXT[:1_000]


def test_bomb_with_a_wrong_sum_is_bounded_too() -> None:
    bomb = bytearray(gzip.compress(bytes(10_000_000), mtime=0))
    bomb[-5] ^= 255
    assert len(decoded_body(head("Content-Encoding: gzip"), bytes(bomb), LIMIT)) <= LIMIT


def test_flood_of_gzip_members_is_bounded() -> None:
    assert gunzipped(gzip.compress(b"x", mtime=0) * 200_000, LIMIT) == b"x" * 64


def test_chunks_then_gzip_are_taken_off() -> None:
    both = head("Transfer-Encoding: chunked", "Content-Encoding: gzip")
    assert decoded_body(both, chunked(gzip.compress(TEXT, mtime=0), [10, 100, 5]), LIMIT) == TEXT


def test_payload_keeps_its_content_encoding() -> None:
    packed = gzip.compress(TEXT, mtime=0)
    assert payload_of(head("Transfer-Encoding: chunked", "Content-Encoding: gzip"), chunked(packed, [7])) == packed
    assert payload_of(head("Content-Encoding: gzip"), packed) == packed


@pytest.mark.parametrize(
    ("body", "payload"),
    [
        (b"3\r\nabc\r\n0\r\n\r\n", b"abc"),
        (b"3;name=value\r\nabc\r\n0\r\nTrailer: x\r\n\r\nnext", b"abc"),
        (b"  3  \r\nabc\r\n00\r\n\r\n", b"abc"),
        (b"3\nabc\n2\nde\n0\n\n", b"abcde"),
        (b"A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", b"0123456789" * 2),
        (b"0\r\n\r\n", b""),
        (b"ff\r\nabc", b"abc"),
        (b"3\r\nabc\r\nno number", b"abc"),
        (b"3\r\nabc\r\nffffffffffffffffff\r\nx", b"abc"),
        (b"fffffffffffffff\r\nx", b"x"),
        (b"not chunked at all", b"not chunked at all"),
        (b"", b""),
        (b"3\r\nabcde\r\n0\r\n\r\n", b"abc"),
    ],
)
def test_chunks_are_joined_as_far_as_they_are_whole(body: bytes, payload: bytes) -> None:
    assert payload_of(head("Transfer-Encoding: Chunked"), body) == payload


@given(st.binary(max_size=500), st.lists(st.integers(1, 100), max_size=10))
def test_chunking_loses_nothing(data: bytes, sizes: list[int]) -> None:
    assert dechunked(chunked(data, sizes)) == data


@given(
    st.sampled_from(["gzip", "deflate", "gzip, deflate", "br", "zstd", "gzip,,x-gzip", "br,zstd,br"]),
    st.sampled_from(["chunked", "gzip, chunked", "identity"]),
    st.binary(max_size=300),
    st.sampled_from([b"", b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\0", b"\x78\x9c", b"10\r\n", b"\x28\xb5\x2f\xfd"]),
    st.integers(0, 1_000),
)
def test_no_body_is_too_odd_and_none_is_over_the_limit(
    content: str, transfer: str, rubbish: bytes, start: bytes, limit: int
) -> None:
    lines = head(f"Content-Encoding: {content}", f"Transfer-Encoding: {transfer}")
    assert len(decoded_body(lines, start + rubbish, limit)) <= limit
    assert len(decoded_body(rubbish, start + rubbish, limit)) <= limit


@given(
    st.binary(min_size=1, max_size=60),
    st.integers(0, 200),
    st.integers(1, 255),
    st.sampled_from([("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstd.compress)]),
)
def test_a_damaged_stream_never_raises(
    data: bytes, at: int, change: int, packing: tuple[str, Callable[[bytes], bytes]]
) -> None:
    encoding, compress = packing
    packed = bytearray(compress(data * 3))
    packed[at % len(packed)] ^= change
    assert isinstance(decoded_body(head(f"Content-Encoding: {encoding}"), bytes(packed), LIMIT), bytes)
