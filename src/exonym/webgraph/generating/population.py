"""The pages of a generated web before they are linked: domains, servers, segments, languages.

Pages are ordered by domain, then by server, the front page of a server first; this order is shuffled when the graph is
written.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, Flags, Floats, Integers, Relevances, language_code
from exonym.webgraph.generating.profile import Servers, WebProfile
from exonym.webgraph.generating.remote_sites import RemoteSites, draw_remote_sites
from exonym.webgraph.ragged import spans

SmallNumbers = NDArray[np.int32]

_MOST_RELEVANT = 0.8  # the part of a domain's pages that may be on servers with relevant pages
_CUTS = 4  # rounds of cutting the largest servers: cutting one raises the shares of the others
_LARGE = 1_000  # pages of a large server
_NEARLY_ALL = 0.999  # the largest mean of a beta distribution: it must be below 1
_UNKNOWN_TOGETHER, _LANGUAGE_TOGETHER = 0.5, 5.0  # how strongly the pages of a server resemble each other
_OWN_LANGUAGE = 0.8  # of the `other` pages of a domain, those in the domain's own language
_LANGUAGE_OF = {"th": "ja", "jp": "ja", "uk": "fr", "cz": "cs", "tw": "zh", "cn": "zh", "edu": "es", "com": "zh"}
_LANGUAGES_ABOUT = ("ja", "de", "fr", "es", "zh", "ru", "it", "nl", "ko", "pt")
_TWO_LETTERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Servers and pages; the pages of server s are starts[s] … starts[s + 1] - 1."""

    domains: list[str]
    domain: Codes  # of each server; never falls
    starts: Integers
    remote: RemoteSites
    server: SmallNumbers  # of each page, as are the rest
    segment: SmallNumbers
    relevant: Flags
    language: Codes

    def __len__(self) -> int:
        return len(self.server)

    @property
    def sizes(self) -> Integers:
        """How many pages each server has."""
        return np.diff(self.starts)


def populate(profile: WebProfile, pages: int, rng: np.random.Generator) -> Population:
    """A population of `pages` pages, with exactly the profile's proportions of languages by domain."""
    cells = _cells(profile, pages)
    per_domain = cells.sum(axis=1)
    servers = [_server_sizes(int(count), profile.servers, rng) for count in per_domain]
    relevant = [
        _relevant_counts(sizes, int(row[0]), profile.servers, rng) for sizes, row in zip(servers, cells, strict=True)
    ]
    sizes = np.concatenate(servers)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    server = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    domain = np.repeat(np.arange(len(servers), dtype=np.uint16), [len(each) for each in servers])
    counts = np.concatenate(relevant)
    remote = draw_remote_sites(sizes, counts, profile.servers, rng)
    flags = _relevant_flags(server, counts, profile.servers.coherence, (starts, remote), rng)
    return Population(
        domains=list(profile.domains),
        domain=domain,
        starts=starts,
        remote=remote,
        server=server,
        segment=_segments(server, starts, profile.servers.pages_per_segment, rng),
        relevant=flags,
        language=_languages(profile, cells, (server, flags, remote.english_pages(starts)), rng),
    )


def spread(weights: Floats | Relevances, total: int, rng: np.random.Generator) -> Integers:
    """Whole numbers in proportion to the weights, with the sum `total` (0 if no weight is above 0)."""
    ends = np.cumsum(weights, dtype=np.float64)
    if not len(ends) or ends[-1] <= 0:
        return np.zeros(len(weights), dtype=np.int64)
    ends *= total / ends[-1]
    ends += rng.random()
    np.floor(ends, out=ends)
    # What rounding left goes to the last weight above 0, and nothing to the zeros after it.
    ends[ends >= ends[-1]] = total
    counts = ends.astype(np.int64)
    counts[1:] -= counts[:-1].copy()
    return counts


def _cells(profile: WebProfile, pages: int) -> Integers:
    """Pages by domain and language (relevant, English, other, unknown), rounded by largest remainder."""
    table = np.array([cells.counts for cells in profile.domains.values()], dtype=np.float64)
    table[:, 3] += table[:, 0] * (1 - profile.relevant_pages)
    table[:, 0] *= profile.relevant_pages
    exact = table / table.sum() * pages
    whole: Integers = np.floor(exact).astype(np.int64)
    largest = np.argsort((whole - exact).ravel(), kind="stable")[: pages - int(whole.sum())]
    whole.flat[largest] += 1
    return whole


def _server_sizes(pages: int, servers: Servers, rng: np.random.Generator) -> Integers:
    count = min(pages, max(1, round(pages / servers.pages_per_server)))
    weights = 1 + rng.pareto(servers.tail, count)
    for _ in range(_CUTS):
        most = servers.largest * weights.sum()
        # With a logarithm, because a plain limit would make all large servers the same size.
        weights = np.where(weights > most, most * (1 + np.log(np.maximum(weights, most) / most) / 4), weights)
    return 1 + spread(weights, pages - count, rng) if count else np.zeros(0, dtype=np.int64)


def _relevant_counts(sizes: Integers, total: int, servers: Servers, rng: np.random.Generator) -> Integers:
    """The number of relevant pages of each server of a domain: servers in random order take them until none is left."""
    least = total / max(1, int(sizes.sum())) / _MOST_RELEVANT
    is_large = sizes > _LARGE
    mean = np.maximum(least, np.where(is_large, servers.large_share, servers.relevant_share))
    mean = np.minimum(mean, _NEARLY_ALL)
    around = np.where(is_large, servers.large_spread, servers.relevant_spread)
    shares = rng.beta(mean * around, (1 - mean) * around)
    wanted = np.minimum(sizes, np.floor(sizes * shares + rng.random(len(sizes))).astype(np.int64))
    order = rng.permutation(len(sizes))
    counts = np.empty_like(wanted)
    counts[order] = np.diff(np.minimum(np.cumsum(wanted[order]), total), prepend=0)
    return counts + spread((sizes - counts).astype(np.float64), total - int(counts.sum()), rng)


def _relevant_flags(
    server: SmallNumbers,
    counts: Integers,
    coherence: float,
    where: tuple[Integers, RemoteSites],
    rng: np.random.Generator,
) -> Flags:
    """Which pages are relevant: on most servers mainly the first, on some the last; more strictly with more coherence.

    On a remote site the last pages are, so that the way leads over its first.
    """
    starts, remote = where
    rank = np.arange(len(server)) - starts[server]
    relevant: Flags = rank < counts[server]
    del rank
    is_turned = rng.random(len(starts) - 1) < 0.1
    place = rng.random(len(server)) + coherence * (relevant == is_turned[server])
    place /= 1 + coherence
    far = spans(starts[remote.servers], np.diff(starts)[remote.servers])
    place[far] = (relevant[far] + rng.random(len(far))) / 2
    place *= 0.999  # must stay below 1, or a page would go to the next server
    place += server
    result: Flags = relevant[np.argsort(place)]
    return result


def _segments(
    server: SmallNumbers, starts: Integers, pages_per_segment: float, rng: np.random.Generator
) -> SmallNumbers:
    """The segment of each page: a run of pages of a server, long on some servers and short on others."""
    chance = np.minimum(1.0, rng.gamma(1.0, 1 / pages_per_segment, len(starts) - 1))
    begins = rng.random(len(server)) < chance[server]
    begins[starts[:-1]] = True
    result: SmallNumbers = np.cumsum(begins, dtype=np.int32) - np.int32(1)
    return result


def _languages(
    profile: WebProfile, cells: Integers, where: tuple[SmallNumbers, Flags, Integers], rng: np.random.Generator
) -> Codes:
    """The language of each page. Pages of unknown language gather on some servers; the others of a server are alike.

    The last of `where` are pages that are English whatever their servers are like, the smallest number first.
    """
    server, relevant, set_english = where
    language = np.full(len(relevant), language_code(profile.language), dtype=np.uint16)
    tempers = rng.random((2, int(server[-1]) + 1), dtype=np.float32)
    begin = 0
    for name, row in zip(profile.domains, cells, strict=True):
        end = begin + int(row.sum())
        english = set_english[slice(*np.searchsorted(set_english, (begin, end)))][: row[1]]
        is_set = relevant[begin:end].copy()
        is_set[english - begin] = True
        pages = begin + np.flatnonzero(~is_set)
        pages = _by_temper(pages, tempers[0][server[pages]], _UNKNOWN_TOGETHER, rng)
        language[pages[: row[3]]] = 0
        pages = _by_temper(pages[row[3] :], tempers[1][server[pages[row[3] :]]], _LANGUAGE_TOGETHER, rng)
        language[np.concatenate([english, pages[: row[1] - len(english)]])] = language_code("en")
        language[pages[row[1] - len(english) :]] = np.sort(_other_languages(name, profile, int(row[2]), rng))
        begin = end
    return language


def _by_temper(pages: Integers, tempers: NDArray[np.float32], together: float, rng: np.random.Generator) -> Integers:
    """Pages in random order; the larger `together` is, the closer are the pages of a server, by its temper."""
    noise = rng.random(len(pages), dtype=np.float32)
    ordered: Integers = pages[np.argsort(noise + np.float32(together) * tempers)]
    return ordered


def _other_languages(name: str, profile: WebProfile, count: int, rng: np.random.Generator) -> Codes:
    """Languages of the `other` pages of a domain: as the profile says, else mostly the domain's own."""
    if others := profile.domains[name].others:
        weights = np.array(list(others.values()))
        codes_of_profile = np.array([language_code(code) for code in others], dtype=np.uint16)
        return rng.choice(codes_of_profile, count, p=weights / weights.sum())
    about = [language_code(code) for code in _LANGUAGES_ABOUT if code != profile.language]
    own = _LANGUAGE_OF.get(name, name if name in _LANGUAGES_ABOUT and len(name) == _TWO_LETTERS else "")
    codes: Codes = rng.choice(np.array(about, dtype=np.uint16), count)
    if own and own != profile.language:
        codes[rng.random(count) < _OWN_LANGUAGE] = language_code(own)
    return codes
