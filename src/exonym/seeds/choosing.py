"""Selects seeds among the addresses found: each once, optionally only some domains or a random sample.

Chance is a hash of the address and a number: the same addresses give the same sample in whatever order they come,
and a sample takes no more memory than it has members, however many addresses there are.
"""

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import xxhash

from exonym.errors import ConfigError
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed
from exonym.urls import domain_from, server_of, top_level_domain_of

_ELSEWHERE = "another top-level domain"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the addresses found to keep."""

    domains: frozenset[str] = frozenset()  # top-level ones; none: all
    sample: int = 0  # 0: all
    seed: int = 0
    one_per_server: bool = False  # keep its shortest address; then a sample is one of servers


@dataclass(frozen=True, slots=True)
class Collection:
    """Seeds sorted by top-level domain and server, and why the rest was skipped."""

    seeds: list[Seed]
    found: int  # addresses in the source that were wanted, repeated ones included
    skipped: dict[str, int] = field(default_factory=dict)

    def domains(self) -> dict[str, int]:
        """Seeds by top-level domain, the most frequent first; "" are bare addresses."""
        return dict(Counter(domain_of(seed.url) for seed in self.seeds).most_common())


def collect(found: Iterable[FoundSeed], choice: Choice) -> Collection:
    """The seeds that `choice` keeps of all that was found."""
    skipped: Counter[str] = Counter()
    kept = _Sample(choice) if choice.sample else _All(choice)
    count = 0
    for seed in found:
        if isinstance(seed, SkippedSeed):
            skipped[seed.why] += 1
        elif choice.domains and domain_of(seed.url) not in choice.domains:
            skipped[_ELSEWHERE] += 1
        else:
            count += 1
            kept.offer(seed)
    return Collection(in_order(kept.seeds.values()), count, dict(skipped.most_common()))


def in_order(seeds: Iterable[Seed]) -> list[Seed]:
    """Sorted by top-level domain, then server, then address."""
    return sorted(seeds, key=lambda seed: (domain_of(seed.url), server_of(seed.url), seed.url))


def chance_of(url: str, seed: int) -> int:
    """The place of an address in a random order; another `seed` gives another order."""
    return xxhash.xxh3_64_intdigest(url.encode(), seed)


def domain_of(url: str) -> str:
    """The top-level domain of an address."""
    return top_level_domain_of(server_of(url))


def wanted_domain(text: str) -> str:
    """A top-level domain of the command line, as addresses have it; raises for any other text."""
    if not (domain := domain_from(text)):
        raise ConfigError(f"--domain {text[:60]!r} is no top-level domain. Write it as in th.")
    return domain


class _All:
    """Keeps every address once, with the provenance that came first, or one address of every server."""

    def __init__(self, choice: Choice) -> None:
        self.seeds: dict[str, Seed] = {}  # by address, or by server
        self._by_server = choice.one_per_server

    def offer(self, seed: Seed) -> None:
        key = server_of(seed.url) if self._by_server else seed.url
        known = self.seeds.get(key)
        if known is None:
            self._add(key, seed)
        # The shortest address of a server is probably its home page; ties by the address itself, never by arrival.
        elif (len(seed.url), seed.url) < (len(known.url), known.url):
            self.seeds[key] = seed

    def _add(self, key: str, seed: Seed) -> None:
        self.seeds[key] = seed


class _Sample(_All):
    """Keeps the `sample` addresses, or servers, that chance puts first.

    An address that fell out never comes back, because the limit only falls: addresses seen need not be remembered.
    """

    def __init__(self, choice: Choice) -> None:
        super().__init__(choice)
        self._size = choice.sample
        self._seed = choice.seed
        self._last: list[tuple[int, str]] = []  # a heap, the member to go next on top

    def _add(self, key: str, seed: Seed) -> None:
        place = (-chance_of(key, self._seed), key)
        if len(self._last) < self._size:
            heapq.heappush(self._last, place)
        elif place > self._last[0]:
            del self.seeds[heapq.heapreplace(self._last, place)[1]]
        else:
            return
        self.seeds[key] = seed
