"""How functions are compiled: at their first call, kept on disk for the next process.

`inlined` functions take the arrays of a frontier or graph as named tuples and become part of the `entry` that calls
them. Neither counts references to arrays (`_nrt`): with counting, passing thirty arrays on took five times as long as
all the work. So compiled functions must not make arrays.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from xxhash import xxh3_64_hexdigest

Function = TypeVar("Function", bound=Callable[..., Any])


_HERE = Path(__file__).parent


def _stamp() -> str:
    """Another one when any of the sources has changed that are compiled into each other."""
    return xxh3_64_hexdigest(b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py"))))


_STAMP = _stamp()


def inlined(function: Function) -> Function:
    """Compiled into each function that calls it."""
    return _compiled(function, forceinline=True)


def entry(function: Function) -> Function:
    """Compiled to be called from Python."""
    return _compiled(function)


def _compiled(function: Function, **options: bool) -> Function:
    # numba keeps code under this name and asks only whether the function's own file has changed.
    function.__qualname__ = f"{function.__name__}_{_STAMP}"
    compile_: Any = njit  # its stub does not know `_nrt`
    for keeping in ({"cache": True, "_nrt": False}, {"_nrt": False}, {"cache": True}):
        try:
            return cast(Function, compile_(function, **keeping, **options))
        except (RuntimeError, KeyError, TypeError):
            continue  # there is no place to keep it, or this numba has no such option
    return cast(Function, compile_(function, **options))
