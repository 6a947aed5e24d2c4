"""Labels that people gave to pages: JSON lines that are appended, synced, and read back even after a kill.

A later line for a URL replaces an earlier one, and `"label": null` withdraws it. Nothing is ever overwritten, so a kill
costs at most the line being written. A line without a page (`{"audit": …}`) describes the sample that the labelled
pages are from.
"""

import fcntl
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exonym.errors import ConfigError
from exonym.models.terms import Fields
from exonym.progress import Tell
from exonym.system.files import disk_errors, sync_directory
from exonym.training.examples import Example

LONGEST_LINE_BYTES = 64 * 1024 * 1024
HEADER_KEY = "audit"  # in lines that are about the file and not about a page

_TEXTS = ("title", "text", "anchors", "language", "labelled_by", "when", "source")
_YES, _NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")
_BEGINNING = b"{"  # of every line, also of one that was cut short
# Characters that a terminal acts on or that reorder text; JSON itself escapes only those below the space.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
# A spreadsheet that opens the file as a table takes these for the beginning of a formula.
_FORMULA = re.compile(r'(?<=[",;|])[=+\-@]')


@dataclass(frozen=True, slots=True)
class Label:
    """A person's answer for a page, with the page's words: all that training needs."""

    url: str
    positive: bool
    title: str = ""
    text: str = ""
    anchors: str = ""
    language: str = ""
    labelled_by: str = ""
    when: str = ""
    source: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # keys of other tools, kept as they are

    def example(self) -> Example:
        """The label as an example for training."""
        fields = Fields(self.title, self.text, self.anchors)
        return Example(self.url, host_without_www(self.url), fields, self.positive, self.language)


def host_without_www(url: str) -> str:
    """The host of a URL without `www.`, in small letters: pages of one host count as one site.

    >>> host_without_www("http://www.Example.org:8080/a"), host_without_www("example.org/a")
    ('example.org', 'example.org')
    """
    rest = url.partition("://")[2] or url
    host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2].lower()
    return re.sub(r":\d*$", "", host).removeprefix("www.")


def read_labels(path: Path, tell: Tell | None = None) -> list[Label]:
    """The labels that are valid now, in the order in which they were first given.

    A last line that a kill cut short is skipped with a message; any other line that is no label is an error.
    """
    return list(labels_in(read_objects(path, tell), path).values())


def labels_in(objects: list[tuple[int, dict[str, Any]]], path: Path) -> dict[str, Label]:
    """The labels of a file's numbered objects, by URL."""
    labels: dict[str, Label] = {}
    for number, line in objects:
        if HEADER_KEY in line and "url" not in line:
            continue
        where, url = f"{path} line {number}", line.get("url")
        if not isinstance(url, str) or not url.strip():
            raise ConfigError(f'{where} has no page: write "url" and "label" (true or false).')
        url = _without_surrogates(url.strip())
        if "label" in line and line["label"] is None:
            labels.pop(url, None)
            continue
        texts = {name: _text(line.get(name), name, where) for name in _TEXTS}
        extra = {name: value for name, value in line.items() if name not in ("url", "label", *_TEXTS)}
        labels[url] = Label(url, _answer(line.get("label"), where), **texts, extra=extra)
    return labels


def read_objects(path: Path, tell: Tell | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file, each with its line's number."""
    objects: list[tuple[int, dict[str, Any]]] = []
    with disk_errors(path), path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE_BYTES):
            number += 1
            if not line.strip(b"\xef\xbb\xbf \t\r\n"):  # a byte order mark may be all there is on a line
                continue
            parsed = _parse_object(line)
            if parsed is not None:
                objects.append((number, parsed))
            elif line.endswith(b"\n") or len(line) == LONGEST_LINE_BYTES or not line.startswith(_BEGINNING):
                raise ConfigError(f"{path} line {number} is no JSON object. Correct it or delete the line.")
            elif tell:
                tell(f"{path} line {number} was cut short and is skipped.")
    return objects


def append_label(path: Path, label: Label) -> None:
    """Add a label to the file, which is created if missing; the label is on the disk when this returns."""
    values: dict[str, Any] = {"url": label.url, "label": label.positive}
    values |= {name: getattr(label, name) for name in _TEXTS}
    append_object(path, values | {name: value for name, value in label.extra.items() if name not in values})


def withdraw_label(path: Path, url: str, when: str = "") -> None:
    """Take back the label of a page."""
    append_object(path, {"url": url, "label": None, "when": when})


def append_object(path: Path, values: Mapping[str, Any]) -> None:
    """Add a line; a last line that was cut short is removed first, so that nothing is glued to it."""
    line = line_of(values)
    with disk_errors(path):
        is_new = not path.exists()
        with path.open("a+b", buffering=0) as file:
            with suppress(OSError):  # on file systems without locks, two processes must not share a file
                fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            end = _end_of_whole_lines(file, path)
            try:
                _write_all(file.fileno(), line)
                os.fsync(file.fileno())
            except OSError:  # a full disk; on Ctrl-C the line stays, because the person has answered
                os.ftruncate(file.fileno(), end)
                raise
        if is_new:
            sync_directory(path.parent)


def line_of(values: Mapping[str, Any]) -> bytes:
    """An object as a line of JSON in which everything that terminals or spreadsheets act on is escaped.

    >>> line_of({"title": "=1+1"})
    b'{"title": "\\\\u003d1+1"}\\n'
    """
    text = json.dumps(dict(values), ensure_ascii=False, allow_nan=False)
    for pattern in (_UNSAFE, _FORMULA):
        text = pattern.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return text.encode() + b"\n"


def _write_all(handle: int, line: bytes) -> None:
    while line:
        line = line[os.write(handle, line) :]


def _end_of_whole_lines(file: Any, path: Path) -> int:
    """The file's length after its last whole line; a line that a kill cut short is removed."""
    end: int = file.seek(0, os.SEEK_END)
    start, tail = end, b""
    while start and b"\n" not in tail:
        step = min(start, 65_536)
        start -= step
        file.seek(start)
        tail = file.read(step) + tail
    rest = tail.rpartition(b"\n")[2]
    if rest and _parse_object(rest) is None:
        if not rest.startswith(_BEGINNING):
            raise ConfigError(f"{path} is no file of labels, and was left as it is. Name another file.")
        end -= len(rest)
        os.ftruncate(file.fileno(), end)
    elif rest:
        _write_all(file.fileno(), b"\n")  # an editor saved the file without a final line break
        end += 1
    return end


def _parse_object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8-sig", "replace"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _answer(value: object, where: str) -> bool:
    word = str(value).strip().lower() if isinstance(value, str | bool | int) else ""
    if word in _YES or word in _NO:
        return word in _YES
    raise ConfigError(f'{where}: "label" must be true or false (or yes, no, 1, 0), got {str(value)[:40]!r}.')


def _text(value: object, name: str, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return _without_surrogates("\n".join(value))
    if not isinstance(value, str):
        raise ConfigError(f'{where}: "{name}" must be a text.')
    return _without_surrogates(value)


def _without_surrogates(text: str) -> str:
    """The text without halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode() if any("\ud800" <= letter <= "\udfff" for letter in text) else text
