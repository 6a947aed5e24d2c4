"""Messages between a driver and its worker processes, over a pair of Unix sockets.

A pipe never blocks the driver: short messages fit the buffers of the sockets because few are under way at a time. The
driver copies pages into memory that it shares with the worker, and of a message that has no room there and is long, it
sends the descriptor of a file in memory. Nothing is pickled: a worker that a hostile page has taken over can send wrong
numbers, but no code, and the driver never reads the shared memory.
"""

import contextlib
import fcntl
import mmap
import os
import socket
import struct
import tempfile
from collections import deque

_HEADER = struct.Struct("<IB")  # length, and one of the next four
_INLINE, _IN_FILE, _IN_SHARED, _SHARED = range(4)  # the last: no message, but the descriptor of the shared memory
_PLACE = struct.Struct("<II")  # of a message in the shared memory: start, length
_BUFFER_BYTES = 1024 * 1024
_LONG_BYTES = 64 * 1024
_LONGEST_BYTES = 512 * 1024 * 1024
_RECEIVE_BYTES = 64 * 1024
SHARED_BYTES = 1024 * 1024
_FILE_ROOM = socket.CMSG_SPACE(16 * 4)


class Pipe:
    """One end of a pair. On a non-blocking socket, what cannot be sent at once waits for the next `flush`."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._landing = memoryview(bytearray(_RECEIVE_BYTES))
        self._received = bytearray()
        self._files: deque[int] = deque()
        self._waiting: deque[tuple[bytes, int | None]] = deque()
        self._shared: mmap.mmap | None = None
        self._lent: deque[int] = deque()  # bytes of the shared memory that each message takes; it is used as a ring
        self._lent_bytes = self._end = 0
        with contextlib.suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)

    def fileno(self) -> int:
        """The descriptor to poll."""
        return self._socket.fileno()

    def send(self, message: bytes) -> None:
        """Queue a message; `flush` puts it on its way."""
        if len(message) < _LONG_BYTES:
            self._waiting.append((_HEADER.pack(len(message), _INLINE) + message, None))
        else:
            self._waiting.append((_HEADER.pack(0, _IN_FILE), _file_with(message)))

    def share(self) -> None:
        """Share memory with the other end, for messages to it; where the system has no such files, share nothing."""
        if not hasattr(os, "memfd_create"):
            return
        file = os.memfd_create("exonym", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(file, SHARED_BYTES)
            # If the other end could shorten the file, writing to it would kill this process.
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
            self._shared = mmap.mmap(file, SHARED_BYTES)
        except OSError:  # a limit on the size of files, or on memory
            os.close(file)
        else:
            self._waiting.append((_HEADER.pack(0, _SHARED), file))

    def lend(self, message: bytes) -> None:
        """Queue a message through the shared memory if it has room; `returned` has to follow, in the order of lending.

        For pages of 67 kB this takes a third of the time of a socket or a file, for which the kernel finds memory anew.
        """
        start = self._end if self._end + len(message) <= SHARED_BYTES else 0
        taken = len(message) + (0 if start == self._end else SHARED_BYTES - self._end)
        if self._shared is None or self._lent_bytes + taken > SHARED_BYTES:
            self._lent.append(0)
            self.send(message)
            return
        self._end = start + len(message)
        self._shared[start : self._end] = message
        self._lent.append(taken)
        self._lent_bytes += taken
        self._waiting.append((_HEADER.pack(_PLACE.size, _IN_SHARED) + _PLACE.pack(start, len(message)), None))

    def returned(self) -> None:
        """Free the memory of the oldest message that was lent: the other end has answered it."""
        self._lent_bytes -= self._lent.popleft()

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
            length, kind = _HEADER.unpack_from(received, end)
            start = end + _HEADER.size
            if start + length > len(received):
                break
            end = start + length
            if kind == _INLINE:
                messages.append(bytes(received[start:end]))
            elif kind == _IN_FILE:
                messages.append(_content_of(self._files.popleft()))
            elif kind == _IN_SHARED and self._shared is not None:
                place, size = _PLACE.unpack_from(received, start)
                messages.append(self._shared[place : place + size])
            elif kind == _SHARED:
                self._shared = _mapped(self._files.popleft())
        del received[:end]
        return messages

    def close(self) -> None:
        """Close the socket and files that were never sent or read."""
        self._socket.close()
        if self._shared is not None:
            self._shared.close()
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


def _mapped(file: int) -> mmap.mmap:
    try:
        return mmap.mmap(file, SHARED_BYTES, access=mmap.ACCESS_READ)
    finally:
        os.close(file)


def _content_of(file: int) -> bytes:
    try:
        length = min(os.fstat(file).st_size, _LONGEST_BYTES)
        return os.pread(file, length, 0)
    finally:
        os.close(file)
