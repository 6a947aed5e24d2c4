"""`exonym nation review`: merges the sheets of several people into one dictionary."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, Force, output
from exonym.cli.output import OutputRows, emit
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations.dictionary.sheet import Sheet, SheetRow
    from exonym.nations.dictionary.votes import ReviewOutcome

_MOST_SHOWN = 10


def review_names(
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET…", help="One sheet from each annotator.")],
    output: Annotated[Path, output("NAMES", "The names file to write.")] = Path("names.txt"),
    ties: Annotated[str, typer.Option(metavar="yes|no", help="Whether to accept names with as many yes as no.")] = "no",
    unvoted: Annotated[
        str, typer.Option(metavar="no|proposed", help="Names without a vote: leave out, or accept if proposed.")
    ] = "no",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Merge the sheets of several annotators by majority into a names file, and measure their agreement.

    A blank decision is no vote.
    """
    from exonym.nations.dictionary.sheet import KNOWN, read_sheet
    from exonym.nations.dictionary.votes import merged
    from exonym.seeds.seeds_file import check_output
    from exonym.system.files import disk_errors, replacing

    if ties not in ("yes", "no"):
        raise ConfigError(f"--ties must be yes or no, got {ties[:60]!r}.")
    if unvoted not in ("no", "proposed"):
        raise ConfigError(f"--unvoted must be no or proposed, got {unvoted[:60]!r}.")
    check_output(output, force)
    if len(set(sheets)) < len(sheets):
        raise ConfigError("A sheet is given twice, but each has one vote. Name each once.")
    read = [read_sheet(path) for path in sheets]
    outcome = merged(read, ties == "yes", unvoted == "proposed")
    if not any(sheet.votes for sheet in read) and not outcome.accepted:
        raise ConfigError(
            "No name has a vote, so nothing was written: a blank decision is none. Write yes or no into the column "
            "decision, or accept what is proposed with --unvoted proposed."
        )
    if not outcome.accepted:
        raise ConfigError("No name has a majority, so nothing was written. Check the column decision.")
    known = [row.name for sheet in read for row in sheet.rows if row.proposed == KNOWN]
    with disk_errors(output), replacing(output) as draft:
        lines = _lines(outcome.accepted, known, len(sheets))
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    document = {"output": str(output), "ties_accepted": ties == "yes", **_counts(outcome, read)}
    emit(document, _shown(document), as_json)


def _counts(outcome: "ReviewOutcome", sheets: "list[Sheet]") -> dict[str, Any]:
    accepted = set(outcome.accepted)
    return {
        "accepted": len(outcome.accepted),
        "rejected": len(outcome.rejected),
        "ties": [row.name for row in outcome.ties],
        "open": [row.name for row in outcome.open],
        "open_accepted": sum(row in accepted for row in outcome.open),
        "sheets": {
            str(sheet.path): {
                "rows": len(sheet.rows),
                "to_decide": sheet.to_decide,
                "decided": sheet.decided,
                "votes": sheet.votes,
            }
            for sheet in sheets
        },
        "agreement": asdict(outcome.agreement),
    }


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
        (clean(sheet, 50), f"voted on {counts['votes']:,} of {counts['to_decide']:,} names")
        for sheet, counts in result["sheets"].items()
    ]
    rows += [("accepted", f"{result['accepted']:,}"), ("rejected", f"{result['rejected']:,}")]
    if ties:
        rows.append(("ties", f"{len(ties):,} {'accepted' if result['ties_accepted'] else 'left out'}: {_listed(ties)}"))
    if opened := result["open"]:
        taken = f", {result['open_accepted']:,} accepted as proposed" if result["open_accepted"] else " left out"
        rows.append(("no votes", f"{len(opened):,}{taken}: {_listed(opened)}"))
    if agreement["rows"]:
        share = (
            f"{agreement['unanimous'] / agreement['rows']:.1%} of {agreement['rows']:,} names with two or more votes"
        )
        name = "Cohen's" if len(result["sheets"]) == 2 else "Fleiss'"
        kappa = "not defined" if agreement["kappa"] is None else f"{agreement['kappa']:.2f}"
        rows.append(("unanimous", share))
        rows.append(
            ("agreement", f"{name} kappa {kappa}, over the {agreement['kappa_rows']:,} names that all voted on")
        )
    yield f"Wrote {clean(result['output'])}"
    yield rows
    yield f"\nUse it with: exonym nation show XX --names {clean(result['output'])}"


def _listed(names: list[str]) -> str:
    return ", ".join(map(clean, names[:_MOST_SHOWN])) + (" …" if len(names) > _MOST_SHOWN else "")
