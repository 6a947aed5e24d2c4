"""`exonym model about train --nation TH --labels FILE…`: how many of its names make a page one about a nation."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.numbers import print_rows
from exonym.cli.terminal.status_line import telling
from exonym.errors import ConfigError
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.config import Settings
    from exonym.training.about import AboutRequest

SECTION = "target.about"
_MOST_SHOWN = 10  # mistakes
_SOURCES = "files or folders of pages, WARCs, .jsonl, CRAWL:relevant, GRAPH:irrelevant"


def train_about(
    nation: Annotated[str, typer.Option(metavar="XX | FILE", help="The nation: two letters, or a nation file.")],
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Names to add, one a line, or to take out, as in -Hot.")
    ] = None,
    positive: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE", help=f"Pages about it: {_SOURCES}; may be given again.")
    ] = None,
    negative: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE", help="Other pages, from the same kinds of sources.")
    ] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="Labelled pages; they outrank all other sources.")
    ] = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Pages in others are left out.")] = "en",
    any_language: Annotated[bool, typer.Option("--any-language", help="Leave no page out for its language.")] = False,
    folds: Annotated[int, typer.Option(min=2, max=100, help="Parts held out in turn.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="Times that all is divided anew.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Of chance, in dividing pages.")] = 0,
    jobs: Annotated[int, typer.Option(min=0, max=1_024, help="Processes; 0 for one a core.")] = 0,
    write: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Set what was learned in this crawl directory's crawl.toml.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --write: over other values, another nation, a crawl that has begun.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Learn from examples when a page is about a nation, and tell how well pages are judged so."""
    require("train")
    from exonym.language_names import language_of
    from exonym.training.about import AboutRequest
    from exonym.training.material.gathering import MaterialRequest

    if force and write is None:
        raise ConfigError("--force goes with --write: nothing else is written.")
    if write is not None:
        _check_target(write, nation, force)
    code = "" if any_language else language_of(language)
    material = MaterialRequest(tuple(positive or ()), tuple(negative or ()), tuple(labels or ()), code, jobs)
    document = _learned(AboutRequest(nation, names, material, folds, repeats, seed))
    if write is not None:
        _write(write, document)
    document["written"] = str(write / "crawl.toml") if write is not None else ""
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        _print(document)


def _learned(request: "AboutRequest") -> dict[str, Any]:
    from exonym.training.about import document_of, learn_from

    with telling("reading") as tell:
        return document_of(learn_from(request, lambda what, done, total: tell(f"{what} {done:,} of {total:,}")))


def _check_target(directory: Path, nation: str, force: bool) -> None:
    """Before the work, not after: whether thresholds may be set there."""
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


def _write(directory: Path, document: dict[str, Any]) -> None:
    from exonym.config import CONFIG_NAME
    from exonym.config.editing import set_values

    set_values(directory / CONFIG_NAME, SECTION, document["lines"])


def _print(document: dict[str, Any]) -> None:
    pages, sites = document["pages"], document["sites"]
    print(f"When pages are about {clean(document['name'])}, by the names in them")
    print_rows(
        [
            ("pages about it", f"{pages['positive']:,} on {sites['positive']:,} sites"),
            ("other pages", f"{pages['negative']:,} on {sites['negative']:,} sites"),
            *(("left out", f"{count:,} × {clean(reason)}") for reason, count in document["left_out"].items()),
            *(("in both classes", clean(url)) for url in document["in_both_classes"]),
        ]
    )
    _print_figures(document)
    _print_neighbours(document)
    _print_domains(document["domains"])
    _print_mistakes(document["mistakes"])
    _print_lines(document)


def _print_figures(document: dict[str, Any]) -> None:
    first, usual = document["validations"][0], document["defaults"]
    times = "once" if first["repeats"] == 1 else f"{first['repeats']} times"
    print(f"\nThresholds chosen without the pages they judge, in {first['folds']} folds, {times}:")
    rows = [
        (
            "folds by site" if one["by_site"] else "plain folds",
            f"G-mean {_percent(one['g_mean'])} ± {100 * one['g_mean_deviation']:.2f}, {_rates(one)}",
        )
        for one in document["validations"]
    ]
    usually = f"G-mean {_percent(usual['g_mean'])}, {_rates(usual)}"
    print_rows([*rows, (f"if nothing is set (share {usual['share']}, variety {usual['variety']})", usually)])
    for remark in dict.fromkeys(one["remark"] for one in document["validations"] if one["remark"]):
        print(clean(remark))


def _rates(one: dict[str, Any]) -> str:
    return f"precision {_percent(one['precision'])}, recall {_percent(one['recall'])}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _print_neighbours(document: dict[str, Any]) -> None:
    """G-means, a line for each variety, a column for each share."""
    found = {(one["variety"], one["share"]): one["g_mean"] for one in document["neighbours"]}
    shares = sorted({share for _, share in found})
    print("\nG-mean of other thresholds, on all pages:")
    rows = [("", "".join(f"{f'share {share:g}':>14}" for share in shares))]
    for variety in sorted({variety for variety, _ in found}):
        rows.append((f"variety {variety}", "".join(f"{_percent(found[variety, share]):>14}" for share in shares)))
    print_rows(rows)


def _print_domains(domains: dict[str, Any]) -> None:
    names = ", ".join(f".{name}" for name in domains["domains"])
    if not domains["pages"]:
        print(
            f"\nNo page is on a server in {names or 'a domain of the nation'}: whether these should count is not known."
        )
        return
    said = "they should count" if domains["count"] else "names alone should decide"
    print(
        f"\n{domains['pages']:,} pages are on servers in {names}. G-mean {_percent(domains['g_mean_with'])} if such "
        f"pages count whatever they say, {_percent(domains['g_mean_without'])} if not: {said}."
    )


def _print_mistakes(mistakes: list[dict[str, Any]]) -> None:
    if not mistakes:
        return
    print("\nWorst mistakes, by pages held out; look whether their labels are right:")
    print_rows(
        [
            (
                f"{100 * one['share']:.1f} %, {one['variety']} {'name' if one['variety'] == 1 else 'names'}",
                f"{'about it' if one['positive'] else 'other'}: {clean(one['url'])}"
                + (f" ({clean(', '.join(one['names']), 80)})" if one["names"] else ""),
            )
            for one in mistakes[:_MOST_SHOWN]
        ]
    )


def _print_lines(document: dict[str, Any]) -> None:
    from exonym.config.template import toml_value

    lines = [f"[{SECTION}]", *(f"{key} = {toml_value(value)}" for key, value in document["lines"].items())]
    print("\nSet in " + clean(document["written"]) + ":" if document["written"] else "\nFor crawl.toml:")
    print("\n" + "\n".join(lines))
