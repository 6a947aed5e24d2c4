"""Which nations come with Exonym, and where their files are."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
NATION_SUFFIX, NAMES_SUFFIX = ".toml", ".names.tsv"


def shipped_codes() -> tuple[str, ...]:
    """The codes of all nations that need no making."""
    return tuple(sorted(path.stem for path in DATA.glob(f"*{NATION_SUFFIX}")))


def shipped_file(code: str) -> Path:
    """Where the file of a shipped nation is."""
    return DATA / f"{code}{NATION_SUFFIX}"


def names_file_of(nation_file: Path) -> Path:
    """Where the long list of names lies that belongs to a nation file: beside it."""
    return nation_file.with_name(nation_file.name.removesuffix(NATION_SUFFIX) + NAMES_SUFFIX)
