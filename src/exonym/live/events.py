"""What happened during a run that people should know: the last events, for the displays."""

import time
from collections import Counter, deque
from collections.abc import Iterable

from exonym.crawl_progress import CrawlEvent
from exonym.scope import CrawlScope

MOST_EVENTS = 200
FAILURES_TOLD = 5  # in a row, of one server
SERVERS_TOLD = 3  # of each rule
_MOST_SERVERS = 10_000


class EventLog:
    """The last events of a run."""

    def __init__(self) -> None:
        self._events: deque[CrawlEvent] = deque(maxlen=MOST_EVENTS)
        self._failures: dict[str, int] = {}  # by server: failures since its last answer
        self._left_out: Counter[str] = Counter()  # by rule of the scope: servers told

    def tell(self, text: str) -> None:
        """Note that something happened just now."""
        self._events.append(CrawlEvent(time.time(), text))

    def take(self, events: Iterable[CrawlEvent]) -> None:
        """Note events of another process."""
        self._events.extend(events)

    def see(self, server: str, failure: str) -> None:
        """Note how a visit ended; a server that fails several times in a row is told."""
        if not failure:
            self._failures.pop(server, None)
            return
        if len(self._failures) >= _MOST_SERVERS:
            self._failures.clear()
        count = self._failures[server] = self._failures.get(server, 0) + 1
        if count == FAILURES_TOLD:
            self.tell(f"{server}: {count} failures in a row, the last: {failure}")

    def see_left_out(self, server: str, rule: str) -> None:
        """Note that a rule of the scope left out a server; of a rule for many servers, only the first ones are told."""
        self._left_out[rule] += 1
        if self._left_out[rule] <= SERVERS_TOLD:
            self.tell(f"{server}: left out by the scope ({rule})")
        elif self._left_out[rule] == SERVERS_TOLD + 1:
            self.tell(f"more servers are left out by the scope ({rule}); the journal names them")

    def latest(self) -> tuple[CrawlEvent, ...]:
        """The last events, oldest first."""
        return tuple(self._events)


def pause_text(is_paused: bool) -> str:
    """What is told when a pause begins or ends."""
    return "paused: no visits begin" if is_paused else "goes on after a pause"


def scope_text(scope: CrawlScope) -> str:
    """What is told when the scope changes."""
    return f"scope: {counted_text(len(scope.rules), 'rule')}"


def counted_text(count: int, noun: str) -> str:
    """A number of things, in words.

    >>> counted_text(1, "rule"), counted_text(1_200, "link")
    ('1 rule', '1,200 links')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"
