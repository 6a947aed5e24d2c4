"""Many requests at a time over libcurl, without threads or an event loop.

The driver calls `start` while `free` says there is room, and `poll` for responses. Other things that the driver waits
for (pipes of workers, look-ups of names) are descriptors given to `watch`. Callbacks of libcurl swallow exceptions, so
signal handlers must set flags, not raise.
"""

import selectors
import time

import pycurl

from exonym.fetch.messages import Request, Response
from exonym.fetch.transfer import FetchOptions, Transfer

_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_INTEREST = {pycurl.POLL_IN: _READ, pycurl.POLL_OUT: _WRITE, pycurl.POLL_INOUT: _READ | _WRITE}
# A broken connection is readable and writable: libcurl finds out when it reads or writes.
_CURL_EVENTS = {
    _READ: pycurl.CSELECT_IN,
    _WRITE: pycurl.CSELECT_OUT,
    _READ | _WRITE: pycurl.CSELECT_IN | pycurl.CSELECT_OUT,
}


class Fetcher:
    """Fetches up to `options.connections` URLs at once and keeps connections for later requests."""

    def __init__(self, options: FetchOptions) -> None:
        self.ready: set[int] = set()  # watched descriptors that were readable in the last poll
        self._options = options
        self._selector = selectors.DefaultSelector()
        self._interest: dict[int, int] = {}
        self._watched: set[int] = set()
        self._idle: list[Transfer] = []
        self._busy: dict[pycurl.Curl, Transfer] = {}
        self._alarm: float | None = None  # when libcurl wants to be called even if no socket is ready
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, options.kept_connections or 2 * options.connections)
        self._multi.setopt(pycurl.M_PIPELINING, pycurl.PIPE_NOTHING)

    @property
    def free(self) -> int:
        """How many more requests may be started now."""
        return self._options.connections - len(self._busy)

    def start(self, request: Request) -> None:
        """Send `request`; `poll` will return its response."""
        if self.free <= 0:
            raise RuntimeError(f"all {self._options.connections} connections are in use: poll first")
        transfer = self._idle.pop() if self._idle else Transfer(self._options)
        transfer.begin(request, connect_to=self._options.connect_to is not None)
        self._busy[transfer.easy] = transfer
        self._multi.add_handle(transfer.easy)

    def drop(self, key: int) -> None:
        """Break off a request that was started: it gets no response."""
        for easy, transfer in self._busy.items():
            if transfer.key == key:
                del self._busy[easy]
                self._multi.remove_handle(easy)  # closes the connection, which is in the middle of a response
                self._idle.append(transfer)
                return

    def poll(self, timeout_seconds: float) -> list[Response]:
        """Responses that have arrived; waits for one, or for a watched descriptor, at most `timeout_seconds`."""
        self.ready.clear()
        deadline = time.monotonic() + timeout_seconds
        while True:
            self._step(deadline)
            done = self._completed()
            if done or self.ready or time.monotonic() >= deadline:
                return done

    def watch(self, fd: int) -> None:
        """Make `poll` return when `fd` is readable (or closed at its other end)."""
        if fd not in self._watched:
            self._watched.add(fd)
            self._selector.register(fd, _READ)

    def unwatch(self, fd: int) -> None:
        """Watch `fd` no longer. It may be closed by now: then the kernel no longer watches it either."""
        if fd in self._watched:
            self._watched.discard(fd)
            self._selector.unregister(fd)

    def close(self) -> None:
        """Drop all requests under way and close all connections."""
        for easy in self._busy:
            self._multi.remove_handle(easy)
        for transfer in [*self._busy.values(), *self._idle]:
            transfer.easy.close()
        self._busy.clear()
        self._idle.clear()
        self._multi.close()
        self._selector.close()

    def _step(self, deadline: float) -> None:
        now = time.monotonic()
        until = deadline if self._alarm is None else min(deadline, self._alarm)
        for key, events in self._selector.select(max(0.0, until - now)):
            if key.fd in self._watched:
                self.ready.add(key.fd)
            else:
                self._multi.socket_action(key.fd, _CURL_EVENTS[events])
        if self._alarm is not None and self._alarm <= time.monotonic():
            self._alarm = None
            self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)

    def _completed(self) -> list[Response]:
        done: list[Response] = []
        more = len(self._busy)
        while more:
            more, well, badly = self._multi.info_read()
            done += [self._retired(easy, pycurl.E_OK) for easy in well]
            done += [self._retired(easy, code) for easy, code, _ in badly]
        return done

    def _retired(self, easy: pycurl.Curl, code: int) -> Response:
        transfer = self._busy.pop(easy)
        response = transfer.ended(code)
        self._multi.remove_handle(easy)
        self._idle.append(transfer)
        return response

    def _on_socket(self, what: int, fd: int, _multi: object, _data: object) -> None:
        if what == pycurl.POLL_REMOVE:
            if self._interest.pop(fd, None) is not None:
                self._selector.unregister(fd)
        elif fd in self._interest:
            if self._interest[fd] != what:
                self._selector.modify(fd, _INTEREST[what])
                self._interest[fd] = what
        else:
            self.unwatch(fd)  # a watched descriptor of this number was closed, and the number went to a connection
            self._selector.register(fd, _INTEREST[what])
            self._interest[fd] = what

    def _on_timer(self, milliseconds: int) -> None:
        self._alarm = None if milliseconds < 0 else time.monotonic() + milliseconds / 1_000
