"""Which of the addresses found become seeds: each once, in some domains if asked, a random part of them if asked.

Chance is a hash of the address and a number: the same addresses give the same sample in whatever order they come,
and a sample takes no more memory than it has members, however many addresses there are.
"""

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import xxhash

from exonym.errors import ConfigError, UrlError
from exonym.seeds.seed import Found, Seed, Skipped
from exonym.urls import normal_form, server_of, top_level_domain_of

_ELSEWHERE = "another top-level domain"


@dataclass(frozen=True, slots=True)
class Choice:
    """What to keep of what is found."""

    domains: frozenset[str] = frozenset()  # top-level ones; none: all
    sample: int = 0  # 0: all
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Collection:
    """Seeds sorted by top-level domain and server, and what became of the rest."""

    seeds: list[Seed]
    found: int  # addresses in the source that were wanted, repeated ones included
    skipped: dict[str, int] = field(default_factory=dict)

    def domains(self) -> dict[str, int]:
        """Seeds by top-level domain, the most frequent first; "" are bare addresses."""
        return dict(Counter(domain_of(one.url) for one in self.seeds).most_common())


def collect(found: Iterable[Found], choice: Choice) -> Collection:
    """What to keep of all that was found."""
    skipped: Counter[str] = Counter()
    kept = _Sample(choice.sample, choice.seed) if choice.sample else _All()
    count = 0
    for one in found:
        if isinstance(one, Skipped):
            skipped[one.why] += 1
        elif choice.domains and domain_of(one.url) not in choice.domains:
            skipped[_ELSEWHERE] += 1
        else:
            count += 1
            kept.offer(one)
    return Collection(in_order(kept.seeds.values()), count, dict(skipped.most_common()))


def in_order(seeds: Iterable[Seed]) -> list[Seed]:
    """Sorted by top-level domain, then server, then address."""
    return sorted(seeds, key=lambda one: (domain_of(one.url), server_of(one.url), one.url))


def chance_of(url: str, seed: int) -> int:
    """The place of an address in a random order, one for each number."""
    return xxhash.xxh3_64_intdigest(url.encode(), seed)


def domain_of(url: str) -> str:
    """The top-level domain of an address."""
    return top_level_domain_of(server_of(url))


def domain_from(text: str) -> str:
    """A top-level domain as addresses have it: `.TH` is th, `ไทย` is xn--o3cw4h."""
    label = text.strip().lstrip(".")
    try:
        domain = domain_of(normal_form(f"http://a.{label}/")) if label and not set(label) & set("./:?#") else ""
    except UrlError:
        domain = ""
    if not domain:
        raise ConfigError(f"--domain {text[:60]!r} is no top-level domain. Write it as in th.")
    return domain


class _All:
    """Keeps every address once, with the provenance that came first."""

    def __init__(self) -> None:
        self.seeds: dict[str, Seed] = {}

    def offer(self, one: Seed) -> None:
        self.seeds.setdefault(one.url, one)


class _Sample:
    """Keeps the `size` addresses that chance puts first.

    An address that fell out never comes back: the limit only falls. So repeated ones need not be remembered.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.seeds: dict[str, Seed] = {}
        self._size = size
        self._seed = seed
        self._last: list[tuple[int, str]] = []  # a heap, the member to go next on top

    def offer(self, one: Seed) -> None:
        if one.url in self.seeds:
            return
        place = (-chance_of(one.url, self._seed), one.url)
        if len(self._last) < self._size:
            heapq.heappush(self._last, place)
        elif place > self._last[0]:
            del self.seeds[heapq.heapreplace(self._last, place)[1]]
        else:
            return
        self.seeds[one.url] = one
