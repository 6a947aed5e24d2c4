"""How good an identifier is on labelled examples: accuracy, precision, recall, F1, and what it mixes up.

Two questions are asked. Which language is this: one answer, right or wrong. And is this page written, all or
partly, in the target language: that is what a crawl is for, so there a part is enough.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from exonym.language.base import PARTLY, Identified

_MOST_CONFUSIONS = 10


class Outcome(NamedTuple):
    """What an example was labelled and what an identifier said of it ("" no language)."""

    label: str
    answer: str
    has_target: bool  # says that a part of it at least is in the target language


@dataclass(frozen=True, slots=True)
class Score:
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
    languages: dict[str, Score]
    target: Score
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


def outcome_of(label: str, found: Identified, target: str) -> Outcome:
    """What is counted of an answer. A label with a variant (zh-Hant) asks for it; one without takes any."""
    with_variant = f"{found.language}-{found.variant}" if found.variant else found.language
    answer = with_variant if "-" in label and found.language else found.language
    has_target = target in (found.language, with_variant) or found.shares.get(target, 0.0) >= PARTLY
    return Outcome(label, answer, has_target)


def evaluated(outcomes: Mapping[Outcome, int], target: str) -> Evaluation:
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
        languages={name: Score(pairs[name, name], said[name], due[name], pages) for name in names},
        target=_target_score(outcomes, target),
        confusions=_confusions(pairs, due),
    )


def _target_score(outcomes: Mapping[Outcome, int], target: str) -> Score:
    right = said = due = pages = 0
    for outcome, count in outcomes.items():
        is_due = outcome.label == target or outcome.label.partition("-")[0] == target
        pages += count
        due += count * is_due
        said += count * outcome.has_target
        right += count * (is_due and outcome.has_target)
    return Score(right, said, due, pages)


def _confusions(pairs: Counter[tuple[str, str]], due: Counter[str]) -> tuple[Confusion, ...]:
    """What is mixed up most often, by pages."""
    wrong = [Confusion(*pair, count, due[pair[0]]) for pair, count in pairs.items() if pair[0] != pair[1]]
    wrong.sort(key=lambda pair: (-pair.pages, pair.label, pair.answer))
    return tuple(wrong[:_MOST_CONFUSIONS])
