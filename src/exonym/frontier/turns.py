"""When a group's turn is, as bytes that sort like (higher priority, earlier arrival): a heap compares them fastest."""

import struct
from functools import lru_cache

_FLOAT = struct.Struct(">d")
_BITS = struct.Struct(">Q")
_PLACE = struct.Struct(">QQ")
_SIGN, _ALL = 1 << 63, (1 << 64) - 1


def turn_of(priority: float, arrival: int, group: int) -> bytes:
    """The turn of a group whose best link has this priority and arrival."""
    return _sortable(-priority) + _PLACE.pack(arrival, group)


def group_of_turn(turn: bytes) -> int:
    """Whose turn it is."""
    group: int = _PLACE.unpack_from(turn, 8)[1]
    return group


@lru_cache(maxsize=4096)
def _sortable(number: float) -> bytes:
    # IEEE numbers sort like their bits, but for the sign: negative ones run backwards. -0.0 becomes 0.0.
    bits = _BITS.unpack(_FLOAT.pack(number + 0.0))[0]
    return _BITS.pack(bits ^ _ALL if bits & _SIGN else bits | _SIGN)
