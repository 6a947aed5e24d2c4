"""Which addresses a crawl may connect to, and what addresses a host name has.

Pages link to any host name, so a name may lead into our own network. The driver looks a name up here, checks the
answer, and has the request sent to exactly that address: a second look-up could give another answer (DNS rebinding).
"""

import ipaddress
import os
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

HostLookup = Callable[[str], Sequence[str]]

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Servers that relay 6to4: deprecated by RFC 7526, but `ipaddress` does not count them as private.
_RELAYS = ipaddress.IPv4Network("192.88.99.0/24")


@lru_cache(maxsize=16_384)
def is_public(address: str) -> bool:
    """Whether an address belongs to the public Internet, also by the IPv4 address inside an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return _is_public_4(parsed) if isinstance(parsed, ipaddress.IPv4Address) else _is_public_6(parsed)


def _is_public_4(address: ipaddress.IPv4Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved and address not in _RELAYS


def _is_public_6(address: ipaddress.IPv6Address) -> bool:
    inside = address.ipv4_mapped or address.sixtofour
    if inside is None and address in _NAT64:
        inside = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    if inside is not None:
        return _is_public_4(inside)
    return address in _GLOBAL_UNICAST and address.is_global


def literal_address(host: str) -> str | None:
    """The address that the host of a URL is (`[::1]` → `::1`), or None for a name."""
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Resolution:
    """The addresses of a host, best first, or why there are none."""

    host: str
    addresses: tuple[str, ...] = ()
    failure: str = ""

    def chosen(self, allow_private: bool = False) -> str | None:
        """The address to connect to; None if there is none that may be used (then see `refusal`)."""
        return next((address for address in self.addresses if allow_private or is_public(address)), None)

    @property
    def refusal(self) -> str:
        """The failure text of a request to this host when `chosen` is None."""
        return self.failure or f"address refused: {self.addresses[0]}"


@dataclass(frozen=True, slots=True)
class ResolverOptions:
    """How many names are looked up at a time, and how long answers are valid."""

    threads: int = 8
    kept_seconds: float = 600.0  # getaddrinfo does not report the record's time to live
    failure_seconds: float = 60.0
    kept_hosts: int = 100_000


def system_lookup(host: str) -> Sequence[str]:
    """The addresses of a host as the operating system knows them."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


class Resolver:
    """Looks host names up without making the caller wait.

    `resolve` answers from memory or gives None; `fileno()` becomes readable when an answer has arrived, and `collect`
    takes the answer in. A Resolver is given the time and never reads a clock.
    """

    def __init__(self, options: ResolverOptions | None = None, lookup: HostLookup = system_lookup) -> None:
        self._options = options or ResolverOptions()
        self._lookup = lookup
        self._kept: dict[str, tuple[float, Resolution]] = {}
        self._pending: set[str] = set()
        self._asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answered: queue.SimpleQueue[Resolution] = queue.SimpleQueue()
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        os.set_blocking(self._write_fd, False)
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closed = False

    def fileno(self) -> int:
        """A descriptor that is readable while answers wait for `collect`."""
        return self._read_fd

    def resolve(self, host: str, now: float) -> Resolution | None:
        """What is known of `host` at `now`; None while it is being looked up."""
        kept = self._kept.get(host)
        if kept and now < kept[0]:
            return kept[1]
        literal = literal_address(host)
        if literal:
            return Resolution(host, (literal,))
        if host not in self._pending:
            self._pending.add(host)
            self._asked.put(host)
            if len(self._threads) < min(self._options.threads, len(self._pending)):
                # Daemons, because getaddrinfo cannot be interrupted and must not hold up the end of a crawl.
                thread = threading.Thread(target=self._look_up, name="resolver", daemon=True)
                self._threads.append(thread)
                thread.start()
        return None

    def collect(self, now: float) -> list[Resolution]:
        """Take in the answers that have arrived; their validity begins at `now`."""
        with suppress(BlockingIOError):  # until the pipe is empty
            while os.read(self._read_fd, 4_096):
                pass
        answers: list[Resolution] = []
        while not self._answered.empty():
            answers.append(self._answered.get())
        for answer in answers:
            self._pending.discard(answer.host)
            valid_seconds = self._options.failure_seconds if answer.failure else self._options.kept_seconds
            self._kept.pop(answer.host, None)
            self._kept[answer.host] = (now + valid_seconds, answer)
            while len(self._kept) > self._options.kept_hosts:
                del self._kept[next(iter(self._kept))]
        return answers

    def close(self) -> None:
        """Stop the look-ups. A thread stuck in one ends with the process."""
        with self._lock:  # no thread may write to a descriptor that has become another file's
            self._closed = True
            os.close(self._read_fd)
            os.close(self._write_fd)
        for _ in self._threads:
            self._asked.put(None)

    def _look_up(self) -> None:
        """Look names up, in a thread of its own, until the resolver is closed."""
        while (host := self._asked.get()) is not None:
            self._answered.put(looked_up(host, self._lookup))
            with self._lock:
                if self._closed:
                    return
                with suppress(BlockingIOError):  # a full pipe is readable already
                    os.write(self._write_fd, b"!")


def looked_up(host: str, lookup: HostLookup = system_lookup) -> Resolution:
    """Look `host` up in this thread."""
    try:
        answer = lookup(host)
    except socket.gaierror as error:
        again = error.errno == socket.EAI_AGAIN
        return Resolution(host, failure="dns: no answer" if again else "dns: no such host")
    except (OSError, UnicodeError):  # UnicodeError: labels that no name server could hold
        return Resolution(host, failure="dns: no such host")
    # IPv4 first: a request is pinned to one address, and far more machines lack IPv6 than IPv4.
    addresses = tuple(sorted(dict.fromkeys(answer), key=lambda address: ":" in address))
    return Resolution(host, addresses) if addresses else Resolution(host, failure="dns: no such host")
