"""Official websites (P856) of what Wikidata places in a country (P17): the questions, and seeds from the answers.

The public endpoint gives up after 60 seconds, so it is queried page by page. By then it often has sent half an answer
already, and ends it with a Java trace: the rows before the trace are usable.
"""

import difflib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote, urlencode

from exonym.errors import ConfigError
from exonym.seeds.opening import DAMAGE, DAMAGED, open_input
from exonym.seeds.seed import FoundSeed, SkippedSeed, TellLine, seed_from
from exonym.seeds.seed_table import rows_in
from exonym.seeds.services import AnswerCheck, AskService

PAGE_ROWS = 5_000
LICENCE = "CC0"

# The most wanted classes, by name; any other class is named by its number in Wikidata.
KINDS = {
    "airline": "Q46970",
    "bank": "Q22687",
    "business": "Q4830453",
    "government agency": "Q327333",
    "hospital": "Q16917",
    "hotel": "Q27686",
    "library": "Q7075",
    "ministry": "Q192350",
    "municipality": "Q15284",
    "museum": "Q33506",
    "newspaper": "Q11032",
    "political party": "Q7278",
    "radio station": "Q14350",
    "school": "Q3914",
    "television station": "Q1616075",
    "temple": "Q44539",
    "university": "Q3918",
}

_ITEM = re.compile(r"https?://www\.wikidata\.org/entity/(Q\d+)")
_NO_LABEL = re.compile(r"Q\d+")  # the service gives the number where there is no label
_OWN_PLACE = re.compile(r"https?://(?:www\.)?wikidata\.org/")  # items, and blank nodes for "unknown value"
_MARKS = re.compile(r"^<|>$|@[a-z]{2,8}(?:-[A-Za-z0-9]+)*$")  # of the endpoint's TSV: <address>, "text"@th
_MOST_BYTES = 500_000_000  # of a saved answer
_HEAD_BYTES = 64

WikidataRow = Mapping[str, str]


class WikidataClass(NamedTuple):
    """A class of things, with all below it."""

    name: str = ""
    item: str = ""  # "": everything


ANYTHING = WikidataClass()


@dataclass(frozen=True, slots=True)
class Question:
    """A query for websites."""

    country: str  # two letters, as in TH
    languages: tuple[str, ...]  # of titles, best first
    kind: WikidataClass = ANYTHING


class WikidataAnswer(NamedTuple):
    """The complete rows of an answer, and what is wrong with the rest ("" if nothing is)."""

    rows: list[WikidataRow]
    flaw: str = ""


def kind_from(text: str) -> WikidataClass:
    """A kind of things by its name or its number in Wikidata (`university`, `Q3918`)."""
    plain = " ".join(text.replace("_", " ").replace("-", " ").split())
    if _NO_LABEL.fullmatch(plain.upper()):
        return WikidataClass(plain.upper(), plain.upper())
    if plain.lower() in KINDS:
        return WikidataClass(plain.lower(), KINDS[plain.lower()])
    near = difflib.get_close_matches(plain.lower(), KINDS, n=1)
    advice = f"Did you mean {near[0]}?" if near else f"Those with a name are {', '.join(KINDS)}."
    raise ConfigError(f"--class {text[:60]!r} is unknown. {advice} Any other goes by its number in Wikidata, as Q3918.")


def query_of(question: Question, rows: int = 0, offset: int = 0) -> str:
    """The question in SPARQL, for some rows of the answer (0: all); labels are looked up for these rows alone."""
    kind = f" ;\n            wdt:P31/wdt:P279* wd:{question.kind.item}" if question.kind.item else ""
    part = f" ORDER BY ?item ?url LIMIT {rows} OFFSET {offset}" if rows else ""
    languages = ",".join(dict.fromkeys([*question.languages, "en", "mul"]))
    return f"""SELECT ?item ?url ?itemLabel WHERE {{
  {{
    SELECT DISTINCT ?item ?url WHERE {{
      ?country wdt:P297 "{question.country}" .
      ?item wdt:P17 ?country ;
            wdt:P856 ?url{kind} .
      FILTER NOT EXISTS {{ ?item wdt:P576 ?end }}
    }}{part}
  }}
  SERVICE wikibase:label {{ bd:serviceParam wikibase:language "{languages}" }}
}}"""


def query_url(endpoint: str, query: str) -> str:
    """Where the answer to a query is."""
    words = urlencode({"query": query, "format": "json"}, quote_via=quote)
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{words}"


def answer_in(content: bytes) -> WikidataAnswer:
    """The rows of an answer, complete or cut off anywhere, as the endpoint sends it or as its web page saves it."""
    text = content.decode("utf-8-sig", "replace")
    try:
        rows = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        whole = [_texts_of_row(row) for row in _rows_before_the_cut(text)]
        return WikidataAnswer(whole, f"cut off after row {len(whole):,}" if whole else "no JSON")
    if isinstance(rows, dict):  # as the endpoint sends it; its web page saves the list of rows alone
        results = rows.get("results")
        rows = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(rows, list):
        return WikidataAnswer([], "no rows in it")
    return WikidataAnswer([_texts_of_row(row) for row in rows])


def seed_of(row: WikidataRow, kind: str = "") -> FoundSeed:
    """The seed in a row, whatever its columns are called: the first address that is not Wikidata's own."""
    others = (text for text in row.values() if text.startswith(("http://", "https://")))
    url = next((text for text in (row.get("url", ""), *others) if text and not _OWN_PLACE.match(text)), "")
    item = next((found[1] for text in row.values() if (found := _ITEM.match(text))), "")
    title = next((text for name, text in row.items() if name.endswith("Label")), "")
    source = f"Wikidata {item}".rstrip() + f" ({LICENCE})"
    return seed_from(url, source, kind, "" if _NO_LABEL.fullmatch(title) else title)


def read_saved(path: Path, tell: TellLine) -> Iterator[FoundSeed]:
    """The seeds in a saved answer: JSON, CSV or TSV, from the endpoint or its web page."""
    try:
        with open_input(path, tell) as stream:
            head = stream.peek(_HEAD_BYTES)[:_HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")
            if head.lstrip()[:1] in (b"{", b"["):
                answer = answer_in(stream.read(_MOST_BYTES))
                yield from map(seed_of, answer.rows)
                if answer.flaw:
                    yield SkippedSeed(f"rest of the answer: {answer.flaw}")
            else:
                yield from _seeds_in_table(stream)
    except DAMAGE:
        yield DAMAGED


def _seeds_in_table(stream: BinaryIO) -> Iterator[FoundSeed]:
    with io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="") as text:
        rows = rows_in(text)
        first = next(rows, [])
        names = [] if isinstance(first, SkippedSeed) else [name.strip() for name in first]
        for row in rows:
            if isinstance(row, SkippedSeed):
                yield row
            else:
                texts = {}
                for name, cell in zip(names, row, strict=False):
                    # The endpoint's TSV has names as ?item, and marks around its texts.
                    plain = _MARKS.sub("", cell.strip()) if name.startswith("?") else cell.strip()
                    texts[name.lstrip("?")] = plain
                yield seed_of(texts)


def _rows_before_the_cut(text: str) -> Iterator[Any]:
    """The complete rows of an answer that was cut off."""
    bindings = text.find('"bindings"')
    at = text.find("[", max(bindings, 0)) if bindings >= 0 or text.lstrip()[:1] == "[" else -1
    decoder = json.JSONDecoder(strict=False)
    while at >= 0:
        at = text.find("{", at)
        try:
            row, at = decoder.raw_decode(text, at) if at >= 0 else (None, -1)
        except (ValueError, RecursionError):
            return
        if at >= 0:
            yield row


def _texts_of_row(row: Any) -> WikidataRow:
    """A row as names and texts; blank nodes ("unknown value") are left out."""
    cells = row.items() if isinstance(row, dict) else ()
    known = ((name, cell.get("value") if isinstance(cell, dict) else cell) for name, cell in cells)
    return {name: text for name, text in known if isinstance(text, str)}


# Seeds from Wikidata's public endpoint, queried page by page; a page that fails is reported, and costs no other.

MOST_PAGES = 500  # of one question


def read_wikidata(
    questions: Sequence[Question], endpoint: str, ask: AskService, rows: int = PAGE_ROWS
) -> Iterator[FoundSeed]:
    """The seeds in the answers to all questions, `rows` rows at a time."""
    for question in questions:
        for page in range(MOST_PAGES):
            url = query_url(endpoint, query_of(question, rows, page * rows))
            reply = ask(url, _check_answer)
            answered = answer_in(reply.content).rows if reply.content else []
            for row in answered:
                yield seed_of(row, question.kind.name)
            if reply.failure:
                rest = "what follows was asked for" if answered else "what follows was not asked for"
                yield SkippedSeed(f"page of the answer: {reply.failure}; {rest}")
            # After a page that was cut off the next may still come; after one that never came it will not.
            if len(answered) < rows and not (reply.failure and answered):
                break
        else:
            yield SkippedSeed(f"pages of the answer beyond the first {MOST_PAGES:,}")


def _check_answer(content: bytes) -> AnswerCheck:
    answer = answer_in(content)
    return AnswerCheck(len(answer.rows), answer.flaw)
