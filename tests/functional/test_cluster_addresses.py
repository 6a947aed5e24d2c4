"""Sites of several workers that share one IP address are asked as one site would be."""

import socket
import time
from pathlib import Path
from typing import Any

import pytest
from socket_server import Conversation, SocketServer, ok

from exonym.testing.cluster import crawl_in_cluster
from exonym.testing.live import write_settings

SITES, DELAY_SECONDS = 8, 0.25


def test_two_workers_ask_an_address_no_oftener_than_its_delay_permits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up = socket.getaddrinfo

    def loopback(host: Any, *rest: Any, **options: Any) -> Any:
        """Names under .example lead to this machine, as lines in /etc/hosts would."""
        return look_up("127.0.0.1" if str(host).endswith(".example") else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", loopback)
    times: list[float] = []

    def answer(conversation: Conversation) -> None:
        while request := conversation.read_request():
            times.append(time.monotonic())
            is_robots = b"/robots.txt" in request
            conversation.send(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" if is_robots else ok(b"<p>a page"))

    with SocketServer(answer) as server:
        port = server.address.rpartition(":")[2]
        polite = {"operator": "me@example.org", "delay_seconds": 0.0, "address_delay_seconds": DELAY_SECONDS}
        asked: dict[str, dict[str, Any]] = {
            "seeds": {"urls": [f"http://site{number}.example:{port}/" for number in range(SITES)]},
            "target": {"languages": ["th"]},
            "strategy": {"name": "bfs"},
            "network": {"allow_private": True},
            "politeness": polite,
            "readers": {"count": 0},
        }
        write_settings(tmp_path / "crawl", asked)
        summary = crawl_in_cluster(tmp_path / "crawl", workers=2, partitions=4)
    assert (summary.reason, summary.totals.pages) == ("empty frontier", SITES)
    assert len(times) == 2 * SITES  # a robots.txt and a page each
    # A busy machine may note an arrival late, but not all of them: if each worker kept the delay for itself alone, the
    # requests would take half of this.
    assert max(times) - min(times) >= 0.9 * (2 * SITES - 1) * DELAY_SECONDS
