"""`exonym seeds dmoz|csv|sitemap|warc`: seeds from files and sitemaps that other people have made."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.output import warn_each
from exonym.cli.seeds.writing import SeedsRequest, keep_seeds, show_bytes
from exonym.errors import ConfigError
from exonym.progress import Tell

if TYPE_CHECKING:
    from exonym.seeds.seed import FoundSeed

_NO_OPERATOR = "not fetched: --operator is missing"


def dmoz(
    dump: Annotated[Path, typer.Argument(metavar="content.rdf.u8[.gz]", help="A dump of the Open Directory.")],
    category: Annotated[
        list[str] | None,
        typer.Option(metavar="CATEGORY", help="Only this category and those below it; may be given again."),
    ] = None,
    *,
    request: Annotated[SeedsRequest, {"language": "Also the directory's category for this language, as World/Thai."}],
) -> None:
    """Take entries of an Open Directory (DMOZ) dump, of any size and even if damaged."""
    from exonym.seeds.dmoz import categories_of, read_dmoz

    wanted = categories_of(category or [], request.codes)
    parts = [*(category or []), *(f"language {code}" for code in request.codes)]
    about = f"dmoz {dump.name}{': ' if parts else ''}{', '.join(parts)}"
    keep_seeds(request, about, lambda tell: read_dmoz(dump, wanted, show_bytes(dump, tell)))


def csv(
    table: Annotated[Path, typer.Argument(metavar="FILE", help="A table with any separator; may be gzipped.")],
    column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of addresses: its name, or its number, from 1.")
    ] = "url",
    *,
    request: SeedsRequest,
) -> None:
    """Take the addresses in a column of a table (csv, tsv); plain server names count as addresses."""
    from exonym.seeds.seed_table import read_table

    request.refuse_unused_language()
    keep_seeds(request, f"table {table.name}", lambda tell: read_table(table, column, show_bytes(table, tell)))


def sitemap(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE | URL…", help="Sitemaps, sitemap indexes or feeds; URLs are fetched.")
    ],
    request: SeedsRequest,
) -> None:
    """Take the pages that sitemaps or feeds list."""
    from exonym.seeds.sitemap import is_address

    request.refuse_unused_language()
    if any(map(is_address, sources)):
        request.require_operator("sitemap fetches addresses")
    keep_seeds(request, f"sitemap {', '.join(sources)}"[:300], lambda tell: _in_sitemaps(sources, request, tell))


def warc(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE | DIR…", help="WARC, ARC or WACZ files of any origin, or folders of them."),
    ],
    request: Annotated[SeedsRequest, {"language": "Only pages in this language, as they were archived."}],
) -> None:
    """Take the pages in archives (WARC, ARC, WACZ); only --check fetches anything."""
    from exonym.archive.archive_files import archives_at

    archives = [archive for path in files for archive in archives_at(path)]
    if not archives:
        raise ConfigError(f"{files[0]} has no WARC, ARC or WACZ file in it. Name a file, or a folder of such files.")
    about = f"archives {', '.join(path.name for path in archives)}"[:300]
    warnings: list[str] = []
    try:
        keep_seeds(request, about, lambda tell: _in_archives(archives, request.codes, tell, warnings.append))
    except ConfigError as error:
        raise ConfigError(" ".join([str(error), *warnings[-1:]])) from error
    warn_each(warnings)


def _in_archives(
    files: list[Path], languages: tuple[str, ...], tell: Tell, told: Callable[[str], None]
) -> "Iterator[FoundSeed]":
    from exonym.judges.language import LanguageJudge
    from exonym.seeds.warc import read_warc_seeds

    judge = LanguageJudge(languages, inherit_language=False) if languages else None
    for path in files:
        yield from read_warc_seeds(path, judge, show_bytes(path, tell), told)


def _in_sitemaps(sources: list[str], request: SeedsRequest, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.cli.page_source import polite_fetch
    from exonym.seeds.sitemap import read_sitemaps

    with ExitStack() as stack:
        # Without an operator only files are read, and the addresses of sitemaps in them are left out.
        fetch = stack.enter_context(polite_fetch(request.operator, request.allow_private)) if request.operator else None
        yield from read_sitemaps(
            sources, fetch or (lambda url: _NO_OPERATOR), lambda source: tell(f"reading {source[:100]}")
        )
