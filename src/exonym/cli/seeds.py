"""`exonym seeds dmoz|csv|sitemap|warc`: places to begin a crawl at, from what other people have listed or crawled."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.seeds_keeping import Asked, keep, told_bytes
from exonym.cli.telling import Tell
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.seeds.seed import Found, Skipped

Output = Annotated[Path, typer.Option("-o", "--output", metavar="SEEDS", help="The seeds file to write.")]
Domains = Annotated[
    list[str] | None, typer.Option("--domain", metavar="DOMAIN", help="Only this top-level domain; may be repeated.")
]
Sample = Annotated[int, typer.Option(min=0, metavar="N", help="A random sample of N; 0 is all.")]
Number = Annotated[int, typer.Option("--seed", min=0, max=2**63, metavar="S", help="Another number, another sample.")]
Language = Annotated[str, typer.Option(metavar="LANGUAGE", help="The language that --check looks for: th or Thai.")]
Check = Annotated[bool, typer.Option("--check", help="Fetch each seed; keep those whose page is in the language.")]
Operator = Annotated[str, typer.Option(help="A web page or e-mail address of yours, told to servers.")]
Private = Annotated[bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the seeds file if it exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")]

_SEEDS = Path("seeds.txt")
_NO_OPERATOR = "not fetched, for want of --operator"


def dmoz(
    dump: Annotated[Path, typer.Argument(metavar="content.rdf.u8[.gz]", help="A dump of the Open Directory.")],
    category: Annotated[
        list[str] | None, typer.Option(metavar="CATEGORY", help="With all below it; may be repeated.")
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Also what the directory keeps for a language, as World/Thai.")
    ] = "",
    output: Output = _SEEDS,
    domain: Domains = None,
    sample: Sample = 0,
    seed: Number = 0,
    check: Check = False,
    operator: Operator = "",
    allow_private: Private = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Take the entries of an Open Directory (DMOZ) dump, however large and broken, in some categories."""
    from exonym.seeds.dmoz import categories_of, read_dmoz

    domains = tuple(domain or ())
    asked = Asked(output, domains, sample, seed, force, as_json, language, check, operator, allow_private).verified()
    wanted = categories_of(category or [], asked.language)
    parts = [*(category or []), *([f"language {asked.language}"] if asked.language else [])]
    about = f"dmoz {dump.name}{': ' if parts else ''}{', '.join(parts)}"
    keep(asked, about, lambda tell: read_dmoz(dump, wanted, told_bytes(dump, tell)))


def csv(
    table: Annotated[Path, typer.Argument(metavar="FILE", help="A table: csv, tsv, any separator; may be gzipped.")],
    column: Annotated[str, typer.Option(help="The column of addresses, by its name or its number, from 1.")] = "url",
    language: Language = "",
    output: Output = _SEEDS,
    domain: Domains = None,
    sample: Sample = 0,
    seed: Number = 0,
    check: Check = False,
    operator: Operator = "",
    allow_private: Private = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Take the addresses in a column of a table; bare server names are addresses too."""
    from exonym.seeds.table import read_table

    domains = tuple(domain or ())
    asked = Asked(output, domains, sample, seed, force, as_json, language, check, operator, allow_private).verified()
    _refuse_idle_language(asked)
    keep(asked, f"table {table.name}", lambda tell: read_table(table, column, told_bytes(table, tell)))


def sitemap(
    sources: Annotated[list[str], typer.Argument(metavar="FILE|URL…", help="Sitemaps, indexes of them, feeds.")],
    language: Language = "",
    output: Output = _SEEDS,
    domain: Domains = None,
    sample: Sample = 0,
    seed: Number = 0,
    check: Check = False,
    operator: Operator = "",
    allow_private: Private = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Take the pages that sitemaps list: files, or addresses, which are fetched."""
    from exonym.drivers.seeds_sitemap import is_address

    domains = tuple(domain or ())
    asked = Asked(output, domains, sample, seed, force, as_json, language, check, operator, allow_private).verified()
    _refuse_idle_language(asked)
    if any(map(is_address, sources)) and not operator:
        raise ConfigError(
            "sitemap fetches addresses, so servers must be told who asks. Give --operator, a web page of yours."
        )
    keep(asked, f"sitemap {', '.join(sources)}"[:300], lambda tell: _in_sitemaps(sources, asked, tell))


def warc(
    files: Annotated[list[Path], typer.Argument(metavar="PATH…", help="WARC files, anybody's, or folders of them.")],
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Only pages in this language, as they were archived.")
    ] = "",
    output: Output = _SEEDS,
    domain: Domains = None,
    sample: Sample = 0,
    seed: Number = 0,
    check: Check = False,
    operator: Operator = "",
    allow_private: Private = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Take the pages in WARC files; nothing is fetched to know their language, unless --check is given."""
    domains = tuple(domain or ())
    asked = Asked(output, domains, sample, seed, force, as_json, language, check, operator, allow_private).verified()
    archives = _archives(files)
    about = f"WARC files {', '.join(path.name for path in archives)}"[:300]
    keep(asked, about, lambda tell: _in_archives(archives, asked.language, tell))


def _refuse_idle_language(asked: Asked) -> None:
    if asked.language and not asked.check:
        raise ConfigError("--language is for --check here, which fetches every seed: give both, or none.")


def _archives(paths: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = sorted([*path.rglob("*.warc.gz"), *path.rglob("*.warc")]) if path.is_dir() else [path]
        if not inside:
            raise ConfigError(f"{path} has no WARC file in it. Name one, as some.warc.gz, or a folder of such.")
        found += inside
    return found


def _in_archives(files: list[Path], language: str, tell: Tell) -> "Iterator[Found]":
    from exonym.drivers.seeds_warc import read_warc_seeds
    from exonym.judges.language import LanguageJudge

    judge = LanguageJudge((language,), hearsay=False) if language else None
    for path in files:
        yield from read_warc_seeds(path, judge, told_bytes(path, tell))


def _in_sitemaps(sources: list[str], asked: Asked, tell: Tell) -> "Iterator[Found]":
    from exonym.drivers.seeds_sitemap import read_sitemaps
    from exonym.seeds.seed import Skipped

    with ExitStack() as stack:
        fetch = _fetch(asked, stack) if asked.operator else lambda url: Skipped(_NO_OPERATOR)
        yield from read_sitemaps(sources, fetch, lambda source: tell(f"reading {source[:100]}"))


def _fetch(asked: Asked, stack: ExitStack) -> "Callable[[str], bytes | Skipped]":
    from exonym.config.settings import Network, PolitenessSettings, Settings
    from exonym.drivers.seeds_fetching import fetching

    polite, network = PolitenessSettings(operator=asked.operator), Network(allow_private=asked.allow_private)
    return stack.enter_context(fetching(Settings(politeness=polite, network=network))).content
