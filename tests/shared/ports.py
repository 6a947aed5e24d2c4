"""A port for a program that must be told one: kept from others until the program listens there, and after."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """A loopback port that the system gives to nobody else meanwhile; whoever sets SO_REUSEADDR may listen at it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
