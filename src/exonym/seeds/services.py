"""Requests to a public service: repeated a few times when it is busy or breaks off, never while it demands a pause."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from exonym.config import Settings
from exonym.config.settings import Network, PolitenessSettings
from exonym.fetch import Response, decoded_body
from exonym.fetch.messages import is_passing
from exonym.fetch.one_by_one import OneByOne, fetching
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.progress import Tell
from exonym.urls import server_of

TRIES = 4
LONGEST_WAIT_SECONDS = 600.0  # a service that demands a longer pause gets no more requests
RETRY_SECONDS = 60.0  # what Wikidata wants of clients that it rejects without a Retry-After
SILENCE_SECONDS = 90  # Wikidata computes for up to 60 before it sends anything

_FORBIDDEN = 403


class AnswerCheck(NamedTuple):
    """How much of an answer can be used, and what is wrong with the rest ("" if nothing is)."""

    parts: int
    flaw: str = ""


CheckAnswer = Callable[[bytes], AnswerCheck]


class Reply(NamedTuple):
    """The whole answer, or the largest usable part of one and why the rest is missing."""

    content: bytes = b""
    failure: str = ""
    status: int = 0
    parts: int = 0


AskService = Callable[[str, CheckAnswer], Reply]


def asking_settings(operator: str, allow_private: bool) -> Settings:
    """Settings for requests to services."""
    network = Network(allow_private=allow_private, low_speed_seconds=SILENCE_SECONDS)
    polite = PolitenessSettings(operator=operator, retry_seconds=RETRY_SECONDS)
    return Settings(politeness=polite, network=network)


@contextmanager
def asking(settings: Settings, tell: Tell) -> Iterator[AskService]:
    """A function that sends requests, for as long as the connection is open."""
    with fetching(settings) as fetcher:
        yield Asking(fetcher, settings, tell).reply


class Asking:
    """Sends one request after the other."""

    def __init__(self, fetcher: OneByOne, settings: Settings, tell: Tell) -> None:
        self._fetcher = fetcher
        self._first_wait = settings.politeness.retry_seconds
        self._tell = tell
        self._asked = 0
        self._refused: dict[str, str] = {}  # reasons by server: those that get no more requests

    def reply(self, url: str, check: CheckAnswer) -> Reply:
        """The answer at `url`; `check` says how much of it can be used."""
        best = Reply(failure=self._refused.get(server_of(url), ""))
        self._asked += 1
        self._tell(f"asking {server_of(url)}: {self._asked:,} questions so far")
        for attempt in range(0 if best.failure else TRIES):
            response = self._fetcher.answer(url)
            reply = _reply_in(response, check)
            if not reply.failure:
                return reply
            # An earlier partial answer is better than none later; the last failure is reported.
            best = reply if reply.parts >= best.parts else best._replace(failure=reply.failure)
            if not self._stay_away(url, response, attempt):
                break
        return best

    def _stay_away(self, url: str, response: Response, attempt: int) -> bool:
        """Postpone the next request to the service; whether it makes sense to repeat this request then."""
        asked = response.retry_after_seconds(response.started + response.seconds) if response.head else None
        if response.status == _FORBIDDEN or (asked or 0.0) > LONGEST_WAIT_SECONDS:
            self._refused[server_of(url)] = f"turned away before, by status {response.status}"
            return False
        is_answer = 200 <= response.status < 300
        if not is_answer and not is_passing(response):
            return False
        # The wait holds after the last attempt too: the next question goes to the same service.
        own = self._first_wait * 2.0**attempt if attempt + 1 < TRIES else 0.0
        wait_seconds = max(own, asked or 0.0)
        self._tell(f"{response.failure or f'status {response.status}'}: waiting for {wait_seconds:,.0f} seconds")
        self._fetcher.postpone(url, wait_seconds)
        return True


def _reply_in(response: Response, check: CheckAnswer) -> Reply:
    if response.failure or not 200 <= response.status < 300:
        return Reply(b"", response.failure or f"status {response.status}", response.status)
    content = decoded_body(response.head, response.body, SITEMAP_BYTES)
    cut = f"cut short ({response.truncated})" if response.truncated else ""
    checked = check(content)
    return Reply(content, checked.flaw or cut, response.status, checked.parts)
