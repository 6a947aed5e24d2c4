"""`exonym nation collect`: reads names from list pages and writes a sheet of them for annotators."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import (
    AllowPrivate,
    AsJson,
    Force,
    Names,
    NationOption,
    Operator,
    check_operator,
    number,
    output,
)
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.progress import Tell
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations.dictionary.category_walk import CategoryWalk
    from exonym.nations.dictionary.named_pages import PageRead
    from exonym.nations.dictionary.sheet import SheetRow


def propose_names(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="More saved pages.")] = None,
    nation: NationOption = "TH",
    from_wikipedia: Annotated[
        list[str] | None,
        typer.Option(metavar="TITLE", help="A list page to fetch, or a category of list pages; may be given again."),
    ] = None,
    from_html: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A saved list page; more may follow it.")
    ] = None,
    depth: Annotated[
        int, number("depth", "How many levels of subcategories to follow; 0: those of the category alone.", 0, 10)
    ] = 1,
    most_pages: Annotated[int, number("max-pages", "Pages to fetch at most, those of categories included.", 1)] = 500,
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
    from exonym.cli.page_source import polite_fetch
    from exonym.nations import load_nation, with_names
    from exonym.nations.dictionary.category_walk import CategoryWalk, WalkLimits
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
    for title in titles:
        article_address(wiki, title)  # raises for a wrong title
    known = load_nation(nation)
    if own is not None:
        known = with_names(known, own)
    with ExitStack() as stack:
        tell = stack.enter_context(status_line("reading list pages"))
        fetch = stack.enter_context(polite_fetch(operator, allow_private)) if titles else lambda _: ""
        walk = CategoryWalk(wiki, fetch, WalkLimits(depth, most_pages), tell)
        read, is_interrupted = _read_pages(list(paths), list(titles), walk, tell)
    rows = proposals(known, [page.source() for page in read], kind)
    if not rows and is_interrupted:
        raise KeyboardInterrupt
    if not rows:
        reasons = ", ".join(f"{page.name[:60]}: {page.why}" for page in read if page.why)
        is_private = any("address refused" in page.why for page in read)
        advice = "Add --allow-private if that is what you want." if is_private else "Check titles and files."
        raise ConfigError(f"No names found ({reasons or 'all are ordinary words'}). Nothing was written. {advice}")
    write_sheet(output, rows)
    document = _document(output, rows, read) | _walked(walk, is_interrupted)
    emit(document, _shown(document), as_json)
    if is_interrupted:
        raise KeyboardInterrupt


def _read_pages(
    files: list[Path], titles: list[str], walk: "CategoryWalk", tell: Tell
) -> "tuple[list[PageRead], bool]":
    """The pages, and whether Ctrl-C ended the reading: what was read until then is kept."""
    from exonym.nations.dictionary.named_pages import saved_page

    pages: list[PageRead] = []
    try:
        for path in files:
            tell(f"reading {path.name[:100]}")
            pages.append(saved_page(path))
        for page in walk.pages(titles):
            pages.append(page)  # one by one, so that an interrupt loses none
    except KeyboardInterrupt:
        return pages, True
    return pages, False


def _walked(walk: "CategoryWalk", is_interrupted: bool) -> dict[str, Any]:
    return {
        "fetched": walk.fetched,
        "categories": walk.categories,
        "other_articles": walk.other_articles,
        "too_deep": walk.too_deep,
        "unread": walk.unread,
        "interrupted": is_interrupted,
    }


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
    rows += _left_out(result)
    rows += [("names", f"{result['names']:,}, of which {result['short']:,} short forms"), ("proposed", proposed)]
    yield f"Wrote {clean(result['output'])}"
    yield rows
    yield "\nGive a copy to each annotator, who writes yes or no into the column decision; a blank is no vote."
    yield "Then: exonym nation review SHEET… -o names.txt"


def _left_out(result: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if result["categories"]:
        yield ("categories", f"{result['categories']:,} pages of categories read")
    if result["other_articles"]:
        yield ("left out", f"{result['other_articles']:,} articles in categories that are no lists")
    if result["too_deep"]:
        yield ("left out", f"{result['too_deep']:,} subcategories: add --depth to follow them")
    if result["unread"]:
        why = "interrupted" if result["interrupted"] else "add --max-pages to fetch them"
        yield ("left out", f"{result['unread']:,} pages: {why}")
