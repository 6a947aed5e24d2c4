"""`exonym nation evaluate`: measures how well each matcher finds the names of a nation."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, NationOption
from exonym.cli.output import emit
from exonym.cli.terminal.status_line import status_line

if TYPE_CHECKING:
    from exonym.nations.matching.matcher_evaluation import MatcherScore


def names_evaluate(
    nation: NationOption = "TH",
    text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Text without the nation's names, instead of installed English texts."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure all matchers on real spelling variants of places, and on English that is not about the nation."""
    from exonym.cli.page_source import read_document
    from exonym.nations import load_nation
    from exonym.nations.matching.matcher import telling_names
    from exonym.nations.matching.matcher_evaluation import count_words, evaluated, installed_english, material_of

    with status_line("reading") as tell:
        texts = [read_document(str(path)).blocks for path in text or ()] or installed_english()
        material = material_of(telling_names(load_nation(nation)), texts)
        scores = evaluated(material, tell)
    words = count_words(material.texts)
    facts = {"names": len(material.names), "variants": len(material.variants), "words": words}
    line = f"{facts['names']:,} names, {facts['variants']:,} variants, {words:,} words of English.\n"
    matchers = {
        score.kind: {name: value if name == "kind" else round(value, 4) for name, value in asdict(score).items()}
        for score in scores
    }
    emit(facts | {"matchers": matchers}, [line, *_lines(scores)], as_json)


def _lines(scores: list["MatcherScore"]) -> list[str]:
    rows: list[tuple[str, list[str]]] = [
        ("", [score.kind for score in scores]),
        ("names found as the dictionary spells them", [f"{score.exact_recall:.1%}" for score in scores]),
        ("variants matched to the right place", [f"{score.recall:.1%}" for score in scores]),
        ("variants with any name found in them", [f"{score.found_at_all:.1%}" for score in scores]),
        ("false alarms per 1,000 words", [f"{score.false_alarms:,.2f}" for score in scores]),
        ("words in false alarms, per 1,000 words", [f"{score.false_words:,.2f}" for score in scores]),
        ("µs per 1,000 words", [f"{score.microseconds:,.0f}" for score in scores]),
        ("words per second", [f"{1e9 / max(score.microseconds, 1e-9):,.0f}" for score in scores]),
    ]
    return [f"{label:<42}" + "".join(f"{value:>10}" for value in values) for label, values in rows]
