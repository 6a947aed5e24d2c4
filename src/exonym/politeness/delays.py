"""Delays between requests: when a server, or an IP address, may be sent the next one.

`Politeness` receives the time as an argument and never reads a clock: live and simulated crawls use the same class.
"""

import heapq


class Politeness:
    """Keeps the delay between two requests to one server, and between two to one address.

    A server gets one request at a time; its delay begins when the answer has arrived. Until it ends, the server rests.
    """

    def __init__(self, delay_seconds: float = 0.0, address_delay_seconds: float = 0.0) -> None:
        self.usual_delay_seconds = delay_seconds
        self._address_delay_seconds = address_delay_seconds
        self._server_delays: dict[int, float] = {}
        self._until: dict[int, float] = {}  # by server: the end of its rest
        self._waking: list[tuple[float, int]] = []  # a heap of rests by their ends; replaced rests stay in it
        self._addresses: dict[str, float] = {}  # the time from which each address may be sent a request
        self._begun: dict[str, float] = {}  # likewise, by the requests that have begun
        self.changes = (
            0  # an address never has to be waited for here; that of a cluster's workers may be lent to others
        )

    def set_delay(self, server: int, delay_seconds: float) -> None:
        """Set the delay that the robots.txt of a server asks for; the crawl's own delay stays the minimum."""
        if delay_seconds > 0:
            self._server_delays[server] = delay_seconds
        else:
            self._server_delays.pop(server, None)

    def delay_of(self, server: int) -> float:
        """The delay between two requests to this server."""
        return max(self.usual_delay_seconds, self._server_delays.get(server, 0.0))

    def rest(self, server: int, until: float) -> None:
        """Let a server rest until `until`, or longer if it already does."""
        if until >= self._until.get(server, until):
            self._until[server] = until
            heapq.heappush(self._waking, (until, server))

    def rested(self, now: float) -> list[int]:
        """The servers whose rests have ended since the last call."""
        servers = []
        while self._waking and self._waking[0][0] <= now:
            until, server = heapq.heappop(self._waking)
            if self._until.get(server) == until:
                del self._until[server]
                servers.append(server)
        return servers

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
