"""Pages of a practice web labelled with their language, to measure identifiers as the paper on the Thai web did.

Of 2,000 pages, 814 are Thai, as in Table 2 of the paper. As many pages are of a hard kind as its identifier took for
the wrong language: 50 Thai ones, of the four kinds of §3.3 in turn, and 71 English ones with a Thai charset in <meta>.
All others are as the web's servers send them, with the charsets of old, missing labels and wrong ones. A person who
looks at a page of frames sees the frames, so its label is their language.
"""

import re
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import NamedTuple

from exonym.extract.charset import decode
from exonym.extract.charset_labels import charset_named
from exonym.practice.chance import mix_of
from exonym.practice.kinds import PageKind
from exonym.practice.labelling import served_page
from exonym.practice.pages import PracticePage
from exonym.practice.web import PracticeWeb
from exonym.practice.web_languages import TITLES, six_sentences, titles
from exonym.published import thai_web

PLAIN, MISLABELLED = "as served", "English labelled tis-620"
_LANGUAGE, _CHARSET, _FOREIGN = "th", "windows-874", "en"
_WEB_PAGES = 10  # for each page of the set
_TITLE_LETTERS = range(12, 24)  # fewer than the n-gram method needs
_META = re.compile(r"<meta [^>]*charset=[^>]*>")
_CHARSET_LABEL = re.compile(r"charset=([\w-]+)")


class LanguagePage(NamedTuple):
    """A page as served, the language that a person sees in it, and what kind of page it is."""

    url: str
    body: bytes
    http_charset: str  # "" if the header names none
    label: str
    case: str


def language_pages(seed: int, count: int) -> list[LanguagePage]:
    """`count` different pages in random order."""
    web = PracticeWeb(seed, count * _WEB_PAGES)
    found, mistaken, missed, rejected = (*thai_web.ASSIGNED_AS_THAI, *thai_web.ASSIGNED_AS_OTHERS)
    whole = found + mistaken + missed + rejected
    hard, mislabelled, thai = (round(count * number / whole) for number in (missed, mistaken, found + missed))
    native: list[PracticePage] = []
    english: list[PracticePage] = []
    others: list[PracticePage] = []
    for page in _readable(web):
        if page.language == _LANGUAGE:
            native.append(page)
        elif page.language == _FOREIGN and len(english) < mislabelled:
            english.append(page)
        elif charset_named(page.label or "") != _CHARSET:  # else it would be one more of the hard kind
            others.append(page)
        if len(native) >= thai and len(english) + len(others) >= count - thai:
            break
    pages = [_rewritten(web, page, *case) for page, case in zip(native[:hard], cycle(_HARD.items()), strict=False)]
    pages += [_rewritten(web, page, MISLABELLED, _mislabelled) for page in english]
    pages += [_as_served(web, page) for page in (*native[hard:thai], *others[: count - thai - mislabelled])]
    key = mix_of(seed, 0x2004)
    return [pages[place] for place in sorted(range(len(pages)), key=lambda place: mix_of(key, place))]


def _readable(web: PracticeWeb) -> Iterator[PracticePage]:
    """The pages with text, in random order; a copy would be the same page twice."""
    key = mix_of(web.seed, 0x2003)
    order = sorted(range(web.page_count), key=lambda page: mix_of(key, page))
    pages = (web.page(page) for page in order)
    return (page for page in pages if page.kind == PageKind.PAGE and page.status == 200 and page.language)


def _as_served(web: PracticeWeb, page: PracticePage) -> LanguagePage:
    body, content_type = served_page(web, page.url)
    named = _CHARSET_LABEL.search(content_type)
    return LanguagePage(page.url, body, named[1] if named else "", page.language, PLAIN)


def _rewritten(web: PracticeWeb, page: PracticePage, case: str, written: Callable[[str, int], bytes]) -> LanguagePage:
    """A page written anew as one of a hard kind; its header names no charset."""
    html = decode(*served_page(web, page.url)).text
    return LanguagePage(page.url, written(html, mix_of(web.seed, page.id)), "", page.language, case)


# The hard kinds. No page of them has a Thai charset as its label, which would speak for it.


def _with_references(html: str, draw: int) -> bytes:
    return _META.sub('<meta charset="iso-8859-1">', html).encode("ascii", "xmlcharrefreplace")


def _half_english(html: str, draw: int) -> bytes:
    """As many letters in Thai as in English, a paragraph each in turn."""
    thai, english = "".join(_sentences(_LANGUAGE, draw)), "".join(_sentences(_FOREIGN, draw))
    length = min(len(thai), len(english))
    return f"<html><body><p>{thai[:length]}</p>\n<p>{english[:length]}</p></body></html>\n".encode()


def _sentences(tongue: str, draw: int) -> list[str]:
    return [sentence for number in range(4) for sentence in six_sentences(tongue, mix_of(draw, number))]


def _of_digits(html: str, draw: int) -> bytes:
    """A table of numbers under a Thai title."""
    rows = (f"<tr><td>{mix_of(draw, row) % 10**9:09}<td>{row * 7_919:06}</tr>" for row in range(100))
    return f"<html><title>{_short_title(draw)}</title><table>{''.join(rows)}</table></html>\n".encode()


def _of_frames(html: str, draw: int) -> bytes:
    excuse = "<noframes><body>This page uses frames, but your browser does not support them.</body></noframes>"
    frames = f'<frameset cols="20%,*"><frame src="menu.html"><frame src="main.html">{excuse}</frameset>'
    return f"<html><head><title>{_short_title(draw)}</title></head>{frames}</html>\n".encode()


def _mislabelled(html: str, draw: int) -> bytes:
    meta = '<meta http-equiv="Content-Type" content="text/html; charset=tis-620">'
    return _META.sub("", html).replace("<head>", f"<head>{meta}", 1).encode("cp874", "xmlcharrefreplace")


_HARD: dict[str, Callable[[str, int], bytes]] = {
    "frames": _of_frames,
    "mostly digits": _of_digits,
    "half Thai, half English": _half_english,
    "numeric character references": _with_references,
}


def _short_title(draw: int) -> str:
    texts = titles(_LANGUAGE)
    return next(text for number in range(TITLES) if len(text := texts[(draw + number) % TITLES]) in _TITLE_LETTERS)
