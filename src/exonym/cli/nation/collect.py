"""`exonym nation collect`: reads names from list pages and writes a sheet of them for annotators."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJson, Force, Names, NationOption, Operator, check_operator, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations.dictionary.named_pages import PageRead
    from exonym.nations.dictionary.sheet import SheetRow


def propose_names(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="More saved pages.")] = None,
    nation: NationOption = "TH",
    from_wikipedia: Annotated[
        list[str] | None, typer.Option(metavar="TITLE", help="A list page to fetch; may be given again.")
    ] = None,
    from_html: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A saved list page; more may follow it.")
    ] = None,
    wiki: Annotated[str, typer.Option(metavar="URL", help="The wiki to fetch from.")] = "https://en.wikipedia.org",
    kind: Annotated[
        str, typer.Option("--name-kind", metavar="KIND", help="What the names denote, if they do not show it: temple.")
    ] = "",
    own: Names = None,
    output: Annotated[Path, output("SHEET", "The sheet to write.")] = Path("names.csv"),
    operator: Operator = "",
    allow_private: AllowPrivate = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Propose names from list pages of Wikipedia: write a sheet for annotators to decide on."""
    from exonym.nations import load_nation, with_names
    from exonym.nations.dictionary.proposals import proposals
    from exonym.nations.dictionary.sheet import write_sheet
    from exonym.nations.dictionary.wiki import article_address
    from exonym.seeds.seeds_file import check_output

    check_output(output, force)
    if kind and not re.fullmatch("[a-z]+( [a-z]+)*", kind):
        raise ConfigError(f"--name-kind must be lower-case words, as temple, got {kind[:60]!r}.")
    paths, titles = dict.fromkeys([*(from_html or []), *(files or [])]), dict.fromkeys(from_wikipedia or [])
    if not paths and not titles:
        raise ConfigError("Which pages? Add --from-wikipedia TITLE, or saved pages: --from-html FILE…")
    if titles and not operator:
        raise ConfigError("--from-wikipedia fetches, so servers must know who asks. Add --operator with your web page.")
    check_operator(operator)
    addresses = {title: article_address(wiki, title) for title in titles}  # raises for a wrong title
    known = load_nation(nation)
    if own is not None:
        known = with_names(known, own)
    read = _read_pages(list(paths), list(addresses), wiki, (operator, allow_private))
    rows = proposals(known, [page.source() for page in read], kind)
    if not rows:
        reasons = ", ".join(f"{page.name[:60]}: {page.why}" for page in read if page.why)
        is_private = any("address refused" in page.why for page in read)
        advice = "Add --allow-private if that is what you want." if is_private else "Check titles and files."
        raise ConfigError(f"No names found ({reasons or 'all are ordinary words'}). Nothing was written. {advice}")
    write_sheet(output, rows)
    document = _document(output, rows, read)
    emit(document, _shown(document), as_json)


def _read_pages(files: list[Path], titles: list[str], wiki: str, access: tuple[str, bool]) -> "list[PageRead]":
    from exonym.cli.page_source import polite_fetch
    from exonym.nations.dictionary.named_pages import fetched_page, saved_page

    pages: list[PageRead] = []
    with ExitStack() as stack:
        tell = stack.enter_context(status_line("reading list pages"))
        for path in files:
            tell(f"reading {path.name[:100]}")
            pages.append(saved_page(path))
        if titles:
            fetch = stack.enter_context(polite_fetch(*access))
            for title in titles:
                tell(f"fetching {title[:100]}")
                pages.append(fetched_page(title, wiki, fetch))
    return pages


def _document(output: Path, rows: "list[SheetRow]", read: "list[PageRead]") -> dict[str, Any]:
    from exonym.nations.nation import SHORT

    return {
        "output": str(output),
        "names": len(rows),
        "short": sum(row.form == SHORT for row in rows),
        "proposed": dict(Counter(row.proposed for row in rows)),
        "pages": [
            {
                "source": read_page.name,
                "title": read_page.page.title or read_page.name,
                "address": read_page.page.address,
                "licence": read_page.page.licence,
                "date": read_page.date,
                "links": len(read_page.page.names),
            }
            for read_page in read
            if not read_page.why
        ],
        "skipped": {read_page.name: read_page.why for read_page in read if read_page.why},
    }


def _shown(result: dict[str, Any]) -> Iterator[str | OutputRows]:
    proposed = ", ".join(f"{word} {count:,}" for word, count in result["proposed"].items())
    rows = [(f"{clean(page['title'], 50)}", f"{page['links']:,} links to articles") for page in result["pages"]]
    rows += [(clean(source, 50), f"left out: {clean(why)}") for source, why in result["skipped"].items()]
    rows += [("names", f"{result['names']:,}, of which {result['short']:,} short forms"), ("proposed", proposed)]
    yield f"Wrote {clean(result['output'])}"
    yield rows
    yield "\nGive a copy to each annotator, who writes yes or no into the column decision; a blank is no vote."
    yield "Then: exonym nation review SHEET… -o names.txt"
