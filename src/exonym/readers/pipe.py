"""Messages between a driver and its worker processes, over a pair of Unix sockets.

A pipe never blocks the driver: short messages fit the buffers of the sockets because few are under way at a time, and
of a long message, which is written to a file in memory, only the descriptor is sent. Nothing is pickled: a worker that
a hostile page has taken over can send wrong numbers, but no code.
"""

import contextlib
import os
import socket
import struct
import tempfile
from collections import deque

_HEADER = struct.Struct("<IB")  # length; whether the message is in a file whose descriptor is sent with it
_BUFFER_BYTES = 1024 * 1024
_LONG_BYTES = 64 * 1024
_LONGEST_BYTES = 512 * 1024 * 1024
_RECEIVE_BYTES = 64 * 1024
_FILE_ROOM = socket.CMSG_SPACE(16 * 4)


class Pipe:
    """One end of a pair. On a non-blocking socket, what cannot be sent at once waits for the next `flush`."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._landing = memoryview(bytearray(_RECEIVE_BYTES))
        self._received = bytearray()
        self._files: deque[int] = deque()
        self._waiting: deque[tuple[bytes, int | None]] = deque()
        with contextlib.suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)

    def fileno(self) -> int:
        """The descriptor to poll."""
        return self._socket.fileno()

    def send(self, message: bytes) -> None:
        """Queue a message; `flush` puts it on its way."""
        if len(message) < _LONG_BYTES:
            self._waiting.append((_HEADER.pack(len(message), 0) + message, None))
        else:
            self._waiting.append((_HEADER.pack(0, 1), _file_with(message)))

    def flush(self) -> None:
        """Send what is queued. A dead other end is noticed when receiving, not here."""
        while self._waiting:
            data, file = self._waiting[0]
            try:
                sent = socket.send_fds(self._socket, [data], [file]) if file is not None else self._socket.send(data)
            except (BlockingIOError, ConnectionError):
                return
            if file is not None:
                os.close(file)
            if sent < len(data):
                self._waiting[0] = data[sent:], None
            else:
                self._waiting.popleft()

    def receive(self) -> list[bytes] | None:
        """Messages that have arrived, or None once the other end is closed."""
        try:
            length, ancillary, _, _ = self._socket.recvmsg_into([self._landing], _FILE_ROOM)
        except BlockingIOError:
            return []
        except ConnectionError:
            return None
        for _, _, files in ancillary:
            self._files.extend(memoryview(files).cast("i"))
        if not length:
            return None
        self._received += self._landing[:length]
        messages, received, end = [], self._received, 0
        while len(received) - end >= _HEADER.size:
            length, is_long = _HEADER.unpack_from(received, end)
            start = end + _HEADER.size
            if start + length > len(received):
                break
            end = start + length
            messages.append(_content_of(self._files.popleft()) if is_long else bytes(received[start:end]))
        del received[:end]
        return messages

    def close(self) -> None:
        """Close the socket and files that were never sent or read."""
        self._socket.close()
        for file in [*self._files, *(file for _, file in self._waiting if file is not None)]:
            os.close(file)
        self._files.clear()
        self._waiting.clear()


def _file_with(content: bytes) -> int:
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("exonym")
    else:
        with tempfile.TemporaryFile() as temporary:
            file = os.dup(temporary.fileno())
    view = memoryview(content)
    while view:
        view = view[os.write(file, view) :]
    return file


def _content_of(file: int) -> bytes:
    try:
        length = min(os.fstat(file).st_size, _LONGEST_BYTES)
        return os.pread(file, length, 0)
    finally:
        os.close(file)
