"""`exonym model about train --nation TH …`: learns how many of a nation's names make a page one about it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.training_output import example_rows, folds_of, mistakes_shown, rates_of
from exonym.cli.options import AsJson, ExampleOptions, Names, NationOption, ValidationOptions
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.report.number_text import percent
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.config import Settings

SECTION = "target.about"


def train_about(
    nation: NationOption,
    examples: ExampleOptions,
    validation: ValidationOptions,
    names: Names = None,
    write: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the learned thresholds into the crawl.toml of DIR.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --write: even if other values are set, or the crawl has begun.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn from examples when a page is about a nation, and measure how well pages are judged."""
    require("train")
    from exonym.config import CONFIG_NAME
    from exonym.config.editing import set_values
    from exonym.training.about import AboutRequest, document_of, learn_from

    if force and write is None:
        raise ConfigError("--force needs --write: nothing else is written.")
    if write is not None:
        _check_target(write, nation, force)
    material = examples.material(validation.jobs)
    request = AboutRequest(nation, names, material, validation.folds, validation.repeats, validation.seed)
    with status_line("reading") as show:
        document = document_of(learn_from(request, show))
    if write is not None:
        set_values(write / CONFIG_NAME, SECTION, document["lines"])
    document["written"] = str(write / CONFIG_NAME) if write is not None else ""
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
        raise ConfigError(f"{path}: {reason}. Add --force to set them anyway.")


def _reason_against(directory: Path, settings: "Settings", nation: str) -> str:
    from exonym.config.settings import About
    from exonym.crawl_directory.cluster_layout import PARTITIONS_NAME
    from exonym.judges.by_name import judge_settings
    from exonym.judges.judge_settings import parts_of
    from exonym.nations import load_nation

    parts = parts_of(judge_settings(settings, directory))
    about = next((part for part in parts if part.get("kind") == "about"), None)
    if about is None:
        return f"section [{SECTION}] names no nation, so thresholds would have no effect"
    code = load_nation(about["nation"]).code
    if code != load_nation(nation).code:
        return f"the crawl is for pages about {code}, not {load_nation(nation).code}"
    if (directory / "state").exists() or (directory / PARTITIONS_NAME).exists():
        return "the crawl has begun; new thresholds would judge its next pages differently from those before"
    if (settings.about.share, settings.about.variety) != (About().share, About().variety):
        return f"share = {settings.about.share} and variety = {settings.about.variety} are set there already"
    return ""


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.config.template import toml_value

    yield f"When pages are about {clean(document['name'])}, by the names in them"
    yield example_rows(document, "pages about it")
    validations, defaults = document["validations"], document["defaults"]
    yield f"\nThresholds chosen without the pages they judge, in {folds_of(document)}:"
    yield [
        *(("folds by site" if way["by_site"] else "plain folds", rates_of(way)) for way in validations),
        (f"defaults (share {defaults['share']}, variety {defaults['variety']})", rates_of(defaults)),
    ]
    yield from map(clean, dict.fromkeys(way["remark"] for way in validations if way["remark"]))
    yield "\nG-mean of other thresholds, on all pages:"
    yield _threshold_table(document["neighbours"])
    yield _domains_line(document["domains"])
    yield from mistakes_shown(document["mistakes"], _mistake_row)
    yield f"\nSet in {clean(document['written'])}:\n" if document["written"] else "\nFor crawl.toml:\n"
    yield f"[{SECTION}]"
    yield from (f"{key} = {toml_value(value)}" for key, value in document["lines"].items())


def _threshold_table(neighbours: list[dict[str, Any]]) -> OutputRows:
    """G-mean by variety (rows) and share (columns)."""
    g_means = {(row["variety"], row["share"]): row["g_mean"] for row in neighbours}
    shares = sorted({share for _, share in g_means})
    rows = [("", "".join(f"{f'share {share:g}':>14}" for share in shares))]
    for variety in sorted({variety for variety, _ in g_means}):
        rows.append((f"variety {variety}", "".join(f"{percent(g_means[variety, share]):>14}" for share in shares)))
    return rows


def _domains_line(domains: dict[str, Any]) -> str:
    """Whether pages in the nation's own domains should count, whatever names they have."""
    names = ", ".join(f".{name}" for name in domains["domains"])
    if not domains["pages"]:
        return f"\nNo page is on a server in {names or 'a domain of the nation'}, so whether to count these is unknown."
    advice = "they should count" if domains["count"] else "names alone should decide"
    return (
        f"\n{domains['pages']:,} pages are on servers in {names}. G-mean {percent(domains['g_mean_with'])} if such "
        f"pages always count, {percent(domains['g_mean_without'])} if not: {advice}."
    )


def _mistake_row(page: dict[str, Any]) -> tuple[str, str]:
    names = f" ({clean(', '.join(page['names']), 80)})" if page["names"] else ""
    return (
        f"{100 * page['share']:.1f} %, {page['variety']} {'name' if page['variety'] == 1 else 'names'}",
        f"{'about it' if page['positive'] else 'other'}: {clean(page['url'])}{names}",
    )
