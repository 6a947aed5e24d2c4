"""Ids of many URLs, and of their servers and segments, at a time: the numbers that `urls.id_of` gives one by one."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_digest

from exonym.batches import Ids
from exonym.urls import server_of


def ids_of(urls: Iterable[str]) -> Ids:
    """The ids of URLs in normal form."""
    ids: Ids = _numbers(b"".join([xxh3_64_digest(url.encode("utf-8", "replace")) for url in urls]), 1)[0]
    return ids


def group_ids_of(urls: Iterable[str]) -> tuple[Ids, Ids]:
    """The ids of the servers and of the segments of URLs in normal form."""
    return all_ids_of(urls)[1:]


def all_ids_of(urls: Iterable[str]) -> tuple[Ids, Ids, Ids]:
    """The ids of URLs in normal form, of their servers and of their segments."""
    ids = _numbers(b"".join(map(_digests, urls)), 3)
    return ids[0], ids[1], ids[2]


@lru_cache(maxsize=32_768)
def _digests(url: str) -> bytes:
    """Digests of a URL, its server and its segment. The pages of a site have many links in common."""
    return xxh3_64_digest(url.encode("utf-8", "replace")) + _group_digests(url.partition("?")[0].rpartition("/")[0])


@lru_cache(maxsize=16_384)
def _group_digests(directory: str) -> bytes:
    """Digests of a directory's server and segment. Links share few directories, on a page and from page to page."""
    return xxh3_64_digest(server_of(directory + "/").encode()) + xxh3_64_digest((directory + "/").encode())


def _numbers(digests: bytes, columns: int) -> NDArray[np.uint64]:
    """Digests of 8 bytes, row by row, as ids in columns."""
    ids = np.frombuffer(digests, ">u8").reshape(-1, columns).T.astype(np.uint64, order="C")
    ids[ids == 0] = 1  # 0 is no id
    return ids
