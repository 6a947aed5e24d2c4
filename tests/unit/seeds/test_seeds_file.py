"""Seeds files: every command that takes seeds reads the same addresses from the same lines."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.config import Settings, settings_of
from exonym.errors import ConfigError, DirectoryError
from exonym.seeds.seeds_file import read_seeds, seed_urls
from exonym.urls import normal_form

# A line, and the address that it is everywhere.
LINES = [
    ("http://a.example/", "http://a.example/"),
    ("http://a.example/ # note", "http://a.example/"),
    ("http://a.example/\t# note", "http://a.example/"),
    ("http://a.example/\u3000# note", "http://a.example/"),
    ("http://a.example/# a fragment # and a note", "http://a.example/"),
    ("http://a.example/a#b", "http://a.example/a"),
    ("example.org", "https://example.org/"),
    ("  Example.ORG:8080/a  ", "https://example.org:8080/a"),
    ("example.org/?to=http://other.example/", "https://example.org/?to=http://other.example/"),
    ("[::1]:8080/a", "https://[::1]:8080/a"),
    ("http://www.ไทย.ไทย/", "http://www.xn--o3cw4h.xn--o3cw4h/"),
]
WRONG = ["ftp://example.org/", "http://", "mailto:me@example.org", "no spaces allowed"]


def settings(**seeds: Any) -> Settings:
    return settings_of({"target": {"languages": ["th"]}, "seeds": seeds})


@pytest.mark.parametrize(("line", "url"), LINES)
def test_line_is_the_same_address_in_crawl_toml_and_in_a_file(tmp_path: Path, line: str, url: str) -> None:
    (tmp_path / "seeds.txt").write_text(line, encoding="utf-8")
    assert seed_urls(settings(file="seeds.txt"), tmp_path) == [url]
    assert seed_urls(settings(urls=[line]), tmp_path) == [url]


@pytest.mark.parametrize("line", WRONG)
def test_line_that_is_no_address_is_named_by_file_and_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "seeds.txt").write_text(f"# mine\nexample.org\n{line} # note\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"seeds\.txt: line 3: .* is not ") as error:
        seed_urls(settings(file="seeds.txt"), tmp_path)
    assert "\n" not in str(error.value)
    with pytest.raises(ConfigError, match=r"seeds\.urls: .* is not "):
        settings(urls=[line])


def test_empty_text_is_no_address_of_crawl_toml() -> None:
    for text in ("", "  ", "# note"):
        with pytest.raises(ConfigError, match=r"seeds\.urls must be addresses"):
            settings(urls=[text])


def test_blank_lines_comments_line_ends_and_byte_order_marks_change_nothing(tmp_path: Path) -> None:
    lines = [
        "# Thai directories",
        "https://www.example.co.th/a#top",
        "",
        "   example.org  ",
        "\t# another",
        "a.example",
    ]
    expected = ["https://www.example.co.th/a", "https://example.org/", "https://a.example/"]
    for end in ("\n", "\r\n", "\r"):
        for mark in ("", "\ufeff"):
            (tmp_path / "seeds.txt").write_bytes((mark + end.join(lines) + end).encode())
            assert seed_urls(settings(file="seeds.txt"), tmp_path) == expected


def test_seeds_of_crawl_toml_stand_before_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("b.example")
    urls = seed_urls(settings(urls=["http://first.example/?sid=1"], file="seeds.txt"), tmp_path)
    assert urls == ["http://first.example/", "https://b.example/"]
    assert seed_urls(settings(urls=["http://first.example/"]), tmp_path) == ["http://first.example/"]


def test_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match=r"absent\.txt cannot be read: .* in crawl\.toml, section \[seeds\]"):
        seed_urls(settings(file="absent.txt"), tmp_path)


def test_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"seeds\.txt:1: not UTF-8"):
        seed_urls(settings(file="seeds.txt"), tmp_path)


@given(st.text())
def test_any_text_is_addresses_in_normal_form_or_one_line_of_complaint(text: str) -> None:
    try:
        urls = read_seeds(text, "seeds.txt")
    except ConfigError as error:
        complaint = str(error)
    else:
        complaint = "seeds.txt: line "
        assert urls == [normal_form(url) for url in urls]
        assert len(urls) <= text.count("\n") + 1
    assert complaint.startswith("seeds.txt: line ")
    assert len(complaint.splitlines()) == 1
