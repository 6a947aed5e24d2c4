"""What the robots.txt of each server permits: requested once a day, and again when a request for it failed."""

from dataclasses import dataclass

from exonym.batches import Outcome
from exonym.politeness.robots import RobotsRules, RobotsVerdict, robots_verdict

MOST_REDIRECTS = 5
MOST_KEPT = 100_000
LEAST_KEPT_SECONDS = 1.0
AGENT = "Exonym"


@dataclass(frozen=True, slots=True)
class Permission:
    """What the robots.txt of one server permits until `until`.

    Without rules nothing may be fetched. Then visits end as `outcome`: FORBIDDEN if the server answered, FAILED if not.
    """

    rules: RobotsRules | None
    until: float
    failure: str = ""
    outcome: Outcome = Outcome.FORBIDDEN


@dataclass(frozen=True, slots=True)
class RobotsReply:
    """How the request for a robots.txt ended, after redirects."""

    status: int
    failure: str
    content: bytes
    is_passing: bool = True  # whether a failure may be over at the next request


class Permissions:
    """Remembers what servers permit. The time is an argument: nothing here reads a clock."""

    def __init__(self, kept_seconds: float, retries: int, retry_seconds: float, most_kept: int = MOST_KEPT) -> None:
        self._kept_seconds = kept_seconds
        self._retries = retries
        self._retry_seconds = retry_seconds
        self._most_kept = most_kept
        self._known: dict[int, Permission] = {}
        self._tries: dict[int, int] = {}

    def of(self, server: int, now: float) -> Permission | None:
        """What a server permits; None if its robots.txt must be requested."""
        permission = self._known.get(server)
        return permission if permission and now < permission.until else None

    def learn(self, server: int, reply: RobotsReply, now: float) -> float | None:
        """Learn from a reply; the time of the next request if this one is to be repeated, else None."""
        verdict = robots_verdict(reply.status, reply.failure)
        if verdict is RobotsVerdict.DISALLOW_ALL:
            tries = self._tries.get(server, 0)
            if reply.is_passing and tries < self._retries:
                self._tries[server] = tries + 1
                return now + self._retry_seconds * 2.0 ** min(tries, 30)
            # Given up for a day: until then, visits to this server end with this failure.
            failure = f"robots.txt: {reply.failure or f'status {reply.status}'}"
            outcome = Outcome.FAILED if reply.failure else Outcome.FORBIDDEN
            permission = Permission(None, now + self._kept_seconds, failure, outcome)
        else:
            rules = RobotsRules.parse(reply.content, AGENT) if verdict is RobotsVerdict.PARSE else RobotsRules()
            # Trusted for at least two visits: if it expired before each visit, we would request nothing else.
            trusted_seconds = max(self._kept_seconds, 2 * (rules.delay_seconds or 0.0))
            permission = Permission(rules, now + trusted_seconds)
        self._tries.pop(server, None)
        self._known.pop(server, None)
        self._known[server] = permission
        # A crawl of millions of servers cannot keep the rules of each: the oldest are requested again when needed.
        if len(self._known) > self._most_kept:
            del self._known[next(iter(self._known))]
        return None
