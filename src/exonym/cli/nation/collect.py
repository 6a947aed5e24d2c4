"""`exonym nation collect`: reads names from list pages and writes a sheet of them for people to decide on."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJson, Force, Names, NationOption, Operator, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations.dictionary.pages import PageRead
    from exonym.nations.dictionary.sheet import SheetRow


Titles = Annotated[list[str] | None, typer.Option(metavar="TITLE", help="A list page to fetch; may be given again.")]
SavedListPages = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="A list page that you saved; more may follow it.")
]

_SHEET = Path("names.csv")


@dataclass(frozen=True, slots=True)
class _PageRequest:
    """The list pages to read: saved files, and titles to fetch from a wiki."""

    files: tuple[Path, ...]
    titles: tuple[str, ...]
    wiki: str
    operator: str
    allow_private: bool

    def verified(self) -> "_PageRequest":
        from exonym.config.settings import is_operator
        from exonym.nations.dictionary.wiki import article_address

        if not self.files and not self.titles:
            raise ConfigError("Which pages? Give --from-wikipedia TITLE, or saved pages: --from-html FILE…")
        if self.titles and not self.operator:
            raise ConfigError(
                "--from-wikipedia fetches, so servers must be told who asks. Give --operator, a web page of yours."
            )
        if self.operator and not is_operator(self.operator):
            raise ConfigError(f"--operator must be a web page or an e-mail address, got {self.operator[:60]!r}.")
        for title in self.titles:
            article_address(self.wiki, title)
        return self


def propose_names(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="More saved pages.")] = None,
    nation: NationOption = "TH",
    from_wikipedia: Titles = None,
    from_html: SavedListPages = None,
    wiki: Annotated[str, typer.Option(metavar="URL", help="The wiki to fetch from.")] = "https://en.wikipedia.org",
    kind: Annotated[
        str, typer.Option("--name-kind", metavar="KIND", help="What the names are of, unless they say so: temple.")
    ] = "",
    own: Names = None,
    output: Annotated[Path, output("SHEET", "The sheet to write.")] = _SHEET,
    operator: Operator = "",
    allow_private: AllowPrivate = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Propose names from Wikipedia's list pages: writes a review sheet for people to decide on."""
    from exonym.nations import load_nation, with_names
    from exonym.nations.dictionary.proposals import proposals
    from exonym.nations.dictionary.sheet import write_sheet
    from exonym.seeds.file import check_output

    check_output(output, force)
    if kind and not re.fullmatch("[a-z]+( [a-z]+)*", kind):
        raise ConfigError(f"--name-kind must be words in small letters, as temple, got {kind[:60]!r}.")
    paths = tuple(dict.fromkeys([*(from_html or []), *(files or [])]))
    request = _PageRequest(paths, tuple(dict.fromkeys(from_wikipedia or [])), wiki, operator, allow_private).verified()
    found = load_nation(nation)
    if own is not None:
        found = with_names(found, own)
    read = _read_pages(request)
    rows = proposals(found, [one.source() for one in read], kind)
    if not rows:
        raise ConfigError(_no_names_message(read))
    write_sheet(output, rows)
    document = _document(output, rows, read)
    emit(document, _shown(document), as_json)


def _read_pages(request: _PageRequest) -> "list[PageRead]":
    from exonym.cli.page_source import polite_fetch
    from exonym.nations.dictionary.pages import fetched_page, saved_page

    found: list[PageRead] = []
    with ExitStack() as stack:
        tell = stack.enter_context(status_line("reading list pages"))
        for path in request.files:
            tell(f"reading {path.name[:100]}")
            found.append(saved_page(path))
        if request.titles:
            fetch = stack.enter_context(polite_fetch(request.operator, request.allow_private))
            for title in request.titles:
                tell(f"fetching {title[:100]}")
                found.append(fetched_page(title, request.wiki, fetch))
    return found


def _no_names_message(read: "list[PageRead]") -> str:
    reasons = ", ".join(f"{one.name[:60]}: {one.why}" for one in read if one.why)
    is_private = any("address refused" in one.why for one in read)
    advice = "Add --allow-private if that is what you want." if is_private else "Check titles and files."
    return f"No names found ({reasons or 'all are ordinary words'}). Nothing was written. {advice}"


def _document(output: Path, rows: "list[SheetRow]", read: "list[PageRead]") -> dict[str, Any]:
    from exonym.nations.nation import SHORT

    return {
        "output": str(output),
        "names": len(rows),
        "short": sum(row.form == SHORT for row in rows),
        "proposed": dict(Counter(row.proposed for row in rows)),
        "pages": [_page_of(one) for one in read if not one.why],
        "skipped": {one.name: one.why for one in read if one.why},
    }


def _page_of(one: "PageRead") -> dict[str, Any]:
    return {
        "source": one.name,
        "title": one.page.title or one.name,
        "address": one.page.address,
        "licence": one.page.licence,
        "date": one.date,
        "links": len(one.page.names),
    }


def _shown(result: dict[str, Any]) -> Iterator[str | OutputRows]:
    proposed = ", ".join(f"{word} {count:,}" for word, count in result["proposed"].items())
    rows = [(f"{clean(page['title'], 50)}", f"{page['links']:,} links to articles") for page in result["pages"]]
    rows += [(clean(source, 50), f"left out: {clean(why)}") for source, why in result["skipped"].items()]
    rows += [("names", f"{result['names']:,}, of them short forms {result['short']:,}"), ("proposed", proposed)]
    yield f"Wrote {clean(result['output'])}"
    yield rows
    yield "\nGive a copy to each annotator: yes or no into the column decision, where they differ from proposed."
    yield "Then: exonym nation review SHEET… -o names.txt"
