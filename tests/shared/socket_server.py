"""A server for tests that sends exactly the bytes it is told to, over real sockets on 127.0.0.1.

A script is called for each connection in a thread of its own; `raw(b"HTTP/1.1 …")` is the script
that answers each request on a connection with the same bytes.
"""

import socket
import ssl
import struct
import threading
from collections.abc import Callable
from typing import Self

import trustme


class Conversation:
    """One connection as a script sees it."""

    def __init__(self, connection: socket.socket, server: "SocketServer") -> None:
        self._connection = connection
        self._server = server

    @property
    def released(self) -> threading.Event:
        """Set when the test is over: a script that must not go on waits for it."""
        return self._server.released

    def read_request(self) -> bytes:
        """The next request head, b"" when the client has closed the connection."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            data = self._connection.recv(65_536)
            if not data:
                return b""
            head += data
        self._server.requests.append(head)
        return head

    def send(self, data: bytes) -> bool:
        """Sends all of `data`; False once the client has gone away."""
        try:
            self._connection.sendall(data)
        except OSError:
            return False
        return True

    def reset(self) -> None:
        """Breaks the connection off, as a crashing server does."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()


Script = Callable[[Conversation], None]


def raw(reply: bytes, close: bool = False) -> Script:
    """Answers every request with `reply`; with `close`, one request a connection."""

    def answer(conversation: Conversation) -> None:
        while conversation.read_request():
            if not conversation.send(reply) or close:
                return

    return answer


def ok(body: bytes, *headers: str) -> bytes:
    """A plain 200 reply."""
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/html", f"Content-Length: {len(body)}", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


class SocketServer:
    """Listens on a free port of `host` while the `with` block lasts."""

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.released = threading.Event()
        self._script = script
        self._tls = tls
        self._host = host
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        self._listener = socket.create_server((self._host, 0), family=family)
        self.port: int = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for connection in self._open:
            _hang_up(connection)
        for thread in self._threads:
            thread.join()

    @property
    def address(self) -> str:
        """For `FetchOptions.connect_to`."""
        return f"{self._host}:{self.port}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._talk, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _talk(self, connection: socket.socket) -> None:
        try:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            self._script(Conversation(connection, self))
        except OSError:
            pass
        finally:
            _hang_up(connection)
            connection.close()


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def untrusted() -> ssl.SSLContext:
    """A server context with a certificate for another name, by an authority that nobody trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("wrong.example").configure_cert(context)
    return context
