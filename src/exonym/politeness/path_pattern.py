"""Patterns for the path of a URL as robots.txt has them (RFC 9309): a prefix in which `*` stands for any characters.

A `$` at the end stands for the end of the address. Matching never goes back in the URL, so a hostile pattern costs no
more than its length.
"""

import re
from dataclasses import dataclass

from exonym.urls import LONGEST_URL

_ESCAPE = re.compile(rb"%[0-9a-fA-F]{2}")
# Octets that are neither reserved nor unreserved in RFC 3986, or that have a meaning in patterns.
_TO_ESCAPE = re.compile(rb"[^!%&'()+,\-./0-9:;=?@A-Z_a-z~#\[\]]")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class PathPattern:
    """The literal pieces of a pattern between its `*`, in order.

    >>> pattern = PathPattern.parse(b"/*/print$")
    >>> pattern.matches(b"/news/print"), pattern.matches(b"/news/printer")
    (True, False)
    """

    pieces: tuple[bytes, ...]
    to_the_end: bool
    length: int  # of the pattern as it is written, in one spelling: the longest of several patterns decides

    @classmethod
    def parse(cls, written: bytes) -> "PathPattern":
        """The pattern that is written like this."""
        to_the_end = written.endswith(b"$")
        pieces = [canonical(piece) for piece in (written[:-1] if to_the_end else written).split(b"*")]
        length = sum(map(len, pieces)) + len(pieces) - 1 + to_the_end
        # Empty pieces between stars match anything: `/a***b` is `/a*b`.
        pieces = [piece for at, piece in enumerate(pieces) if piece or at in (0, len(pieces) - 1)]
        return cls(tuple(pieces), to_the_end, length)

    @property
    def is_path(self) -> bool:
        """Whether it can match the path of any URL."""
        is_path = not self.pieces[0] or self.pieces[0].startswith(b"/")
        return is_path and sum(map(len, self.pieces)) <= LONGEST_URL * 3

    def matches(self, path: bytes) -> bool:
        """Whether a path in its canonical spelling matches."""
        if not path.startswith(self.pieces[0]):
            return False
        at = len(self.pieces[0])
        for piece in self.pieces[1:-1]:
            at = path.find(piece, at)
            if at < 0:
                return False
            at += len(piece)
        if len(self.pieces) == 1:
            return not self.to_the_end or at == len(path)
        last = self.pieces[-1]
        if self.to_the_end:
            return len(path) - len(last) >= at and path.endswith(last)
        return path.find(last, at) >= 0


def canonical(path: bytes) -> bytes:
    """One spelling for all paths that are equal by RFC 9309; `*` and `$` are escaped."""
    if b"%" in path:
        path = _ESCAPE.sub(_normal_escape, path)
    return _TO_ESCAPE.sub(lambda found: b"%%%02X" % found[0][0], path)


def _normal_escape(found: re.Match[bytes]) -> bytes:
    octet = int(found[0][1:], 16)
    return bytes([octet]) if octet in _UNRESERVED else found[0].upper()
