"""`exonym new DIR`: writes a commented crawl.toml to begin from."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.errors import ConfigError, DirectoryError, UrlError

_SEEDS_NAME = "seeds.txt"


def new(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory to make.")],
    language: Annotated[list[str], typer.Option(help="A language to look for: th, tha or Thai. May be repeated.")],
    seed: Annotated[list[str] | None, typer.Option(help="A web address to begin with. May be repeated.")] = None,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="A file of web addresses, one a line.")] = None,
    operator: Annotated[str, typer.Option(help="A web page or e-mail address of who runs the crawl.")] = "",
    strategy: Annotated[str, typer.Option(help="bfs, lswc and others: exonym strategies lists them.")] = "lswc",
    pages: Annotated[int, typer.Option(min=0, help="Pages to fetch; 0 is no limit.")] = 0,
) -> None:
    """Make a directory for a new crawl, with a crawl.toml that explains every setting."""
    from exonym.config import language_of

    asked: dict[str, dict[str, Any]] = {
        "seeds": {"urls": seed or []},
        "target": {"languages": [language_of(name) for name in language]},
        "strategy": {"name": strategy},
    }
    if operator:
        asked["politeness"] = {"operator": operator}
    if pages:
        asked["limits"] = {"pages": pages}
    _write(directory, asked, seeds)
    _print_next(directory, bool(seed or seeds), bool(operator))


def _write(directory: Path, asked: dict[str, dict[str, Any]], seeds: Path | None) -> None:
    from exonym.cli.directories import write_config

    text = "" if seeds is None else _checked_seeds(seeds)
    if text:
        asked["seeds"]["file"] = _SEEDS_NAME
    write_config(directory, asked)
    if text:
        # A copy, so that the directory has all it needs when it is moved.
        (directory / _SEEDS_NAME).write_text(text, encoding="utf-8")


def _checked_seeds(path: Path) -> str:
    """The text of a seed file; raises at the first line that is neither a URL nor a comment."""
    from exonym.urls import normal_form

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DirectoryError(f"{path} cannot be read: {error.strerror}. Name a file of web addresses.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text. Name a file of web addresses, one a line.") from None
    for number, line in enumerate(text.split("\n"), 1):
        address = line.partition(" #")[0].strip()
        try:
            if address and not address.startswith("#"):
                normal_form(address)
        except UrlError as error:
            raise ConfigError(f"{path}: line {number}: {error}") from None
    return text


def _print_next(directory: Path, has_seeds: bool, has_operator: bool) -> None:
    config = directory / "crawl.toml"
    print(f"Wrote {config}.")
    if not has_seeds:
        print(f"Add web addresses to begin with: {config}, section [seeds].")
    if not has_operator:
        print(f"Say who runs the crawl: {config}, section [politeness], operator.")
    print(f"Then: exonym crawl {shlex.quote(str(directory))}")
