"""What to say to somebody who named a crawl directory that is not there: perhaps the name of another one is meant."""

import difflib
import itertools
import shlex
from pathlib import Path

CONFIG_NAME = "crawl.toml"
_MOST_LOOKED_AT = 2_000  # names beside the one that is not there


def other_crawl(path: Path) -> str:
    """The advice for whoever named `path`, which is no crawl directory."""
    near = nearest_crawl(path)
    if near is not None:
        return f"Did you mean {shlex.quote(str(near))}?"
    return "Name a crawl directory, as `exonym new` makes it."


def nearest_crawl(path: Path) -> Path | None:
    """The crawl directory beside `path`, or in it, whose name is most like that of `path`; None if none is like it."""
    if path.is_dir():
        inside = _crawls_in(path)
        if len(inside) == 1:
            return path / inside[0]
    names = {name.casefold(): name for name in _crawls_in(path.parent) if name != path.name}
    close = difflib.get_close_matches(path.name.casefold(), names, n=1, cutoff=0.6)
    return path.parent / names[close[0]] if close else None


def _crawls_in(folder: Path) -> list[str]:
    try:
        places = list(itertools.islice(folder.iterdir(), _MOST_LOOKED_AT))
        return sorted(place.name for place in places if (place / CONFIG_NAME).is_file())
    except (OSError, ValueError):  # not there, not readable, or no path at all
        return []
