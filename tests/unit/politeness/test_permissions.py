"""What robots.txt lets us fetch, and when it is asked for."""

import pytest

from exonym.politeness.permissions import Permissions, RobotsReply

SERVER, DAY = 1, 86_400.0
RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 7\n"


def permissions(retries: int = 2) -> Permissions:
    return Permissions(kept_seconds=DAY, retries=retries, retry_seconds=30.0)


def test_unknown_server_must_be_asked() -> None:
    assert permissions().of(SERVER, 0.0) is None


def test_rules_are_kept_for_a_day_and_then_asked_for_again() -> None:
    known = permissions()
    assert known.learn(SERVER, RobotsReply(200, "", RULES), 100.0) is None
    permission = known.of(SERVER, 100.0 + DAY - 1)
    assert permission is not None
    assert permission.rules is not None
    assert permission.rules.allows("http://www.example.org/open")
    assert not permission.rules.allows("http://www.example.org/private/x")
    assert permission.rules.delay_seconds == 7.0
    assert known.of(SERVER, 100.0 + DAY) is None
    assert known.of(2, 100.0) is None


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410])
def test_server_without_rules_allows_everything(status: int) -> None:
    known = permissions()
    assert known.learn(SERVER, RobotsReply(status, "", RULES), 0.0) is None
    permission = known.of(SERVER, 0.0)
    assert permission is not None
    assert permission.rules is not None
    assert permission.rules.allows("http://www.example.org/private/x")


@pytest.mark.parametrize(
    "reply", [RobotsReply(503, "", b""), RobotsReply(429, "", b""), RobotsReply(0, "timeout", b"")]
)
def test_robots_txt_that_cannot_be_read_is_asked_for_again_with_growing_waits(reply: RobotsReply) -> None:
    known = permissions(retries=3)
    assert known.learn(SERVER, reply, 0.0) == 30.0
    assert known.of(SERVER, 30.0) is None
    assert known.learn(SERVER, reply, 30.0) == 30.0 + 60.0
    assert known.learn(SERVER, reply, 90.0) == 90.0 + 120.0


def test_server_is_given_up_for_a_day_after_the_last_retry() -> None:
    known = permissions(retries=1)
    known.learn(SERVER, RobotsReply(503, "", b""), 0.0)
    assert known.learn(SERVER, RobotsReply(503, "", b""), 30.0) is None
    permission = known.of(SERVER, 31.0)
    assert permission is not None
    assert permission.rules is None
    assert permission.failure == "robots.txt: status 503"
    assert known.of(SERVER, 30.0 + DAY) is None


def test_reason_of_a_broken_connection_is_told() -> None:
    known = permissions(retries=0)
    assert known.learn(SERVER, RobotsReply(0, "connection refused", b""), 0.0) is None
    permission = known.of(SERVER, 0.0)
    assert permission is not None
    assert permission.failure == "robots.txt: connection refused"


def test_server_that_was_given_up_has_all_its_retries_again_later() -> None:
    known = permissions(retries=1)
    failure = RobotsReply(500, "", b"")
    known.learn(SERVER, failure, 0.0)
    known.learn(SERVER, failure, 30.0)
    assert known.learn(SERVER, failure, 30.0 + DAY) == 30.0 + DAY + 30.0


def test_answer_after_a_failure_gives_all_retries_back() -> None:
    known = permissions(retries=2)
    known.learn(SERVER, RobotsReply(500, "", b""), 0.0)
    known.learn(SERVER, RobotsReply(200, "", RULES), 30.0)
    assert known.learn(SERVER, RobotsReply(500, "", b""), DAY + 30.0) == DAY + 30.0 + 30.0


def test_very_many_retries_end_in_long_waits_and_not_in_an_overflow() -> None:
    known = permissions(retries=5_000)
    waits = [known.learn(SERVER, RobotsReply(500, "", b""), 0.0) for _ in range(5_000)]
    assert all(wait is not None for wait in waits)
    assert waits == sorted(wait for wait in waits if wait is not None)


def test_only_so_many_servers_are_remembered_and_the_oldest_is_asked_again() -> None:
    known = Permissions(kept_seconds=DAY, retries=0, retry_seconds=30.0, most_kept=2)
    for server in (1, 2, 1, 3):
        known.learn(server, RobotsReply(200, "", RULES), 0.0)
    assert [known.of(server, 0.0) is not None for server in (1, 2, 3)] == [True, False, True]
