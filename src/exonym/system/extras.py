"""What some commands need beyond the base install, which is for crawling: pip's extras, as pyproject.toml has them."""

from importlib.util import find_spec

from exonym.errors import ConfigError

EXTRAS = {
    "cluster": ("ray",),
    "research": ("matplotlib", "numba", "scipy"),
    "train": ("bm25s", "matplotlib", "scipy", "sklearn"),
}


def require(*extras: str) -> None:
    """Refuse, before any work is done, if a library of these extras is not installed."""
    needed = sorted({library for extra in extras for library in EXTRAS[extra]})
    missing = [library for library in needed if find_spec(library) is None]
    if missing:
        install = f"pip install 'exonym[{','.join(extras)}]'; in a directory of its sources: make install"
        raise ConfigError(f"{' and '.join(missing)} must be installed for this.", install)
