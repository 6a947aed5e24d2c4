"""A sample of running text: sentences, not menus and language switchers, from all over a page.

A detector's time grows with the length of its input, and a dozen pieces of sentences are as informative as the whole.
"""

import re

SAMPLE_CHARACTERS = 1_200
_FEWEST_CHARACTERS = 300  # of running text, to be worth more than menus
_RUNNING_TEXT = 60  # a line this long is a sentence, not a menu entry
_RUNNING_FOREIGN = 25  # the same of lines beyond ASCII: most other scripts need fewer letters
_PIECE = re.compile(rf"(?:[^\n]{{0,{_RUNNING_TEXT - 1}}}+\n)*+([^\n]{{{_RUNNING_TEXT},{2 * _RUNNING_TEXT}}})")
_FEW_PIECES, _MANY_PIECES = 6, 12
_LONGEST_SEARCHED = 20_000
# Letters of scripts that decide without a detector, and digits.
_DECIDED = re.compile("[^\\D]+|[\u0700-\u074f\u0780-\u08ff\u0a00-\u10ff\u1380-\u1dff\u2c00-\ufaff]+")


def few_pieces(text: str) -> str:
    """A handful of pieces of sentences; "" where a text is short or has none worth the name."""
    if len(text) <= SAMPLE_CHARACTERS:
        return ""
    pieces = _pieces(text, _FEW_PIECES)
    return pieces if len(pieces) >= _FEWEST_CHARACTERS else ""


def many_pieces(text: str) -> str:
    """More pieces of sentences, or of a text without enough of them a stretch from its middle."""
    pieces = _pieces(text, _MANY_PIECES) if len(text) > SAMPLE_CHARACTERS else ""
    if len(pieces) >= _FEWEST_CHARACTERS:
        return pieces
    running = running_text(text)
    text = running if len(running) >= _FEWEST_CHARACTERS else text
    start = max(0, (len(text) - SAMPLE_CHARACTERS) // 2)
    return text[start : start + SAMPLE_CHARACTERS]


def undecided_text(text: str) -> str:
    """The text without letters of scripts that name their language, as English between Thai."""
    return _DECIDED.sub(" ", text[:_LONGEST_SEARCHED])


def running_text(text: str) -> str:
    """The lines of a text that are sentences."""
    lines = text[:_LONGEST_SEARCHED].split("\n")
    return "\n".join([line for line in lines if len(line) >= (_RUNNING_TEXT if line.isascii() else _RUNNING_FOREIGN)])


def _pieces(text: str, count: int) -> str:
    found = [_PIECE.match(text, len(text) * (2 * number + 1) // (2 * count)) for number in range(count)]
    return "\n".join([piece[1] for piece in found if piece])
