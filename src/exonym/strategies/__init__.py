"""In which order links are followed, and which are not: one file a strategy.

`STRATEGIES` names them all; a new one is a file and a line here, and its checks come by themselves.
"""

from exonym.strategies.base import Strategy
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.focused import HardFocused, SoftFocused
from exonym.strategies.lswc import LanguageSpecific

STRATEGIES: dict[str, type[Strategy]] = {
    "bfs": BreadthFirst,
    "hard": HardFocused,
    "soft": SoftFocused,
    "limited-distance": LimitedDistance,
    "lswc": LanguageSpecific,
}
