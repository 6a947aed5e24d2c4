"""How good an identifier is on labelled examples: accuracy, precision, recall, F1, and which languages it confuses.

Two questions are evaluated. Which language is this: one answer, right or wrong. And is this page written, all or
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
from exonym.published import thai_web
from exonym.system.files import reading

_MOST_CONFUSIONS = 10


class Identification(NamedTuple):
    """The label of an example and an identifier's answer ("" no language)."""

    label: str
    answer: str
    has_target: bool  # at least a part of it is in the target language, by the answer
    case: str = ""  # the kind of page, if the example names it


@dataclass(frozen=True, slots=True)
class YesNoScore:
    """Yes-or-no answers over `pages`: how many yeses were right, were said, were due."""

    right: int
    said: int
    due: int
    pages: int

    @property
    def mistaken(self) -> int:
        """How many yeses were wrong."""
        return self.said - self.right

    @property
    def missed(self) -> int:
        """How many due yeses were not said."""
        return self.due - self.right

    @property
    def rejected(self) -> int:
        """How many noes were right."""
        return self.pages - self.said - self.missed

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
        return (self.right + self.rejected) / self.pages if self.pages else None


# Table 2 of the paper on the Thai web: how well its identifier told Thai pages from others.
PUBLISHED = YesNoScore(
    right=thai_web.ASSIGNED_AS_THAI[0],
    said=sum(thai_web.ASSIGNED_AS_THAI),
    due=thai_web.ASSIGNED_AS_THAI[0] + thai_web.ASSIGNED_AS_OTHERS[0],
    pages=sum(thai_web.ASSIGNED_AS_THAI + thai_web.ASSIGNED_AS_OTHERS),
)
PUBLISHED_TARGET = "th"


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
    cases: dict[str, YesNoScore]  # the target against the rest by kind of page; empty if no example names its kind

    @property
    def accuracy(self) -> float | None:
        """Share of pages whose language was identified correctly; None without pages."""
        return self.right / self.pages if self.pages else None

    @property
    def macro_f1(self) -> float | None:
        """F1 as the mean over the languages, small ones counting as much as large ones."""
        scores = [score.f1 for score in self.languages.values() if score.f1 is not None]
        return sum(scores) / len(scores) if scores else None


def outcome_of(label: str, identified: Identified, target: str, case: str = "") -> Identification:
    """An answer with its label. A label with a variant (zh-Hant) requires the variant; one without accepts any."""
    language = identified.language
    with_variant = f"{language}-{identified.variant}" if identified.variant else language
    answer = with_variant if "-" in label and language else language
    has_target = target in (language, with_variant) or identified.shares.get(target, 0.0) >= PARTLY
    return Identification(label, answer, has_target, case)


def evaluated(outcomes: Mapping[Identification, int], target: str) -> Evaluation:
    """The figures of an identifier from how often it had each outcome."""
    due: Counter[str] = Counter()
    said: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    cases: dict[str, Counter[str]] = {}
    for outcome, count in outcomes.items():
        due[outcome.label] += count
        said[outcome.answer] += count
        pairs[outcome.label, outcome.answer] += count
        is_due, is_said = target in (outcome.label, outcome.label.partition("-")[0]), outcome.has_target
        answers = {"right": is_due and is_said, "said": is_said, "due": is_due, "pages": True}
        of_case = cases.setdefault(outcome.case, Counter(dict.fromkeys(answers, 0)))
        of_case.update({name: count * is_so for name, is_so in answers.items()})
    pages = due.total()
    whole = Counter({"right": 0, "said": 0, "due": 0, "pages": 0})
    for of_case in cases.values():
        whole.update(of_case)
    most_first = sorted((case for case in cases if case), key=lambda case: (-cases[case]["pages"], case))
    names = sorted((name for name in due if name), key=lambda name: (-due[name], name))
    wrong = [Confusion(*pair, count, due[pair[0]]) for pair, count in pairs.items() if pair[0] != pair[1]]
    wrong.sort(key=lambda pair: (-pair.pages, pair.label, pair.answer))
    return Evaluation(
        pages=pages,
        right=sum(count for (label, answer), count in pairs.items() if label == answer),
        unknown=said[""],
        languages={name: YesNoScore(pairs[name, name], said[name], due[name], pages) for name in names},
        target=YesNoScore(**whole),
        confusions=tuple(wrong[:_MOST_CONFUSIONS]),
        cases={case: YesNoScore(**cases[case]) for case in most_first},
    )


# Texts and pages labelled with their language, one JSON object a line.
#
# {"text": "…", "label": "th"}
# {"html_base64": "PGh0bWw+…", "http_charset": "tis-620", "label": "th"}
#
# A label is any name of a language; "unknown" (or "und", or nothing) is for a page without one. `zh-Hant` requires
# the variant too, `zh` accepts either. "case" may name the kind of page. Any other line is reported and left out.

_NO_LANGUAGE = frozenset(["", "und", "unknown"])
_TEXT_ONLY = Wants(around=False, place=False, anchor=False)
_URL = "http://labelled.example/"
_LONGEST_CASE = 60  # characters


class LabelledText(NamedTuple):
    """A text with the clues of its page, its language ("" none), and its line in the file."""

    text: str
    clues: Clues
    label: str
    line: int
    case: str = ""


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
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _NoExampleError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _NoExampleError("is not JSON") from error
    if not isinstance(fields, dict):
        raise _NoExampleError("is not a JSON object")
    named = _string(fields, "label")
    is_unknown = named.strip().lower() in _NO_LANGUAGE
    label = "" if is_unknown else known_language(named)
    if not label and not is_unknown:
        raise _NoExampleError(f"label {named[:40]!r} is no language")
    case = _string(fields, "case")[:_LONGEST_CASE] if "case" in fields else ""
    if "text" in fields:
        return LabelledText(_string(fields, "text"), NO_CLUES, label, number, case)
    if "html_base64" not in fields:
        raise _NoExampleError("has neither text nor html_base64")
    charset = _string(fields, "http_charset") if fields.get("http_charset") is not None else ""
    try:
        body = base64.b64decode(_string(fields, "html_base64"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _NoExampleError("html_base64 is not base64") from error
    # The page as a crawl would read it.
    page = extract(body, _URL, f"text/html; charset={charset}" if charset else "text/html", _TEXT_ONLY)
    return LabelledText(page.blocks, clues_of(page), label, number, case)


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise _NoExampleError(f"{name} is {'missing' if value is None else 'not a string'}")
    return value
