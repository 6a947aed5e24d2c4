"""Bytes of a page to text: which charset, and on what evidence.

Bytes outrank labels: text that is valid UTF-8 (and not mere ASCII), or nearly so, is UTF-8 whatever its header says,
and a label that the bytes contradict loses to detection; the label is kept, as a clue to the language of the page.
`charset_signs` has heuristics for texts too short for detection. Detection is chardetng's: turbohtml.detect
has the same method and agreed on all of 4,000 passages, but has no way to state that a sample ends in the middle
of a letter, and then rejects the right answer.
"""

import codecs
import re
from dataclasses import dataclass

import chardetng_py
import turbohtml.detect  # noqa: F401  registers the whatwg- codecs

from exonym.extract.charset_labels import MULTI_BYTE, charset_named, codec_of, kind_of, outranks
from exonym.extract.charset_signs import (
    PROVABLE,
    foreign_length,
    holds_hz,
    hz_text,
    is_latin,
    is_no_latin,
    is_thai,
    reads_well,
)

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_HTTP_LABEL = re.compile(r"charset\s*=\s*[\"']?([^\s;\"',]+)", re.IGNORECASE)
_PAGE_LABEL = re.compile(
    rb"<!--.*?(?:-->|$)"  # a comment has no label
    rb"|<meta\b[^>]{0,400}?\bcharset\s*=\s*[\"']?\s*([\w:.-]+)"
    rb"|<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([\w:.-]+)",
    re.DOTALL,
)
_HEAD_BYTES = 4_096  # the standard looks at 1,024; pages with long comments put the label further down
_FOREIGN_RUN = re.compile(rb"[\x80-\xff][^<>\x00-\x1f]*")
# Detection costs about 0.2 µs a foreign byte and is right from some 60 of them on: enough to confirm a label.
_GLANCE = (60, 400)  # foreign bytes, bytes in all
_SAMPLE = (300, 2_000)
_LARGE_SAMPLE = (3_000, 20_000)  # where label and detection differ: a page may begin with a song in another language
_FEW_BYTES = 24  # with fewer foreign bytes than this, detection guesses
_ENOUGH_FOR_LATIN = 16  # to distinguish Latin charsets; below, one in twenty Western texts passes for Polish
_SPOTS, _SPOT_BYTES = 8, 100
# Letters that UTF-8 must read: so many for each that it does not, and so many more. Of pages in other charsets it
# reads, by chance, at most 0.43 for each (EUC-JP); of a few words, it may read most.
_GOOD_LETTERS, _GOOD_IF_LABELLED = (2, 8), (1, 2)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the WHATWG name of the charset it was in, and what decided: bom, bytes, http, meta, xml, detected."""

    text: str
    charset: str
    evidence: str
    charset_label: str = ""  # the charset that the header or else the page claims, right or wrong; "" if none


def decode(body: bytes, content_type: str | None) -> Decoded:
    """The text of `body`, decoded by the best evidence there is. Never fails: bad bytes become U+FFFD."""
    labels = _labels(body, content_type)
    label = labels[0][0] if labels else ""
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(codec_of(charset), "replace"), charset, "bom", label)
    if body.isascii():
        charset, evidence = _seven_bit_charset(body, labels)
        if charset == "hz-gb-2312":
            text = hz_text(body)
        elif charset.startswith(("utf-16", "iso-2022")):
            text = _decoded(body, charset)
        else:
            text = body.decode("ascii")
        return Decoded(text, charset, evidence, label)
    utf8 = _as_utf8(body, any(charset == "utf-8" for charset, _ in labels))
    if utf8 is not None:
        return Decoded(utf8, "utf-8", "bytes", label)
    charset, evidence = _legacy_charset(body, labels)
    return Decoded(_decoded(body, charset), charset, evidence, label)


def _seven_bit_charset(body: bytes, labels: list[tuple[str, str]]) -> tuple[str, str]:
    """The charset of bytes below 128: any that a label names, or one of those that switch by escapes."""
    if 0x1B in body and b"\x1b$" in body:  # one byte is looked for far faster than two
        return "iso-2022-jp", "bytes"
    if b"~{" in body and holds_hz(body):
        return "hz-gb-2312", "bytes"
    charset, evidence = labels[0] if labels else ("utf-8", "bytes")
    # Without a NUL byte there is no Latin letter in UTF-16, and every page has tags.
    is_mistaken = charset.startswith("utf-16") and b"\0" not in body[:_HEAD_BYTES]
    return ("utf-8", "bytes") if is_mistaken else (charset, evidence)


def _as_utf8(body: bytes, is_labelled: bool) -> str | None:
    """`body` as UTF-8 if it is that: strictly (an incomplete last letter is accepted), or for the most part."""
    try:
        text = codecs.utf_8_decode(body, "strict", False)[0]
        return None if text.isascii() else text
    except UnicodeDecodeError:
        if _is_bad_all_over(body):
            return None
    text = body.decode("utf-8", "replace")
    bad, good = _bad_and_good(text)
    times, more = _GOOD_IF_LABELLED if is_labelled else _GOOD_LETTERS
    return text if good >= times * bad + more else None


def _is_bad_all_over(body: bytes) -> bool:
    """Whether spots all over a page show another charset: to decode all of a long page takes longer."""
    if len(body) < 2 * _SPOTS * _SPOT_BYTES:
        return False
    spots = range(len(body) // (2 * _SPOTS), len(body), len(body) // _SPOTS + 1)
    counts = [_bad_and_good(body[spot : spot + _SPOT_BYTES].decode("utf-8", "replace")) for spot in spots]
    bad_spots = sum(bad > good + 3 for bad, good in counts)  # a spot may begin and end within a letter
    return bad_spots > 2 + 2 * sum(good > bad for bad, good in counts)


def _bad_and_good(text: str) -> tuple[int, int]:
    """How many letters beyond ASCII could not be decoded, and how many could."""
    bad = text.count("\ufffd")
    return bad, len(text) - len(text.encode("ascii", "ignore")) - bad


def _labels(body: bytes, content_type: str | None) -> list[tuple[str, str]]:
    """The charsets that the header and the page itself claim, best evidence first."""
    labels = []
    if content_type and (http := _HTTP_LABEL.search(content_type[:1_000])):
        labels.append((charset_named(http[1]), "http"))
    head = body[:_HEAD_BYTES].lower()
    if b"charset" in head or b"encoding" in head:
        page = next((match for match in _PAGE_LABEL.finditer(head) if match.lastindex), None)
        if page:
            labels.append((charset_named(page[page.lastindex or 0].decode("ascii")), "meta" if page[1] else "xml"))
    return [(charset, evidence) for charset, evidence in labels if charset]


def _legacy_charset(body: bytes, labels: list[tuple[str, str]]) -> tuple[str, str]:
    """The charset of text that is neither ASCII nor UTF-8: the first label that fits the bytes, else detection."""
    if labels:
        glanced = _detected(_foreign_sample(body, *_GLANCE))
        if kind_of(labels[0][0]) == kind_of(glanced) and not outranks(glanced, labels[0][0]):
            return labels[0]
    sample = _foreign_sample(body, *_SAMPLE)
    detected = _detected(sample)
    foreign = foreign_length(sample)
    may_be_latin = foreign < _FEW_BYTES or 2 * foreign < len(sample)  # `is_latin` is slow
    if kind_of(detected) != "latin" and may_be_latin and is_latin(body):
        detected = "windows-1252"
    is_disputed = any(charset in PROVABLE for charset, _ in labels)
    if foreign >= _FEW_BYTES and (is_disputed or (detected in MULTI_BYTE and not reads_well(sample, detected))):
        large = _foreign_sample(body, *_LARGE_SAMPLE)
        proved = next((label for label in labels if reads_well(large, label[0])), None)
        if proved:
            return proved
        detected = detected if reads_well(large, detected) else _detected(large)
    for charset, evidence in labels:
        if charset.startswith("utf-16") and b"\0" in body[:_HEAD_BYTES]:
            return charset, evidence
        # A label of the same kind as the detected charset is more reliable than detection, with exceptions.
        is_near = kind_of(charset) == kind_of(detected)
        is_right = is_near and (not outranks(detected, charset) or foreign < _ENOUGH_FOR_LATIN)
        if not charset.startswith("utf-") and (is_right or _may_be(body, sample, detected, charset)):
            return charset, evidence
    return detected, "detected"


def _may_be(body: bytes, sample: bytes, detected: str, charset: str) -> bool:
    """Whether a label may be right against detection: where detection had too few bytes, or is known to err."""
    is_few = foreign_length(sample) < _FEW_BYTES
    # One stray byte makes the detector give up a multi-byte charset and fall back to Latin.
    may_err = charset in MULTI_BYTE and kind_of(detected) == "latin"
    if not (is_few or may_err) or (is_no_latin(body) if kind_of(charset) == "latin" else is_latin(body)):
        return False
    if is_few and is_thai(sample):
        return False
    bad, good = _bad_and_good(_decoded(body, charset))
    return bad * 50 <= good


def _detected(sample: bytes) -> str:
    detector = chardetng_py.EncodingDetector()
    detector.feed(sample, last=False)
    detected = charset_named(detector.guess(tld=None, allow_utf8=False)) or "windows-1252"
    # Short Thai texts pass for Chinese with it, since every two letters are a character.
    return "windows-874" if detected != "windows-874" and is_thai(sample) else detected


def _foreign_sample(body: bytes, most_foreign: int, most_bytes: int) -> bytes:
    """Runs of text from a foreign byte to the next tag: markup is no evidence, and a label would bias detection."""
    runs: list[bytes] = []
    for run in _FOREIGN_RUN.finditer(body):
        runs.append(run[0][:most_bytes])
        most_bytes -= len(runs[-1])
        most_foreign -= foreign_length(runs[-1])
        if most_bytes <= 0 or most_foreign <= 0:
            break
    return b" ".join(runs)


def _decoded(body: bytes, charset: str) -> str:
    return body.decode(codec_of(charset), "replace")
