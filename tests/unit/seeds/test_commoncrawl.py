"""Common Crawl's index: seeds from its server's answers, its files, and its columnar form."""

import gzip
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError
from exonym.seeds.commoncrawl import (
    crawl_from,
    in_lines,
    is_in,
    long_code,
    newest_in,
    page_url,
    pages_in,
    read_index_file,
    spread,
)
from exonym.seeds.commoncrawl_columnar import is_parquet, read_columnar
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed

# As a file of the index has them (cdx-00000.gz); the server sends the objects alone.
LINES = b"""\
th,co,example)/ 20261001000000 {"url": "https://example.co.th/", "mime": "text/html", "mime-detected": "text/html", \
"status": "200", "digest": "AAAA", "length": "5365", "offset": "81614902", "filename": "crawl-data/a.warc.gz", \
"languages": "tha,eng", "encoding": "UTF-8"}
th,co,example)/en 20261001000001 {"url": "https://example.co.th/en", "mime": "text/html", \
"mime-detected": "text/html", "status": "200", "languages": "eng"}
th,co,example)/map.pdf 20261001000002 {"url": "https://example.co.th/map.pdf", "mime": "application/pdf", \
"mime-detected": "application/pdf", "status": "200"}
th,co,example)/old 20261001000003 {"url": "https://example.co.th/old", "mime": "unk", "status": "301", \
"redirect": "https://example.co.th/"}
th,co,example)/picture 20261001000004 {"url": "https://example.co.th/picture", "mime": "text/html", \
"mime-detected": "text/html", "status": "200"}
th,in,example)/ 20261001000005 {"url": "http://example.in.th/", "mime": "text/html", \
"mime-detected": "application/xhtml+xml", "status": "200", "languages": "eng,tha,zho"}
"""
SEEDS = [
    Seed("https://example.co.th/", "a", "tha,eng"),
    Seed("http://example.in.th/", "a", "eng,tha,zho"),
]
REASONS = {
    "in another language": 1,
    "no HTML": 1,
    "no page: a redirect or an error": 1,
    "no language told": 1,
}


def seeds_of(found: list[FoundSeed]) -> list[Seed]:
    return [one for one in found if isinstance(one, Seed)]


def reasons_of(found: list[FoundSeed]) -> dict[str, int]:
    return dict(Counter(one.why for one in found if isinstance(one, SkippedSeed)))


def ignore(_: int) -> None:
    return None


# Questions


def test_page_is_asked_for_by_domain_and_language() -> None:
    url = page_url("https://index.commoncrawl.org/", "CC-MAIN-2026-42", "th", "th", 7)
    assert url.startswith("https://index.commoncrawl.org/CC-MAIN-2026-42-index?url=%2A.th&output=json&page=7&")
    words = parse_qs(urlsplit(url).query)
    assert words["filter"] == ["=status:200", "languages:tha"]
    assert words["fl"] == ["url,status,mime-detected,languages"]


def test_languages_have_the_three_letters_of_the_index() -> None:
    codes = {"th": "tha", "zh": "zho", "zh-Hant": "zho", "de": "deu", "ceb": "ceb", "tl": "tgl"}
    assert {code: long_code(code) for code in codes} == codes


def test_language_is_found_among_several() -> None:
    assert is_in("tha", "th")
    assert is_in("eng,tha", "th")
    assert is_in("zho", "zh-Hant")
    assert is_in("nno", "no")
    assert not is_in("eng,deu", "th")
    assert not is_in("", "th")


@given(st.integers(0, 300), st.integers(0, 40))
def test_pages_are_spread_evenly(pages: int, most: int) -> None:
    chosen = spread(pages, most)
    assert len(chosen) == (min(pages, most) if most else pages)
    assert chosen == sorted(set(chosen))
    assert set(chosen) <= set(range(pages))
    gaps = {later - earlier for earlier, later in pairwise(chosen)}
    assert not gaps or max(gaps) - min(gaps) <= 1


def test_number_of_pages_is_read_as_old_and_new_servers_say_it() -> None:
    assert pages_in(b'{"pages": 4, "pageSize": 5, "blocks": 17}') == 4
    assert pages_in(b"4\n") == 4
    for content in (b"", b"<html>", b'{"pages": "4"}', b'{"pages": -1}', b"[]", b"[" * 100_000):
        assert pages_in(content) == -1


def test_newest_crawl_is_the_last_by_name() -> None:
    listed = [{"id": "CC-MAIN-2026-38"}, {"id": "CC-MAIN-2026-42"}, {"id": "CC-MAIN-2009-2010"}, {"id": 7}, None]
    assert newest_in(json.dumps(listed).encode()) == "CC-MAIN-2026-42"
    for content in (b"", b"{}", b"[]", b"3", b'[{"id": "../x"}]'):
        assert newest_in(content) == ""


def test_crawl_has_a_name() -> None:
    assert crawl_from(" cc-main-2026-42 ") == "CC-MAIN-2026-42"
    for text in ("", "2026", "CC-MAIN-2026-42/../x", "CC-NEWS-2026-42"):
        with pytest.raises(ConfigError, match="no crawl of Common Crawl"):
            crawl_from(text)


# Lines


def test_lines_of_the_index_give_pages_in_the_language() -> None:
    found = list(in_lines(LINES.splitlines(), "th", "a"))
    assert seeds_of(found) == SEEDS
    assert reasons_of(found) == REASONS


def test_answer_of_the_server_is_read_as_its_files_are(tmp_path: Path) -> None:
    answer = b"\n".join(line[line.index(b"{") :] for line in LINES.splitlines())
    for content in (LINES, answer, gzip.compress(LINES, mtime=0)):
        (tmp_path / "a").write_bytes(content)
        assert seeds_of(list(read_index_file(tmp_path / "a", "th", ignore))) == SEEDS


def test_torn_file_gives_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(1_000 * LINES, mtime=0)[:-30])
    found = list(read_index_file(tmp_path / "a", "th", ignore))
    # Damage costs 16 kB of it at most, beside what stands behind: 30 bytes, which are up to 30 kB unpacked.
    assert seeds_of(found)[:1_900] == 950 * SEEDS
    assert reasons_of(found)["rest of a damaged file"] == 1


@given(st.binary())
def test_any_lines_are_read(content: bytes) -> None:
    for lines in (content.splitlines(), (LINES[: len(content)] + content + LINES).splitlines()):
        assert all(isinstance(one, Seed | SkippedSeed) for one in in_lines(lines, "th", "a"))


@given(st.dictionaries(st.sampled_from(["url", "status", "mime", "languages"]), st.none() | st.integers() | st.text()))
def test_any_line_is_a_seed_or_is_told(capture: dict[str, Any]) -> None:
    line = json.dumps(capture).encode()
    assert all(isinstance(one, Seed | SkippedSeed) for one in in_lines([line], "th", "a"))


# The columnar index

COLUMNS: dict[str, list[Any]] = {
    "url": [
        *["https://example.co.th/", "https://example.co.th/en", "https://b.example.com/", "http://example.in.th/"],
        *["https://example.co.th/old", "https://example.co.th/map.pdf", "https://example.co.th/x", "mailto:a@b.th"],
    ],
    "url_host_tld": ["th", "th", "com", "th", "th", "th", "th", "th"],
    "fetch_status": [200, 200, 200, 200, 301, 200, 200, 200],
    "content_mime_detected": ["text/html"] * 5 + ["application/pdf", "text/html", "text/html"],
    "content_charset": ["UTF-8"] * 8,
    "content_languages": ["tha,eng", "eng", "tha", "eng,tha,zho", None, None, None, "tha"],
}


def parquet(path: Path, **more: Any) -> Path:
    pq.write_table(pa.table({name: column for name, column in (COLUMNS | more).items() if column is not None}), path)
    return path


def test_columnar_index_gives_pages_in_the_language_in_whatever_domain(tmp_path: Path) -> None:
    found = list(read_columnar(parquet(tmp_path / "a"), "th", frozenset(), ignore))
    assert seeds_of(found) == [SEEDS[0], Seed("https://b.example.com/", "a", "tha"), SEEDS[1]]
    assert reasons_of(found) == {**REASONS, "no http(s) URL": 1}


def test_parts_of_the_columnar_index_without_the_domains_are_not_read(tmp_path: Path) -> None:
    # Three parts, sorted by domain as the index is: com, com to org, th.
    domains = ["com", "com", "com", "org", "th", "th"]
    urls = [f"https://example.{domain}/{number}" for number, domain in enumerate(domains)]
    table = pa.table({"url": urls, "url_host_tld": domains, "content_languages": ["tha"] * 6})
    pq.write_table(table, tmp_path / "a", row_group_size=2)
    expected = {"com": urls[:4], "org": urls[2:4], "net": urls[2:4], "th": urls[4:], "xn--o3cw4h": [], "": urls}
    for domain, there in expected.items():
        found = list(read_columnar(tmp_path / "a", "th", frozenset([domain]) if domain else frozenset(), ignore))
        assert [one.url for one in seeds_of(found)] == there


def test_columns_that_only_choose_may_be_missing_and_texts_may_be_coded(tmp_path: Path) -> None:
    coded = pa.array(COLUMNS["content_languages"]).dictionary_encode()
    bare: dict[str, Any] = dict.fromkeys(["url_host_tld", "fetch_status", "content_mime_detected"])
    found = list(read_columnar(parquet(tmp_path / "a", content_languages=coded, **bare), "th", frozenset("x"), ignore))
    assert [one.url for one in seeds_of(found)] == [
        *["https://example.co.th/", "https://b.example.com/", "http://example.in.th/"]
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"content_languages": None}, "no column content_languages; its columns are url, url_host_tld"),
        ({"url": None}, "no column url"),
        ({"url": list(range(8))}, "int64 in its column url"),
    ],
)
def test_other_tables_are_refused(more: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        list(read_columnar(parquet(tmp_path / "a", **more), "th", frozenset(), ignore))


def test_damaged_parquet_is_told(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert is_parquet(path)
    with pytest.raises(ConfigError, match="no parquet file that can be read"):
        list(read_columnar(path, "th", frozenset(), ignore))
    path.write_bytes(whole[:4] + b"\xff" * 200 + whole[204:])
    assert list(read_columnar(path, "th", frozenset(), ignore)) == [SkippedSeed("rest of a damaged file")]
    assert not is_parquet(tmp_path / "missing")
