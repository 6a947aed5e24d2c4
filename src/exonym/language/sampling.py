"""A sample of running text: sentences, not menus, from all over a page; of a page of tables and lists, of these.

A detector's time grows with the length of its input, and a dozen pieces of sentences are as informative as the whole.
"""

import re

SAMPLE_CHARACTERS = 1_200
_FEWEST_CHARACTERS = 300  # of running text, to be worth more than menus
_RUNNING_TEXT = 60  # a line this long is a sentence, not a menu entry
_RUNNING_FOREIGN = 25  # the same of lines beyond ASCII: most other scripts need fewer letters
_FIRST_CJK = "\u2e80"  # from here on a letter is a syllable or a word: the cells of a table are text as well
_NO_LETTER = "\U0010ffff"  # beyond all letters
_PIECE = re.compile(rf"(?:[^\n]{{0,{_RUNNING_TEXT - 1}}}+\n)*+([^\n]{{{_RUNNING_TEXT},{2 * _RUNNING_TEXT}}})")
_FEW_PIECES, _MANY_PIECES = 6, 12
_LONGEST_SEARCHED = 20_000
# Letters of scripts that decide without a detector, and digits.
_DECIDED = re.compile("[^\\D]+|[\u0700-\u074f\u0780-\u08ff\u0a00-\u10ff\u1380-\u1dff\u2c00-\ufaff]+")


def few_pieces(text: str) -> str:
    """A handful of pieces of sentences; "" where a text is short or has none worth the name."""
    return _pieces(text, _FEW_PIECES) if len(text) > SAMPLE_CHARACTERS else ""


def many_pieces(text: str) -> str:
    """More pieces of sentences; "" for a text that is short, or of tables, lists and menus."""
    return _pieces(text, _MANY_PIECES) if len(text) > SAMPLE_CHARACTERS else ""


def all_sentences(text: str) -> str:
    """The sentences of a text, or the text itself if they are too few; of a long one, a stretch from its middle."""
    running = running_text(text)
    text = running if len(running) >= _FEWEST_CHARACTERS else text
    start = max(0, (len(text) - SAMPLE_CHARACTERS) // 2)
    return text[start : start + SAMPLE_CHARACTERS]


def list_pieces(text: str) -> str:
    """Pieces of a long text, of whatever there is: tables and lists are text too. "" for a short text."""
    if len(text) <= SAMPLE_CHARACTERS:
        return ""
    length = SAMPLE_CHARACTERS // _MANY_PIECES
    places = range(0, len(text) - length, (len(text) - length) // _MANY_PIECES + 1)
    return "\n".join([text[place : place + length] for place in places])


def undecided_text(text: str) -> str:
    """The text without letters of scripts that name their language, as English between Thai."""
    return _DECIDED.sub(" ", text[:_LONGEST_SEARCHED])


def running_text(text: str, with_cells: bool = False) -> str:
    """The lines of a text that are sentences; if wanted, also cells of Chinese, Japanese and Korean."""
    first = _FIRST_CJK if with_cells else _NO_LETTER
    return "\n".join(
        [
            line
            for line in text[:_LONGEST_SEARCHED].split("\n")
            if (len(line) >= _RUNNING_TEXT if line.isascii() else len(line) >= _RUNNING_FOREIGN or line[0] >= first)
        ]
    )


def _pieces(text: str, count: int) -> str:
    """Pieces of sentences from `count` places of a text; "" if most places have no sentence of their own."""
    found = [_PIECE.match(text, len(text) * (2 * number + 1) // (2 * count)) for number in range(count)]
    pieces = {piece.start(1): piece[1] for piece in found if piece}  # a menu before a sentence leads to the same one
    joined = "\n".join(pieces.values())
    return joined if 2 * len(pieces) >= count and len(joined) >= _FEWEST_CHARACTERS else ""
