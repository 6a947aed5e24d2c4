"""Chance without state: splitmix64, so that the same numbers give the same web everywhere.

Python's `hash` and `random` are not used: their results may differ between processes or versions.
"""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
_SPREAD = 0xD1342543DE82EF95


def mix(value: int) -> int:
    """A well-mixed 64-bit number of a number (splitmix64's output function)."""
    value = (value + GOLDEN) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def mix_of(key: int, number: int) -> int:
    """The number-th draw of the sequence named by `key`."""
    return mix(key ^ (number * _SPREAD & MASK))
