"""`exonym model language evaluate LABELLED.jsonl`: measures both identifiers on labelled pages."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import emit, note
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.language.base import Identifier
    from exonym.language.evaluation import BadLine, Evaluation, Identification, YesNoScore

_BAD_LINES_SHOWN = 5
# A clear text and a doubtful one, so that both models are loaded before the clock starts: only doubt needs the second.
_WARMING_TEXTS = (
    "A few words in plain English are enough for this, and so is a second line.",
    "qvex zorlu mipth " * 20,
)
_STATUS_EVERY = 50  # examples


@dataclass(slots=True)
class IdentifierTrial:
    """An identifier, its outcomes so far, and the CPU time it took."""

    identifier: "Identifier"
    outcomes: Counter["Identification"] = field(default_factory=Counter)
    nanoseconds: int = 0


def evaluate(
    labelled: Annotated[
        Path, typer.Argument(metavar="LABELLED.jsonl", help="One JSON object per line: text and label.")
    ],
    target: Annotated[
        str, typer.Option("--language", metavar="LANGUAGE", help="The language to distinguish from all others.")
    ] = "th",
    as_json: AsJson = False,
) -> None:
    """Measure both identifiers on pages whose language is known.

    A line is {"text": "…", "label": "th"}, or for a whole page {"html_base64": "…", "http_charset": "tis-620", "label":
    "th"}; the label "unknown" means that a page has no language.
    """
    from exonym.language.evaluation import PUBLISHED, PUBLISHED_TARGET, evaluated
    from exonym.language_names import language_of

    code = language_of(target)
    trials = _trials(code)
    skipped = _try_all(labelled, trials, code)
    figures = {name: evaluated(trial.outcomes, code) for name, trial in trials.items()}
    times = {name: trial.nanoseconds / 1_000 / figures[name].pages for name, trial in trials.items()}
    documents: dict[str, Any] = {name: _document(found, times[name]) for name, found in figures.items()}
    published = {"published": PUBLISHED} if code == PUBLISHED_TARGET else {}
    documents |= {name: _document_of_table(score) for name, score in published.items()}
    tables = {name: found.target for name, found in figures.items()} | published
    shown = [*_shown(figures, times, code, skipped), *_shown_tables(tables, code), *_shown_cases(figures, code)]
    emit({"target": code, "skipped": skipped, **documents}, shown, as_json)


def _trials(target: str) -> dict[str, IdentifierTrial]:
    from exonym.language.classic import ClassicIdentifier
    from exonym.language.detector import DefaultIdentifier
    from exonym.language.profiles import shipped_profiles

    classic = ClassicIdentifier(shipped_profiles().profiles, target=target)
    trials = {"default": IdentifierTrial(DefaultIdentifier()), "classic": IdentifierTrial(classic)}
    for trial in trials.values():
        for text in _WARMING_TEXTS:
            trial.identifier.identify(text)
    return trials


def _try_all(labelled: Path, trials: dict[str, IdentifierTrial], target: str) -> int:
    """Try every identifier on every example; returns how many bad lines were left out."""
    from exonym.language.evaluation import LabelledText, outcome_of, read_labelled

    tried, skipped = 0, 0
    first: list[BadLine] = []
    with status_line("reading") as tell:
        for line in read_labelled(labelled):
            if not isinstance(line, LabelledText):
                skipped += 1
                first += [line] * (skipped <= _BAD_LINES_SHOWN)
                continue
            for trial in trials.values():
                start = time.process_time_ns()
                answer = trial.identifier.identify(line.text, line.clues)
                trial.nanoseconds += time.process_time_ns() - start
                trial.outcomes[outcome_of(line.label, answer, target, line.case)] += 1
            tried += 1
            if tried % _STATUS_EVERY == 0:
                tell(f"{tried:,} examples")
    if not tried:
        why = f"line {first[0].line}: {first[0].reason}" if first else "it is empty"
        raise ConfigError(f'{labelled} has no labelled example ({why}). A line is {{"text": "…", "label": "th"}}.')
    for bad in first:
        note(f"{labelled}:{bad.line}: skipped, {bad.reason}")
    if skipped > len(first):
        note(f"{labelled}: {skipped - len(first):,} more bad lines skipped")
    return skipped


def _document(found: "Evaluation", microseconds: float) -> dict[str, Any]:
    return {
        "pages": found.pages,
        "accuracy": found.accuracy,
        "macro_f1": found.macro_f1,
        "unknown": found.unknown,
        "microseconds": microseconds,
        "target": _document_of_table(found.target),
        "languages": {name: _document_of_score(score) for name, score in found.languages.items()},
        "confusions": [
            {"label": label, "answer": answer or "unknown", "pages": pages, "of": due}
            for label, answer, pages, due in found.confusions
        ],
        "cases": {case: _document_of_table(score) for case, score in found.cases.items()},
    }


def _document_of_score(score: "YesNoScore") -> dict[str, Any]:
    return {"pages": score.due, "precision": score.precision, "recall": score.recall, "f1": score.f1}


def _document_of_table(score: "YesNoScore") -> dict[str, Any]:
    """A score with its table of two by two."""
    return _document_of_score(score) | {
        "accuracy": score.accuracy,
        "assigned": {"right": score.right, "wrong": score.mistaken},
        "not_assigned": {"right": score.rejected, "wrong": score.missed},
    }


def _shown(figures: dict[str, "Evaluation"], times: dict[str, float], target: str, skipped: int) -> Iterator[str]:
    first = next(iter(figures.values()))
    left_out = f", {skipped:,} bad {'line' if skipped == 1 else 'lines'} skipped" if skipped else ""
    yield f"{first.pages:,} examples in {len(first.languages):,} languages{left_out}.\n"
    yield f"{'':34}" + "".join(f"{name:>10}" for name in figures)
    for label, values in _overview(figures, times, target):
        yield f"{label:<34}" + "".join(f"{value:>10}" for value in values)
    yield from _shown_languages(figures)
    for name, found in figures.items():
        yield f"\nMost frequent confusions, {name}:"
        for label, answer, pages, due in found.confusions:
            yield f"  {label or 'unknown'} taken for {answer or 'unknown'}: {pages:,} of {due:,}"
        if not found.confusions:
            yield "  none"


def _overview(figures: dict[str, "Evaluation"], times: dict[str, float], target: str) -> list[tuple[str, list[str]]]:
    from exonym.language_names import name_of

    all_of = list(figures.values())
    return [
        ("accuracy", [_percent(figure.accuracy) for figure in all_of]),
        ("F1, mean of languages", [_percent(figure.macro_f1) for figure in all_of]),
        ("answered unknown", [_percent(figure.unknown / figure.pages) for figure in all_of]),
        (f"{name_of(target)} against the rest: accuracy", [_percent(figure.target.accuracy) for figure in all_of]),
        ("  precision", [_percent(figure.target.precision) for figure in all_of]),
        ("  recall", [_percent(figure.target.recall) for figure in all_of]),
        ("  F1", [_percent(figure.target.f1) for figure in all_of]),
        ("µs per page", [f"{times[name]:,.0f}" for name in figures]),
    ]


def _shown_languages(figures: dict[str, "Evaluation"]) -> Iterator[str]:
    columns = ("precision", "recall", "F1")
    yield f"\n{'':17}" + "".join(f"  {name:<30}" for name in figures).rstrip()
    yield f"{'language':<10}{'pages':>7}" + "".join(f"{column:>10}" for _ in figures for column in columns)
    for language, first in next(iter(figures.values())).languages.items():
        scores = [found.languages[language] for found in figures.values()]
        values = [value for score in scores for value in (score.precision, score.recall, score.f1)]
        yield f"{language:<10}{first.due:>7,}" + "".join(f"{_percent(value):>10}" for value in values)


def _shown_tables(tables: dict[str, "YesNoScore"], target: str) -> Iterator[str]:
    """What pages were taken for, by what they are: the form of Table 2 of the paper on the Thai web."""
    from exonym.language_names import name_of

    name = name_of(target)
    where = ", here and in Table 2 of the paper on the Thai web" if "published" in tables else ""
    yield f"\nPages by what they are and what they were assigned as{where}:\n"
    yield f"{'':<26}" + "".join(f"  {identifier:<24}" for identifier in tables).rstrip()
    yield f"{'':<26}" + "".join(f"{name:>11}{f'non-{name}':>15}" for _ in tables)
    rows = [
        (f"Assigned as {name}", [(f"{score.right:,}", f"{score.mistaken:,}") for score in tables.values()]),
        (f"Assigned as non-{name}", [(f"{score.missed:,}", f"{score.rejected:,}") for score in tables.values()]),
        ("accuracy", [(_percent(score.accuracy), "") for score in tables.values()]),
        ("precision", [(_percent(score.precision), "") for score in tables.values()]),
        ("recall", [(_percent(score.recall), "") for score in tables.values()]),
    ]
    for label, pairs in rows:
        yield f"{label:<26}" + "".join(f"{first:>11}{second:>15}" for first, second in pairs).rstrip()


def _shown_cases(figures: dict[str, "Evaluation"], target: str) -> Iterator[str]:
    """By kind of page, the share of pages that were rightly assigned as the target or not."""
    from exonym.language_names import name_of

    cases = next(iter(figures.values())).cases
    if cases:
        yield f"\n{f'{name_of(target)} against the rest':<34}{'pages':>7}" + "".join(f"{name:>10}" for name in figures)
    for case, score in cases.items():
        shares = (_percent(found.cases[case].accuracy) for found in figures.values())
        yield f"{clean(case):<34}{score.pages:>7,}" + "".join(f"{share:>10}" for share in shares)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
