"""Writes the HTML of a node of a web graph: its links in their order, each once, and text in its language.

An anchor in the language of its page is text. Any other anchor is the `alt` text of an image, since text would count
towards the language of the page. A page of unknown language has links and numbers, and no words to identify it by.
"""

import codecs
from functools import cache
from html import escape
from typing import NamedTuple

from exonym.batches import language_code, language_name
from exonym.extract.charset_labels import charset_named
from exonym.practice.chance import mix, mix_of
from exonym.practice.words import POOL_SIZE, TITLES, VOCABULARIES, sentences, titles
from exonym.webgraph import Graph
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.spelling import url_of

_KEY = 0x6EA9
_FEWEST_SENTENCES, _MORE_SENTENCES, _MOST_SENTENCES = 16, 16, 500
_IN_A_PARAGRAPH = 6  # as many as one draw gives
_PARTLY = 7  # one in seven sentences is in the nation's language on a page that is partly in it
_NUMBERS = 30
_DIGITS = 7  # of a number, with the space behind it


class _Link(NamedTuple):
    url: str
    anchor: str
    is_text: bool  # in the language of the page


class _Tongues(NamedTuple):
    own: str  # "" if the language is unknown
    partly: str  # the tongue of a part of the page; "" for none


def tongues_of(languages: list[str]) -> dict[int, str]:
    """The tongue of each language that practice webs have words of, by code, in webs about `languages`."""
    by_code = {language_code(vocabulary.language): tongue for tongue, vocabulary in reversed(VOCABULARIES.items())}
    if "zh-Hant" in languages and "zh" not in languages:
        by_code[language_code("zh")] = "tw"
    return by_code


class GraphPages:
    """Writes the pages of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._tongues = tongues_of(graph.manifest.languages)
        self._targets = [language_code(language) for language in graph.manifest.languages]
        self._has_languages = graph.has("anchor_language")
        self._anchors = graph.texts("anchor") if graph.has("anchor") else None
        self._lengths = graph.column("text_length") if graph.has("text_length") else None
        self._flags = graph.column("link_flags") if graph.has("link_flags") else None

    def html(self, node: int, charset: str = "") -> str:
        """The HTML of a node, to be encoded in `charset`."""
        graph = self._graph
        code = int(graph.language[node])
        own = self._tongues.get(code, "")
        own = "tw" if own == "zh" and charset.startswith("big5") else own
        tongues = _Tongues(own, self._partly(node, code))
        draw = mix_of(_KEY, node)
        title = titles(tongues.own)[draw % TITLES] if tongues.own else str(draw % 10_000)
        links = "\n".join(map(_link_html, self._links(node, code)))
        robots = '<meta name="robots" content="nofollow">' if self._is_nofollow(node) else ""
        return (
            f"<!DOCTYPE html>\n<html><head><title>{title}</title>{robots}</head>\n<body><h1>{title}</h1>\n"
            f"<ul>\n{links}\n</ul>\n{self._text(node, tongues, draw)}\n</body></html>\n"
        )

    def _partly(self, node: int, code: int) -> str:
        """The tongue of a part of the page, if the page is relevant although it is in another language; else ""."""
        if not code or not self._graph.relevant[node] or code in self._targets:
            return ""
        return next((self._tongues[target] for target in self._targets if target in self._tongues), "")

    def _links(self, node: int, code: int) -> list[_Link]:
        first, last = self._graph.offsets[node : node + 2].tolist()
        targets = self._graph.targets[first:last].tolist()
        codes = [0] * len(targets)
        if self._has_languages:
            codes = self._graph.column("anchor_language")[first:last].tolist()
        texts = self._anchors.part(first, last) if self._anchors else map(self._anchor, codes, targets)
        return [
            _Link(url_of(self._graph, target), text, own == code != 0)
            for target, text, own in zip(targets, texts, codes, strict=True)
        ]

    def _anchor(self, code: int, target: int) -> str:
        """The anchor of links to a page in a language."""
        tongue = self._tongues.get(code)
        if not tongue:
            return ""
        pool = anchors(tongue)
        return pool[target % len(pool)]

    def _is_nofollow(self, node: int) -> bool:
        if self._flags is None:
            return False
        first, last = self._graph.offsets[node : node + 2].tolist()
        return bool(last > first and self._flags[first] & NOFOLLOW)

    def _text(self, node: int, tongues: _Tongues, draw: int) -> str:
        length = int(self._lengths[node]) if self._lengths is not None else 0
        if not tongues.own:
            wanted = min(length // _DIGITS, _MOST_SENTENCES) or _NUMBERS
            return f"<p>{' '.join(str(mix_of(draw, number) % 900_000 + 100_000) for number in range(wanted))}</p>"
        more = length // _sentence_length(tongues.own) if length else _FEWEST_SENTENCES + draw % _MORE_SENTENCES
        count = min(max(more, _FEWEST_SENTENCES), _MOST_SENTENCES)
        return "\n".join(_paragraphs(tongues, count, draw))


def _link_html(link: _Link) -> str:
    # The shortest form of escape() for what most links need: nothing.
    href = link.url if "&" not in link.url and '"' not in link.url else escape(link.url)
    inside = escape(link.anchor) if link.is_text else f'<img src="/b.gif" alt="{escape(link.anchor)}">'
    return f'<li><a href="{href}">{inside}</a></li>'


def _paragraphs(tongues: _Tongues, count: int, draw: int) -> list[str]:
    pool = sentences(tongues.own)
    paragraphs = []
    for _ in range(0, count, _IN_A_PARAGRAPH):
        draw = mix(draw)
        chosen = [pool[draw >> shift & POOL_SIZE - 1] for shift in (0, 10, 20, 30, 40, 50)]
        paragraphs.append(f"<p>{''.join(chosen)}</p>")
    if tongues.partly:
        other = sentences(tongues.partly)
        paragraphs += [f"<p>{other[mix_of(draw, number) % POOL_SIZE]}</p>" for number in range(count // _PARTLY + 1)]
    return paragraphs


@cache
def anchors(tongue: str) -> tuple[str, ...]:
    """Texts for anchors long enough to identify: a word or two in scripts without spaces, a sentence in others."""
    vocabulary = VOCABULARIES[tongue]
    if not vocabulary.joiner:
        return titles(tongue)
    return tuple(sentence.removesuffix(vocabulary.ending) for sentence in sentences(tongue))


@cache
def _sentence_length(tongue: str) -> int:
    """Mean length of a sentence in letters."""
    pool = sentences(tongue)
    return sum(map(len, pool)) // len(pool)


def unwritable(codes: list[int], languages: list[str]) -> list[str]:
    """The names of those languages that practice webs have no words of."""
    known = tongues_of(languages)
    return [language_name(code) for code in codes if code and code not in known]


# Encoding a page in the charset that the graph says it has.

# Charsets of the web that have another name in Python, or whose Python codec lacks letters.
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


def encoded(html: str, charset: str) -> tuple[bytes, str]:
    """The bytes of a page and the charset to declare, "" for none; UTF-8 where Python cannot write the charset."""
    codec = _codec_of(charset)
    if not codec:
        return html.encode(), "utf-8" if charset else ""
    # Letters that the charset lacks become numeric character references.
    return html.encode(codec, "xmlcharrefreplace"), charset


@cache
def _codec_of(charset: str) -> str:
    if not charset_named(charset):
        return ""
    try:
        return codecs.lookup(_CODECS.get(charset, charset)).name
    except LookupError:
        return ""
