"""`exonym new DIR`: writes a commented crawl.toml to begin from."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import Operator, Strategy, max_pages
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.nations import Nation

_SEEDS_NAME = "seeds.txt"

Asked = dict[str, dict[str, Any]]  # by section and key of crawl.toml


def new(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory to make.")],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="A language to look for: th, tha or Thai; may be given again."),
    ] = None,
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="A nation: its languages, names, domains and seeds are filled in.")
    ] = "",
    about: Annotated[bool, typer.Option("--about", help="Look for pages about the nation, by its names.")] = False,
    topic: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Look for pages on a topic: a file that `exonym model topic train` wrote."),
    ] = None,
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="LANGUAGE", help="With --about or --topic: only pages in this language."),
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A web address to begin with; may be given again.")
    ] = None,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="A file of web addresses, one a line.")] = None,
    operator: Operator = "",
    strategy: Strategy = "lswc",
    pages: Annotated[int, max_pages("Pages to fetch; 0 for no limit.")] = 0,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any other setting, as in limits.pages_per_server=50."),
    ] = None,
) -> None:
    """Make a directory for a new crawl, with a crawl.toml that explains every setting."""
    from exonym.config import language_of

    _check_target(bool(language or nation or topic), nation if about else None, topic, within)
    found, allowed = _nation(nation), [language_of(name) for name in within or ()]
    asked: Asked = {
        "seeds": {"urls": seed or list(found.seeds if found and not seeds else ())},
        "target": {"languages": [language_of(name) for name in language or ()]},
        "strategy": {"name": strategy},
    }
    if found and about:
        asked["target.about"] = _about(found, allowed) | ({"topic": topic.name} if topic else {})
    elif topic:
        asked["target.topic"] = {"model": topic.name, "languages": allowed}
    elif found and not language:
        asked["target"]["languages"] = _languages(found)
    usual = {"politeness.operator": operator, "limits.pages": pages}
    _fill_in(asked, {key: value for key, value in usual.items() if value})
    _fill_in(asked, dict(map(_setting, setting or ())))
    _write(directory, asked, seeds)
    if found and about:
        _keep_nation(found, nation, directory)
    if topic:
        _keep_copy(topic, directory / topic.name)
    _print_next(directory, asked, found if about else None)


def _check_target(is_asked: bool, about: str | None, topic: Path | None, within: list[str] | None) -> None:
    from exonym.models.topic_file import load_model

    if not is_asked:
        raise ConfigError("Say what to look for: --language th, --nation TH, or --topic MODEL.")
    if about == "":
        raise ConfigError("--about needs --nation: about which nation are the pages to be?")
    if within and about is None and not topic:
        raise ConfigError("--in goes with --about or --topic. Pages in a language, whatever they say: --language.")
    if topic:
        load_model(topic)


def _setting(text: str) -> tuple[str, Any]:
    """A setting and its value, which is written as in crawl.toml; quotes may be left out."""
    import tomllib

    key, equals, value = text.partition("=")
    if not equals or "." not in key:
        raise ConfigError(f"--set {text[:60]!r} is no setting. Write it as in limits.pages_per_server=50.")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _fill_in(asked: Asked, settings: dict[str, Any]) -> None:
    for key, value in settings.items():
        section, _, leaf = key.rpartition(".")
        asked.setdefault(section, {})[leaf] = value


def _keep_copy(source: Path, target: Path) -> None:
    """So that the directory has all it needs when it is moved."""
    from exonym.system.files import disk_errors

    with disk_errors(target):
        target.write_bytes(source.read_bytes())


def _nation(given: str) -> "Nation | None":
    from exonym.nations import load_nation

    return load_nation(given) if given else None


def _languages(nation: "Nation") -> list[str]:
    from exonym.language.detector import known_languages
    from exonym.nations.nation import own_languages

    found = own_languages(nation, known_languages())
    if not found:
        raise ConfigError(f"{nation.name} has no language that can be told by its text. Name one with --language.")
    return found


def _about(nation: "Nation", languages: list[str]) -> dict[str, Any]:
    return {"nation": f"{nation.code}.toml", "languages": languages, "domains": list(nation.domains)}


def _keep_nation(nation: "Nation", given: str, directory: Path) -> None:
    """A copy of the nation's files, so that the directory has all it needs, and names can be edited for one crawl."""
    from exonym.nations.file_writing import save_nation
    from exonym.nations.shipped import names_file_of, shipped_codes

    path, own = directory / f"{nation.code}.toml", Path(given)
    if given.upper() in shipped_codes():
        save_nation(nation, path)
        return
    for source, target in ((own, path), (names_file_of(own), names_file_of(path))):
        if source.exists():
            _keep_copy(source, target)


def _write(directory: Path, asked: Asked, seeds: Path | None) -> None:
    from exonym.cli.directories import write_config

    text = "" if seeds is None else _checked_seeds(seeds)
    if text:
        asked["seeds"]["file"] = _SEEDS_NAME
    write_config(directory, asked)
    if text:
        # A copy, so that the directory has all it needs when it is moved.
        (directory / _SEEDS_NAME).write_text(text, encoding="utf-8")


def _checked_seeds(path: Path) -> str:
    """The text of a seeds file; raises at the first line that is neither an address nor a comment."""
    from exonym.seeds.file import SEEDS_FILE, read_seeds
    from exonym.system.files import read_text

    text = read_text(path, SEEDS_FILE)
    read_seeds(text, str(path))
    return text


def _print_next(directory: Path, asked: Asked, nation: "Nation | None") -> None:
    config = directory / "crawl.toml"
    print(f"Wrote {config}.")
    if nation:
        print(
            f"Names, {len(nation.names):,} of {nation.name}: {directory / nation.code}.toml and .names.tsv; edit them."
        )
    if not asked["seeds"]["urls"] and "file" not in asked["seeds"]:
        print(f"Add web addresses to begin with: {config}, section [seeds].")
    if not asked.get("politeness", {}).get("operator"):
        print(f"Say who runs the crawl: {config}, section [politeness], operator.")
    print(f"Then: exonym crawl {shlex.quote(str(directory))}")
