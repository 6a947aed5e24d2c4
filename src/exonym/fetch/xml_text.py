"""Replaces the character references of XML without a parser: for files that may not be well-formed."""

import re

_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def unescaped(text: str) -> str:
    """The text with the characters that its references name; other ampersands stay.

    >>> unescaped("a&amp;b &#3585; &nbsp;")
    'a&b ก &nbsp;'
    """
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def _referred(found: re.Match[str]) -> str:
    if found[3]:
        return _NAMED[found[3]]
    number = int(found[1]) if found[1] else int(found[2], 16)
    return chr(number) if number < 0xD800 or 0xDFFF < number <= 0x10FFFF else ""
