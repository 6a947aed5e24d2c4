"""Texts and pages whose language somebody has told, one JSON object a line, to try identifiers on.

{"text": "…", "label": "th"}
{"html_base64": "PGh0bWw+…", "http_charset": "tis-620", "label": "th"}

A label is any name of a language; "unknown" (or "und", or nothing) is a page that has none. `zh-Hant` asks
for the variant too, `zh` takes either. A line that says nothing of the kind is told of and left out.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from exonym.errors import ConfigError
from exonym.extract.document import Wants
from exonym.extract.html import extract
from exonym.language.base import NO_CLUES, Clues, clues_of
from exonym.language_names import known_language

_NO_LANGUAGE = frozenset(["", "und", "unknown"])
_TEXT_ONLY = Wants(around=False, place=False, anchor=False)
_URL = "http://labelled.example/"


class Example(NamedTuple):
    """A text with what its page says of itself, the language that it is in ("" none), and its line in the file."""

    text: str
    clues: Clues
    label: str
    line: int


class BadLine(NamedTuple):
    """A line that is no example, and what is wrong with it."""

    line: int
    reason: str


class _NoExampleError(Exception):
    """A line is no example; the text says why."""


def read_labelled(path: Path) -> Iterator[Example | BadLine]:
    """The examples of a file, in order; of bad lines, their number and what is wrong with them."""
    try:
        with path.open("rb") as lines:
            yield from examples(lines)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}). Name a file of labelled examples.") from error


def examples(lines: Iterable[bytes]) -> Iterator[Example | BadLine]:
    """The example or fault of every line that is not blank."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _example(line, number)
            except _NoExampleError as fault:
                yield BadLine(number, str(fault))


def _example(line: bytes, number: int) -> Example:
    fields = _fields(line)
    label = _label(_string(fields, "label"))
    if "text" in fields:
        return Example(_string(fields, "text"), NO_CLUES, label, number)
    if "html_base64" in fields:
        charset = _string(fields, "http_charset") if fields.get("http_charset") is not None else ""
        return _page(_bytes(_string(fields, "html_base64")), charset, label, number)
    raise _NoExampleError("has neither text nor html_base64")


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _NoExampleError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _NoExampleError("is not JSON") from error
    if not isinstance(fields, dict):
        raise _NoExampleError("is not a JSON object")
    return fields


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise _NoExampleError(f"{name} is {'missing' if value is None else 'not a string'}")
    return value


def _label(text: str) -> str:
    if text.strip().lower() in _NO_LANGUAGE:
        return ""
    code = known_language(text)
    if not code:
        raise _NoExampleError(f"label {text[:40]!r} is no language")
    return code


def _bytes(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _NoExampleError("html_base64 is not base64") from error


def _page(body: bytes, http_charset: str, label: str, number: int) -> Example:
    """The page as a crawl would read it."""
    content_type = f"text/html; charset={http_charset}" if http_charset else "text/html"
    page = extract(body, _URL, content_type, _TEXT_ONLY)
    return Example(page.blocks, clues_of(page), label, number)
