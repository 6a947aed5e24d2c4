"""How functions are compiled: by numba, at their first call, and kept on disk for later processes.

`inlined` functions take the arrays of a frontier or graph as named tuples and become part of the `entry` that calls
them. Reference counts of arrays are switched off (`_nrt`): with them, passing thirty arrays took five times as long as
all the work. So compiled functions must not make arrays.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from xxhash import xxh3_64_hexdigest

from exonym.frontier import base
from exonym.strategies import adaptive

Function = TypeVar("Function", bound=Callable[..., Any])

# A digest of all sources of this package, of learned strategies, and of the rules of frontiers: they are compiled into
# each other.
_FOLDERS = Path(__file__).parent, Path(adaptive.__file__).parent
_FILES = [*(path for folder in _FOLDERS for path in sorted(folder.glob("*.py"))), Path(base.__file__)]
_SOURCES = xxh3_64_hexdigest(b"".join(path.read_bytes() for path in _FILES))


def inlined(function: Function) -> Function:
    """Compile a function into each function that calls it."""
    return _compiled(function, forceinline=True)


def entry(function: Function) -> Function:
    """Compile a function that Python calls."""
    return _compiled(function)


def _compiled(function: Function, **options: bool) -> Function:
    # numba stores code under this name, and by itself only checks whether the function's own file has changed.
    function.__qualname__ = f"{function.__name__}_{_SOURCES}"
    compile_: Any = njit  # its stub does not know `_nrt`
    for keeping in ({"cache": True, "_nrt": False}, {"_nrt": False}, {"cache": True}):
        try:
            return cast(Function, compile_(function, **keeping, **options))
        except (RuntimeError, KeyError, TypeError):
            continue  # there is no directory for the code, or this numba lacks the option
    return cast(Function, compile_(function, **options))
