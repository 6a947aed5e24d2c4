"""The text of a page as the papers read it: tags removed, and nothing decoded.

The paper on the Thai web gave its n-gram classifier whatever was left of a page without its tags. So Thai that is
written in numeric character references (`&#3652;`) was no Thai to it, and a page of frames was in the language of its
excuse for browsers without frames. On all other pages, the visible text has the same words.
"""

import re
import unicodedata

# Each pattern is linear: an unclosed comment or script ends with the page, and a tag contains no other.
_NO_TEXT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1[^<>]*>?|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[a-z/!?][^<>]*>", re.IGNORECASE)
_REFERENCE = re.compile(r"&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))", re.IGNORECASE)
_LAST_CODE_POINT = 0x10FFFF
_LONGEST = 100_000  # characters, of which an identifier samples a part


def text_as_written(html: str, is_frameset: bool) -> str:
    """The page without its tags, references as they are; "" for a page whose visible text has the same words."""
    if not (is_frameset or _has_letters_in_references(html)):
        return ""
    return _TAG.sub(" ", _NO_TEXT.sub(" ", html)).strip()[:_LONGEST]


def _has_letters_in_references(html: str) -> bool:
    """Whether a numeric reference stands for a letter or its mark; most stand for quotation marks and spaces."""
    if "&#" not in html:
        return False
    numbers = {int(match[1], 16) if match[1] else int(match[2]) for match in _REFERENCE.finditer(html)}
    return any(number <= _LAST_CODE_POINT and unicodedata.category(chr(number))[0] in "LM" for number in numbers)
