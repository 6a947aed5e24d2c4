"""Labelled pages for the failures that identifiers are known for, built from texts that nobody here wrote.

Each row is a line of LABELLED.jsonl with two keys more: `kind`, and for pages that are in Thai only partly `partly`.
"""

import base64
import random
import re
from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]
Texts = dict[str, list[str]]

LEGACY = {
    "th": ("tis-620",),
    "ja": ("euc_jp", "shift_jis", "iso2022_jp"),
    "ko": ("euc_kr", "cp949"),
    "zh-Hans": ("gb18030",),
    "zh-Hant": ("big5",),
    "ru": ("koi8-r", "windows-1251"),
}
LABELS = {"euc_jp": "euc-jp", "iso2022_jp": "iso-2022-jp", "euc_kr": "euc-kr", "cp949": "ks_c_5601-1987"}
_MARKUP = re.compile(
    r"<[^>]*>|%[A-Z_]{3,}|%\([^)]*\)[\d.]*[a-z]|%\d*\$?[-+ 0#]*[\d.]*l*[a-zA-Z]|%[A-Z0-9]+|\{[^}]*\}|\$\([^)]*\)|[_&~]"
)
MENU = 40  # lines of an English menu around a Thai article


def plain(message: str) -> str:
    """A translated message without tags, shortcuts and what is filled in later."""
    return " ".join(_MARKUP.sub("", message).split())


def page_row(body: bytes, label: str, kind: str, http_charset: str = "") -> Row:
    """A whole page as a row."""
    row = {"html_base64": base64.b64encode(body).decode(), "label": label or "unknown", "kind": kind}
    return row | ({"http_charset": http_charset} if http_charset else {})


def html(text: str, charset: str = "", title: str = "") -> str:
    """A page of paragraphs, one a line."""
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    body = "\n".join(f"<p>{escaped(line)}</p>" for line in text.split("\n"))
    return f"<html><head>{meta}<title>{escaped(title)}</title></head><body>\n{body}\n</body></html>"


def escaped(text: str) -> str:
    """Text as it stands in HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def references(thai: list[str]) -> Iterator[Row]:
    """Thai written in numeric character references, decimal and hexadecimal, on pages that claim Latin."""
    for number, text in enumerate(thai):
        body = html(text, "iso-8859-1").encode("ascii", "xmlcharrefreplace").decode()
        if number % 3 == 2:
            body = "".join(f"&#x{ord(letter):x};" if not letter.isascii() else letter for letter in html(text))
        yield page_row(body.encode(), "th", "numeric character references")


def mislabelled(english: list[str]) -> Iterator[Row]:
    """English pages that claim to be in a Thai charset, by meta, by header, by both."""
    for number, text in enumerate(english):
        label = ("tis-620", "windows-874", "iso-8859-11")[number % 3]
        body = html(text, label if number % 4 != 1 else "").encode("cp1252" if number % 2 else "utf-8", "replace")
        yield page_row(body, "en", "English labelled tis-620", label if number % 4 in (1, 2) else "")


def halves(thai: list[str], english: list[str]) -> Iterator[Row]:
    """Half Thai, half English: turn by turn, or one after the other."""
    for number, (one, other) in enumerate(zip(thai, english, strict=False)):
        size = min(len(one), len(other))
        lines, others = one[:size].split("\n"), other[:size].split("\n")
        both = [line for pair in zip(lines, others, strict=False) for line in pair] if number % 2 else lines + others
        if number % 2:
            shorter = min(len(lines), len(others))
            both += lines[shorter:] + others[shorter:]
        yield page_row(html("\n".join(both)).encode(), "th", "half Thai, half English") | {"partly": True}


def digits(thai: list[str], chance: random.Random) -> Iterator[Row]:
    """Tables of numbers with a few Thai words: four digits and more a letter; and numbers alone, which are unknown."""
    for number, text in enumerate(thai):
        words = text[:150].split("\n")
        rows = [[word, *(str(chance.randrange(10**6)) for _ in range(len(word)))] for word in words]
        if number % 4 == 3:
            rows = [row[1:] for row in rows]
        cells = "".join("<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
        body = f"<html><body><table>\n{cells}</table></body></html>"
        yield page_row(body.encode(), "" if number % 4 == 3 else "th", "mostly digits")


def frames(thai: list[str]) -> Iterator[Row]:
    """Framesets with a Thai title, some with an English word to browsers without frames: no language of their own."""
    for number, text in enumerate(thai):
        title = escaped(text.split("\n")[0][:80])
        excuse = "<noframes><body>This page needs a browser that shows frames.</body></noframes>" if number % 2 else ""
        body = (
            f"<html><head><meta charset=tis-620><title>{title}</title></head>"
            f'<frameset cols="20%,*"><frame src="menu.html"><frame src="main.html">{excuse}</frameset></html>'
        )
        yield page_row(body.encode("cp874", "replace"), "", "frames")


def menus(thai: list[str], english: list[str], chance: random.Random) -> Iterator[Row]:
    """English menus around a Thai article."""
    entries = [line for text in english for line in text.split("\n") if 4 <= len(line) <= 25]
    for text in thai:
        items = "".join(f"<li><a href=/{number}>{escaped(chance.choice(entries))}</a>" for number in range(MENU))
        body = f"<html><body><ul>{items}</ul>{html(text)}<ul>{items[: len(items) // 2]}</ul></body></html>"
        yield page_row(body.encode(), "th", "English menus around Thai")


def legacy(texts: Texts, most: int) -> Iterator[Row]:
    """Pages in the charsets of before Unicode: labelled, labelled wrongly, not labelled."""
    for label, codecs in LEGACY.items():
        for number, text in enumerate(texts.get(label, [])[:most]):
            codec = codecs[number // 3 % len(codecs)]
            claim = (LABELS.get(codec, codec), "iso-8859-1", "")[number % 3]
            kind = "legacy charset, " + ("right label", "wrong label", "no label")[number % 3]
            yield page_row(html(text, claim).encode(codec, "ignore"), label, kind)


def failure_rows(texts: Texts, most: int) -> list[Row]:
    """Every failure class, at most `most` pages each."""
    thai, english, chance = texts["th"][:most], texts["en"][:most], random.Random(3)
    rows = [*references(thai), *mislabelled(english), *halves(thai, english), *digits(thai, chance), *frames(thai)]
    return [*rows, *menus(thai, english, chance), *legacy(texts, most)]
