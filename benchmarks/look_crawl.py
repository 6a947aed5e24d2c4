"""A made-up crawl of any size for `look.py`: realistic addresses, titles and failures, written as a real crawl is."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from exonym.archive import ArchiveOptions
from exonym.batches import Group, Outcome
from exonym.config import CONFIG_NAME, template
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.frontier.disk import DiskFrontier
from exonym.journal.journal import SEAL_ROWS
from exonym.journal.parts import TYPES, name_of, write_part
from exonym.metrics import Totals
from exonym.testing.random_batches import link_batch

BEGAN = 1.79e9
_WORDS = [
    "lemon",
    "spice",
    "harbour",
    "river",
    "market",
    "temple",
    "garden",
    "school",
    "travel",
    "hotel",
    "museum",
    "letter",
    "winter",
    "summer",
    "bridge",
    "island",
    "coffee",
    "silver",
    "golden",
    "village",
    "mountain",
    "station",
    "library",
    "poetry",
    "music",
    "history",
    "science",
    "village",
    "forest",
    "elephant",
    "jasmine",
    "orchid",
]
_DOMAINS = ("th", "com", "co.th", "net", "org", "de", "fr", "jp", "info", "in.th")
_LANGUAGES = ("th", "en", "", "zh", "ja", "de", "ms")
_FAILURES = (
    ("http: 404 Not Found", 404),
    ("http: 500 Internal Server Error", 500),
    ("http: 403 Forbidden", 403),
    ("connect: refused", 0),
    ("timeout: no answer after 120 s", 0),
    ("dns: no such host", 0),
)


def make_crawl(directory: Path, visits: int, servers: int = 0, seed: int = 7) -> None:
    """Write a crawl directory with so many visits; without a number of servers, one for 50 visits."""
    servers = servers or max(visits // 50, 5)
    draw = np.random.default_rng(seed)
    names = [f"www.{_word(n)}-{_word(n // 7 + 1)}{n}.{_DOMAINS[n % len(_DOMAINS)]}" for n in range(servers)]
    shares = draw.lognormal(0.0, 1.2, servers)
    good = draw.random(servers) ** 2  # the share of relevant pages of each server
    homes = draw.choice(servers, size=visits, p=shares / shares.sum())
    lengths, totals = [], np.zeros(4, dtype=np.int64)
    (directory / "journal").mkdir(parents=True)
    seeds = [f"http://{name}/" for name in names[:1000]]
    settings: dict[str, Any] = {"target": {"languages": ["th"]}, "seeds": {"urls": seeds}}
    settings["politeness"] = {"operator": "https://library.example/crawls"}
    (directory / CONFIG_NAME).write_text(template(settings), encoding="utf-8")
    for number, first in enumerate(range(0, visits, SEAL_ROWS)):
        table = _part(first, homes[first : first + SEAL_ROWS], names, good, draw)
        write_part(directory / "journal" / name_of(number), table)
        lengths.append(len(table))
        outcomes, relevant = table["outcome"].to_numpy(), table["relevant"].to_numpy()
        totals += [np.sum(outcomes <= 1), np.sum(relevant), np.sum(outcomes == 1), np.sum(table["length"].to_numpy())]
    pages, relevant, failures, size = totals.tolist()
    counted = Totals(pages=pages, relevant=relevant, failures=failures, bytes=size, servers=servers)
    _write_store(directory, lengths, counted, names)


def _write_store(directory: Path, lengths: list[int], totals: Totals, servers: list[str]) -> None:
    """Write the store, with about two links that wait at each server."""
    writer = CrawlWriter(directory, ArchiveOptions())
    try:
        with writer.store.writing() as transaction:
            writer.journal.adopt_parts(transaction, lengths)
        frontier = DiskFrontier(writer.store, directory / "state" / "seen", Group.SERVER)
        links = frontier.meet(link_batch(random.Random(7), 2 * len(servers), servers))
        count = len(links)
        frontier.push(links, np.full(count, 0.5), np.zeros(count, np.uint64), np.zeros(count))
        writer.commit(frontier, dict, totals, "pages")
    finally:
        writer.close()


def _word(number: int) -> str:
    return _WORDS[number % len(_WORDS)]


def _part(first: int, homes: Any, names: list[str], good: Any, draw: np.random.Generator) -> pyarrow.Table:
    rows = len(homes)
    kinds = draw.random(rows)
    outcome = np.select([kinds < 0.88, kinds < 0.94, kinds < 0.99], [Outcome.PAGE, Outcome.FAILED, Outcome.REDIRECT], 3)
    is_page = outcome == Outcome.PAGE
    failure = draw.integers(0, len(_FAILURES), rows)
    relevant = is_page & (draw.random(rows) < good[homes])
    language = np.where(relevant, "th", np.array(_LANGUAGES)[draw.integers(0, len(_LANGUAGES), rows)])
    words = draw.integers(0, len(_WORDS), (rows, 8))
    numbers = range(first, first + rows)
    statuses = np.select([is_page, outcome == 2], [200, 301], 0)
    columns: dict[str, Any] = {
        "row": np.arange(first, first + rows),
        "url": [
            _url(names[home], number, word) for home, number, word in zip(homes, numbers, words.tolist(), strict=True)
        ],
        "when": BEGAN + np.arange(first, first + rows) / 40 + draw.random(rows),
        "outcome": outcome,
        "status": np.where(outcome == 1, np.array([code for _, code in _FAILURES])[failure], statuses),
        "content_type": np.where(is_page, "text/html", ""),
        "length": draw.integers(1_000, 90_000, rows),
        "seconds": draw.exponential(0.4, rows),
        "language": np.where(is_page, language, ""),
        "relevance": np.where(relevant, 0.5 + draw.random(rows) / 2, draw.random(rows) / 2) * is_page,
        "relevant": relevant,
        "distance": draw.integers(0, 6, rows),
        "score": draw.random(rows).round(3),
        "source": np.where(
            draw.random(rows) < 0.001, -1, (np.arange(first, first + rows) * draw.random(rows)).astype(int)
        ),
        "why": np.where(is_page, "Thai: 93 % of letters are Thai script; html lang says th", ""),
        "failure": np.where(outcome == 1, np.array([text for text, _ in _FAILURES])[failure], ""),
        "title": [_title(word) if page else "" for word, page in zip(words.tolist(), is_page.tolist(), strict=True)],
        "address": [f"203.{home % 199}.{home // 199 % 250}.{home % 250}" for home in homes.tolist()],
    }
    columns["source"][:1] = -1
    blank = {"string": "", "bool": False, "float64": 0.0}
    arrays = [
        pyarrow.array(columns[name], pyarrow.type_for_alias(kind))
        if name in columns
        else pyarrow.repeat(pyarrow.scalar(blank.get(kind, 0), pyarrow.type_for_alias(kind)), rows)
        for name, kind in TYPES.items()
    ]
    return pyarrow.Table.from_arrays(arrays, names=list(TYPES))


def _url(server: str, number: int, words: list[int]) -> str:
    if number < 1_000 and not number % 2:
        return f"http://{server}/"
    folder = f"{_WORDS[words[0]]}/" * (words[1] % 3 > 0) + f"{_WORDS[words[2]]}{words[3] % 4}/" * (words[1] % 3 > 1)
    return f"http://{server}/{folder}{_WORDS[words[4]]}-{number}.html" + (f"?id={number % 977}" if words[5] < 6 else "")


def _title(words: list[int]) -> str:
    return " ".join(_WORDS[word] for word in words[: 3 + words[6] % 5]).capitalize()
