"""`exonym model about train --nation TH --labels FILE…`: how many of its names make a page one about a nation."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.training_output import example_rows
from exonym.cli.options import (
    AnyLanguageOption,
    AsJson,
    FoldsOption,
    Jobs,
    LabelsOption,
    Names,
    NationOption,
    Negative,
    Repeats,
    positive,
    random_seed,
)
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.numbers import percent
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.config import Settings

SECTION = "target.about"
_MOST_SHOWN = 10  # mistakes


def train_about(
    nation: NationOption,
    names: Names = None,
    positive: Annotated[list[str] | None, positive("Pages about the nation")] = None,
    negative: Negative = None,
    labels: LabelsOption = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Pages in others are left out.")] = "en",
    any_language: AnyLanguageOption = False,
    folds: FoldsOption = 10,
    repeats: Repeats = 10,
    seed: Annotated[int, random_seed("Another number divides pages otherwise.")] = 0,
    jobs: Jobs = 0,
    write: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Set what was learned in this crawl directory's crawl.toml.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --write: over other values, another nation, a crawl that has begun.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn from examples when a page is about a nation, and tell how well pages are judged so."""
    require("train")
    from exonym.config import CONFIG_NAME
    from exonym.config.editing import set_values
    from exonym.language_names import language_of
    from exonym.training.about import AboutRequest, document_of, learn_from
    from exonym.training.material.gathering import MaterialRequest

    if force and write is None:
        raise ConfigError("--force goes with --write: nothing else is written.")
    if write is not None:
        _check_target(write, nation, force)
    code = "" if any_language else language_of(language)
    material = MaterialRequest(tuple(positive or ()), tuple(negative or ()), tuple(labels or ()), code, jobs)
    with status_line("reading") as show:
        document = document_of(learn_from(AboutRequest(nation, names, material, folds, repeats, seed), show))
    if write is not None:
        set_values(write / CONFIG_NAME, SECTION, document["lines"])
    document["written"] = str(write / "crawl.toml") if write is not None else ""
    emit(document, _shown(document), as_json)


def _check_target(directory: Path, nation: str, force: bool) -> None:
    """Raise if thresholds may not be set in that directory: before the work, not after."""
    from exonym.config import CONFIG_NAME, load
    from exonym.config.editing import edited

    path = directory / CONFIG_NAME
    settings = load(path)
    edited(path.read_text(encoding="utf-8"), SECTION, {"share": settings.about.share}, str(path))
    reason = "" if force else _reason_against(directory, settings, nation)
    if reason:
        raise ConfigError(f"{path}: {reason}. Add --force to set them all the same.")


def _reason_against(directory: Path, settings: "Settings", nation: str) -> str:
    from exonym.config.settings import About
    from exonym.judges.by_name import judge_settings
    from exonym.judges.settings import parts_of
    from exonym.nations import load_nation

    about = next((one for one in parts_of(judge_settings(settings, directory)) if one.get("kind") == "about"), None)
    if about is None:
        return f"section [{SECTION}] names no nation, so that thresholds would have no effect"
    code = load_nation(about["nation"]).code
    if code != load_nation(nation).code:
        return f"the crawl is for pages about {code}, not {load_nation(nation).code}"
    if (directory / "state").exists():
        return "the crawl has begun; other thresholds would judge its next pages unlike those before"
    if (settings.about.share, settings.about.variety) != (About().share, About().variety):
        return f"share = {settings.about.share} and variety = {settings.about.variety} are set there already"
    return ""


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    yield f"When pages are about {clean(document['name'])}, by the names in them"
    yield example_rows(document, "pages about it")
    yield from _shown_figures(document)
    yield from _shown_neighbours(document)
    yield from _shown_domains(document["domains"])
    yield from _shown_mistakes(document["mistakes"])
    yield from _shown_lines(document)


def _shown_figures(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    first, usual = document["validations"][0], document["defaults"]
    times = "once" if first["repeats"] == 1 else f"{first['repeats']} times"
    yield f"\nThresholds chosen without the pages they judge, in {first['folds']} folds, {times}:"
    rows = [
        (
            "folds by site" if one["by_site"] else "plain folds",
            f"G-mean {percent(one['g_mean'])} ± {100 * one['g_mean_deviation']:.2f}, {_rates(one)}",
        )
        for one in document["validations"]
    ]
    usually = f"G-mean {percent(usual['g_mean'])}, {_rates(usual)}"
    yield [*rows, (f"if nothing is set (share {usual['share']}, variety {usual['variety']})", usually)]
    for remark in dict.fromkeys(one["remark"] for one in document["validations"] if one["remark"]):
        yield clean(remark)


def _rates(one: dict[str, Any]) -> str:
    return f"precision {percent(one['precision'])}, recall {percent(one['recall'])}"


def _shown_neighbours(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    """G-mean by variety (rows) and share (columns)."""
    found = {(one["variety"], one["share"]): one["g_mean"] for one in document["neighbours"]}
    shares = sorted({share for _, share in found})
    yield "\nG-mean of other thresholds, on all pages:"
    rows = [("", "".join(f"{f'share {share:g}':>14}" for share in shares))]
    for variety in sorted({variety for variety, _ in found}):
        rows.append((f"variety {variety}", "".join(f"{percent(found[variety, share]):>14}" for share in shares)))
    yield rows


def _shown_domains(domains: dict[str, Any]) -> Iterator[str | OutputRows]:
    names = ", ".join(f".{name}" for name in domains["domains"])
    if not domains["pages"]:
        yield (
            f"\nNo page is on a server in {names or 'a domain of the nation'}: whether these should count is not known."
        )
        return
    said = "they should count" if domains["count"] else "names alone should decide"
    yield (
        f"\n{domains['pages']:,} pages are on servers in {names}. G-mean {percent(domains['g_mean_with'])} if such "
        f"pages count whatever they say, {percent(domains['g_mean_without'])} if not: {said}."
    )


def _shown_mistakes(mistakes: list[dict[str, Any]]) -> Iterator[str | OutputRows]:
    if not mistakes:
        return
    yield "\nWorst mistakes, by pages held out; look whether their labels are right:"
    yield [
        (
            f"{100 * one['share']:.1f} %, {one['variety']} {'name' if one['variety'] == 1 else 'names'}",
            f"{'about it' if one['positive'] else 'other'}: {clean(one['url'])}"
            + (f" ({clean(', '.join(one['names']), 80)})" if one["names"] else ""),
        )
        for one in mistakes[:_MOST_SHOWN]
    ]


def _shown_lines(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.config.template import toml_value

    lines = [f"[{SECTION}]", *(f"{key} = {toml_value(value)}" for key, value in document["lines"].items())]
    yield "\nSet in " + clean(document["written"]) + ":" if document["written"] else "\nFor crawl.toml:"
    yield "\n" + "\n".join(lines)
