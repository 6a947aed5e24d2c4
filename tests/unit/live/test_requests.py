"""The way of a visit to its response, where servers misbehave in ways that only raw sockets can."""

import time
from itertools import pairwise
from pathlib import Path

from socket_server import Conversation, SocketServer, raw

from exonym.batches import Outcome
from exonym.politeness.permissions import Permissions, RobotsReply
from exonym.testing.live import crawl_from

CUT_SHORT = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\nUser-agent: *\nAllow: /\n"


def test_robots_txt_that_is_cut_short_allows_nothing(tmp_path: Path) -> None:
    with SocketServer(raw(CUT_SHORT, close=True)) as server:
        rows = crawl_from(["http://a.example/"], tmp_path, server.address)
    assert [(row.outcome, row.failure) for row in rows] == [(Outcome.FAILED, "robots.txt: cut short (disconnect)")]


def test_rules_outlast_a_crawl_delay_longer_than_they_are_kept() -> None:
    known = Permissions(kept_seconds=10.0, retries=0, retry_seconds=1.0)
    known.learn(1, RobotsReply(200, "", b"User-agent: *\nCrawl-delay: 100\n"), now=0.0)
    assert known.of(1, now=101.0) is not None


def test_a_server_that_fails_is_asked_again_only_after_its_delay(tmp_path: Path) -> None:
    times: list[float] = []

    def fail(conversation: Conversation) -> None:
        while request := conversation.read_request():
            times.append(time.monotonic())
            status = b"404 Not Found" if b"/robots.txt" in request else b"500 Broken"
            conversation.send(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")

    with SocketServer(fail) as server:
        polite = {"operator": "you@example.org", "delay_seconds": 0.2, "retry_seconds": 0.0, "retries": 1}
        polite |= {"address_delay_seconds": 0.0}
        rows = crawl_from(["http://a.example/"], tmp_path, server.address, {"politeness": polite})
    assert [row.status for row in rows] == [500]
    assert len(times) == 3  # robots.txt, the page, and the page again
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.2
