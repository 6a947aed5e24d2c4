"""`exonym nation review`: merges the sheets of several people into one dictionary."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, Force, output
from exonym.cli.output import OutputRows, emit
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations.dictionary.sheet import SheetRow

_MOST_SHOWN = 10


def review_names(
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET…", help="One sheet from each annotator.")],
    output: Annotated[Path, output("NAMES", "The names file to write.")] = Path("names.txt"),
    ties: Annotated[str, typer.Option(metavar="yes|no", help="Whether to accept names with as many yes as no.")] = "no",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Merge the sheets of several annotators by majority into a names file, and measure their agreement."""
    from exonym.nations.dictionary.sheet import KNOWN, read_sheet
    from exonym.nations.dictionary.votes import merged
    from exonym.seeds.seeds_file import check_output
    from exonym.system.files import disk_errors, replacing

    if ties not in ("yes", "no"):
        raise ConfigError(f"--ties must be yes or no, got {ties[:60]!r}.")
    check_output(output, force)
    if len(set(sheets)) < len(sheets):
        raise ConfigError("A sheet is given twice, but each has one vote. Name each once.")
    read = [read_sheet(path) for path in sheets]
    outcome = merged(read, ties == "yes")
    if not outcome.accepted:
        raise ConfigError("No name has a majority, so nothing was written. Check the column decision.")
    known = [row.name for sheet in read for row in sheet.rows if row.proposed == KNOWN]
    with disk_errors(output), replacing(output) as draft:
        lines = _lines(outcome.accepted, known, len(sheets))
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    document = {
        "output": str(output),
        "ties_accepted": ties == "yes",
        "accepted": len(outcome.accepted),
        "rejected": len(outcome.rejected),
        "ties": [row.name for row in outcome.ties],
        "open": [row.name for row in outcome.open],
        "sheets": {str(sheet.path): {"rows": len(sheet.rows), "decided": sheet.decided} for sheet in read},
        "agreement": {name: getattr(outcome.agreement, name) for name in ("rows", "unanimous", "kappa")},
    }
    emit(document, _shown(document), as_json)


def _lines(accepted: "Sequence[SheetRow]", known: list[str], sheets: int) -> Iterator[str]:
    from exonym.nations.dictionary.votes import names_lines
    from exonym.version import __version__

    people = "1 sheet" if sheets == 1 else f"the majority of {sheets} sheets"
    names = "1 name" if len(accepted) == 1 else f"{len(accepted):,} names"
    yield f"# {names} accepted by {people}. Written by Exonym {__version__}."
    sources = dict.fromkeys(part for row in accepted for part in row.source.split("; ") if part)
    licences = dict.fromkeys(part for row in accepted for part in row.licence.split("; ") if part)
    yield from (f"# From {source}" for source in sources)
    if licences:
        yield f"# Under {', '.join(licences)}"
    yield from names_lines(accepted, known)


def _shown(result: dict[str, Any]) -> Iterator[str | OutputRows]:
    agreement, ties = result["agreement"], result["ties"]
    rows = [
        (clean(sheet, 50), f"{counts['rows']:,} rows, {counts['decided']:,} decided by hand")
        for sheet, counts in result["sheets"].items()
    ]
    rows += [("accepted", f"{result['accepted']:,}"), ("rejected", f"{result['rejected']:,}")]
    if ties:
        shown = ", ".join(map(clean, ties[:_MOST_SHOWN])) + (" …" if len(ties) > _MOST_SHOWN else "")
        rows.append(("ties", f"{len(ties):,} {'accepted' if result['ties_accepted'] else 'left out'}: {shown}"))
    if result["open"]:
        rows.append(("no votes", f"{len(result['open']):,}: {', '.join(map(clean, result['open'][:_MOST_SHOWN]))}"))
    if agreement["rows"]:
        share = f"{agreement['unanimous'] / agreement['rows']:.1%} of {agreement['rows']:,} names unanimous"
        name = "Cohen's" if len(result["sheets"]) == 2 else "Fleiss'"
        kappa = "not defined" if agreement["kappa"] is None else f"{agreement['kappa']:.2f}"
        rows.append(("agreement", f"{share}; {name} kappa {kappa}"))
    yield f"Wrote {clean(result['output'])}"
    yield rows
    yield f"\nUse it with: exonym nation show XX --names {clean(result['output'])}"
