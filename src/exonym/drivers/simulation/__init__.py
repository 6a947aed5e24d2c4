"""Crawls of a web graph in place of the network; heavy imports wait until a simulation is run."""

from typing import TYPE_CHECKING

from exonym.drivers.simulation.plan import Plan, Run

if TYPE_CHECKING:
    from exonym.drivers.simulation.engine import simulate
    from exonym.drivers.simulation.warming import warm_up

__all__ = ["Plan", "Run", "simulate", "warm_up"]


def __getattr__(name: str) -> object:
    if name == "simulate":
        from exonym.drivers.simulation.engine import simulate

        return simulate
    if name == "warm_up":
        from exonym.drivers.simulation.warming import warm_up

        return warm_up
    raise AttributeError(name)
