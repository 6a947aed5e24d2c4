"""Numbers as text for readers: sizes, times and percentages."""

from datetime import datetime


def byte_size(count: int) -> str:
    """A number of bytes in the largest unit of which there is at least one."""
    size, units = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1_000 and len(units) > 1:
        size /= 1_000
        units.pop(0)
    return f"{size:,.1f} {units[0]}" if units[0] != "bytes" else f"{count} bytes"


def duration(seconds: float) -> str:
    """A time span in at most two units."""
    whole = int(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    if whole < 3_600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86_400:
        return f"{whole // 3_600} h {whole % 3_600 // 60} min"
    return f"{whole // 86_400} d {whole % 86_400 // 3_600} h"


def percent(share: float) -> str:
    """A share with two digits."""
    return f"{100 * share:.2f} %"


def about(seconds: float) -> str:
    """A time span in one unit, for what is only estimated.

    >>> about(40), about(100), about(7_000), about(200_000)
    ('40 s', '2 min', '1.9 h', '2.3 days')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3_600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"


def clock_time(when: float) -> str:
    """The time of day of a moment, where this program runs."""
    return datetime.fromtimestamp(when).strftime("%H:%M:%S")


def date_and_time(when: float) -> str:
    """The date and time of a moment, where this program runs."""
    return datetime.fromtimestamp(when).astimezone().strftime("%Y-%m-%d %H:%M %Z")
