"""Writes the HTML of a node of a web graph: its links in their order, each once, and text in its language.

An anchor in the language of its page is text. Any other is what a picture says (`alt`), since text would count
for the page's own language: a page that a graph says nothing of has links and numbers, and no word to tell by.
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
_PARTLY = 7  # one sentence of so many is in the nation's language where only a part of a page is
_NUMBERS = 30
_DIGITS = 7  # of a number, with the space behind it


class _Link(NamedTuple):
    url: str
    anchor: str
    is_text: bool  # in the language of the page


class _Tongues(NamedTuple):
    own: str  # "" where the language is unknown
    partly: str  # of a part of the page, "" for none


def tongues_of(languages: list[str]) -> dict[int, str]:
    """The tongue that each language we can write is written in, by its code, in webs about `languages`."""
    by_code = {language_code(vocabulary.language): tongue for tongue, vocabulary in reversed(VOCABULARIES.items())}
    if "zh-Hant" in languages and "zh" not in languages:
        by_code[language_code("zh")] = "tw"
    return by_code


class GraphPages:
    """The pages of a graph, each written when it is asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._tongues = tongues_of(graph.manifest.languages)
        self._targets = [language_code(language) for language in graph.manifest.languages]
        self._has_languages = graph.has("anchor_language")
        self._anchors = graph.texts("anchor") if graph.has("anchor") else None
        self._lengths = graph.column("text_length") if graph.has("text_length") else None
        self._flags = graph.column("link_flags") if graph.has("link_flags") else None

    def html(self, node: int, charset: str = "") -> str:
        """The page of a node, to be written in a charset."""
        graph = self._graph
        code = int(graph.language[node])
        tongues = _Tongues(_written_in(self._tongues.get(code, ""), charset), self._partly(node, code))
        draw = mix_of(_KEY, node)
        title = titles(tongues.own)[draw % TITLES] if tongues.own else str(draw % 10_000)
        links = "\n".join(map(_written, self._links(node, code)))
        robots = '<meta name="robots" content="nofollow">' if self._is_nofollow(node) else ""
        return (
            f"<!DOCTYPE html>\n<html><head><title>{title}</title>{robots}</head>\n<body><h1>{title}</h1>\n"
            f"<ul>\n{links}\n</ul>\n{self._text(node, tongues, draw)}\n</body></html>\n"
        )

    def _partly(self, node: int, code: int) -> str:
        """The tongue of a part of a page that is relevant although it is in another language."""
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
        """What links to a page say in a language."""
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
        more = length // _letters(tongues.own) if length else _FEWEST_SENTENCES + draw % _MORE_SENTENCES
        count = min(max(more, _FEWEST_SENTENCES), _MOST_SENTENCES)
        return "\n".join(_paragraphs(tongues, count, draw))


def _written_in(tongue: str, charset: str) -> str:
    return "tw" if tongue == "zh" and charset.startswith("big5") else tongue


def _written(link: _Link) -> str:
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
    """What anchors say: a word or two tells where words are not spaced; Latin letters need a sentence."""
    vocabulary = VOCABULARIES[tongue]
    if not vocabulary.joiner:
        return titles(tongue)
    return tuple(sentence.removesuffix(vocabulary.ending) for sentence in sentences(tongue))


@cache
def _letters(tongue: str) -> int:
    """Mean length of a sentence."""
    pool = sentences(tongue)
    return sum(map(len, pool)) // len(pool)


def unwritable(codes: list[int], languages: list[str]) -> list[str]:
    """The names of those languages that we have no words of."""
    known = tongues_of(languages)
    return [language_name(code) for code in codes if code and code not in known]


# How a served page of a graph is encoded, by the charset that the graph says it has.

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
