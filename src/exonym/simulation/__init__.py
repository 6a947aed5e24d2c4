"""Simulations: crawls of a web graph in place of the network. Heavy modules are imported when a simulation runs."""

from typing import TYPE_CHECKING

from exonym.simulation.plan import Plan, Run
from exonym.system.late_names import late_names

if TYPE_CHECKING:
    from exonym.simulation.engine.loop import simulate
    from exonym.simulation.engine.warm_up import warm_up

__all__ = ["Plan", "Run", "simulate", "warm_up"]


__getattr__ = late_names("exonym.simulation", {"simulate": "engine.loop", "warm_up": "engine.warm_up"})
