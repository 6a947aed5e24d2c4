"""What is told of a run: not too much of one thing."""

from exonym.live.events import FAILURES_TOLD, SERVERS_TOLD, EventLog


def told(log: EventLog) -> list[str]:
    return [event.text for event in log.latest()]


def test_rule_that_leaves_out_many_servers_is_told_a_few_times() -> None:
    log = EventLog()
    for number in range(100):
        log.see_left_out(f"host{number}.com", "drop *.com")
    log.see_left_out("a.pt", "drop a.pt")
    named = [f"host{number}.com: left out by the scope (drop *.com)" for number in range(SERVERS_TOLD)]
    more = "more servers are left out by the scope (drop *.com); the journal names them"
    assert told(log) == [*named, more, "a.pt: left out by the scope (drop a.pt)"]


def test_server_is_told_when_it_fails_again_and_again() -> None:
    log = EventLog()
    for _ in range(2):
        for _ in range(FAILURES_TOLD + 3):
            log.see("a.pt", "connect: refused")
        log.see("a.pt", "")
    assert len(told(log)) == 2
