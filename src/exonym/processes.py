"""Processes that are begun, and Ctrl-C: it is for the one that began them; and how they end with it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the end; processes begun inside are passed by when it is pressed, now and later."""
    if threading.current_thread() is not threading.main_thread():  # Ctrl-C is none of its business
        yield
        return
    resource_tracker.ensure_running()  # begun by the first process otherwise, and would let interrupts in again
    pressed: list[int] = []
    # Two locks: the mask is what processes inherit; but threads of libraries may take the signal here all the same.
    old = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, old)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def leave_with_parent() -> None:
    """End this process when the one that began it is gone; it would wait for ever for work from it."""
    threading.Thread(target=_leave, daemon=True).start()


def _leave() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
