"""What robots.txt lets us fetch, server by server: asked once a day, asked again when it could not be read."""

from dataclasses import dataclass

from exonym.batches import Outcome
from exonym.politeness.robots import RobotsRules, RobotsVerdict, robots_verdict

MOST_REDIRECTS = 5
MOST_KEPT = 100_000
LEAST_KEPT_SECONDS = 1.0
AGENT = "Exonym"


@dataclass(frozen=True, slots=True)
class Permission:
    """What one server's robots.txt means until `until`; without rules nothing may be fetched.

    Then its visits end as `outcome`: forbidden by a server that answers, failed at one that does not.
    """

    rules: RobotsRules | None
    until: float
    failure: str = ""
    outcome: Outcome = Outcome.FORBIDDEN


@dataclass(frozen=True, slots=True)
class RobotsReply:
    """How the request for a robots.txt ended, redirects followed."""

    status: int
    failure: str
    content: bytes
    is_passing: bool = True  # whether a failure may be over when asked again


class Permissions:
    """Remembers what servers said. Told the time, never reads it."""

    def __init__(self, kept_seconds: float, retries: int, retry_seconds: float, most_kept: int = MOST_KEPT) -> None:
        self._kept_seconds = kept_seconds
        self._retries = retries
        self._retry_seconds = retry_seconds
        self._most_kept = most_kept
        self._known: dict[int, Permission] = {}
        self._tries: dict[int, int] = {}

    def of(self, server: int, now: float) -> Permission | None:
        """What is known of a server; None if its robots.txt must be asked for."""
        permission = self._known.get(server)
        return permission if permission and now < permission.until else None

    def learn(self, server: int, reply: RobotsReply, now: float) -> float | None:
        """Take in a reply; the time at which to ask again if it was none, else None."""
        verdict = robots_verdict(reply.status, reply.failure)
        if verdict is RobotsVerdict.DISALLOW_ALL:
            return self._ask_later(server, reply, now)
        rules = RobotsRules.parse(reply.content, AGENT) if verdict is RobotsVerdict.PARSE else RobotsRules()
        self._tries.pop(server, None)
        # Trusted for at least two visits: asked for anew before each, it would be all that we ever ask.
        trusted_seconds = max(self._kept_seconds, 2 * (rules.delay_seconds or 0.0))
        self._keep(server, Permission(rules, now + trusted_seconds))
        return None

    def _ask_later(self, server: int, reply: RobotsReply, now: float) -> float | None:
        tries = self._tries.get(server, 0)
        if reply.is_passing and tries < self._retries:
            self._tries[server] = tries + 1
            return now + self._retry_seconds * 2.0 ** min(tries, 30)
        # Given up for a day: until then its links end, each with this reason.
        self._tries.pop(server, None)
        failure = f"robots.txt: {reply.failure or f'status {reply.status}'}"
        outcome = Outcome.FAILED if reply.failure else Outcome.FORBIDDEN
        self._keep(server, Permission(None, now + self._kept_seconds, failure, outcome))
        return None

    def _keep(self, server: int, permission: Permission) -> None:
        self._known.pop(server, None)
        self._known[server] = permission
        # A crawl of millions of servers must not hold a file of each: the oldest are asked again if need be.
        if len(self._known) > self._most_kept:
            del self._known[next(iter(self._known))]
