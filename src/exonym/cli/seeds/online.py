"""`exonym seeds wikidata|commoncrawl`: seeds from services that know the whole web."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import files_in, number
from exonym.cli.seeds.writing import SeedsRequest, keep_seeds, show_bytes
from exonym.errors import ConfigError
from exonym.progress import Tell

if TYPE_CHECKING:
    from exonym.seeds.commoncrawl import IndexLookup
    from exonym.seeds.seed import FoundSeed
    from exonym.seeds.wikidata import Question

_WIKIDATA = "https://query.wikidata.org/sparql"
_COMMON_CRAWL = "https://index.commoncrawl.org"
_MOST_LANGUAGES = 3  # that a query asks for titles in

SavedAnswers = Annotated[
    list[Path] | None,
    typer.Option("--from", metavar="FILE", help="Read this file and query nothing; may be given again."),
]


def wikidata(
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="A country code of two letters, as TH, or a nation file.")
    ] = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--class", metavar="CLASS", help="Only this class: university, hospital, Q3918 …; may be given again."
        ),
    ] = None,
    saved: SavedAnswers = None,
    print_query: Annotated[bool, typer.Option("--print-query", help="Print the query, and send nothing.")] = False,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Another SPARQL endpoint.")] = _WIKIDATA,
    *,
    request: SeedsRequest,
) -> None:
    """Take the official websites of Wikidata's items in a country: universities, ministries, newspapers …"""
    from exonym.seeds.wikidata import query_of

    request.refuse_unused_language()
    if saved:
        _refuse_with_files({"--class": bool(kind), "--print-query": print_query})
        keep_seeds(request, f"Wikidata (CC0), saved in {_names(saved)}", lambda tell: _in_answers(saved, tell))
        return
    questions = _questions(nation, kind or [])
    if print_query:
        print("\n\n".join(map(query_of, questions)))
        return
    request.require_operator("wikidata queries a service")
    kinds = ", ".join(kind or ["everything"])
    about = f"Wikidata (CC0), official websites in {questions[0].country}: {kinds}"
    keep_seeds(request, about, lambda tell: _from_wikidata(questions, _address(endpoint), request, tell))


def commoncrawl(
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="Only the top-level domains of this nation: TH, or a file.")
    ] = "",
    crawl: Annotated[
        str, typer.Option(metavar="CRAWL", help="A crawl, as CC-MAIN-2026-42; if not given, the newest.")
    ] = "",
    pages: Annotated[
        int, number("max-index-pages", "Index pages to fetch per domain, evenly spread; 0 for all.", 0)
    ] = 100,
    saved: SavedAnswers = None,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Another index server.")] = _COMMON_CRAWL,
    *,
    request: Annotated[SeedsRequest, {"language": "Only pages that are, all or partly, in this language."}],
) -> None:
    """Take pages in a language that Common Crawl has visited: from its index server, or from files of its index."""
    from exonym.nations import load_nation
    from exonym.seeds.commoncrawl import IndexLookup, crawl_from

    if not request.language:
        raise ConfigError("commoncrawl needs --language, the language of the pages: tha, th or Thai.")
    if len(request.codes) > 1:
        raise ConfigError("commoncrawl takes one --language. Run it once for each, and join the files with cat.")
    if nation:
        request = replace(request, domain=[*(request.domain or ()), *load_nation(nation).domains])
    if saved:
        _refuse_with_files({"--crawl": bool(crawl)})
        keep_seeds(request, f"Common Crawl's index in {_names(saved)}", lambda tell: _in_index(saved, request, tell))
        return
    request.require_operator("commoncrawl queries a service")
    domains = tuple(sorted(request.choice().domains))
    if not domains:
        raise ConfigError(
            "The index server needs a domain: add --nation or --domain. "
            "For a language in all domains, name files of the columnar index with --from."
        )
    lookup = IndexLookup(_address(endpoint), crawl_from(crawl) if crawl else "", request.codes[0], domains, pages)
    about = f"Common Crawl ({lookup.crawl or 'its newest crawl'}), {', '.join(domains)}"
    keep_seeds(request, about, lambda tell: _from_common_crawl(lookup, request, tell))


def _questions(nation: str, kinds: list[str]) -> "list[Question]":
    from exonym.nations import load_nation, shipped_codes
    from exonym.nations.make import code_of
    from exonym.seeds.wikidata import ANYTHING, Question, kind_from

    if not nation:
        raise ConfigError("wikidata needs --nation: two letters, as in --nation TH, or --from with a saved answer.")
    if nation.upper() in shipped_codes() or Path(nation).suffix:
        known = load_nation(nation)
        code, languages = known.code, [language.code for language in known.languages[:_MOST_LANGUAGES]]
    else:  # Wikidata also knows countries that do not come with Exonym
        from babel.languages import get_official_languages

        code = code_of(nation)
        languages = [language.replace("_", "-") for language in get_official_languages(code, de_facto=True)]
    titles = tuple(map(str.lower, languages))
    return [Question(code, titles, kind) for kind in [*map(kind_from, kinds)] or [ANYTHING]]


def _address(endpoint: str) -> str:
    from exonym.errors import UrlError
    from exonym.urls import normal_form

    try:
        return normal_form(endpoint)
    except UrlError:
        raise ConfigError(f"--endpoint {endpoint[:100]!r} is not a web address. Write it as in {_WIKIDATA}") from None


def _refuse_with_files(options: dict[str, bool]) -> None:
    """Raise if an option is given that only has a meaning for queries."""
    for option, is_given in options.items():
        if is_given:
            raise ConfigError(f"{option} is part of a query, and --from sends none: leave one of them out.")


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

    missing = "parquet file in it. Name files of Common Crawl's index, or a folder of such files."
    for path in files_in(files, ("**/*.parquet",), missing):
        if not is_parquet(path):
            yield from read_index_file(path, request.codes[0], show_bytes(path, tell))
            continue

        def show(done: int, name: str = path.name) -> None:
            tell(f"reading {name}: {done:,} pages")

        yield from read_columnar(path, request.codes[0], request.choice().domains, show)
