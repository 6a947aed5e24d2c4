"""On which line of a TOML file something is written: the parser of the standard library does not tell."""

import re
import tomllib

_HEADER = re.compile(r"\s*\[+\s*[\"']?([^\]\"'.]+)")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")


def line_of(text: str, key: str, inner: str = "", value: str = "", nth: int = 0) -> int:
    """The line that writes `key`, inside its section `inner`, and at or below that `value`; 1 if none does.

    Of sections of one name, as [[languages]], the one number `nth` is meant; the first is number 0.
    """
    lines = text.split("\n")
    start = _first(lines, key, 0)
    for _ in range(nth):
        start = _first(lines, key, start + 1) if start + 1 < len(lines) else start
    if inner:
        start = _first(lines, inner, start)
    if value:
        start = next((at for at in range(start, len(lines)) if value in lines[at]), start)
    return start + 1


def _first(lines: list[str], key: str, start: int) -> int:
    """The first line from `start` on that assigns `key` or opens its section; `start` if none does."""
    assigned = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
    for at in range(start, len(lines)):
        header = _HEADER.match(lines[at])
        if assigned.match(lines[at]) or (header and header[1].strip() == key):
            return at
    return start


def line_of_toml_error(error: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """The line of a syntax error, and what is wrong there."""
    said = " ".join(str(error).split())
    found = _AT_LINE.search(said)
    if found:
        return int(found[1]), said.replace(found[0], "")
    return text.rstrip().count("\n") + 1, said.replace(" (at end of document)", " at the end")
