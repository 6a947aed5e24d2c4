"""Seeds files, read and written: one address a line; in files that Exonym writes, a comment behind it has its origin.

`exonym.urls.url_of_line` has the rules for a line. Every command that takes seeds reads them here.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from exonym.config import Settings
from exonym.errors import ConfigError, DirectoryError, UrlError
from exonym.seeds.choosing import Collection
from exonym.system.files import disk_errors, read_text, replacing
from exonym.urls import url_from, url_of_line
from exonym.version import __version__
from exonym.web_text import one_line

SEEDS_FILE = "a file of addresses, one a line"  # what messages ask for
_MOST_DOMAINS = 20  # that are counted at the head of a file


def read_seeds(text: str, name: str, scheme: str = "https") -> list[str]:
    """The addresses in the text of the seeds file `name`, in normal form; an error names the file and the line."""
    return list(addresses_in(text.split("\n"), name, scheme))


def addresses_in(lines: Iterable[str], name: str, scheme: str = "https") -> Iterator[str]:
    """The same line by line, for files that are larger than files of seeds."""
    for number, line in enumerate(lines, 1):
        try:
            if url := url_of_line(line, scheme):
                yield url
        except UrlError as error:
            raise ConfigError(f"{name}: line {number}: {error}") from None


def seed_urls(settings: Settings, directory: Path) -> list[str]:
    """All seeds of the crawl in `directory`: those in crawl.toml, and those in the file that it names."""
    urls = [url_from(text) for text in settings.seeds.urls]
    if settings.seeds.file:
        path = directory / settings.seeds.file
        urls += read_seeds(read_text(path, f"{SEEDS_FILE}, in crawl.toml, section [seeds]"), str(path))
    return urls


def check_output(path: Path, force: bool) -> None:
    """Raise if a file would be lost: seeds files are edited by hand."""
    if path.is_dir():
        raise DirectoryError(f"{path} is a directory. Name a file with -o.")
    if path.exists() and not force:
        raise DirectoryError(f"{path} exists. Name another file with -o, or add --force to replace it.")


def write_seeds(path: Path, collection: Collection, about: Sequence[str]) -> None:
    """Write the file atomically; the lines `about` describe how the seeds were found."""
    with disk_errors(path), replacing(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines_of(collection, about))


def lines_of(collection: Collection, about: Sequence[str]) -> Iterator[str]:
    """The lines of a seeds file."""
    seeds = "1 seed" if len(collection.seeds) == 1 else f"{len(collection.seeds):,} seeds"
    yield f"# {seeds}, sorted by top-level domain and server. Written by Exonym {__version__}."
    yield from (f"# {one_line(line)}" for line in about)
    counts = list(collection.domains().items())
    more = f", {len(counts) - _MOST_DOMAINS} more" if len(counts) > _MOST_DOMAINS else ""
    if counts:
        yield "# " + ", ".join(f"{name or 'bare address'} {count:,}" for name, count in counts[:_MOST_DOMAINS]) + more
    for seed in collection.seeds:
        parts = (seed.source, seed.category, seed.title, seed.checked)
        yield f"{seed.url}\t# " + "; ".join(one_line(part) for part in parts if part)
