"""`exonym nation`: the nations that ship, what is known of one, and a file for any other country."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.numbers import byte_size, print_rows
from exonym.cli.terminal.status_line import telling

if TYPE_CHECKING:
    from exonym.nations import Nation

_MOST_SHOWN = 8  # of stop words, seeds and the like: what a line takes

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")]


def list_nations(as_json: AsJson = False) -> None:
    """List the nations that come with Exonym."""
    from exonym.nations import load_nation, shipped_codes

    rows = [_summary(load_nation(code)) for code in shipped_codes()]
    if as_json:
        print(json.dumps({"nations": rows}, ensure_ascii=False))
        return
    print(f"  code  {'name':<12}  {'languages':<19}  {'names':>6}  domains")
    for row in rows:
        languages = _some(row["languages"], 3)
        print(f"  {row['code']:<4}  {row['name']:<12}  {languages:<19}  {row['names']:>6,}  {_some(row['domains'], 3)}")
    print("\nAny other country: exonym nation make XX")


def show_nation(
    nation: Annotated[str, typer.Argument(metavar="NATION", help="A code that ships, as TH, or a nation file.")],
    names: Annotated[
        Path | None, typer.Option("--names", metavar="FILE", help="Add (name, +name) and remove (-name) names.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what is known of a nation and where it is from; checks a file that you edited."""
    from exonym.nations import load_nation, with_names

    found = load_nation(nation)
    if names is not None:
        found = with_names(found, names)
    if as_json:
        print(json.dumps(_as_table(found), ensure_ascii=False))
    else:
        _print(found)


def make(
    country: Annotated[str, typer.Argument(metavar="XX", help="A country of ISO 3166: PT, PRT or Portugal.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The file to write (XX.toml).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a nation file for any country from the data in installed packages; never overwrites one."""
    from exonym.nations.file_writing import check_free, save_nation
    from exonym.nations.make import code_of, make_nation

    path = output or Path(f"{code_of(country)}.toml")
    check_free(path)  # before the work, not after it
    with telling("Reading the gazetteer …"):
        made = make_nation(country)
        beside = save_nation(made, path)
    if as_json:
        print(json.dumps({**_summary(made), "file": str(path), "names_file": str(beside)}, ensure_ascii=False))
        return
    sizes = f"{path} ({byte_size(path.stat().st_size)}) and {beside} ({byte_size(beside.stat().st_size)})"
    print(f"Wrote {sizes}: {made.name}, {len(made.names):,} names.")
    print("No package knows its demonyms, dishes, landmarks and seeds: add what you know of them there.")


def _summary(nation: "Nation") -> dict[str, Any]:
    return {
        "code": nation.code,
        "name": nation.name,
        "languages": [language.code for language in nation.languages],
        "domains": list(nation.domains),
        "names": len(nation.names),
    }


def _as_table(nation: "Nation") -> dict[str, Any]:
    from dataclasses import asdict

    table = asdict(nation)
    return {
        **table,
        "languages": [language._asdict() for language in nation.languages],
        "names": [name._asdict() for name in nation.names],
    }


def _print(nation: "Nation") -> None:
    languages = [f"{one.code} {_percent(one.share)}".rstrip() for one in nation.languages]
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
    print(f"{nation.name} ({nation.code})\n")
    rows = [(key.replace("_", " "), _with_source(nation, key, _some(values))) for key, values in facts.items()]
    print_rows(rows)
    print(f"\n{len(nation.names):,} names\n")
    print_rows([*_counted(nation, "kind"), *_counted(nation, "form"), *_counted(nation, "source")] or [("none", "")])
    if nation.sources:
        print("\nSources\n")
        print_rows(list(nation.sources.items()))


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
