"""How good an identifier is on labelled examples: accuracy, precision, recall, F1, and what it mixes up.

Two questions are asked. Which language is this: one answer, right or wrong. And is this page written, all or
partly, in the target language: that is what a crawl is for, so there a part is enough.
"""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from exonym.extract.document import Wants
from exonym.extract.html import extract
from exonym.language.base import NO_CLUES, PARTLY, Clues, Identified, clues_of
from exonym.language_names import known_language
from exonym.system.files import reading

_MOST_CONFUSIONS = 10


class Identification(NamedTuple):
    """What an example was labelled and what an identifier said of it ("" no language)."""

    label: str
    answer: str
    has_target: bool  # says that a part of it at least is in the target language


@dataclass(frozen=True, slots=True)
class YesNoScore:
    """Yes-or-no answers over `pages`: how many yeses were right, were said, were due."""

    right: int
    said: int
    due: int
    pages: int

    @property
    def precision(self) -> float | None:
        """Share of the yeses that were right; None if none was said."""
        return self.right / self.said if self.said else None

    @property
    def recall(self) -> float | None:
        """Share of the due yeses that were said; None if none was due."""
        return self.right / self.due if self.due else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None if nothing was said or due."""
        return 2 * self.right / (self.said + self.due) if self.said + self.due else None

    @property
    def accuracy(self) -> float | None:
        """Share of right answers, yeses and noes; None without pages."""
        return (self.pages - self.said - self.due + 2 * self.right) / self.pages if self.pages else None


class Confusion(NamedTuple):
    """Of `due` pages in `label`, `pages` were taken for `answer`."""

    label: str
    answer: str
    pages: int
    due: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures of one identifier; `languages` are those of the labels, the most frequent first."""

    pages: int
    right: int
    unknown: int  # answers that name no language, right or wrong
    languages: dict[str, YesNoScore]
    target: YesNoScore
    confusions: tuple[Confusion, ...]

    @property
    def accuracy(self) -> float | None:
        """Share of pages whose language was told right; None without pages."""
        return self.right / self.pages if self.pages else None

    @property
    def macro_f1(self) -> float | None:
        """F1 as the mean over the languages, small ones counting as much as large ones."""
        scores = [score.f1 for score in self.languages.values() if score.f1 is not None]
        return sum(scores) / len(scores) if scores else None


def outcome_of(label: str, found: Identified, target: str) -> Identification:
    """What is counted of an answer. A label with a variant (zh-Hant) asks for it; one without takes any."""
    with_variant = f"{found.language}-{found.variant}" if found.variant else found.language
    answer = with_variant if "-" in label and found.language else found.language
    has_target = target in (found.language, with_variant) or found.shares.get(target, 0.0) >= PARTLY
    return Identification(label, answer, has_target)


def evaluated(outcomes: Mapping[Identification, int], target: str) -> Evaluation:
    """The figures of an identifier from how often it had each outcome."""
    due: Counter[str] = Counter()
    said: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for outcome, count in outcomes.items():
        due[outcome.label] += count
        said[outcome.answer] += count
        pairs[outcome.label, outcome.answer] += count
    pages = due.total()
    names = sorted((name for name in due if name), key=lambda name: (-due[name], name))
    return Evaluation(
        pages=pages,
        right=sum(count for (label, answer), count in pairs.items() if label == answer),
        unknown=said[""],
        languages={name: YesNoScore(pairs[name, name], said[name], due[name], pages) for name in names},
        target=_target_score(outcomes, target),
        confusions=_confusions(pairs, due),
    )


def _target_score(outcomes: Mapping[Identification, int], target: str) -> YesNoScore:
    right = said = due = pages = 0
    for outcome, count in outcomes.items():
        is_due = outcome.label == target or outcome.label.partition("-")[0] == target
        pages += count
        due += count * is_due
        said += count * outcome.has_target
        right += count * (is_due and outcome.has_target)
    return YesNoScore(right, said, due, pages)


def _confusions(pairs: Counter[tuple[str, str]], due: Counter[str]) -> tuple[Confusion, ...]:
    """What is mixed up most often, by pages."""
    wrong = [Confusion(*pair, count, due[pair[0]]) for pair, count in pairs.items() if pair[0] != pair[1]]
    wrong.sort(key=lambda pair: (-pair.pages, pair.label, pair.answer))
    return tuple(wrong[:_MOST_CONFUSIONS])


# Texts and pages whose language somebody has told, one JSON object a line, to try identifiers on.
#
# {"text": "…", "label": "th"}
# {"html_base64": "PGh0bWw+…", "http_charset": "tis-620", "label": "th"}
#
# A label is any name of a language; "unknown" (or "und", or nothing) is a page that has none. `zh-Hant` asks
# for the variant too, `zh` takes either. A line that says nothing of the kind is told of and left out.

_NO_LANGUAGE = frozenset(["", "und", "unknown"])
_TEXT_ONLY = Wants(around=False, place=False, anchor=False)
_URL = "http://labelled.example/"


class LabelledText(NamedTuple):
    """A text with what its page says of itself, the language that it is in ("" none), and its line in the file."""

    text: str
    clues: Clues
    label: str
    line: int


class BadLine(NamedTuple):
    """A line that is no example, and what is wrong with it."""

    line: int
    reason: str


class _NoExampleError(Exception):
    """A line is no example; the text says why."""


def read_labelled(path: Path) -> Iterator[LabelledText | BadLine]:
    """The examples of a file, in order; of bad lines, their number and what is wrong with them."""
    with reading(path, "a file of labelled examples"), path.open("rb") as lines:
        yield from examples(lines)


def examples(lines: Iterable[bytes]) -> Iterator[LabelledText | BadLine]:
    """The example or fault of every line that is not blank."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _example(line, number)
            except _NoExampleError as fault:
                yield BadLine(number, str(fault))


def _example(line: bytes, number: int) -> LabelledText:
    fields = _fields(line)
    label = _label(_string(fields, "label"))
    if "text" in fields:
        return LabelledText(_string(fields, "text"), NO_CLUES, label, number)
    if "html_base64" in fields:
        charset = _string(fields, "http_charset") if fields.get("http_charset") is not None else ""
        return _page(_bytes(_string(fields, "html_base64")), charset, label, number)
    raise _NoExampleError("has neither text nor html_base64")


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _NoExampleError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _NoExampleError("is not JSON") from error
    if not isinstance(fields, dict):
        raise _NoExampleError("is not a JSON object")
    return fields


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise _NoExampleError(f"{name} is {'missing' if value is None else 'not a string'}")
    return value


def _label(text: str) -> str:
    if text.strip().lower() in _NO_LANGUAGE:
        return ""
    code = known_language(text)
    if not code:
        raise _NoExampleError(f"label {text[:40]!r} is no language")
    return code


def _bytes(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _NoExampleError("html_base64 is not base64") from error


def _page(body: bytes, http_charset: str, label: str, number: int) -> LabelledText:
    """The page as a crawl would read it."""
    content_type = f"text/html; charset={http_charset}" if http_charset else "text/html"
    page = extract(body, _URL, content_type, _TEXT_ONLY)
    return LabelledText(page.blocks, clues_of(page), label, number)
