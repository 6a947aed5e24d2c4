"""Files of back-links as search engines, link databases and people write them, and as nobody should."""

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError, DirectoryError
from exonym.training.links.back_link_file import BackLink, BackLinks, read_back_links

A, B, C = "http://a.example/", "http://b.example/x", "https://c.example/y?z=1"


def found(directory: Path, content: str | bytes) -> BackLinks:
    path = directory / "links.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_back_links(path)


def pairs(directory: Path, content: str | bytes) -> list[tuple[str, str]]:
    return [(link.source, link.target) for link in found(directory, content).links]


def refused(directory: Path, content: str | bytes) -> str:
    with pytest.raises(ConfigError) as error:
        found(directory, content)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


# Without a head line


def test_a_line_is_a_page_that_links(tmp_path: Path) -> None:
    content = f"# from somewhere\n\n{A}\n  {B}  \r\n\t\n # and\n{C}"
    assert pairs(tmp_path, content) == [(A, ""), (B, ""), (C, "")]


@pytest.mark.parametrize(
    "line", [f"{A}\t{B}", f"{A},{B}", f"{A}, {B}", f'"{A}","{B}"', f'"{A}"\t"{B}"', f"{A} \t {B}", f"{A},{B}\r"]
)
def test_of_two_addresses_the_first_is_the_target(tmp_path: Path, line: str) -> None:
    assert pairs(tmp_path, f"{line}\n") == [(B, A)]


def test_lines_of_one_and_of_two_may_stand_beside_each_other(tmp_path: Path) -> None:
    assert pairs(tmp_path, f"{A}\n{A}\t{B}\n{A},{C}\n") == [(A, ""), (B, A), (C, A)]


def test_commas_in_addresses_separate_nothing(tmp_path: Path) -> None:
    old = "http://www.paper.example/0,1518,1234,00.html"
    assert pairs(tmp_path, f"{old}\n") == [(old, "")]
    assert pairs(tmp_path, f"{old},{A}\n") == [(A, old)]
    assert pairs(tmp_path, f'"{old}","{old}"\n') == [(old, old)]


def test_addresses_may_lack_their_scheme(tmp_path: Path) -> None:
    assert pairs(tmp_path, "A.example,b.example/x\n") == [("//b.example/x", "//a.example/")]
    assert pairs(tmp_path, "www.a.example:8080/y\n") == [("//www.a.example:8080/y", "")]
    assert pairs(tmp_path, "a.example\thttp://b.example\n") == [("http://b.example/", "//a.example/")]


def test_addresses_are_in_normal_form_and_each_back_link_counts_once(tmp_path: Path) -> None:
    content = "HTTP://A.Example:80/%7ejoe/../x#top\nhttp://a.example/x\nhttp://a.example/x;jsessionid=1\n"
    assert pairs(tmp_path, content) == [("http://a.example/x", "")]


# With a head line


@pytest.mark.parametrize(
    "head",
    [
        "source,target",
        "Source URL,Target URL",
        "from,to",
        "url_from,url_to",
        "Referring page URL,Target URL",
        "Linking page,Target page",
        "Source,Destination",
        '"Source url","Target url"',
        "URL,Target",
        "Source,URL",
        "Linked from,Page",
        "\ufeffsource, target",
    ],
)
def test_head_line_says_which_column_is_which(tmp_path: Path, head: str) -> None:
    assert pairs(tmp_path, f"{head}\n{B},{A}\n") == [(B, A)]
    there, back = head.removeprefix("\ufeff").split(",")
    assert pairs(tmp_path, f"# exported\n\n{back},{there}\n{A},{B}\n") == [(B, A)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_table_may_have_other_columns_and_any_separator(tmp_path: Path, separator: str) -> None:
    rows = [["No.", "Target URL", "Anchor", "Source URL"], ["1", A, "to a", B], ["2", A, "", C]]
    assert pairs(tmp_path, "\n".join(map(separator.join, rows))) == [(B, A), (C, A)]


def test_cells_may_have_quotes_commas_and_lines_in_them(tmp_path: Path) -> None:
    content = f'source,title,target\n"{B}","He said ""yes"",\nand left","{A}"\n{C},5" disk,{A}\n'
    assert pairs(tmp_path, content) == [(B, A), (C, A)]


def test_table_without_targets_names_pages_that_link_to_some_seed(tmp_path: Path) -> None:
    assert pairs(tmp_path, f"Linking page,Last crawled\n{B},2026-01-01\n{C},2026-01-02\n") == [(B, ""), (C, "")]


@pytest.mark.parametrize("head", ["url", "Linking page", '"Source URL"', "from"])
def test_head_of_a_single_column_is_no_address(tmp_path: Path, head: str) -> None:
    kept = found(tmp_path, f"{head}\n{A}\nhttp://b.example/1,2\n")
    assert [link.source for link in kept.links] == [A, "http://b.example/1,2"]
    assert kept.skipped == {}


# As it comes


def test_gzip_is_unpacked_whatever_the_file_is_called(tmp_path: Path) -> None:
    assert pairs(tmp_path, gzip.compress(f"{A}\t{B}\n".encode(), mtime=0)) == [(B, A)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_exports_for_spreadsheets_are_read(tmp_path: Path, encoding: str) -> None:
    content = f'"Referring page URL"\t"Title"\t"Target URL"\r\n"{B}"\t"ไทย"\t"{A}"\r\n'
    assert pairs(tmp_path, content.encode(encoding)) == [(B, A)]


def test_what_was_packed_before_the_damage_is_kept(tmp_path: Path) -> None:
    lines = "".join(f"http://a.example/{number * 7919 % 100_003}\n" for number in range(100_000))
    kept = found(tmp_path, gzip.compress(lines.encode(), mtime=0)[:-30_000])
    assert 0 < len(kept.links) < 100_000
    assert kept.skipped["rest of a damaged file"] == 1
    assert kept.links[:2] == (BackLink("http://a.example/0"), BackLink("http://a.example/7919"))


# What is no back-link


def test_bad_lines_are_counted_by_what_is_wrong(tmp_path: Path) -> None:
    content = (
        f"{A}\nno address at all\nword\nmailto:me@a.example\n{A}\t\n{A}\t{B}\t{C}\nhttp://a.example/{'x' * 3_000}\n"
        f"http://a.example/\0\n{'y' * 70_000}\n{B}\n"
    )
    kept = found(tmp_path, content)
    assert [link.source for link in kept.links] == [A, B]
    assert kept.skipped == {
        "no http(s) URL": 4,
        "no address": 1,
        "more than two columns, and no head line names them": 1,
        "no text": 1,
        "line that is too long": 1,
    }


def test_bad_rows_of_a_table_are_counted(tmp_path: Path) -> None:
    content = f"source,target\n{B},{A}\n{B}\n{B},\nno such thing,{A}\n{'y' * 70_000}\n{C},{A}\n"
    kept = found(tmp_path, content)
    assert kept.links == (BackLink(B, A), BackLink(C, A))
    expected = {"row without the column": 1, "no address": 1, "no http(s) URL": 1, "line that is too long": 1}
    assert kept.skipped == expected


def test_quote_that_nobody_closes_costs_what_it_swallows_and_no_more(tmp_path: Path) -> None:
    rows = "".join(f"http://b.example/{number},{A}\n" for number in range(20_000))
    kept = found(tmp_path, f'source,target\n{B},{A}\n"{C},{A}\n{rows}')
    assert kept.links[0] == BackLink(B, A)
    assert kept.links[-1] == BackLink("http://b.example/19999", A)
    assert kept.skipped["row that cannot be read"] == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "links.txt has no back-links; it is empty"),
        ("# nothing\n\n", "it is empty"),
        ("Once upon a time\nthere was a page.\n", "line 1: no http(s) URL"),
        ("\n# words\nhotel\nbeach\n", "line 3: no http(s) URL"),
        ("a\tb\tc\n" * 5_000, "line 1: more than two columns, and no head line names them"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 50, "line 1: no http(s) URL"),
        (bytes(1 << 17), "line 1: line that is too long"),
        (f"source,target\n{B}\n", "line 2: row without the column"),
        (gzip.compress(b"words\n", mtime=0)[:-10], "rest of a damaged file"),
    ],
)
def test_file_of_something_else_is_refused_with_the_line(tmp_path: Path, content: str | bytes, said: str) -> None:
    message = refused(tmp_path, content)
    assert said in message
    assert "Write one address a line" in message


def test_line_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="line 1 does not end"):
        read_back_links(Path("/dev/zero"))


def test_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(DirectoryError, match="cannot be read"):
            read_back_links(path)


def test_reading_tells_how_far_it_is(tmp_path: Path) -> None:
    path, told = tmp_path / "links.txt", list[int]()
    path.write_text(f"{A}\n" * 90_000)
    read_back_links(path, told.append)
    assert told == sorted(told)
    assert 0 < told[-1] <= path.stat().st_size


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_no_content_is_a_defect(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as directory:
        try:
            assert found(Path(directory), content).links
        except ConfigError as error:
            assert "Write one address a line" in str(error)  # noqa: PT017  # most contents are refused, some are not


ADDRESSES = st.from_regex(r"https?://[a-z]{1,9}\.example/[a-z0-9,;|]{0,9}", fullmatch=True)


@given(st.lists(st.tuples(ADDRESSES, ADDRESSES), min_size=1, max_size=9), st.sampled_from(["\t", ",", "csv"]))
def test_whatever_is_written_is_read_back(written: list[tuple[str, str]], way: str) -> None:
    if way == "csv":
        lines = ["target,anchor,source", *(f'"{target}","a, b","{source}"' for target, source in written)]
    else:
        lines = [target + way + source for target, source in written]
    with tempfile.TemporaryDirectory() as directory:
        expected = list(dict.fromkeys((source, target) for target, source in written))
        assert pairs(Path(directory), "\n".join(lines)) == expected
