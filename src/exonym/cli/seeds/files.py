"""`exonym seeds dmoz|csv|sitemap|warc`: places to begin a crawl at, from what other people have listed or crawled."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.seeds.options import writes_seeds
from exonym.cli.seeds.writing import SeedsRequest, keep, show_bytes
from exonym.errors import ConfigError
from exonym.progress import Tell

if TYPE_CHECKING:
    from exonym.seeds.seed import FoundSeed

_NO_OPERATOR = "not fetched, for want of --operator"


@writes_seeds(language="Also what the directory keeps for a language, as World/Thai.")
def dmoz(
    asked: SeedsRequest,
    dump: Annotated[Path, typer.Argument(metavar="content.rdf.u8[.gz]", help="A dump of the Open Directory.")],
    category: Annotated[
        list[str] | None, typer.Option(metavar="CATEGORY", help="With all below it; may be given again.")
    ] = None,
) -> None:
    """Take the entries of an Open Directory (DMOZ) dump, however large and broken, in some categories."""
    from exonym.seeds.dmoz import categories_of, read_dmoz

    wanted = categories_of(category or [], asked.language)
    parts = [*(category or []), *([f"language {asked.language}"] if asked.language else [])]
    about = f"dmoz {dump.name}{': ' if parts else ''}{', '.join(parts)}"
    keep(asked, about, lambda tell: read_dmoz(dump, wanted, show_bytes(dump, tell)))


@writes_seeds()
def csv(
    asked: SeedsRequest,
    table: Annotated[Path, typer.Argument(metavar="FILE", help="A table: csv, tsv, any separator; may be gzipped.")],
    column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of addresses, by its name or its number, from 1.")
    ] = "url",
) -> None:
    """Take the addresses in a column of a table; bare server names are addresses too."""
    from exonym.seeds.table import read_table

    keep(asked, f"table {table.name}", lambda tell: read_table(table, column, show_bytes(table, tell)))


@writes_seeds()
def sitemap(
    asked: SeedsRequest,
    sources: Annotated[list[str], typer.Argument(metavar="FILE | URL…", help="Sitemaps, indexes of them, feeds.")],
) -> None:
    """Take the pages that sitemaps list: files, or addresses, which are fetched."""
    from exonym.seeds.sitemap import is_address

    if any(map(is_address, sources)):
        asked.require_operator("sitemap fetches addresses")
    keep(asked, f"sitemap {', '.join(sources)}"[:300], lambda tell: _in_sitemaps(sources, asked, tell))


@writes_seeds(language="Only pages in this language, as they were archived.")
def warc(
    asked: SeedsRequest,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE | DIR…", help="WARC files, anybody's, or folders of them.")
    ],
) -> None:
    """Take the pages in WARC files; nothing is fetched to know their language, unless --check is given."""
    archives = _archives(files)
    about = f"WARC files {', '.join(path.name for path in archives)}"[:300]
    keep(asked, about, lambda tell: _in_archives(archives, asked.language, tell))


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


def _in_sitemaps(sources: list[str], asked: SeedsRequest, tell: Tell) -> "Iterator[FoundSeed]":
    from exonym.seeds.sitemap import read_sitemaps

    with ExitStack() as stack:
        fetch = _fetch(asked, stack) if asked.operator else lambda url: _NO_OPERATOR
        yield from read_sitemaps(sources, fetch, lambda source: tell(f"reading {source[:100]}"))


def _fetch(asked: SeedsRequest, stack: ExitStack) -> "Callable[[str], bytes | str]":
    from exonym.config.settings import Network, PolitenessSettings, Settings
    from exonym.fetch.one_by_one import fetching

    polite, network = PolitenessSettings(operator=asked.operator), Network(allow_private=asked.allow_private)
    return stack.enter_context(fetching(Settings(politeness=polite, network=network))).content
