"""The way of a visit to its response, where servers misbehave in ways that only raw sockets can."""

from pathlib import Path

from socket_server import SocketServer, raw

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
