"""`exonym seeds dmoz|csv|sitemap|warc`: places to begin a crawl at, from what other people have listed or crawled."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.seeds.options import writes_seeds
from exonym.cli.seeds.writing import SeedsRequest, keep_seeds, show_bytes
from exonym.errors import ConfigError
from exonym.progress import Tell

if TYPE_CHECKING:
    from exonym.seeds.seed import FoundSeed

_NO_OPERATOR = "not fetched, for want of --operator"


@writes_seeds(language="Also what the directory keeps for a language, as World/Thai.")
def dmoz(
    request: SeedsRequest,
    dump: Annotated[Path, typer.Argument(metavar="content.rdf.u8[.gz]", help="A dump of the Open Directory.")],
    category: Annotated[
        list[str] | None, typer.Option(metavar="CATEGORY", help="With all below it; may be given again.")
    ] = None,
) -> None:
    """Take the entries of an Open Directory (DMOZ) dump, however large and broken, in some categories."""
    from exonym.seeds.dmoz import categories_of, read_dmoz

    wanted = categories_of(category or [], request.language)
    parts = [*(category or []), *([f"language {request.language}"] if request.language else [])]
    about = f"dmoz {dump.name}{': ' if parts else ''}{', '.join(parts)}"
    keep_seeds(request, about, lambda tell: read_dmoz(dump, wanted, show_bytes(dump, tell)))


@writes_seeds()
def csv(
    request: SeedsRequest,
    table: Annotated[Path, typer.Argument(metavar="FILE", help="A table: csv, tsv, any separator; may be gzipped.")],
    column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of addresses, by its name or its number, from 1.")
    ] = "url",
) -> None:
    """Take the addresses in a column of a table; bare server names are addresses too."""
    from exonym.seeds.table import read_table

    keep_seeds(request, f"table {table.name}", lambda tell: read_table(table, column, show_bytes(table, tell)))


@writes_seeds()
def sitemap(
    request: SeedsRequest,
    sources: Annotated[list[str], typer.Argument(metavar="FILE | URL…", help="Sitemaps, indexes of them, feeds.")],
) -> None:
    """Take the pages that sitemaps list: files, or addresses, which are fetched."""
    from exonym.seeds.sitemap import is_address

    if any(map(is_address, sources)):
        request.require_operator("sitemap fetches addresses")
    keep_seeds(request, f"sitemap {', '.join(sources)}"[:300], lambda tell: _in_sitemaps(sources, request, tell))


@writes_seeds(language="Only pages in this language, as they were archived.")
def warc(
    request: SeedsRequest,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE | DIR…", help="WARC files, anybody's, or folders of them.")
    ],
) -> None:
    """Take the pages in WARC files; nothing is fetched to know their language, unless --check is given."""
    archives = _archives(files)
    about = f"WARC files {', '.join(path.name for path in archives)}"[:300]
    keep_seeds(request, about, lambda tell: _in_archives(archives, request.language, tell))


def _archives(paths: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = sorted([*path.rglob("*.warc.gz"), *path.rglob("*.warc")]) if path.is_dir() else [path]
        if not inside:
            raise ConfigError(f"{path} has no WARC file in it. Name one, as some.warc.gz, or a folder of such.")
        found += inside
    return found


def _in_archives(files: list[Path], language: str, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.judges.language import LanguageJudge
    from exonym.seeds.warc import read_warc_seeds

    judge = LanguageJudge((language,), inherit_language=False) if language else None
    for path in files:
        yield from read_warc_seeds(path, judge, show_bytes(path, tell))


def _in_sitemaps(sources: list[str], request: SeedsRequest, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.cli.page_source import polite_fetch
    from exonym.seeds.sitemap import read_sitemaps

    with ExitStack() as stack:
        # Without an operator only files are read, and addresses inside them are left out.
        fetch = stack.enter_context(polite_fetch(request.operator, request.allow_private)) if request.operator else None
        yield from read_sitemaps(
            sources, fetch or (lambda url: _NO_OPERATOR), lambda source: tell(f"reading {source[:100]}")
        )
