"""Training material is what its sources hold: each page once, in one class, in the language asked for."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.archive.records import record
from exonym.batches import Outcome
from exonym.errors import ConfigError, DirectoryError
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.testing.live import crawl_practice_web
from exonym.training.material.gathering import (
    BOTH,
    COPY,
    LABELLED,
    SAME_URL,
    WORDLESS,
    GatheredExamples,
    MaterialRequest,
    gather,
)
from exonym.training.material.material_sources import Condition, MaterialKind, source_of
from exonym.training.material.page_examples import IN_ANOTHER_LANGUAGE, LONGEST_TEXT, LeftOut, MaterialReader, ReadPage
from exonym.training.material.page_files import FilesPiece
from exonym.training.material.pieces import Piece, read_pieces
from exonym.training.material.warcs import WarcPiece
from exonym.urls import site_of
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions

ENGLISH = "The old market by the river opens early, and people come from every village to buy fresh fish and fruit."
GERMAN = "Der alte Markt am Fluss öffnet früh, und die Leute kommen aus jedem Dorf, um frischen Fisch zu kaufen."
TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)


def html(title: str, text: str, anchor: str = "to the boats") -> str:
    return f"<html><head><title>{title}</title></head><body><p>{text}</p><a href='/b'>{anchor}</a></body></html>"


def response(url: str, body: str, status: str = "200 OK", kind: str = "text/html; charset=utf-8") -> bytes:
    block = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{body}".encode()
    return record(b"response", f"WARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n".encode(), block)


def plain_record(url: str, body: str) -> bytes:
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}".encode()
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def gathered(positive: Path | str, negative: Path | str, **asked: Any) -> GatheredExamples:
    return gather(MaterialRequest((str(positive),), (str(negative),), jobs=1, **asked))


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder with one English page."""
    return written(tmp_path / "other" / "a.html", html("Other", f"Something else. {ENGLISH}")).parent


# Sites


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://www.news.example.co.th/a/", "example.co.th"),
        ("https://me.blogspot.com/", "me.blogspot.com"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
        ("http://[::1]/", "[::1]"),
        ("http://localhost/", "localhost"),
        ("pages/a.html", "pages/a.html"),
    ],
)
def test_site_is_the_registered_domain(url: str, site: str) -> None:
    assert site_of(url) == site


# What names mean


def test_condition_stands_behind_a_crawl_directory(tmp_path: Path) -> None:
    written(tmp_path / "crawl" / "state" / "data.mdb", "")
    source = source_of(f"{tmp_path / 'crawl'}:language=English,irrelevant")
    assert (source.kind, source.path) == (MaterialKind.CRAWL, tmp_path / "crawl")
    assert source.condition == Condition(relevant=False, language="en")


@pytest.mark.parametrize(
    ("suffix", "said"),
    [
        (":revelant", "got :revelant"),
        (":language=xyzzyx", "no language"),
        (":language=", "got :language="),
        (":", "got :"),
    ],
)
def test_wrong_condition_is_an_error_that_tells_what_is_right(tmp_path: Path, suffix: str, said: str) -> None:
    written(tmp_path / "crawl" / "state" / "data.mdb", "")
    with pytest.raises(ConfigError, match=said):
        source_of(f"{tmp_path / 'crawl'}{suffix}")


def test_folder_of_files_cannot_be_narrowed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no crawl directory and no web graph"):
        source_of(f"{tmp_path}:relevant")


def test_path_with_a_colon_in_its_name_is_a_path(tmp_path: Path) -> None:
    assert source_of(str(written(tmp_path / "a:relevant", "x"))).path.name == "a:relevant"


def test_missing_source_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="does not exist"):
        source_of(str(tmp_path / "nothing:relevant"))


# Files


def test_page_in_a_file_has_title_body_anchors_and_the_site_of_its_folder(tmp_path: Path, other: Path) -> None:
    written(tmp_path / "in" / "www.example.co.th" / "deep" / "a.html", html("A market", ENGLISH, "more fish"))
    written(tmp_path / "in" / "mirror" / "b.htm", html("B", f"Here. {ENGLISH}"))
    written(tmp_path / "in" / "c.txt", f"There. {ENGLISH}")
    examples = gathered(tmp_path / "in", other).examples
    found = {Path(example.url).name: example for example in examples if example.positive}
    assert found["a.html"].fields.title == "A market"
    assert found["a.html"].fields.body.split("\n")[0] == ENGLISH
    assert found["a.html"].fields.anchors == "more fish"
    assert found["a.html"].language == "en"
    assert found["a.html"].site == "example.co.th"
    assert found["b.htm"].site == str(tmp_path / "in" / "mirror")
    assert found["c.txt"].fields == ("", f"There. {ENGLISH}", "")
    assert found["c.txt"].site == str(tmp_path / "in" / "c.txt")


def test_files_that_are_no_pages_are_counted_with_a_reason(tmp_path: Path, other: Path) -> None:
    folder = written(tmp_path / "in" / "a.html", html("A", ENGLISH)).parent
    written(folder / "empty.html", "")
    written(folder / ".hidden.html", html("Hidden", ENGLISH))
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\0\0")
    (folder / "bytes.txt").write_bytes(b"\0\1\2" * 100)
    written(folder / "page.php", html("By its looks", f"Well. {ENGLISH}"))
    written(folder / "lines.jsonl", '{"no": "label"}\n')
    (folder / "broken.warc.gz").write_bytes(b"\x1f\x8bnothing of the kind")
    os.mkfifo(folder / "pipe.warc")
    os.symlink(folder, folder / "circle")
    material = gathered(folder, other, language="")
    assert material.document()["pages"]["positive"] == 2
    assert material.left_out == {
        "no text": 1,
        "file that is neither HTML nor .txt": 1,
        "file with bytes that are no text": 1,
        "no file that can be read": 1,
        "JSON lines that are no labels": 1,
        "damaged part of a file": 1,
        "file without an answer in it": 1,
    }


def test_long_text_is_cut(tmp_path: Path, other: Path) -> None:
    written(tmp_path / "long.html", html("Long", f"{ENGLISH} " * 2_000))
    material = gathered(tmp_path / "long.html", other)
    assert max(len(example.fields.body) for example in material.examples) == LONGEST_TEXT


def test_pages_in_other_languages_are_left_out_and_counted(tmp_path: Path, other: Path) -> None:
    folder = written(tmp_path / "in" / "a.html", html("A", ENGLISH)).parent
    written(folder / "b.html", html("B", GERMAN))
    written(folder / "c.html", html("", "12 34 56"))
    material = gathered(folder, other)
    assert material.left_out == {IN_ANOTHER_LANGUAGE: 2}
    assert material.other_languages == {"de": 1, "unknown": 1}
    assert len(gathered(folder, other, language="").examples) == 4


@given(st.binary(max_size=400), st.sampled_from(["a.html", "b.txt"]))
def test_no_bytes_make_reading_raise(tmp_path_factory: pytest.TempPathFactory, body: bytes, name: str) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / name).write_bytes(body)
    (found,) = FilesPiece(folder, (name,)).read(READER)
    assert isinstance(found, ReadPage | LeftOut)


READER = MaterialReader("")


# Each page once, in one class


def test_exact_copies_are_left_out(tmp_path: Path, other: Path) -> None:
    for name in ("a.html", "b.html", "c.html"):
        written(tmp_path / "in" / name, html("The same", ENGLISH))
    material = gathered(tmp_path / "in", other)
    assert (material.document()["pages"]["positive"], material.left_out) == (1, {COPY: 2})


def test_page_in_both_classes_is_in_none_and_told(tmp_path: Path, other: Path) -> None:
    written(tmp_path / "in" / "a.html", html("A", ENGLISH))
    written(tmp_path / "in" / "twin.html", (other / "a.html").read_text())
    written(other / "b.html", html("B", f"Else. {ENGLISH}"))
    material = gathered(tmp_path / "in", other)
    assert {Path(example.url).name for example in material.examples} == {"a.html", "b.html"}
    assert material.left_out == {BOTH: 2}
    assert material.contradictory == [str(other / "a.html")]


def test_same_folder_for_both_classes_is_an_error(other: Path) -> None:
    with pytest.raises(ConfigError, match=r"no page of the topic to learn from; left out: 2 × in both classes"):
        gathered(other, other)


def test_class_without_pages_in_the_language_says_so(tmp_path: Path, other: Path) -> None:
    written(tmp_path / "in" / "a.html", html("A", GERMAN))
    with pytest.raises(ConfigError, match=r"1 × in another language\. .*--language"):
        gathered(tmp_path / "in", other)


def test_nothing_to_learn_from_is_an_error() -> None:
    with pytest.raises(ConfigError, match="nothing to learn from"):
        gather(MaterialRequest())


# Archives


def test_pages_of_an_archive_are_read_and_the_rest_counted(tmp_path: Path, other: Path) -> None:
    records = [
        response("http://www.example.co.th/a", html("A", ENGLISH)),
        response("http://www.example.co.th/a", html("A again", f"Later. {ENGLISH}")),
        response("http://www.example.co.th/old", "", "301 Moved"),
        response("http://www.example.co.th/i", "GIF89a", kind="image/gif"),
        response("http://www.example.co.th/robots.txt", "User-agent: *"),
        response("ftp://www.example.co.th/f", html("F", ENGLISH)),
        response("http://b.example/b", html("B", f"By the sea. {ENGLISH}"))[:-40],
    ]
    (tmp_path / "in.warc.gz").write_bytes(b"".join(records))
    material = gathered(tmp_path / "in.warc.gz", other)
    (found,) = (example for example in material.examples if example.positive)
    assert (found.url, found.site, found.fields.title) == ("http://www.example.co.th/a", "example.co.th", "A")
    assert material.left_out == {
        SAME_URL: 1,
        "no page: a redirect or an error": 1,
        "no HTML": 1,
        "robots.txt": 1,
        "no http(s) URL": 1,
        "record cut short": 1,
    }


def test_archive_cut_in_the_middle_of_a_record_is_read_as_one(tmp_path: Path) -> None:
    records = [plain_record(f"http://a.example/{number}", html(f"Page {number}", ENGLISH)) for number in range(3)]
    path = tmp_path / "in.warc"
    path.write_bytes(b"".join(records))
    cut = len(records[0]) + len(records[1]) // 2
    pieces = [Piece(0, True, WarcPiece(path, 0, cut)), Piece(0, True, WarcPiece(path, cut, path.stat().st_size))]
    ((_, read),) = read_pieces(pieces, "", 1)
    assert [page.fields.title for page in read.pages] == ["Page 0", "Page 1", "Page 2"]


def test_several_processes_read_what_one_does_in_the_same_order(tmp_path: Path, other: Path) -> None:
    for number in range(801):
        written(tmp_path / "in" / f"{number:04}.txt", f"Number {number}. {ENGLISH if number % 5 else GERMAN}")
    told: list[tuple[str, int, int]] = []
    request = MaterialRequest((str(tmp_path / "in"),), (str(other),), jobs=2)
    material = gather(request, lambda *come: told.append(come))
    assert material == gathered(tmp_path / "in", other)
    assert (material.document()["pages"]["positive"], material.other_languages) == (640, {"de": 161})
    assert told[-1] == ("641 pages read, part", 6, 6)


# Labels


def labelled(path: Path, *lines: dict[str, Any]) -> Path:
    return written(path, "".join(json.dumps(line) + "\n" for line in lines))


def test_labels_are_examples_of_what_they_say(tmp_path: Path) -> None:
    path = labelled(
        tmp_path / "labels.jsonl",
        {"url": "http://www.a.example/1", "label": True, "title": "One", "text": ENGLISH, "anchors": "go\nback"},
        {"url": "http://b.example/2", "label": "no", "title": "Two", "text": f"Not so. {ENGLISH}"},
        {"url": "http://b.example/3", "label": 0, "title": "Short", "text": "Ok", "language": "en"},
        {"url": "http://b.example/4", "label": 0},
    )
    material = gather(MaterialRequest(labels=(path,), jobs=1))
    first, second, third = material.examples
    assert (first.positive, first.site, first.fields) == (True, "a.example", ("One", ENGLISH, "go\nback"))
    assert (second.positive, third.positive, third.fields.body) == (False, False, "Ok")
    assert material.left_out == {WORDLESS: 1}


def test_label_without_words_decides_on_the_page_that_another_source_has(tmp_path: Path, other: Path) -> None:
    pages = [response(f"http://a.example/{number}", html(f"{number}", f"{number}. {ENGLISH}")) for number in range(3)]
    (tmp_path / "in.warc.gz").write_bytes(b"".join(pages))
    path = labelled(tmp_path / "l.jsonl", {"url": "http://A.example/1", "label": "no"})
    material = gather(MaterialRequest((str(tmp_path / "in.warc.gz"),), (str(other),), (path,), jobs=1))
    verdicts = {example.url: example.positive for example in material.examples if example.site == "a.example"}
    assert verdicts == {"http://a.example/0": True, "http://a.example/1": False, "http://a.example/2": True}
    assert material.left_out == {}


def test_word_of_a_person_outranks_other_sources(tmp_path: Path, other: Path) -> None:
    (tmp_path / "in.warc.gz").write_bytes(
        response("http://a.example/1", html("One", ENGLISH))
        + response("http://a.example/2", html("Two", f"2 {ENGLISH}"))
    )
    path = labelled(tmp_path / "l.jsonl", {"url": "http://a.example/1", "label": False, "text": f"One {ENGLISH}"})
    request = MaterialRequest((str(tmp_path / "in.warc.gz"),), (str(other),), (path,), jobs=1)
    material = gather(request)
    assert {example.url for example in material.examples if example.positive} == {"http://a.example/2"}
    assert material.left_out == {LABELLED: 1}


def test_labels_named_as_one_class_give_what_is_labelled_so(tmp_path: Path, other: Path) -> None:
    lines = [{"url": f"http://a.example/{n}", "label": n < 2, "text": f"{n}. {ENGLISH}"} for n in range(5)]
    assert gathered(labelled(tmp_path / "l.jsonl", *lines), other).document()["pages"]["positive"] == 2


def test_wrong_label_names_its_line(tmp_path: Path, other: Path) -> None:
    path = labelled(tmp_path / "l.jsonl", {"url": "http://a.example/1", "label": "perhaps"})
    with pytest.raises(ConfigError, match="line 1"):
        gather(MaterialRequest(labels=(path,), jobs=1))


# Crawls and graphs


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, bool]]:
    """A crawl directory, the graph of it, and what the journal says of pages."""
    directory = tmp_path_factory.mktemp("crawl")
    asked: dict[str, dict[str, Any]] = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}}
    result = crawl_practice_web(directory, PracticeWeb(seed=2, pages=150, options=TIMELESS), asked)
    graph = tmp_path_factory.mktemp("import") / "graph"
    import_graph(graph, ImportRequest((directory,), options=ImportOptions(keep_text=True), jobs=1))
    archived = [row for row in result.rows if row.outcome == Outcome.PAGE and row.warc_file]
    return directory, graph, {row.url: row.relevant for row in archived}


def test_pages_of_a_crawl_are_in_the_class_that_its_journal_says(crawl: tuple[Path, Path, dict[str, bool]]) -> None:
    directory, _, verdicts = crawl
    material = gathered(f"{directory}:relevant", f"{directory}:irrelevant", language="")
    assert all(verdicts[example.url] == example.positive for example in material.examples)
    assert len(material.examples) + sum(material.left_out.values()) == len(verdicts)
    assert material.document()["pages"]["positive"] > 20
    assert material.left_out[COPY] > 0


def test_graph_gives_what_its_crawl_gives(crawl: tuple[Path, Path, dict[str, bool]]) -> None:
    directory, graph, _ = crawl
    by_url = {}
    for source in (directory, graph):
        material = gathered(f"{source}:relevant", f"{source}:irrelevant", language="")
        by_url[source] = {
            example.url: (example.positive, example.fields.title, example.fields.body.split(), example.site)
            for example in material.examples
        }
    shared = by_url[directory].keys() & by_url[graph].keys()
    assert len(shared) > 0.95 * len(by_url[directory])  # of copies, the one or the other is kept
    assert all(by_url[directory][url] == by_url[graph][url] for url in shared)


def test_language_of_a_graphs_pages_can_be_asked_for(crawl: tuple[Path, Path, dict[str, bool]]) -> None:
    _, graph, _ = crawl
    material = gathered(f"{graph}:language=th,relevant", f"{graph}:language=en", language="")
    assert Counter(example.language for example in material.examples if not example.positive).keys() == {"en"}


def test_archive_that_is_damaged_costs_its_pages_only(
    crawl: tuple[Path, Path, dict[str, bool]], tmp_path: Path, other: Path
) -> None:
    directory = tmp_path / "crawl"
    shutil.copytree(crawl[0], directory)
    for file in (directory / "warc").glob("*.warc.gz"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    material = gathered(directory, other, language="")
    assert material.left_out["record that cannot be read"] > 10
    assert material.document()["pages"]["positive"] > 10
