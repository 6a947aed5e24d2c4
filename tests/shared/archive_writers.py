"""Archives as other programs write them, made by hand: WARC, ARC and WACZ, packed in all usual ways."""

import gzip
import io
import sys
import zipfile

import xxhash

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def page(number: int, words: str = "") -> bytes:
    """A response of a server, 2 links in it."""
    links = "".join(f"<a href='/{target}'>page {target}</a>" for target in (number + 1, number + 2))
    body = f"<html><title>Page {number}</title><p>{words or f'The river is number {number} of all rivers.'}{links}"
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body.encode()


def warc_record(number: int, end: str = "\r\n", kind: str = "response", block: bytes | None = None) -> bytes:
    """A record of http://a.example/NUMBER; `end` ends each line of its head, and the two empty lines after it."""
    block = page(number) if block is None else block
    lines = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Target-URI: http://a.example/{number}"]
    lines += ["WARC-IP-Address: 192.0.2.7", f"Content-Length: {len(block)}", "", ""]
    return end.join(lines).encode() + block + (end * 2).encode()


def arc_records(numbers: list[int], version: int = 1) -> list[bytes]:
    """The head of an ARC file, then a record for each number, as version 1 or 2 of the format has them."""
    more, names = (
        ("", "") if version == 1 else (" 200 - - 0 some.arc", " Result-code Checksum Location Offset Filename")
    )
    about = f"{version} 0 Somebody\nURL IP-address Archive-date Content-type{names} Archive-length\n".encode()
    records = [f"filedesc://some.arc 0.0.0.0 20080430204825 text/plain{more} {len(about)}\n".encode() + about + b"\n"]
    for number in numbers:
        block = page(number)
        line = f"http://a.example/{number} 192.0.2.7 20080430204825 text/html{more} {len(block)}\n"
        records.append(line.encode() + block + b"\n")
    return records


def zstd_with_dictionary(records: list[bytes], is_dictionary_packed: bool = False) -> tuple[bytes, list[bytes]]:
    """The first frame of a .warc.zst file with a dictionary, and a frame for each record."""
    dictionary = zstd.train_dict([warc_record(number) for number in range(300)], 2_000)
    content = dictionary.dict_content
    content = zstd.compress(content) if is_dictionary_packed else content
    first = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    return first, [zstd.compress(record, zstd_dict=dictionary) for record in records]


def wacz(archives: dict[str, bytes], packed: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file with archives in its folder `archive`, and the other files that WACZ has."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as file:
        file.writestr("datapackage.json", '{"profile": "data-package"}')
        file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n')
        for name, data in archives.items():
            file.writestr(f"archive/{name}", data)
    return made.getvalue()


NUMBERS = [1, 2, 3, 4, 5]
CRLF = [warc_record(number) for number in NUMBERS]
LF = [warc_record(number, "\n") for number in NUMBERS]
ARC = arc_records(NUMBERS)


def packed(records: list[bytes]) -> bytes:
    """Each record as a gzip member of its own."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def lz4(data: bytes) -> bytes:
    """Bytes as a frame of LZ4, in a block that is not compressed."""
    flags = b"\x60\x70"  # blocks of 4 MB at most, each by itself
    start = b"\x04\x22\x4d\x18" + flags + bytes([xxhash.xxh32_intdigest(flags) >> 8 & 0xFF])
    return start + (len(data) | 1 << 31).to_bytes(4, "little") + data + bytes(4)


def _zst(is_dictionary_packed: bool) -> bytes:
    first, frames = zstd_with_dictionary(CRLF, is_dictionary_packed)
    return first + b"".join(frames)


# Archives of the pages 1 to 5, by what is special about them.
ARCHIVES: dict[str, bytes] = {
    "warc": b"".join(CRLF),
    "warc.gz": packed(CRLF),
    "whole-file gzip": gzip.compress(b"".join(CRLF), mtime=0),
    "LF": b"".join(LF),
    "LF gz": packed(LF),
    "LF whole-file gzip": gzip.compress(b"".join(LF), mtime=0),
    "LF heads, CRLF after records": b"".join(record[:-2] + b"\r\n\r\n" for record in LF),
    "LF and CRLF in turn": b"".join([*CRLF[:2], *LF[2:4], CRLF[4]]),
    "LF and CRLF in turn, gz": packed([*CRLF[:2], *LF[2:4], CRLF[4]]),
    "lower-case names": b"".join(CRLF)
    .replace(b"WARC-Type", b"warc-type")
    .replace(b"Content-Length", b"content-length"),
    "continued lines": b"".join(CRLF).replace(b"Content-Length: ", b"Content-Length:\r\n\t"),
    "arc": b"".join(ARC),
    "arc.gz": packed(ARC),
    "arc version 2": b"".join(arc_records(NUMBERS, 2)),
    "arc whole-file gzip": gzip.compress(b"".join(ARC), mtime=0),
    "zst": b"".join(map(zstd.compress, CRLF)),
    "zst whole file": zstd.compress(b"".join(CRLF)),
    "zst dictionary": _zst(False),
    "zst packed dictionary": _zst(True),
    "lz4": lz4(b"".join(CRLF)),
    "wacz": wacz({"a.warc.gz": packed(CRLF[:2]), "b.warc.gz": packed(CRLF[2:])}),
    "wacz deflated": wacz({"a.warc": b"".join(CRLF[:2]), "b.warc.gz": packed(LF[2:])}, zipfile.ZIP_DEFLATED),
    "padded gz": packed(CRLF[:3]) + bytes(100) + packed(CRLF[3:]) + bytes(7),
}
