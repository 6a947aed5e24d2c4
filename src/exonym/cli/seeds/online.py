"""`exonym seeds wikidata|commoncrawl`: places to begin a crawl at, from services that know the whole web."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import number
from exonym.cli.seeds.options import writes_seeds
from exonym.cli.seeds.writing import SeedsRequest, keep_seeds, show_bytes
from exonym.errors import ConfigError
from exonym.progress import Tell

if TYPE_CHECKING:
    from exonym.seeds.commoncrawl import IndexLookup
    from exonym.seeds.seed import FoundSeed
    from exonym.seeds.wikidata import Question

_WIKIDATA = "https://query.wikidata.org/sparql"
_COMMON_CRAWL = "https://index.commoncrawl.org"
_MOST_LANGUAGES = 3  # languages that Wikidata is asked for titles in

SavedAnswers = Annotated[
    list[Path] | None, typer.Option("--from", metavar="FILE", help="Read this instead of asking; may be given again.")
]


@writes_seeds()
def wikidata(
    request: SeedsRequest,
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="A country's two letters, as TH, or a nation file.")
    ] = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--class", metavar="CLASS", help="Only such things: university, hospital, Q3918 …; may be given again."
        ),
    ] = None,
    saved: SavedAnswers = None,
    print_query: Annotated[bool, typer.Option("--print-query", help="Print the query, and ask nothing.")] = False,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Another SPARQL endpoint.")] = _WIKIDATA,
) -> None:
    """Take the official websites of what Wikidata places in a country: universities, ministries, newspapers …"""
    from exonym.seeds.wikidata import query_of

    if saved:
        _refuse_beside_files(("--class", bool(kind)), ("--print-query", print_query))
        keep_seeds(request, f"Wikidata (CC0), saved in {_names(saved)}", lambda tell: _in_answers(saved, tell))
        return
    questions = _questions(nation, kind or [])
    if print_query:
        print("\n\n".join(map(query_of, questions)))
        return
    request.require_operator("wikidata asks a service")
    kinds = ", ".join(kind or ["everything"])
    about = f"Wikidata (CC0), official websites in {questions[0].country}: {kinds}"
    keep_seeds(request, about, lambda tell: _from_wikidata(questions, _address(endpoint), request, tell))


@writes_seeds(language="Only pages that the index has as being in this language, all or partly.")
def commoncrawl(
    request: SeedsRequest,
    nation: Annotated[str, typer.Option(metavar="XX | FILE", help="Only its top-level domains: TH, or a file.")] = "",
    crawl: Annotated[str, typer.Option(metavar="CRAWL", help="As CC-MAIN-2026-42; the newest if not given.")] = "",
    pages: Annotated[
        int, number("max-index-pages", "Pages of the index to ask for, evenly spread, a domain; 0 for all.", 0)
    ] = 100,
    saved: SavedAnswers = None,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Another index server.")] = _COMMON_CRAWL,
) -> None:
    """Take pages in a language that Common Crawl has seen: from its index server, or from files of its index."""
    from exonym.nations import load_nation
    from exonym.seeds.commoncrawl import IndexLookup, crawl_from

    if not request.language:
        raise ConfigError("commoncrawl needs --language: which language are the pages to be in? Write tha, th or Thai.")
    if nation:
        request = replace(request, domains=(*request.domains, *load_nation(nation).domains))
    if saved:
        _refuse_beside_files(("--crawl", bool(crawl)))
        keep_seeds(request, f"Common Crawl's index in {_names(saved)}", lambda tell: _in_index(saved, request, tell))
        return
    request.require_operator("commoncrawl asks a service")
    domains = tuple(sorted(request.choice().domains))
    if not domains:
        raise ConfigError(
            "The index server knows addresses by domain: give --nation or --domain. "
            "A language in all domains is in the columnar index: name files of that with --from."
        )
    lookup = IndexLookup(_address(endpoint), crawl_from(crawl) if crawl else "", request.language, domains, pages)
    about = f"Common Crawl ({lookup.crawl or 'its newest crawl'}), {', '.join(domains)}"
    keep_seeds(request, about, lambda tell: _from_common_crawl(lookup, request, tell))


def _questions(nation: str, kinds: list[str]) -> "list[Question]":
    from exonym.seeds.wikidata import ANYTHING, Question, kind_from

    if not nation:
        raise ConfigError("wikidata needs --nation: two letters, as in --nation TH, or --from with a saved answer.")
    code, languages = _country(nation)
    return [Question(code, languages, kind) for kind in [*map(kind_from, kinds)] or [ANYTHING]]


def _country(nation: str) -> tuple[str, tuple[str, ...]]:
    """The code of a country and the languages to get titles in; Wikidata also knows countries that do not ship."""
    from exonym.nations import load_nation, shipped_codes

    if nation.upper() not in shipped_codes() and not Path(nation).suffix:
        from babel.languages import get_official_languages

        from exonym.nations.make import code_of

        code = code_of(nation)
        return code, tuple(one.replace("_", "-").lower() for one in get_official_languages(code, de_facto=True))
    found = load_nation(nation)
    return found.code, tuple(one.code.lower() for one in found.languages[:_MOST_LANGUAGES])


def _address(endpoint: str) -> str:
    from exonym.errors import UrlError
    from exonym.urls import normal_form

    try:
        return normal_form(endpoint)
    except UrlError:
        raise ConfigError(f"--endpoint {endpoint[:100]!r} is no web address. Write it as in {_WIKIDATA}") from None


def _refuse_beside_files(*given: tuple[str, bool]) -> None:
    for option, is_given in given:
        if is_given:
            raise ConfigError(f"{option} is part of a question, and --from asks none: leave one of them out.")


def _names(files: list[Path]) -> str:
    return ", ".join(path.name for path in files)[:300]


def _from_wikidata(
    questions: "list[Question]", endpoint: str, request: SeedsRequest, tell: Tell
) -> "Iterator[FoundSeed]":
    from exonym.seeds.services import asking, asking_settings
    from exonym.seeds.wikidata import read_wikidata

    with asking(asking_settings(request.operator, request.allow_private), tell) as ask:
        yield from read_wikidata(questions, endpoint, ask)


def _from_common_crawl(lookup: "IndexLookup", request: SeedsRequest, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.seeds.commoncrawl import newest_crawl, read_index
    from exonym.seeds.services import asking, asking_settings

    with asking(asking_settings(request.operator, request.allow_private), tell) as ask:
        crawl = lookup.crawl or newest_crawl(lookup.index, ask)
        yield from read_index(replace(lookup, crawl=crawl), ask)


def _in_answers(files: list[Path], tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.seeds.wikidata import read_saved

    for path in files:
        yield from read_saved(path, show_bytes(path, tell))


def _in_index(files: list[Path], request: SeedsRequest, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.seeds.commoncrawl import read_index_file
    from exonym.seeds.commoncrawl_columnar import is_parquet, read_columnar

    for path in _index_files(files):
        if is_parquet(path):
            yield from read_columnar(path, request.language, request.choice().domains, _show_pages(path, tell))
        else:
            yield from read_index_file(path, request.language, show_bytes(path, tell))


def _show_pages(path: Path, tell: Tell) -> Callable[[int], None]:
    return lambda done: tell(f"reading {path.name}: {done:,} pages")


def _index_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
        if not inside:
            raise ConfigError(
                f"{path} has no parquet file in it. Name files of Common Crawl's index, or a folder of such."
            )
        yield from inside
