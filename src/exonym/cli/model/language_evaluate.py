"""`exonym model language evaluate LABELLED.jsonl`: how good both identifiers are on labelled pages."""

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.status_line import telling
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.language.base import Identifier
    from exonym.language.evaluation import BadLine, Evaluation, Identification, LabelledText, YesNoScore

_BAD_LINES_TOLD = 5
# Words and no words: models that are loaded when first needed, the second one only in doubt, are not on the clock.
_WARMING_TEXTS = (
    "A few words in plain English are enough for this, and so is a second line.",
    "qvex zorlu mipth " * 20,
)
_FRAME_EXAMPLES = 50


@dataclass(slots=True)
class Trial:
    """An identifier, the outcomes that it had so far and the CPU time that it took."""

    identifier: "Identifier"
    outcomes: Counter["Identification"] = field(default_factory=Counter)
    nanoseconds: int = 0


def evaluate(
    labelled: Annotated[Path, typer.Argument(metavar="LABELLED.jsonl", help="One JSON object a line: text and label.")],
    target: Annotated[str, typer.Option(metavar="LANGUAGE", help="The language to tell from all others.")] = "th",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Try both identifiers on pages whose language is known.

    A line is {"text": "…", "label": "th"}, or for a whole page {"html_base64": "…", "http_charset": "tis-620", "label":
    "th"}; the label "unknown" is for pages without language.
    """
    from exonym.language.evaluation import evaluated
    from exonym.language_names import language_of

    code = language_of(target)
    trials = _trials(code)
    skipped = _try_all(labelled, trials, code)
    figures = {name: evaluated(trial.outcomes, code) for name, trial in trials.items()}
    times = {name: trial.nanoseconds / 1_000 / figures[name].pages for name, trial in trials.items()}
    if as_json:
        shown = {name: _json_of(found, times[name]) for name, found in figures.items()}
        print(json.dumps({"target": code, "skipped": skipped, **shown}, ensure_ascii=False))
    else:
        _print(figures, times, code, skipped)


def _trials(target: str) -> dict[str, Trial]:
    from exonym.language.classic import ClassicIdentifier
    from exonym.language.detector import DefaultIdentifier
    from exonym.language.profiles import shipped_profiles

    classic = ClassicIdentifier(shipped_profiles().profiles, target=target)
    trials = {"default": Trial(DefaultIdentifier()), "classic": Trial(classic)}
    for trial in trials.values():
        for text in _WARMING_TEXTS:
            trial.identifier.identify(text)
    return trials


def _try_all(labelled: Path, trials: dict[str, Trial], target: str) -> int:
    """Shows every example to every identifier; how many bad lines were left out."""
    from exonym.language.evaluation import LabelledText, read_labelled

    tried, skipped = 0, 0
    first: list[BadLine] = []
    with telling("reading") as tell:
        for found in read_labelled(labelled):
            if isinstance(found, LabelledText):
                _try(found, trials, target)
                tried += 1
                if tried % _FRAME_EXAMPLES == 0:
                    tell(f"{tried:,} examples")
            else:
                skipped += 1
                first += [found] * (skipped <= _BAD_LINES_TOLD)
    if not tried:
        raise _no_example(labelled, first)
    _tell(labelled, first, skipped)
    return skipped


def _no_example(labelled: Path, bad: list["BadLine"]) -> Exception:
    from exonym.errors import ConfigError

    why = f"line {bad[0].line}: {bad[0].reason}" if bad else "it is empty"
    return ConfigError(f'{labelled} has no labelled example ({why}). A line is {{"text": "…", "label": "th"}}.')


def _try(example: "LabelledText", trials: dict[str, Trial], target: str) -> None:
    from exonym.language.evaluation import outcome_of

    for trial in trials.values():
        start = time.process_time_ns()
        found = trial.identifier.identify(example.text, example.clues)
        trial.nanoseconds += time.process_time_ns() - start
        trial.outcomes[outcome_of(example.label, found, target)] += 1


def _tell(labelled: Path, first: list["BadLine"], skipped: int) -> None:
    for bad in first:
        print(clean(f"{labelled}:{bad.line}: skipped, {bad.reason}"), file=sys.stderr)
    if skipped > len(first):
        print(clean(f"{labelled}: {skipped - len(first):,} more bad lines skipped"), file=sys.stderr)


def _json_of(found: "Evaluation", microseconds: float) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    return {
        "pages": found.pages,
        "accuracy": found.accuracy,
        "macro_f1": found.macro_f1,
        "unknown": found.unknown,
        "microseconds": microseconds,
        "target": _json_of_score(found.target) | {"accuracy": found.target.accuracy},
        "languages": {name: _json_of_score(score) for name, score in found.languages.items()},
        "confusions": [
            {"label": label, "answer": answer or "unknown", "pages": pages, "of": due}
            for label, answer, pages, due in found.confusions
        ],
    }


def _json_of_score(score: "YesNoScore") -> dict[str, Any]:
    return {"pages": score.due, "precision": score.precision, "recall": score.recall, "f1": score.f1}


def _print(figures: dict[str, "Evaluation"], times: dict[str, float], target: str, skipped: int) -> None:
    first = next(iter(figures.values()))
    left_out = f", {skipped:,} bad {'line' if skipped == 1 else 'lines'} skipped" if skipped else ""
    print(f"{first.pages:,} examples in {len(first.languages):,} languages{left_out}.\n")
    print(f"{'':34}" + "".join(f"{name:>10}" for name in figures))
    for label, values in _overview(figures, times, target):
        print(f"{label:<34}" + "".join(f"{value:>10}" for value in values))
    _print_languages(figures)
    for name, found in figures.items():
        print(f"\nMixed up most, {name}:")
        for label, answer, pages, due in found.confusions:
            print(f"  {label or 'unknown'} taken for {answer or 'unknown'}: {pages:,} of {due:,}")
        if not found.confusions:
            print("  nothing")


def _overview(figures: dict[str, "Evaluation"], times: dict[str, float], target: str) -> list[tuple[str, list[str]]]:
    from exonym.language_names import name_of

    against, all_of = f"{name_of(target)} against the rest", list(figures.values())
    return [
        ("accuracy", [_percent(found.accuracy) for found in all_of]),
        ("F1, mean of languages", [_percent(found.macro_f1) for found in all_of]),
        ("answered unknown", [_percent(found.unknown / found.pages) for found in all_of]),
        (f"{against}: accuracy", [_percent(found.target.accuracy) for found in all_of]),
        ("  precision", [_percent(found.target.precision) for found in all_of]),
        ("  recall", [_percent(found.target.recall) for found in all_of]),
        ("  F1", [_percent(found.target.f1) for found in all_of]),
        ("µs a page", [f"{times[name]:,.0f}" for name in figures]),
    ]


def _print_languages(figures: dict[str, "Evaluation"]) -> None:
    columns = ("precision", "recall", "F1")
    print(f"\n{'':17}" + "".join(f"  {name:<30}" for name in figures).rstrip())
    print(f"{'language':<10}{'pages':>7}" + "".join(f"{column:>10}" for _ in figures for column in columns))
    for language, first in next(iter(figures.values())).languages.items():
        scores = [found.languages[language] for found in figures.values()]
        values = [value for score in scores for value in (score.precision, score.recall, score.f1)]
        print(f"{language:<10}{first.due:>7,}" + "".join(f"{_percent(value):>10}" for value in values))


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
