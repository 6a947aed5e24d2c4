"""`exonym nation evaluate`: how well each matcher finds the names of a nation."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.identify.names import NationOption, text_of
from exonym.cli.terminal.status_line import telling

if TYPE_CHECKING:
    from exonym.nations import Name, Nation
    from exonym.nations.matching.evaluation import MatcherScore, MatcherTestData


def names_evaluate(
    nation: NationOption = "TH",
    text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Text without the nation's names, instead of what is installed here."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Try all matchers on real spelling variants of places, and on English that is not about the nation."""
    from exonym.nations.matching.evaluation import count_words, evaluated

    with telling("reading") as tell:
        material = _material(nation, text or [])
        scores = evaluated(material, tell)
    words = count_words(material.texts)
    facts = {"names": len(material.names), "variants": len(material.variants), "words": words}
    if as_json:
        print(json.dumps(facts | {"matchers": {score.kind: _json_of_score(score) for score in scores}}))
    else:
        print(f"{facts['names']:,} names, {facts['variants']:,} variants, {words:,} words of English.\n")
        _print_scores(scores)


def _material(nation: str, given: list[Path]) -> "MatcherTestData":
    from exonym.cli.page_source import read_page_bytes
    from exonym.nations import load_nation
    from exonym.nations.matching.evaluation import installed_english, material_of

    texts = [text_of(read_page_bytes(str(path), "", False)) for path in given] or installed_english()
    return material_of(_known_names(load_nation(nation)), texts)


def _known_names(nation: "Nation") -> "list[Name]":
    from exonym.nations.matching.matcher import telling_names

    return telling_names(nation)


def _json_of_score(score: "MatcherScore") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    return {name: value if name == "kind" else round(value, 4) for name, value in asdict(score).items()}


def _print_scores(scores: list["MatcherScore"]) -> None:
    print(f"{'':42}" + "".join(f"{score.kind:>10}" for score in scores))
    for label, values in _rows(scores):
        print(f"{label:<42}" + "".join(f"{value:>10}" for value in values))


def _rows(scores: list["MatcherScore"]) -> list[tuple[str, list[str]]]:
    return [
        ("names found as the dictionary spells them", [f"{score.exact_recall:.1%}" for score in scores]),
        ("variants taken for their own place", [f"{score.recall:.1%}" for score in scores]),
        ("variants with any name found in them", [f"{score.found_at_all:.1%}" for score in scores]),
        ("false alarms per 1,000 words", [f"{score.false_alarms:,.2f}" for score in scores]),
        ("words in them, per 1,000 words", [f"{score.false_words:,.2f}" for score in scores]),
        ("µs per 1,000 words", [f"{score.microseconds:,.0f}" for score in scores]),
        ("words a second", [f"{1e9 / max(score.microseconds, 1e-9):,.0f}" for score in scores]),
    ]
