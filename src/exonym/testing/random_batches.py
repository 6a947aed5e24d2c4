"""Small random batches for checks: few servers and segments, so that links lead to the same pages again."""

import random
from collections.abc import Sequence

import numpy as np

from exonym.batches import FoundCounters, Ids, LinkBatch, Outcome, PageBatch, WaitingBatch, language_code
from exonym.readers.link_ids import group_ids_of, ids_of
from exonym.urls import id_of

SERVERS = tuple(f"www{number}.example" for number in range(6))
_LANGUAGES = [language_code(name) for name in ("th", "en", "ja")]
_DOMAINS = [id_of(name) for name in ("th", "jp", "com", "")]


def random_url(chance: random.Random, servers: Sequence[str] = SERVERS) -> str:
    """One of some hundred URLs."""
    scheme = chance.choice(["http", "https"])
    directory = chance.choice(["", "a/", "a/b/"])
    return f"{scheme}://{chance.choice(servers)}/{directory}{chance.randint(0, 9)}.html"


def link_batch(chance: random.Random, count: int, servers: Sequence[str] = SERVERS) -> LinkBatch:
    """Links to pages of `servers`, some of them seeds, with all columns, and facts like those of a crawl."""
    texts = [random_url(chance, servers) for _ in range(count)]
    sources = [random_url(chance) for _ in range(count)]
    relevance = np.array([chance.choice([0.0, 0.25, 1.0]) for _ in range(count)], dtype=np.float32)
    return LinkBatch(
        url=ids_of(texts),
        server=group_ids_of(texts)[0],
        segment=group_ids_of(texts)[1],
        distance=np.array([chance.randint(0, 8) for _ in range(count)], dtype=np.uint16),
        source=np.array([chance.randint(-1, 50) for _ in range(count)], dtype=np.int64),
        source_server=group_ids_of(sources)[0],
        source_relevance=relevance,
        source_relevant=relevance > 0,
        source_language=np.array([chance.choice(_LANGUAGES) for _ in range(count)], dtype=np.uint16),
        hops=np.array([chance.randint(0, 2) for _ in range(count)], dtype=np.uint8),
        **random_counters(chance, count)._asdict(),
        text=texts,
        anchor=[chance.choice(["", "home", "หน้าแรก"]) for _ in range(count)],
        around=[chance.choice(["", "see also", "ดูเพิ่มเติม"]) for _ in range(count)],
        place=[chance.choice(["html/body/a", "html/body/nav/ul/li/a"]) for _ in range(count)],
        domain=np.array([chance.choice(_DOMAINS) for _ in range(count)], dtype=np.uint64),
        anchor_language=np.array([chance.choice([0, *_LANGUAGES]) for _ in range(count)], dtype=np.uint16),
        segment_relevance=np.array([chance.random() for _ in range(count)], dtype=np.float32),
        target_relevant=np.array([chance.random() < 0.5 for _ in range(count)], dtype=np.bool_),
        on_path=np.array([chance.random() < 0.5 for _ in range(count)], dtype=np.bool_),
        source_segment=group_ids_of(sources)[1],
        source_note=np.array([chance.randint(0, 80_000) for _ in range(count)], dtype=np.uint64),
        segment_degree=np.array([chance.choice([0.0, 0.5, 1.0]) for _ in range(count)], dtype=np.float32),
        reading=np.array([[chance.gauss(0, 1), chance.gauss(0, 1)] for _ in range(count)], np.float32).reshape(-1, 2),
    )


def random_counters(chance: random.Random, count: int) -> FoundCounters:
    """Counters as a frontier may have them: no page of another server is relevant that is not among the relevant."""
    relevant = [chance.randint(0, 15) for _ in range(count)]
    columns = (
        relevant,
        [chance.randint(0, 15) for _ in range(count)],
        [chance.randint(0, most) for most in relevant],
        [chance.randint(0, 15) for _ in range(count)],
    )
    return FoundCounters(*(np.array(column, dtype=np.uint8) for column in columns))


def waiting_batch(chance: random.Random, links: LinkBatch, notes: Ids) -> WaitingBatch:
    """Some links as they wait later, with these notes."""
    counters = random_counters(chance, len(links))
    return WaitingBatch(links.url, links.server, links.segment, notes, *counters, links.text)


def page_batch(chance: random.Random, count: int, servers: Sequence[str] = SERVERS) -> PageBatch:
    """Pages of `servers` with any outcome."""
    texts = [random_url(chance, servers) for _ in range(count)]
    outcome = np.array([chance.choice(list(Outcome)) for _ in range(count)], dtype=np.uint8)
    relevance = np.array([chance.choice([0.0, 0.25, 1.0]) for _ in range(count)], dtype=np.float32)
    relevance[outcome != Outcome.PAGE] = 0
    return PageBatch(
        url=ids_of(texts),
        server=group_ids_of(texts)[0],
        segment=group_ids_of(texts)[1],
        distance=np.array([chance.randint(0, 8) for _ in range(count)], dtype=np.uint16),
        row=np.arange(count, dtype=np.int64),
        outcome=outcome,
        relevance=relevance,
        relevant=relevance > 0,
        language=np.array([chance.choice(_LANGUAGES) for _ in range(count)], dtype=np.uint16),
        note=np.array([chance.getrandbits(64) for _ in range(count)], dtype=np.uint64),
        text=texts,
    )
