"""The test kit that ships: checks for one's own strategies, frontiers and judges, and webs to practise on.

The checks are imported when they are first used, so that the practice web starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exonym.testing.frontiers import check_frontier
    from exonym.testing.judges import check_judge
    from exonym.testing.strategies import check_strategy

__all__ = ["check_frontier", "check_judge", "check_strategy"]

_MODULES = {"check_frontier": "frontiers", "check_judge": "judges", "check_strategy": "strategies"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
