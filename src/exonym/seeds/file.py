"""A seeds file, as `[seeds] file` of a crawl.toml reads it: one address a line, where it is from behind it.

The comment behind an address begins with a tab and `#`: by the rules for URLs tabs in an address mean nothing, and
what follows `#` is never fetched, so every reader of seeds files takes such a line for the address alone.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from exonym.errors import DirectoryError
from exonym.seeds.choosing import Collection
from exonym.seeds.seed import Seed
from exonym.system.files import disk_errors
from exonym.version import __version__
from exonym.web_text import one_line

_MOST_DOMAINS = 20  # that are counted at the head of a file


def check_output(path: Path, force: bool) -> None:
    """Raise if a file would be lost: seeds files are edited by hand."""
    if path.is_dir():
        raise DirectoryError(f"{path} is a directory. Name a file with -o.")
    if path.exists() and not force:
        raise DirectoryError(f"{path} exists. Name another file with -o, or add --force to replace it.")


def write_seeds(path: Path, collection: Collection, about: Sequence[str]) -> None:
    """Write all or nothing; `about` are lines that say how the seeds were found."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    with disk_errors(path):
        try:
            with unfinished.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines_of(collection, about))
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def lines_of(collection: Collection, about: Sequence[str]) -> Iterator[str]:
    """The lines of a seeds file."""
    seeds = "1 seed" if len(collection.seeds) == 1 else f"{len(collection.seeds):,} seeds"
    yield f"# {seeds}, sorted by top-level domain and server. Written by Exonym {__version__}."
    yield from (f"# {one_line(line)}" for line in about)
    counts = list(collection.domains().items())
    more = f", {len(counts) - _MOST_DOMAINS} more" if len(counts) > _MOST_DOMAINS else ""
    if counts:
        yield "# " + ", ".join(f"{name or 'bare address'} {count:,}" for name, count in counts[:_MOST_DOMAINS]) + more
    yield from map(_line, collection.seeds)


def _line(seed: Seed) -> str:
    parts = (seed.source, seed.category, seed.title, seed.checked)
    return f"{seed.url}\t# " + "; ".join(one_line(part) for part in parts if part)
