"""`exonym model language train`: trains n-gram profiles for the classic identifier from text files."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.options import AsJson, files_in, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.report.number_text import byte_size

_ENOUGH_LETTERS = 6_000  # 20 kB of Thai, which the papers call enough

Texts = dict[str, Callable[[], str]]  # by tag; read one at a time


def train_profiles(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…", help="UTF-8 texts named after their language, as th.txt, or folders of such files."
        ),
    ] = None,
    output: Annotated[Path, output("PROFILES", "The file to write.")] = Path("profiles.json"),
    from_packages: Annotated[
        bool, typer.Option("--from-packages", help="Use the texts in Babel and Django, as the profiles of Exonym do.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train profiles for the classic identifier: the frequent n-grams of each language."""
    from exonym.language.profiles import LanguageProfile, ProfileSet, count_letters, save_profiles, train

    if bool(files) == from_packages:
        raise ConfigError("model language train takes either text files, as th.txt, or --from-packages.")
    texts, sources = _packaged() if from_packages else _named(files or [])
    profiles: list[LanguageProfile] = []
    letters: dict[str, int] = {}
    with status_line("Training") as show:
        for tag, read in texts.items():
            show("Training", len(profiles), len(texts))
            text = read()
            profiles.append(train(tag, text))
            letters[tag] = count_letters(text)
    save_profiles(output, ProfileSet(tuple(profiles), sources))
    size = output.stat().st_size
    emit({"profiles": str(output), "bytes": size, "letters": letters}, _shown(output, letters, size), as_json)


def _packaged() -> tuple[Texts, tuple[str, ...]]:
    from exonym.language.training_texts import installed_text, source_names, tags

    return {tag: partial(installed_text, tag) for tag in tags()}, source_names()


def _named(paths: list[Path]) -> tuple[Texts, tuple[str, ...]]:
    """The texts in files and folders, by language; several files may be in one language."""
    files = files_in(paths, ("*.txt",), "text file in it. Add texts named after their language, as th.txt.")
    by_tag: dict[str, list[Path]] = {}
    for path in files:
        by_tag.setdefault(_tag_of(path), []).append(path)
    texts = {tag: partial(_text_in, of_language) for tag, of_language in sorted(by_tag.items())}
    return dict(texts), tuple(sorted({path.name for path in files}))


def _tag_of(path: Path) -> str:
    from exonym.config import language_of

    language, *rest = path.name.removesuffix(".txt").replace("_", "-").split("-")
    try:
        return "-".join([language_of(language), *rest])
    except ConfigError as error:
        raise ConfigError(f"{path}: {error} Name the file after its language, as in th.txt.") from None


def _text_in(paths: list[Path]) -> str:
    from exonym.language.profiles import MOST_CHARACTERS
    from exonym.system.files import reading

    texts = []
    for path in paths:
        try:
            with reading(path, "a text file, as th.txt"), path.open(encoding="utf-8-sig") as file:
                texts.append(file.read(MOST_CHARACTERS))
        except UnicodeDecodeError:
            raise ConfigError(f"{path} is not UTF-8 text. Convert it first, for example with iconv.") from None
    return "\n".join(texts)


def _shown(output: Path, letters: dict[str, int], size: int) -> Iterator[str | OutputRows]:
    yield [("language", "letters read"), *((tag, f"{count:,}") for tag, count in letters.items())]
    yield f"\nWrote {output}: {len(letters)} profiles, {byte_size(size)}."
    few = ", ".join(tag for tag, count in letters.items() if count < _ENOUGH_LETTERS)
    if few:
        yield f"Too little text for {few}: profiles are reliable from {_ENOUGH_LETTERS:,} letters."
