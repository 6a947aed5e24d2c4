"""Archives of other programs, in every format, go into every command that reads archives."""

import json
from pathlib import Path

import pytest
from archive_writers import ARCHIVES, CRLF, NUMBERS, packed, warc_record
from commands import refused_here, run_here

from exonym.training.labels import read_labels

URLS = [f"http://a.example/{number}" for number in NUMBERS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All formats, under names that say nothing."""
    folder = tmp_path_factory.mktemp("archives")
    for number, data in enumerate(ARCHIVES.values()):
        (folder / f"{number}.bin").write_bytes(data)
    return folder


@pytest.mark.parametrize("form", ["LF", "LF gz", "arc", "arc.gz", "zst dictionary", "wacz"])
def test_import_reads_any_format(form: str, tmp_path: Path) -> None:
    (tmp_path / "some.file").write_bytes(ARCHIVES[form])
    words = ["graph", "import", "-o", tmp_path / "graph", "--language", "en", "--jobs", 1, "--json"]
    said = run_here(*words, tmp_path / "some.file")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    # Page n links to n + 1 and n + 2: of 5 pages 10 links, and the pages 6 and 7 are known but not fetched.
    assert (result["fetched"], result["nodes"], result["links"], result["skipped"]) == (5, 7, 10, {})


def test_folder_of_all_formats_gives_each_page_once(folder: Path, tmp_path: Path) -> None:
    words = ["graph", "import", "-o", tmp_path / "graph", "--language", "en", "--jobs", 1, "--json", folder]
    result = json.loads(run_here(*words).out)
    assert (result["sources"], result["fetched"]) == (len(ARCHIVES), 5)
    assert result["skipped"] == {"another record of the same URL": 5 * (len(ARCHIVES) - 1)}


def test_seeds_are_taken_from_all_formats(folder: Path, tmp_path: Path) -> None:
    said = run_here("seeds", "warc", folder, "-o", tmp_path / "seeds.txt", "--json")
    result = json.loads(said.out)
    assert (result["found"], result["seeds"], said.err) == (5 * len(ARCHIVES), 5, "")


def test_topics_are_learned_from_any_format(tmp_path: Path) -> None:
    for kind, words in (
        ("fish", "The fish of this river swim in cold water"),
        ("road", "A road leads to the town hall"),
    ):
        pages = [
            f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{words} number {number} {kind * number}".encode()
            for number in range(1, 13)
        ]
        records = [
            warc_record(number, "\n", block=block).replace(b"a.example", f"{kind}{number}.example".encode())
            for number, block in enumerate(pages)
        ]
        (tmp_path / kind).write_bytes(packed(records))
    words = ["--positive", tmp_path / "fish", "--negative", tmp_path / "road", "-o", tmp_path / "model.json", "--json"]
    said = run_here("model", "topic", "train", *words, "--any-language")
    assert said.code == 0, said.err
    assert json.loads(said.out)["pages"] == {"positive": 12, "negative": 12}


@pytest.mark.parametrize("form", ["LF gz", "arc.gz", "zst", "wacz", "wacz deflated", "whole-file gzip"])
def test_pages_of_any_format_are_labelled(form: str, tmp_path: Path) -> None:
    (tmp_path / "some.file").write_bytes(ARCHIVES[form])
    labels = tmp_path / "labels.jsonl"
    said = run_here("label", tmp_path / "some.file", "-o", labels, "--order", "random", given="y\nn\ny\nn\ny\n")
    assert (said.code, said.err) == (0, "")
    assert "The crawl:" not in said.out  # nobody judged these pages
    given = {label.url: label for label in read_labels(labels)}
    assert sorted(given) == URLS
    assert [given[url].title for url in URLS] == [f"Page {number}" for number in NUMBERS]
    assert all(f"number {number} of all" in given[url].text for url, number in zip(URLS, NUMBERS, strict=True))


def test_cut_file_gives_what_it_has_and_one_line_says_how_far(tmp_path: Path) -> None:
    data = packed(CRLF[:4])
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(data + packed(CRLF[4:])[:-20])
    told = f"exonym: {cut} ends in the middle of the record at byte {len(data):,}. What comes before was read.\n"
    said = run_here("graph", "import", "-o", tmp_path / "graph", "--language", "en", "--jobs", 1, "--json", cut)
    assert (said.code, json.loads(said.out)["fetched"], said.err) == (0, 4, told)
    said = run_here("seeds", "warc", cut, "-o", tmp_path / "seeds.txt", "--json")
    assert (said.code, json.loads(said.out)["seeds"], said.err) == (0, 4, told)


def test_only_when_nothing_can_be_read_is_it_an_error(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.warc"
    nothing.write_bytes(b"<html>no archive")
    words = ["graph", "import", "-o", tmp_path / "graph", "--language", "en", "--jobs", 1]
    assert "nothing.warc is no WARC, ARC or WACZ file" in refused_here(*words, nothing)
    assert "nothing.warc is no WARC" in refused_here("seeds", "warc", nothing, "-o", tmp_path / "seeds.txt")
    good = tmp_path / "good.warc"
    good.write_bytes(CRLF[0])
    said = run_here(*words, nothing, good)
    assert said.code == 0
    assert "nothing.warc is no WARC" in said.err
