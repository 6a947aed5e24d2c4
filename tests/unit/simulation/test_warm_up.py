"""What is told while the simulator is compiled."""

from numba.core.event import Event, EventStatus

from exonym.simulation.engine.asking import end_round
from exonym.simulation.engine.rounds import count_pages
from exonym.simulation.engine.warm_up import CompilingSteps


def test_each_function_that_is_compiled_is_one_step() -> None:
    told: list[tuple[str, int, int]] = []
    steps = CompilingSteps(lambda *step: told.append(step))
    for function in (end_round, count_pages, end_round):
        steps.on_start(Event("numba:compile", EventStatus.START, data={"dispatcher": function}))
    (first, done, total), second = told
    assert (first, done, second) == ("compiling the simulator, only this time", 1, (first, 2, total))
    assert total > 2
