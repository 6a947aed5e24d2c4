"""Writes the HTML of a node of a web graph: its links in their order, each once, and text in its language.

An anchor in the language of its page is text. Any other anchor is the `alt` text of an image, since text would count
towards the language of the page. A page of unknown language has links and numbers, and no words to identify it by.
"""

import codecs
from collections.abc import Iterator
from functools import cache
from html import escape

from exonym.batches import language_code, language_name
from exonym.extract.charset_labels import charset_named
from exonym.practice.chance import mix, mix_of
from exonym.practice.web_languages import POOL_SIZE, TITLES, VOCABULARIES, sentences, six_sentences, titles
from exonym.webgraph import Graph
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.url_spelling import url_of

_KEY = 0x6EA9
_FEWEST_SENTENCES, _MORE_SENTENCES, _MOST_SENTENCES = 16, 16, 500
_IN_A_PARAGRAPH = 6  # as many as one draw gives
_PARTLY = 7  # one in seven sentences is in the nation's language on a page that is partly in it
_NUMBERS = 30
_DIGITS = 7  # of a number, with the space behind it


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
        code = int(self._graph.language[node])
        tongue = self._tongues.get(code, "")  # "" if the language is unknown
        tongue = "tw" if tongue == "zh" and charset.startswith("big5") else tongue
        draw = mix_of(_KEY, node)
        title = titles(tongue)[draw % TITLES] if tongue else str(draw % 10_000)
        first, last = self._graph.offsets[node : node + 2].tolist()
        is_nofollow = self._flags is not None and last > first and self._flags[first] & NOFOLLOW
        robots = '<meta name="robots" content="nofollow">' if is_nofollow else ""
        links = "\n".join(self._links(range(first, last), code))
        text = "\n".join(self._paragraphs(node, tongue, self._partly(node, code), draw))
        return (
            f"<!DOCTYPE html>\n<html><head><title>{title}</title>{robots}</head>\n<body><h1>{title}</h1>\n"
            f"<ul>\n{links}\n</ul>\n{text}\n</body></html>\n"
        )

    def _partly(self, node: int, code: int) -> str:
        """The tongue of a part of the page, if the page is relevant although it is in another language; else ""."""
        if not code or not self._graph.relevant[node] or code in self._targets:
            return ""
        return next((self._tongues[target] for target in self._targets if target in self._tongues), "")

    def _links(self, links: range, code: int) -> Iterator[str]:
        """The HTML of links on a page in the language `code`."""
        targets = self._graph.targets[links.start : links.stop].tolist()
        codes = [0] * len(targets)
        if self._has_languages:
            codes = self._graph.column("anchor_language")[links.start : links.stop].tolist()
        texts = self._anchors.part(links.start, links.stop) if self._anchors else map(self._anchor, codes, targets)
        for target, text, own in zip(targets, texts, codes, strict=True):
            url = url_of(self._graph, target)
            # The shortest form of escape() for what most links need: nothing.
            href = url if "&" not in url and '"' not in url else escape(url)
            is_text = own == code != 0
            inside = escape(text) if is_text else f'<img src="/b.gif" alt="{escape(text)}">'
            yield f'<li><a href="{href}">{inside}</a></li>'

    def _anchor(self, code: int, target: int) -> str:
        """The anchor of links to a page in a language."""
        pool = anchors(self._tongues[code]) if code in self._tongues else ("",)
        return pool[target % len(pool)]

    def _paragraphs(self, node: int, tongue: str, partly: str, draw: int) -> Iterator[str]:
        """The text of a page in `tongue`, with some sentences in the tongue `partly`."""
        length = int(self._lengths[node]) if self._lengths is not None else 0
        if not tongue:
            count = min(length // _DIGITS, _MOST_SENTENCES) or _NUMBERS
            yield f"<p>{' '.join(str(mix_of(draw, number) % 900_000 + 100_000) for number in range(count))}</p>"
            return
        more = length // _sentence_length(tongue) if length else _FEWEST_SENTENCES + draw % _MORE_SENTENCES
        count = min(max(more, _FEWEST_SENTENCES), _MOST_SENTENCES)
        for _ in range(0, count, _IN_A_PARAGRAPH):
            draw = mix(draw)
            yield f"<p>{''.join(six_sentences(tongue, draw))}</p>"
        if partly:
            for number in range(count // _PARTLY + 1):
                yield f"<p>{sentences(partly)[mix_of(draw, number) % POOL_SIZE]}</p>"


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
