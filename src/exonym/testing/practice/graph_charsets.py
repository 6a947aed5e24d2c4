"""How a served page of a graph is encoded, by the charset that the graph says it has."""

import codecs
from functools import cache

from exonym.extract.charset_labels import charset_named

# Names of the web that Python spells otherwise, or whose letters its own codec has only in part.
_CODECS = {
    "windows-874": "cp874",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "hz-gb-2312": "hz",
}
_USUAL = "utf-8"


def encoded(html: str, charset: str) -> tuple[bytes, str]:
    """The bytes of a page and the charset to declare, "" for none; UTF-8 where Python cannot write the charset."""
    codec = _codec_of(charset)
    if not codec:
        return html.encode(), _USUAL if charset else ""
    # What the charset lacks, as pages of all times had it: by number.
    return html.encode(codec, "xmlcharrefreplace"), charset


@cache
def _codec_of(charset: str) -> str:
    if not charset_named(charset):
        return ""
    try:
        return codecs.lookup(_CODECS.get(charset, charset)).name
    except LookupError:
        return ""
