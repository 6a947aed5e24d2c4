"""Delays between requests: when a server, or an IP address, may be sent the next one.

`Politeness` receives the time as an argument and never reads a clock: live and simulated crawls use the same class.
"""

import heapq

_SOON = 255  # rests that `rests` looks at


class Politeness:
    """Keeps the delay between two requests to one server, and between two to one address.

    A server gets one request at a time; its delay begins when the answer has arrived. Until it ends, the server rests.
    """

    def __init__(self, delay_seconds: float = 0.0, address_delay_seconds: float = 0.0) -> None:
        self.usual_delay_seconds = delay_seconds
        self._address_delay_seconds = address_delay_seconds
        self._server_delays: dict[int, float] = {}
        self._own_delays: dict[int, float] = {}  # of servers for which the crawl's own delay is another one
        self._until: dict[int, float] = {}  # by server: the end of its rest
        self._reasons: dict[int, tuple[str, str]] = {}  # by server: its name, and why it rests
        self._waking: list[tuple[float, int]] = []  # a heap of rests by their ends; replaced rests stay in it
        self._addresses: dict[str, float] = {}  # the time from which each address may be sent a request
        self._begun: dict[str, float] = {}  # likewise, by the requests that have begun
        self.changes = (
            0  # an address never has to be waited for here; that of a cluster's workers may be lent to others
        )

    def set_delay(self, server: int, delay_seconds: float) -> None:
        """Set the delay that the robots.txt of a server asks for; the crawl's own delay for it stays the minimum."""
        if delay_seconds > 0:
            self._server_delays[server] = delay_seconds
        else:
            self._server_delays.pop(server, None)

    def set_own_delay(self, server: int, delay_seconds: float | None) -> None:
        """Set the crawl's own delay for a server; None: the usual one."""
        if delay_seconds is not None:
            self._own_delays[server] = delay_seconds
        elif self._own_delays:
            self._own_delays.pop(server, None)

    def forget_own_delays(self) -> None:
        """Use the usual delay for all servers again."""
        self._own_delays.clear()

    def delay_of(self, server: int) -> float:
        """The delay between two requests to this server."""
        own = self._own_delays.get(server, self.usual_delay_seconds) if self._own_delays else self.usual_delay_seconds
        return max(own, self._server_delays.get(server, 0.0))

    def delay_reason(self, server: int) -> str:
        """What decides about the delay of a server, in words."""
        if self._server_delays.get(server, 0.0) >= self.delay_of(server) > 0:
            return "crawl delay of its robots.txt"
        return "delay by the scope" if server in self._own_delays else "delay between requests"

    def rest(self, server: int, until: float, name: str = "", why: str = "") -> None:
        """Let a server rest until `until`, or longer if it already does; `name` and `why` are for people who ask."""
        if until >= self._until.get(server, until):
            self._until[server] = until
            heapq.heappush(self._waking, (until, server))
            if name:
                self._reasons[server] = name, why

    def rested(self, now: float) -> list[int]:
        """The servers whose rests have ended since the last call."""
        servers = []
        while self._waking and self._waking[0][0] <= now:
            until, server = heapq.heappop(self._waking)
            if self._until.get(server) == until:
                del self._until[server]
                self._reasons.pop(server, None)
                servers.append(server)
        return servers

    def rests(self) -> list[tuple[float, str, str]]:
        """Some rests that end soon, with the names of their servers and why they rest, the first to end first."""
        # In a heap, the k-th smallest number is among the first 2**k - 1.
        soon = sorted({pair for pair in self._waking[:_SOON] if self._until.get(pair[1]) == pair[0]})
        return [(until, *self._reasons[server]) for until, server in soon if server in self._reasons]

    @property
    def resting(self) -> int:
        """How many servers rest."""
        return len(self._until)

    def next_rested(self) -> float | None:
        """When the next rest ends; None if no server rests."""
        while self._waking and self._until.get(self._waking[0][1]) != self._waking[0][0]:
            heapq.heappop(self._waking)
        return self._waking[0][0] if self._waking else None

    def reserve(self, address: str, now: float) -> float:
        """The time at which a request to `address` may start; the one after it must wait for the address delay."""
        start = max(now, self._addresses.get(address, now))
        if self._address_delay_seconds:
            self._addresses[address] = start + self._address_delay_seconds
            if len(self._addresses) > 100_000:
                self._addresses = {name: then for name, then in self._addresses.items() if then > now}
                self._begun = {name: then for name, then in self._begun.items() if then > now}
        return start

    def begin(self, address: str, now: float) -> float:
        """Note that a request begins, and return `now`; or a later start, because one before it began late."""
        if not self._address_delay_seconds:
            return now
        start = self._begun.get(address, now)
        if start <= now:
            self._begun[address] = now + self._address_delay_seconds
        return max(start, now)

    def end(self, address: str, now: float) -> None:
        """Nothing: the delay of an address is counted from the start of a request."""

    def overdue(self, now: float) -> list[str]:
        """No addresses: requests take as long as they take."""
        return []
