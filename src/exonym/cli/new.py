"""`exonym new DIR`: makes a crawl directory with a commented crawl.toml; never overwrites one."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import Operator, StrategyOption, max_pages
from exonym.errors import ConfigError, DirectoryError

if TYPE_CHECKING:
    from exonym.nations import Nation

_SEEDS_NAME = "seeds.txt"

_NOTHING_WRITTEN = "Correct it; nothing was written."

_Tables = dict[str, dict[str, Any]]  # by section and key of crawl.toml


def new(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory to make.")],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="A language to look for: th, tha or Thai; may be given again."),
    ] = None,
    nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="A nation, whose languages and seeds are filled in.")
    ] = "",
    about: Annotated[bool, typer.Option("--about", help="Look for pages about the nation, by its names.")] = False,
    topic: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Look for pages on a topic: a file written by `exonym model topic train`."),
    ] = None,
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="LANGUAGE", help="With --about or --topic: only pages in this language."),
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A web address to start from; may be given again.")
    ] = None,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="A file of web addresses, one per line.")] = None,
    operator: Operator = "",
    strategy: StrategyOption = "adaptive",
    pages: Annotated[int, max_pages("Pages to fetch; 0 for no limit.")] = 0,
    practice: Annotated[
        bool, typer.Option("--practice", help="For the web that `exonym practice-web` serves here: no waiting.")
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any other setting, as in limits.pages_per_server=50."),
    ] = None,
) -> None:
    """Make a directory for a new crawl, with a crawl.toml that explains every setting."""
    from exonym.config import change_of, language_of
    from exonym.config.template import usual_options
    from exonym.nations import load_nation

    _check_target(bool(language or nation or topic), nation if about else None, topic, within)
    known = load_nation(nation) if nation else None
    allowed = [language_of(name) for name in within or ()]
    values: _Tables = {
        "seeds": {"urls": seed or list(known.seeds if known and not seeds else ())},
        "target": {"languages": [language_of(name) for name in language or ()]},
        "strategy": {"name": strategy},
    }
    if known and about:
        about_nation = {"nation": f"{known.code}.toml", "languages": allowed, "domains": list(known.domains)}
        values["target.about"] = about_nation | ({"topic": topic.name} if topic else {})
    elif topic:
        values["target.topic"] = {"model": topic.name, "languages": allowed}
    elif known and not language:
        from exonym.language.detector import known_languages
        from exonym.nations.nation import own_languages

        languages = own_languages(known, known_languages())
        if not languages:
            raise ConfigError(f"No language of {known.name} can be identified by text. Name one with --language.")
        values["target"]["languages"] = languages
    if practice:
        from exonym.practice.practice_crawl import practice_settings

        values |= practice_settings()
    named = {"politeness.operator": operator, "limits.pages": pages}
    named = {key: value for key, value in named.items() if value} | dict(map(change_of, setting or ()))
    for key, value in named.items():
        section, _, leaf = key.rpartition(".")
        values.setdefault(section, {})[leaf] = value
    values["strategy"] = usual_options(values["strategy"]["name"]) | values["strategy"]
    _write(directory, values, seeds)
    if known and about:
        _keep_nation(known, nation, directory)
    if topic:
        _keep_copy(topic, directory / topic.name)
    _print_next(directory, values, known if about else None, practice)


def _check_target(has_target: bool, about: str | None, topic: Path | None, within: list[str] | None) -> None:
    from exonym.models.topic_file import load_model

    if not has_target:
        raise ConfigError("Name what to look for: --language th, --nation TH, or --topic MODEL.")
    if about == "":
        raise ConfigError("--about needs --nation, the nation that the pages are about.")
    if within and about is None and not topic:
        raise ConfigError("--in needs --about or --topic. For pages in a language, about anything: --language.")
    if topic:
        load_model(topic)


def _keep_copy(source: Path, target: Path) -> None:
    """Copy a file into the crawl directory, so that the directory can be moved."""
    from exonym.system.files import disk_errors

    with disk_errors(target):
        target.write_bytes(source.read_bytes())


def _keep_nation(nation: "Nation", given: str, directory: Path) -> None:
    """Copy the nation's files into the crawl directory, where its names can be edited for this crawl."""
    from exonym.nations.file_writing import save_nation
    from exonym.nations.shipped import names_file_of, shipped_codes

    path, own = directory / f"{nation.code}.toml", Path(given)
    if given.upper() in shipped_codes():
        save_nation(nation, path)
        return
    for source, target in ((own, path), (names_file_of(own), names_file_of(path))):
        if source.exists():
            _keep_copy(source, target)


def _write(directory: Path, values: _Tables, seeds: Path | None) -> None:
    """Write crawl.toml and a copy of the seeds file, once its lines have been checked."""
    from exonym.seeds.seeds_file import SEEDS_FILE, read_seeds
    from exonym.system.files import read_text

    text = read_text(seeds, SEEDS_FILE) if seeds is not None else ""
    if text:
        read_seeds(text, str(seeds))
        values["seeds"]["file"] = _SEEDS_NAME
    write_config(directory, values)
    if text:
        (directory / _SEEDS_NAME).write_text(text, encoding="utf-8")


def write_config(directory: Path, values: Mapping[str, Mapping[str, object]]) -> None:
    """Write DIR/crawl.toml with these values; raise if the directory has a crawl already."""
    from exonym.config import CONFIG_NAME, template
    from exonym.crawl_directory.cluster_layout import CLUSTER_NAME, PARTITIONS_NAME

    _check_values(directory, values)
    parts = [
        part
        for part in (CONFIG_NAME, "state", "warc", "journal", CLUSTER_NAME, PARTITIONS_NAME)
        if (directory / part).exists()
    ]
    if parts:
        raise DirectoryError(f"{directory / parts[0]} exists already. Choose another directory; nothing was written.")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with open(directory / CONFIG_NAME, "x", encoding="utf-8") as file:
            file.write(template(values))
    except OSError as error:
        raise DirectoryError(f"{directory} cannot be made: {error.strerror}. Choose another directory.") from None


def _check_values(directory: Path, values: Mapping[str, Mapping[str, object]]) -> None:
    """Raise if a crawl could not start with these values: settings, strategy and its options."""
    from exonym.config import settings_of
    from exonym.strategies.by_name import check_live_columns, make_strategy

    tables = {name: dict(table) for name, table in values.items()}
    choice = settings_of(tables, "options", _NOTHING_WRITTEN).strategy
    try:
        check_live_columns(choice.name, make_strategy(choice.name, choice.options, directory=directory))
    except ConfigError as error:  # its advice is to change a crawl.toml that is not there yet
        raise ConfigError(error.fact, _NOTHING_WRITTEN) from None


def _print_next(directory: Path, values: _Tables, nation: "Nation | None", practice: bool) -> None:
    config = directory / "crawl.toml"
    print(f"Wrote {config}.")
    if nation:
        files = f"{directory / nation.code}.toml and .names.tsv"
        print(f"Names, {len(nation.names):,} of {nation.name}: {files}, which you can edit.")
    if not values["seeds"]["urls"] and "file" not in values["seeds"]:
        found = " `exonym practice-web` prints some." if practice else ""
        print(f"Add web addresses to start from: {config}, section [seeds].{found}")
    if not values.get("politeness", {}).get("operator"):
        print(f"Add who runs the crawl: {config}, section [politeness], operator.")
    command = f"exonym crawl {shlex.quote(str(directory))}"
    print(f"Then: exonym practice-web{_port_option(values)} -- {command}" if practice else f"Then: {command}")


def _port_option(values: _Tables) -> str:
    """What a practice web needs to listen where the crawl sends its requests."""
    from exonym.practice.practice_crawl import PRACTICE_ADDRESS

    address = str(values["network"]["connect_to"])
    return "" if address == PRACTICE_ADDRESS else f" --port {address.rpartition(':')[2]}"
