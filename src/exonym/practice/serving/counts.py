"""Counts of a practice server: requests by URL, and for each host how politely it was crawled."""

import math
from dataclasses import dataclass, field


@dataclass(slots=True)
class HostCount:
    """Requests for one host. Gaps run from the start of one page request to the start of the next."""

    requests: int = 0
    robots_requests: int = 0
    active: int = 0
    most_at_once: int = 0
    last_start_seconds: float = -math.inf
    smallest_gap_seconds: float = math.inf


@dataclass(slots=True)
class RequestCounts:
    """Counts since the start or the last reset."""

    urls: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, HostCount] = field(default_factory=dict)

    def begin(self, url: str, host: str, now_seconds: float) -> int:
        """Count a request; returns how often its URL was requested before."""
        before = self.urls.get(url, 0)
        self.urls[url] = before + 1
        count = self.hosts.get(host)
        if count is None:
            count = self.hosts[host] = HostCount()
        count.requests += 1
        count.active += 1
        count.most_at_once = max(count.most_at_once, count.active)
        if url.endswith("/robots.txt"):
            count.robots_requests += 1
        else:
            # robots.txt is left out: requesting it and a page right after is polite.
            count.smallest_gap_seconds = min(count.smallest_gap_seconds, now_seconds - count.last_start_seconds)
            count.last_start_seconds = now_seconds
        return before

    def end(self, host: str) -> None:
        """Note that a request for `host` was answered or given up."""
        count = self.hosts.get(host)
        if count is not None and count.active:  # a reset may come between begin and end
            count.active -= 1

    def reset(self) -> None:
        """Set all counts to zero."""
        self.urls.clear()
        self.hosts.clear()

    def as_dict(self) -> dict[str, object]:
        """The counts for JSON; the gap of a host with one request is null."""
        return {
            "requests": sum(self.urls.values()),
            "urls": dict(self.urls),
            "hosts": {name: _host_dict(count) for name, count in self.hosts.items()},
        }


def _host_dict(count: HostCount) -> dict[str, object]:
    gap = count.smallest_gap_seconds
    return {
        "requests": count.requests,
        "robots_requests": count.robots_requests,
        "most_at_once": count.most_at_once,
        "smallest_gap_seconds": gap if math.isfinite(gap) else None,
    }
