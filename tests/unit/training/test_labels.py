"""Files of labels: what is written is read back, whatever cut it short or was in it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from full_disk import file_size_limit
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.errors import ConfigError, DirectoryError, DiskFullError
from exonym.models.terms import Fields
from exonym.training.labels import Label, append_label, host_without_www, line_of, read_labels, withdraw_label

ONE = Label(
    "http://a.example/1", True, "A title", "Some text", "link\nother", "en", "me", "2026-11-16T06:00:00Z", "DIR"
)
TWO = Label("http://b.example/2", False, text="ตลาดเก่า", extra={"row": 7, "note": ["x", None]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "labels.jsonl"


def test_labels_come_back_as_they_were_given(path: Path) -> None:
    append_label(path, ONE)
    append_label(path, TWO)
    assert read_labels(path) == [ONE, TWO]


def test_line_has_the_keys_that_were_agreed_on(path: Path) -> None:
    append_label(path, ONE)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "url": "http://a.example/1",
        "label": True,
        "title": "A title",
        "text": "Some text",
        "anchors": "link\nother",
        "language": "en",
        "labelled_by": "me",
        "when": "2026-11-16T06:00:00Z",
        "source": "DIR",
    }


@settings(deadline=None)
@given(st.text(), st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_any_text_comes_through_a_line(title: str, text: str) -> None:
    line = line_of({"title": title, "text": text})
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"title": title, "text": text}


@settings(deadline=None)
@given(st.text(alphabet="\x00\x07\x1b\x7f\x9b\u202e\u2028\u200f\ufeff\ud800=+-@,;|\"'a \t\n"))
def test_line_has_nothing_that_a_terminal_or_a_spreadsheet_would_act_on(text: str) -> None:
    line = line_of({"title": text}).decode().removesuffix("\n")
    assert not {letter for letter in line if not letter.isprintable()}
    for separator in ",;|\t":
        # A cell that begins with a quote is a text; so is one that begins with a space.
        assert not [cell for cell in line.split(separator) if cell[:1] in ("=", "+", "-", "@")]


def test_later_label_of_a_page_replaces_the_earlier(path: Path) -> None:
    for label in (ONE, TWO, Label(ONE.url, False)):
        append_label(path, label)
    assert read_labels(path) == [Label(ONE.url, False), TWO]


def test_withdrawn_label_is_gone_until_it_is_given_again(path: Path) -> None:
    append_label(path, ONE)
    withdraw_label(path, ONE.url)
    withdraw_label(path, "http://never.example/")
    assert read_labels(path) == []
    append_label(path, ONE)
    assert read_labels(path) == [ONE]


@settings(deadline=None)
@given(cut=st.integers(1, 10_000))
def test_line_cut_short_by_a_kill_costs_itself_alone(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("cut") / "labels.jsonl"
    append_label(path, ONE)
    first = path.stat().st_size
    append_label(path, TWO)
    end = first + cut % (path.stat().st_size - first)
    os.truncate(path, end)
    told: list[str] = []
    # Without the line's end alone it is whole.
    whole = [ONE, TWO] if end + 1 == first + len(line_of_label(TWO)) else [ONE]
    assert read_labels(path, told.append) == whole
    is_torn = len(whole) == 1 and first < end
    assert told == [f"{path} line 2 was cut short and is skipped."] * is_torn
    append_label(path, TWO)
    assert read_labels(path) == [ONE, TWO]


def line_of_label(label: Label) -> bytes:
    texts = {name: getattr(label, name) for name in TEXTS}
    return line_of({"url": label.url, "label": label.positive} | texts | dict(label.extra))


TEXTS = ("title", "text", "anchors", "language", "labelled_by", "when", "source")


@pytest.mark.parametrize("value", ["true", '"yes"', '"Y"', "1", '" YES "', '"1"'])
def test_yes_may_be_written_in_several_ways(value: str, path: Path) -> None:
    path.write_text(f'{{"url": "http://a.example/", "label": {value}}}', encoding="utf-8")
    assert [label.positive for label in read_labels(path)] == [True]


@pytest.mark.parametrize("value", ["false", '"no"', "0", '"N"'])
def test_no_may_be_written_in_several_ways(value: str, path: Path) -> None:
    path.write_text(f'\ufeff\n{{"url": "http://a.example/", "label": {value}}}\r\n\n', encoding="utf-8")
    assert [label.positive for label in read_labels(path)] == [False]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"url": "http://a.example/", "label": "maybe"}', '"label" must be true or false'),
        ('{"url": "http://a.example/", "label": 2}', '"label" must be true or false'),
        ('{"url": "http://a.example/", "label": [1]}', '"label" must be true or false'),
        ('{"url": "http://a.example/"}', '"label" must be true or false'),
        ('{"url": 7, "label": true}', "has no page"),
        ('{"url": " ", "label": true}', "has no page"),
        ('{"label": true}', "has no page"),
        ('{"url": "http://a.example/", "label": true, "text": 7}', '"text" must be a text'),
        ('{"url": "http://a.example/", "label": true, "x": NaN}', "is no JSON object"),
        ("[1]", "is no JSON object"),
        ("[" * 100_000, "is no JSON object"),
        ("{", "is no JSON object"),
        ("url,label", "is no JSON object"),
    ],
)
def test_line_that_is_no_label_is_told_with_its_number(line: str, said: str, path: Path) -> None:
    path.write_text(f'{{"url": "http://b.example/", "label": true}}\n{line}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="line 2") as caught:
        read_labels(path)
    assert said in str(caught.value)


def test_file_that_is_no_labels_is_neither_read_nor_written(path: Path) -> None:
    path.write_bytes(b"\x89PNG\xff")
    with pytest.raises(ConfigError):
        read_labels(path)
    with pytest.raises(ConfigError, match="left as it is"):
        append_label(path, ONE)
    assert path.read_bytes() == b"\x89PNG\xff"


def test_broken_letters_are_replaced(path: Path) -> None:
    path.write_bytes(b'{"url": "http://a.example/", "label": true, "text": "a\\ud800\xff"}\n')
    assert [label.text for label in read_labels(path)] == ["a?\ufffd"]


def test_lines_about_the_file_are_no_labels(path: Path) -> None:
    path.write_text('{"audit": {"seed": 1}}\n{"url": "http://a.example/", "label": true}\n', encoding="utf-8")
    assert len(read_labels(path)) == 1


def test_directory_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError):
        read_labels(tmp_path)
    with pytest.raises(DirectoryError):
        append_label(tmp_path / "none" / "labels.jsonl", ONE)


def test_two_people_may_share_a_file(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from exonym.training.labels import Label, append_label\n"
        "for n in range(40):\n"
        "    append_label(Path(sys.argv[1]), Label(f'http://{sys.argv[2]}.example/{n}', True, 'x' * 9000))"
    )
    people = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in ("a", "b")]
    assert [person.wait() for person in people] == [0, 0]
    assert len(read_labels(path)) == 80


def test_full_disk_leaves_no_half_line(path: Path) -> None:
    append_label(path, ONE)
    before = path.read_bytes()
    with file_size_limit(len(before) + 20), pytest.raises(DiskFullError):
        append_label(path, TWO)
    assert path.read_bytes() == before


def test_example_is_what_training_takes() -> None:
    assert ONE.example() == (
        "http://a.example/1",
        "a.example",
        Fields("A title", "Some text", "link\nother"),
        True,
        "en",
    )


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://www.example.org/a", "example.org"),
        ("https://EXAMPLE.org:8443/?q=//b", "example.org"),
        ("http://me@example.org", "example.org"),
        ("http://[::1]:80/", "[::1]"),
        ("example.org/a", "example.org"),
        ("www.example.org", "example.org"),
    ],
)
def test_site_is_the_host_without_www(url: str, site: str) -> None:
    assert host_without_www(url) == site
