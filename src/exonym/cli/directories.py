"""Makes crawl directories; never writes over one that is there."""

from collections.abc import Mapping
from pathlib import Path

from exonym.config import CONFIG_NAME, settings_of, template
from exonym.errors import ConfigError, DirectoryError

_PARTS = (CONFIG_NAME, "state", "warc", "journal")
_ADVICE = "Correct it; nothing was written."


def write_config(directory: Path, asked: Mapping[str, Mapping[str, object]]) -> None:
    """Writes DIR/crawl.toml with what is `asked`; refuses where a crawl is already."""
    _check_asked(directory, asked)
    there = [part for part in _PARTS if (directory / part).exists()]
    if there:
        raise DirectoryError(f"{directory / there[0]} exists already. Choose another directory; nothing was written.")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with open(directory / CONFIG_NAME, "x", encoding="utf-8") as file:
            file.write(template(asked))
    except OSError as error:
        raise DirectoryError(f"{directory} cannot be made: {error.strerror}. Choose another directory.") from None


def _check_asked(directory: Path, asked: Mapping[str, Mapping[str, object]]) -> None:
    from exonym.strategies.by_name import check_live_columns, make_strategy

    choice = settings_of({name: dict(values) for name, values in asked.items()}, "options", _ADVICE).strategy
    try:
        check_live_columns(choice.name, make_strategy(choice.name, choice.options, directory=directory))
    except ConfigError as error:  # its advice is to change a crawl.toml that is not there yet
        raise ConfigError(error.fact, _ADVICE) from None
