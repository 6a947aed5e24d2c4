"""Simulations: crawls of a web graph in place of the network. Heavy modules are imported when a simulation runs."""

from typing import TYPE_CHECKING

from exonym.simulation.plan import Plan, Run

if TYPE_CHECKING:
    from exonym.simulation.engine.loop import simulate
    from exonym.simulation.engine.warm_up import warm_up

__all__ = ["Plan", "Run", "simulate", "warm_up"]


def __getattr__(name: str) -> object:
    if name == "simulate":
        from exonym.simulation.engine.loop import simulate

        return simulate
    if name == "warm_up":
        from exonym.simulation.engine.warm_up import warm_up

        return warm_up
    raise AttributeError(name)
