"""`exonym nation list|show|make`: lists nations, shows what is known about one, and makes a file for any other."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, Names, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.report.number_text import byte_size

if TYPE_CHECKING:
    from exonym.nations import Nation

_MOST_SHOWN = 8  # values of a fact: what fits on a line


def list_nations(as_json: AsJson = False) -> None:
    """List the nations that come with Exonym."""
    from exonym.nations import load_nation, shipped_codes

    rows = [_summary(load_nation(code)) for code in shipped_codes()]
    shown = [f"  code  {'name':<12}  {'languages':<19}  {'names':>6}  domains"]
    for row in rows:
        languages, domains = _some(row["languages"], 3), _some(row["domains"], 3)
        shown.append(f"  {row['code']:<4}  {row['name']:<12}  {languages:<19}  {row['names']:>6,}  {domains}")
    emit({"nations": rows}, [*shown, "\nAny other country: exonym nation make XX"], as_json)


def show_nation(
    nation: Annotated[
        str, typer.Argument(metavar="NATION", help="A nation that comes with Exonym, as TH, or a nation file.")
    ],
    names: Names = None,
    as_json: AsJson = False,
) -> None:
    """Show what is known about a nation, with sources, and check a file that you edited."""
    from exonym.nations import load_nation, with_names

    loaded = load_nation(nation)
    if names is not None:
        loaded = with_names(loaded, names)
    document = asdict(loaded) | {
        "languages": [language._asdict() for language in loaded.languages],
        "names": [name._asdict() for name in loaded.names],
    }
    emit(document, _shown(loaded), as_json)


def make(
    country: Annotated[str, typer.Argument(metavar="XX", help="A country by ISO 3166: PT, PRT or Portugal.")],
    output: Annotated[Path | None, output("FILE", "The file to write (XX.toml).")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a nation file for any country from data in installed packages; never overwrite one."""
    from exonym.nations.file_writing import check_free, save_nation
    from exonym.nations.make import code_of, make_nation

    path = output or Path(f"{code_of(country)}.toml")
    check_free(path)  # before the work, not after it
    with status_line("Reading the gazetteer …"):
        made = make_nation(country)
        beside = save_nation(made, path)
    sizes = f"{path} ({byte_size(path.stat().st_size)}) and {beside} ({byte_size(beside.stat().st_size)})"
    shown = [
        f"Wrote {sizes}: {made.name}, {len(made.names):,} names.",
        "No package knows its demonyms, dishes, landmarks and seeds: add those that you know.",
    ]
    emit({**_summary(made), "file": str(path), "names_file": str(beside)}, shown, as_json)


def _summary(nation: "Nation") -> dict[str, Any]:
    return {
        "code": nation.code,
        "name": nation.name,
        "languages": [language.code for language in nation.languages],
        "domains": list(nation.domains),
        "names": len(nation.names),
    }


def _shown(nation: "Nation") -> Iterator[str | OutputRows]:
    languages = [f"{language.code} {_percent(language.share)}".rstrip() for language in nation.languages]
    facts = {
        "languages": languages,
        "domains": nation.domains,
        "country_codes": nation.country_codes,
        "calling_code": [f"+{nation.calling_code}"] if nation.calling_code else [],
        "currency": [nation.currency] if nation.currency else [],
        "charsets": nation.charsets,
        "demonyms": nation.demonyms,
        "prefixes": list(nation.prefixes),
        "suffixes": list(nation.suffixes),
        "stop_words": nation.stop_words,
        "seeds": nation.seeds,
    }
    yield f"{nation.name} ({nation.code})\n"
    yield [(key.replace("_", " "), _with_source(nation, key, _some(values))) for key, values in facts.items()]
    yield f"\n{len(nation.names):,} names\n"
    yield [*_counted(nation, "kind"), *_counted(nation, "form"), *_counted(nation, "source")] or [("none", "")]
    if nation.sources:
        yield "\nSources\n"
        yield list(nation.sources.items())


def _percent(share: float) -> str:
    return "" if not share else f"{share:.0%}" if share >= 0.01 else "<1%"


def _with_source(nation: "Nation", key: str, shown: str) -> str:
    source = nation.facts.get(key, "")
    return f"{shown}  [{source}]" if source and shown else shown or "none known"


def _counted(nation: "Nation", column: str) -> list[tuple[str, str]]:
    """How many names there are of each kind, form or source."""
    counts = Counter(getattr(name, column) for name in nation.names)
    return [(column, ", ".join(f"{value} {count:,}" for value, count in counts.most_common()))] if counts else []


def _some(values: Any, most: int = _MOST_SHOWN) -> str:
    shown = ", ".join(list(values)[:most])
    return f"{shown} +{len(values) - most}" if len(values) > most else shown
