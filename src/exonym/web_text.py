"""Text from the web, made safe for a terminal or a line of a file: no control characters, no reversed text.

The title of a page may contain escape sequences that recolour, retitle or rewrite the user's terminal, or marks that
reverse the direction of what follows. All of them are removed.
"""

import re
import unicodedata
from urllib.parse import unquote

LONGEST = 1_000

_SEQUENCES = re.compile(
    r"\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # operating system commands: window titles, links
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursor movement
    r"|\x1b[ -/]*[0-~]?"  # all other escapes
)
_ENCODED = re.compile("(?:%[89A-F][0-9A-F])+", re.IGNORECASE)  # bytes of letters beyond ASCII
# Some scripts cannot be written without the joiners.
_JOINERS = frozenset("\u200c\u200d")


def clean(text: str, width: int = LONGEST) -> str:
    """`text` as one harmless line of at most `width` characters; a cut is shown by `…`."""
    # The bound keeps a title of megabytes from costing anything.
    plain = _SEQUENCES.sub("", text[: 2 * LONGEST])
    line = " ".join("".join(map(_harmless, plain)).split())
    return line if len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def readable_address(url: str) -> str:
    """A URL as people read it: letters of other scripts as themselves, where they are safe to show.

    >>> readable_address("http://a.example/%E0%B8%81/%20%E2%80%AE")
    'http://a.example/ก/%20%E2%80%AE'
    """
    return _ENCODED.sub(_decoded, url)


def _decoded(found: re.Match[str]) -> str:
    try:
        text = unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return found[0]
    return text if text.isprintable() else found[0]


def one_line(text: str) -> str:
    """`text` as one line of a file, however long: white space and unprintable characters become single spaces."""
    if text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(char if char.isprintable() or char in _JOINERS else " " for char in text).split())


def _harmless(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind in ("Zl", "Zp") or letter in "\t\n\r\v\f\x85":
        return " "
    return "" if kind[0] == "C" and letter not in _JOINERS else letter
