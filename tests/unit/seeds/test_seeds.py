"""Seeds: what is found in directories and tables, what is kept of it, and how it is written down."""

import contextlib
import gzip
import io
import random
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.config import Settings
from exonym.config.settings import Seeds
from exonym.errors import ConfigError, DirectoryError
from exonym.seeds.choosing import Choice, Collection, collect, in_order, wanted_domain
from exonym.seeds.dmoz import LONGEST_ENTRY, Categories, categories_of, entries_in, read_dmoz
from exonym.seeds.opening import DAMAGED
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed, seed_from
from exonym.seeds.seed_table import read_table
from exonym.seeds.seeds_file import check_output, lines_of, read_seeds, seed_urls, write_seeds
from exonym.web_text import one_line

# As the Open Directory wrote them, with what was wrong in them: a tag that nobody closed, bytes that are no UTF-8,
# control characters, and references that are none.
DUMP = b"""<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/">
<Topic r:id="Top/Regional/Asia/Thailand"><catid>1</catid><link r:resource="http://in-a-link.example/"></link></Topic>
<ExternalPage about="http://www.example.co.th">
  <d:Title>Temples \x01&amp; \x0bIslands</d:Title>
  <d:Description>Told by \xff\xfe those who know.</d:Description>
  <topic>Top/Regional/Asia/Thailand</topic>
</ExternalPage>
<ExternalPage about="http://unclosed.example/?a=1&amp;b=2&copy=3">
  <d:Title>Nobody closed this</d:Title>
  <topic>Top/Regional/Asia/Thailand/Travel_and_Tourism</topic>
<ExternalPage about='http://quoted.example/'>
  <topic>Top/Regional/Asia/Thailand</topic>
</ExternalPage>
<ExternalPage about="http://other.example/"><topic>Top/Regional/Asia/Thailandish</topic></ExternalPage>
<ExternalPage about="http://charset.example/\xa1\xa2"><topic>Top/Regional/Asia/Thailand</topic></ExternalPage>
<ExternalPage about="http://thai.example/"><d:Title>\xe0\xb8\x82\xe0\xb9\x88\xe0\xb8\xb2\xe0\xb8\xa7</d:Title>
  <topic>Top/World/Thai/\xe0\xb8\x82\xe0\xb9\x88\xe0\xb8\xb2\xe0\xb8\xa7</topic></ExternalPage>
<ExternalPage about="ftp://files.example/"><topic>Top/Regional/Asia/Thailand</topic></ExternalPage>
<ExternalPage><topic>Top/Regional/Asia/Thailand</topic></ExternalPage>
<ExternalPage about="http://nowhere.example/"><d:Title>No topic</d:Title></ExternalPage>
<ExternalPage about="http://cut.example/"><topic>Top/Regional/Asia/Thailand</to"""

IN_THAILAND = [
    "http://www.example.co.th/",
    "http://unclosed.example/?a=1&b=2&copy=3",
    "http://quoted.example/",
    "http://charset.example/%A1%A2",
    "http://cut.example/",
]


class Dripping(io.BytesIO):
    """A stream that gives as few bytes at a time as it is told to."""

    def __init__(self, content: bytes, most: int) -> None:
        super().__init__(content)
        self._most = most

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self._most)


def ignore(_: int) -> None:
    return None


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def urls_of(found: list[FoundSeed]) -> list[str]:
    return [one.url for one in found if isinstance(one, Seed)]


def reasons_of(found: list[FoundSeed]) -> Counter[str]:
    return Counter(one.why for one in found if isinstance(one, SkippedSeed))


# The Open Directory


def test_entries_of_a_category_and_all_below_it_are_found_however_broken_the_dump(tmp_path: Path) -> None:
    found = list(read_dmoz(written(tmp_path / "c", DUMP), categories_of(["Regional/Asia/Thailand"]), ignore))
    assert urls_of(found) == IN_THAILAND
    assert reasons_of(found) == {"no http(s) URL": 1, "entry without an address": 1, "entry without a category": 1}


def test_a_seed_says_where_it_is_from(tmp_path: Path) -> None:
    path = written(tmp_path / "content.rdf.u8", DUMP)
    first = next(read_dmoz(path, categories_of(["Regional/Asia/Thailand"]), ignore))
    assert first == Seed(
        "http://www.example.co.th/", "content.rdf.u8", "Top/Regional/Asia/Thailand", "Temples & Islands"
    )


def test_a_language_adds_what_the_directory_keeps_for_it(tmp_path: Path) -> None:
    path = written(tmp_path / "c", DUMP)
    assert urls_of(list(read_dmoz(path, categories_of([], ["th"]), ignore))) == ["http://thai.example/"]
    both = urls_of(list(read_dmoz(path, categories_of(["Regional/Asia/Thailand"], ["th"]), ignore)))
    assert sorted(both) == sorted([*IN_THAILAND, "http://thai.example/"])


def test_a_gzipped_dump_gives_the_same_and_a_torn_one_what_it_has(tmp_path: Path) -> None:
    wanted = categories_of(["Regional/Asia/Thailand"])
    packed = gzip.compress(DUMP, mtime=0)
    assert urls_of(list(read_dmoz(written(tmp_path / "whole", packed), wanted, ignore))) == IN_THAILAND
    torn = list(read_dmoz(written(tmp_path / "torn", gzip.compress(DUMP * 2_000, mtime=0)[:-3_000]), wanted, ignore))
    assert torn[-1] == DAMAGED
    assert set(urls_of(torn)) == set(IN_THAILAND)


def test_a_file_that_is_no_dump_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no <ExternalPage>"):
        list(read_dmoz(written(tmp_path / "c", b"<Topic>"), categories_of([]), ignore))
    with pytest.raises(DirectoryError, match="cannot be read"):
        list(read_dmoz(tmp_path / "missing", categories_of([]), ignore))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Regional/Asia/Tailand", "Did you mean Regional/Asia/Thailand"),
        ("Top/Regionl", r"Did you mean Regional\?"),
        ("Regional/Asia/thailand/Travel", "Did you mean Regional/Asia/Thailand"),
        ("Science/Physics", "Write a category as the directory does"),
    ],
)
def test_category_that_is_not_there_is_told_with_what_was_likely_meant(asked: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        list(read_dmoz(written(tmp_path / "c", DUMP), categories_of([asked]), ignore))


@given(st.integers(1, 200), st.integers(0, len(DUMP)))
def test_entries_do_not_depend_on_how_the_stream_is_cut(most: int, length: int) -> None:
    dump = DUMP[:length]
    assert list(entries_in(Dripping(dump, most))) == list(entries_in(Dripping(dump, len(dump) + 1)))


@given(st.lists(st.sampled_from([b"<ExternalPage", b" about='x'", b"</ExternalPage>", b"<Topic ", b">", b"text"])))
def test_there_are_as_many_entries_as_opening_tags(parts: list[bytes]) -> None:
    dump = b"".join(parts)
    found = list(entries_in(Dripping(dump, 7)))
    assert len(found) == dump.count(b"<ExternalPage")
    assert not any(b"</ExternalPage" in entry or b"<Topic " in entry for entry in found)


class Endless(io.RawIOBase):
    """An entry that goes on for so many blocks."""

    def __init__(self, blocks: int) -> None:
        self._left = blocks

    def read(self, size: int = -1) -> bytes:
        self._left -= 1
        return b"<ExternalPage about='x'>" + b"x" * 1_000_000 if self._left >= 0 else b""


def test_an_entry_that_never_ends_takes_no_more_memory_than_a_block() -> None:
    tracemalloc.start()
    try:
        lengths = [len(entry) for entry in entries_in(Endless(30))]  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lengths == [LONGEST_ENTRY] * 30
    assert peak < 8_000_000


@pytest.mark.parametrize(
    ("wanted", "topic"),
    [
        (["Regional/Asia/Thailand"], "Top/Regional/Asia/Thailand"),
        (["Top/Regional/Asia/Thailand/"], "Top/Regional/Asia/Thailand/Travel"),
        (["regional/asia/thailand"], "Top/Regional/Asia/Thailand"),
        (["Arts/Performing Arts"], "Top/Arts/Performing_Arts/Dance"),
        (["Top"], "Top/Anything"),
        ([], "Top/Anything"),
    ],
)
def test_category_has_what_is_below_it_however_it_is_spelt(wanted: list[str], topic: str) -> None:
    assert categories_of(wanted).has(topic)


@pytest.mark.parametrize("topic", ["Top/Regional/Asia", "Top/Regional/Asia/Thailandish", "Top/World/Thai", ""])
def test_category_has_nothing_beside_or_above_it(topic: str) -> None:
    assert not categories_of(["Regional/Asia/Thailand"]).has(topic)


@pytest.mark.parametrize(
    ("language", "topic"),
    [
        ("th", "Top/World/Thai/ข่าว"),
        ("ja", "Top/World/Japanese"),
        ("de", "Top/World/Deutsch/Regional"),
        ("fr", "Top/World/Français/Actualité"),
        ("cs", "Top/World/Česky"),
        ("zh", "Top/World/Chinese_Traditional/Arts"),
        ("zh-Hans", "Top/World/Chinese_Simplified/Arts"),
        ("ko", "Top/Kids_and_Teens/International/Korean"),
    ],
)
def test_language_is_found_under_the_name_that_the_directory_gives_it(language: str, topic: str) -> None:
    assert categories_of([], [language]).has(topic)
    assert not categories_of([], ["is"]).has(topic)


def test_english_has_no_place_of_its_own_in_the_directory() -> None:
    with pytest.raises(ConfigError, match="Name a --category"):
        categories_of([], ["en"])
    assert categories_of(["Regional"], ["en"]) == Categories(("regional/",), ("Regional",))
    assert categories_of([], ["en", "th"]) == categories_of([], ["th"])


def test_category_top_is_the_whole_directory_whatever_the_language() -> None:
    assert categories_of(["Top"], ["ko"]).has("Top/Arts/Music")
    assert not categories_of([], ["ko"]).has("Top/Arts/Music")


# Tables


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (b"rank,url\n1,http://a.example/\n2,b.example\n", "url"),
        (b"\xef\xbb\xbfURL;n\r\nhttp://a.example/;1\r\nb.example;2\r\n", "url"),
        (b"n\turl\n1\thttp://a.example/\n2\tb.example\n", "URL"),
        (b"1,http://a.example/\n2,b.example\n", "2"),
        (b"http://a.example/\nb.example\n", "1"),
        (b'url,words\n"http://a.example/","one, two"\n"b.example","three\nfour"\n', "url"),
        (gzip.compress(b"url\nhttp://a.example/\nb.example\n", mtime=0), "url"),
    ],
)
def test_table_gives_the_addresses_of_a_column(content: bytes, column: str, tmp_path: Path) -> None:
    found = list(read_table(written(tmp_path / "t", content), column, ignore))
    assert urls_of(found) == ["http://a.example/", "https://b.example/"]


def test_rows_that_are_none_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = b'a,url\n1\n2,\n3,mailto:x@example.org\n4,"' + b"x" * 200_000 + b'"\n5,\xff\x00.example\n6,good.example\n'
    found = list(read_table(written(tmp_path / "t", rows), "url", ignore))
    assert urls_of(found) == ["https://good.example/"]
    assert sum(reasons_of(found).values()) == 5
    assert reasons_of(found)["row without the column"] == 1


@pytest.mark.parametrize(
    ("head", "said"), [(b"rank,urls\n", "Did you mean urls"), (b"a,b\n", "columns are a, b"), (b"", "empty")]
)
def test_missing_column_is_told_with_those_there_are(head: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        list(read_table(written(tmp_path / "t", head), "url", ignore))


PIECES = st.sampled_from([b"url", b",", b'"', b"\n", b"\r", b"\t", b"\0", b"\xff", b"\x1f\x8b", b"http://a.example/"])


@given(st.lists(PIECES).map(b"".join) | st.binary() | st.just(b"x" * 200_000 + b"\n"))
def test_any_file_is_a_table_or_is_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = written(tmp_path_factory.getbasetemp() / "any.csv", content)
    for column in ("url", "1"):
        with contextlib.suppress(ConfigError):
            assert all(isinstance(one, Seed | SkippedSeed) for one in read_table(path, column, ignore))


@given(st.integers(0, len(DUMP)), st.binary(max_size=20), st.booleans())
def test_any_dump_is_read(tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes, packed: bool) -> None:
    broken = DUMP[:place] + junk + DUMP[place + len(junk) :]
    path = written(tmp_path_factory.getbasetemp() / "any.u8", gzip.compress(broken, mtime=0)[:-7] if packed else broken)
    with contextlib.suppress(ConfigError):
        assert all(isinstance(one, Seed | SkippedSeed) for one in read_dmoz(path, categories_of([]), ignore))


# Choosing

ADDRESSES = st.lists(
    st.builds("http://{}.{}/{}".format, st.sampled_from("abc"), st.sampled_from(["th", "com"]), st.integers(0, 12))
)


def seeds_of(urls: list[str]) -> list[FoundSeed]:
    return [Seed(url, f"line {number}") for number, url in enumerate(urls, 1)]


def test_seeds_are_sorted_by_top_level_domain_then_server_then_address() -> None:
    urls = ["http://b.th/", "http://a.th/z", "http://z.com/", "http://a.th/b", "http://127.0.0.1/"]
    expected = ["http://127.0.0.1/", "http://z.com/", "http://a.th/b", "http://a.th/z", "http://b.th/"]
    assert [one.url for one in collect(seeds_of(urls), Choice()).seeds] == expected


@given(ADDRESSES)
def test_every_address_is_kept_once_with_the_provenance_that_came_first(urls: list[str]) -> None:
    kept = collect(seeds_of(urls), Choice())
    assert {one.url for one in kept.seeds} == set(urls)
    assert all(one.source == f"line {urls.index(one.url) + 1}" for one in kept.seeds)
    assert (len(kept.seeds), kept.found) == (len(set(urls)), len(urls))


@given(ADDRESSES, st.integers(1, 12), st.integers(0, 5), st.randoms(use_true_random=False))
def test_sample_has_its_size_and_does_not_depend_on_order(
    urls: list[str], size: int, seed: int, chance: random.Random
) -> None:
    choice = Choice(sample=size, seed=seed)
    sample = [one.url for one in collect(seeds_of(urls), choice).seeds]
    assert len(sample) == min(size, len(set(urls)))
    assert set(sample) <= set(urls)
    shuffled = chance.sample(urls, len(urls))
    assert [one.url for one in collect(seeds_of(shuffled), choice).seeds] == sample


@given(ADDRESSES, st.integers(0, 4), st.integers(0, 5), st.randoms(use_true_random=False))
def test_one_address_of_a_server_is_its_shortest_in_whatever_order_they_come(
    urls: list[str], size: int, seed: int, chance: random.Random
) -> None:
    choice = Choice(sample=size, seed=seed, one_per_server=True)
    kept = [one.url for one in collect(seeds_of(urls), choice).seeds]
    of_server: dict[str, list[str]] = {}
    for url in urls:
        of_server.setdefault(url.rpartition("/")[0], []).append(url)
    assert len(kept) == (min(size, len(of_server)) if size else len(of_server))
    assert all(url == min(of_server[url.rpartition("/")[0]], key=lambda one: (len(one), one)) for url in kept)
    shuffled = chance.sample(urls, len(urls))
    assert [one.url for one in collect(seeds_of(shuffled), choice).seeds] == kept


def test_every_address_has_the_same_chance() -> None:
    urls = [f"http://{letter}.example/" for letter in "abcdefghij"]
    drawn = Counter(
        one.url for seed in range(400) for one in collect(seeds_of(urls), Choice(sample=5, seed=seed)).seeds
    )
    # Half of 400 each; the standard deviation is 10.
    assert all(150 <= drawn[url] <= 250 for url in urls)


def test_other_top_level_domains_are_left_out_and_counted() -> None:
    found = seeds_of(["http://a.th/", "http://b.com/"])
    kept = collect([*found, SkippedSeed("bad"), SkippedSeed("bad")], Choice(frozenset(["th"])))
    assert [one.url for one in kept.seeds] == ["http://a.th/"]
    assert kept.skipped == {"bad": 2, "another top-level domain": 1}
    assert kept.domains() == {"th": 1}


def test_top_level_domain_may_be_written_in_its_own_script() -> None:
    assert [wanted_domain(text) for text in ("th", ".TH", "ไทย")] == ["th", "th", "xn--o3cw4h"]
    for text in ("", ".", "co.th", "1", "a b", "th/", "th:80"):
        with pytest.raises(ConfigError, match="no top-level domain"):
            wanted_domain(text)


# The seeds file


@given(
    st.lists(st.builds("http://a.example/{}".format, st.integers()), min_size=1, unique=True),
    st.text(),
    st.text(),
)
def test_any_provenance_leaves_the_addresses_readable_for_a_crawl(urls: list[str], category: str, title: str) -> None:
    found = [seed_from(url, "a file", category, title) for url in urls]
    seeds = in_order(one for one in found if isinstance(one, Seed))
    text = "\n".join(lines_of(Collection(seeds, len(urls)), [title]))
    assert read_seeds(text, "seeds.txt") == [one.url for one in seeds]


def test_written_seeds_are_the_seeds_of_a_crawl(tmp_path: Path) -> None:
    urls = ["http://a.example/?q=1", "https://b.example/", "http://c.co.th/"]
    seeds = [Seed(url, "list # one", "Top/Arts", "a 'title' # with; all") for url in urls]
    write_seeds(tmp_path / "seeds.txt", Collection(seeds, 3), ["From a test."])
    assert seed_urls(Settings(seeds=Seeds(file="seeds.txt")), tmp_path) == urls
    text = (tmp_path / "seeds.txt").read_text(encoding="utf-8")
    assert text.splitlines()[1:3] == ["# From a test.", "# example 2, th 1"]
    assert text.splitlines()[3] == "http://a.example/?q=1\t# list # one; Top/Arts; a 'title' # with; all"
    assert [path.name for path in tmp_path.iterdir()] == ["seeds.txt"]


def test_a_seeds_file_that_exists_is_not_lost(tmp_path: Path) -> None:
    written(tmp_path / "s", b"mine")
    with pytest.raises(DirectoryError, match="exists"):
        check_output(tmp_path / "s", force=False)
    check_output(tmp_path / "s", force=True)
    check_output(tmp_path / "other", force=False)
    with pytest.raises(DirectoryError, match="is a directory"):
        check_output(tmp_path, force=True)


@given(st.text())
def test_one_line_is_one_printable_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert one_line(line) == line
