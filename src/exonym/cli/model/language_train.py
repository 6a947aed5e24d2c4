"""`exonym model language train`: n-gram profiles for the classic identifier, from text files."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from exonym.cli.options import AsJson, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.numbers import byte_size
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.language.profiles import LanguageProfile

_ENOUGH_LETTERS = 6_000  # 20 kB of Thai, which the papers call enough

Texts = dict[str, Callable[[], str]]  # by tag; read one at a time


class _Trained(NamedTuple):
    profile: "LanguageProfile"
    letters: int


def train_profiles(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE…", help="UTF-8 texts named by their language, as th.txt, or folders of such."),
    ] = None,
    output: Annotated[Path, output("PROFILES", "The file to write.")] = Path("profiles.json"),
    from_packages: Annotated[
        bool, typer.Option("--from-packages", help="Take the text in Babel and Django, as for the shipped profiles.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train the classic identifier: find out which n-grams are frequent in each language."""
    from exonym.language.profiles import ProfileSet, count_letters, save_profiles, train

    if bool(files) == from_packages:
        raise ConfigError(
            "model language train takes text files, as th.txt, or --from-packages: one of the two, not both."
        )
    texts, sources = _packaged() if from_packages else _named(_text_files(files or []))
    trained: list[_Trained] = []
    with status_line("Training") as show:
        for tag, read in texts.items():
            show("Training", len(trained), len(texts))
            text = read()
            trained.append(_Trained(train(tag, text), count_letters(text)))
    save_profiles(output, ProfileSet(tuple(found.profile for found in trained), sources))
    size = output.stat().st_size
    letters = {found.profile.tag: found.letters for found in trained}
    emit({"profiles": str(output), "bytes": size, "letters": letters}, _shown(output, letters, size), as_json)


def _packaged() -> tuple[Texts, tuple[str, ...]]:
    from exonym.language.sources import installed_text, source_names, tags

    sources = source_names()
    return {tag: lambda tag=tag: installed_text(tag) for tag in tags()}, sources  # type: ignore[misc]


def _named(files: list[Path]) -> tuple[Texts, tuple[str, ...]]:
    """What to train each language from; several files may be of one language."""
    by_tag: dict[str, list[Path]] = {}
    for path in files:
        by_tag.setdefault(_tag_of(path), []).append(path)
    texts: Texts = {
        tag: lambda paths=paths: "\n".join(map(_text_in, paths))  # type: ignore[misc]
        for tag, paths in sorted(by_tag.items())
    }
    return texts, tuple(sorted({path.name for path in files}))


def _text_files(given: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in given:
        inside = sorted(path.glob("*.txt")) if path.is_dir() else [path]
        if not inside:
            raise ConfigError(f"{path} has no text file in it. Put texts into it named by language, as th.txt.")
        found += inside
    return found


def _tag_of(path: Path) -> str:
    from exonym.config import language_of

    language, *rest = path.name.removesuffix(".txt").replace("_", "-").split("-")
    try:
        return "-".join([language_of(language), *rest])
    except ConfigError as error:
        raise ConfigError(f"{path}: {error} The file's name tells its language, as in th.txt.") from None


def _text_in(path: Path) -> str:
    from exonym.language.profiles import MOST_CHARACTERS
    from exonym.system.files import reading

    try:
        with reading(path, "a text file, as th.txt"), path.open(encoding="utf-8-sig") as file:
            return file.read(MOST_CHARACTERS)
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text. Convert it first, as with iconv.") from None


def _shown(output: Path, letters: dict[str, int], size: int) -> Iterator[str | OutputRows]:
    yield [("language", "letters read"), *((tag, f"{count:,}") for tag, count in letters.items())]
    yield f"\nWrote {output}: {len(letters)} profiles, {byte_size(size)}."
    few = ", ".join(tag for tag, count in letters.items() if count < _ENOUGH_LETTERS)
    if few:
        yield f"Little text for {few}: from {_ENOUGH_LETTERS:,} letters on, profiles are dependable."
