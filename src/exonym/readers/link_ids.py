"""Ids of many URLs, and of their servers and segments, at a time: the numbers that `urls.id_of` gives one by one."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from xxhash import xxh3_64_digest

from exonym.batches import Ids
from exonym.urls import server_of


def ids_of(urls: Iterable[str]) -> Ids:
    """The ids of URLs in normal form."""
    return _numbers([xxh3_64_digest(url.encode("utf-8", "replace")) for url in urls])


def group_ids_of(urls: Iterable[str]) -> tuple[Ids, Ids]:
    """The ids of the servers and of the segments of URLs in normal form."""
    return all_ids_of(urls)[1:]


def all_ids_of(urls: Iterable[str]) -> tuple[Ids, Ids, Ids]:
    """The ids of URLs in normal form, of their servers and of their segments."""
    ids = _numbers([digest for url in urls for digest in _digests(url)])
    return ids[::3].copy(), ids[1::3].copy(), ids[2::3].copy()


@lru_cache(maxsize=32_768)
def _digests(url: str) -> tuple[bytes, bytes, bytes]:
    """Digests of a URL, its server and its segment. The pages of a site have many links in common."""
    return xxh3_64_digest(url.encode("utf-8", "replace")), *_group_digests(url.partition("?")[0].rpartition("/")[0])


@lru_cache(maxsize=16_384)
def _group_digests(directory: str) -> tuple[bytes, bytes]:
    """Digests of a directory's server and segment. Links share few directories, on a page and from page to page."""
    return xxh3_64_digest(server_of(directory + "/").encode()), xxh3_64_digest((directory + "/").encode())


def _numbers(digests: list[bytes]) -> Ids:
    ids: Ids = np.maximum(np.frombuffer(b"".join(digests), ">u8"), np.uint64(1)).astype(np.uint64, copy=False)
    return ids  # 0 is no id
