"""`exonym nation evaluate`: how well each matcher finds the names of a nation."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, NationOption
from exonym.cli.output import emit
from exonym.cli.terminal.status_line import status_line

if TYPE_CHECKING:
    from exonym.nations.matching.evaluation import MatcherScore, MatcherTestData


def names_evaluate(
    nation: NationOption = "TH",
    text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Text without the nation's names, instead of what is installed here."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try all matchers on real spelling variants of places, and on English that is not about the nation."""
    from exonym.nations.matching.evaluation import count_words, evaluated

    with status_line("reading") as tell:
        material = _material(nation, text or [])
        scores = evaluated(material, tell)
    words = count_words(material.texts)
    facts = {"names": len(material.names), "variants": len(material.variants), "words": words}
    line = f"{facts['names']:,} names, {facts['variants']:,} variants, {words:,} words of English.\n"
    emit(facts | {"matchers": {score.kind: _document(score) for score in scores}}, [line, *_lines(scores)], as_json)


def _material(nation: str, given: list[Path]) -> "MatcherTestData":
    from exonym.cli.page_source import read_document
    from exonym.nations import load_nation
    from exonym.nations.matching.evaluation import installed_english, material_of
    from exonym.nations.matching.matcher import telling_names

    texts = [read_document(str(path)).blocks for path in given] or installed_english()
    return material_of(telling_names(load_nation(nation)), texts)


def _document(score: "MatcherScore") -> dict[str, Any]:
    return {name: value if name == "kind" else round(value, 4) for name, value in asdict(score).items()}


def _lines(scores: list["MatcherScore"]) -> list[str]:
    rows: list[tuple[str, list[str]]] = [
        ("", [score.kind for score in scores]),
        ("names found as the dictionary spells them", [f"{score.exact_recall:.1%}" for score in scores]),
        ("variants taken for their own place", [f"{score.recall:.1%}" for score in scores]),
        ("variants with any name found in them", [f"{score.found_at_all:.1%}" for score in scores]),
        ("false alarms per 1,000 words", [f"{score.false_alarms:,.2f}" for score in scores]),
        ("words in them, per 1,000 words", [f"{score.false_words:,.2f}" for score in scores]),
        ("µs per 1,000 words", [f"{score.microseconds:,.0f}" for score in scores]),
        ("words a second", [f"{1e9 / max(score.microseconds, 1e-9):,.0f}" for score in scores]),
    ]
    return [f"{label:<42}" + "".join(f"{value:>10}" for value in values) for label, values in rows]
