"""Ctrl-C and SIGTERM as wishes to stop."""

import signal

import pytest

from exonym.live.stop import StopLevel, StopRequest, stop_on_signals


def test_presses_ask_ever_more_urgently() -> None:
    stop = StopRequest()
    levels = [stop.level]
    for _ in range(3):
        stop.press()
        levels.append(stop.level)
    assert levels == [StopLevel.GO_ON, StopLevel.FINISH, StopLevel.NOW, StopLevel.NOW]


def test_wish_to_finish_never_calms_a_wish_to_stop_now() -> None:
    stop = StopRequest()
    stop.press()
    stop.press()
    stop.finish()
    assert stop.level is StopLevel.NOW


def test_ctrl_c_once_finishes_twice_stops_thrice_breaks_off() -> None:
    with stop_on_signals() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.level is StopLevel.FINISH
        signal.raise_signal(signal.SIGINT)
        assert stop.level == StopLevel.NOW
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_termination_is_like_one_ctrl_c() -> None:
    with stop_on_signals() as stop:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert stop.level is StopLevel.FINISH


def test_signals_are_given_back() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_on_signals():
        pass
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
