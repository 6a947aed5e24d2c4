"""Exonym collects a nation's web, wherever it is hosted and in whatever language it is written.

The names here are public; the rest may move. They are imported when first used, so that a command
that needs none of them starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from exonym.version import __version__

if TYPE_CHECKING:
    from exonym.batches import Group, LinkBatch, Outcome, PageBatch, Visit
    from exonym.crawl import Bounds, Crawl
    from exonym.errors import ExonymError
    from exonym.strategies import STRATEGIES
    from exonym.strategies.base import Rule, Strategy
    from exonym.urls import normal_form, partition_of, segment_of, server_of

_PLACES = {
    **dict.fromkeys(("Bounds", "Crawl"), "exonym.crawl"),
    "ExonymError": "exonym.errors",
    **dict.fromkeys(("Group", "LinkBatch", "Outcome", "PageBatch", "Visit"), "exonym.batches"),
    "STRATEGIES": "exonym.strategies",
    **dict.fromkeys(("Rule", "Strategy"), "exonym.strategies.base"),
    **dict.fromkeys(("normal_form", "partition_of", "segment_of", "server_of"), "exonym.urls"),
}

__all__ = [
    "STRATEGIES",
    "Bounds",
    "Crawl",
    "ExonymError",
    "Group",
    "LinkBatch",
    "Outcome",
    "PageBatch",
    "Rule",
    "Strategy",
    "Visit",
    "__version__",
    "normal_form",
    "partition_of",
    "segment_of",
    "server_of",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'exonym' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
