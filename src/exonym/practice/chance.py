"""Random numbers without state (splitmix64), so that the same seed gives the same web everywhere.

Python's `hash` and `random` are not used: their results may differ between processes or versions.
"""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
_SPREAD = 0xD1342543DE82EF95


def mix(value: int) -> int:
    """A 64-bit hash of a number (splitmix64's output function)."""
    value = (value + GOLDEN) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def mix_of(key: int, number: int) -> int:
    """The `number`-th random number of the sequence named by `key`."""
    return mix(key ^ (number * _SPREAD & MASK))
