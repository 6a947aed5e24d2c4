"""`exonym scope`: what it says, writes and refuses."""

from pathlib import Path

import pytest
from commands import json_here, printed_here, refused_here

from exonym.testing.live import write_settings


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    scope = {"rules": ["drop *.example.net"]}
    write_settings(tmp_path, {"target": {"languages": ["th"]}, "seeds": {"urls": ["http://a.pt/"]}, "scope": scope})
    return tmp_path


def test_answers_name_the_rule_its_place_and_its_reason(directory: Path) -> None:
    printed_here("scope", directory, "drop", "*.a.pt", "--why", "asked by mail", "--by", "A. L.")
    printed_here("scope", directory, "keep", "www.a.pt")
    printed_here("scope", directory, "limit", "1", "a.pt/news/")
    printed_here("scope", directory, "delay", "0", "a.pt")
    said = printed_here("scope", directory, "test", "http://b.a.pt/", "http://a.pt/news/1", "http://c.pt/")
    left_out, kept, other = said.split("http://")[1:]
    assert "left out  drop *.a.pt (scope.txt line 4, asked by mail; A. L., " in left_out
    assert "yes, whatever the strategy says: keep www.a.pt (scope.txt line 5" in kept
    assert "1 page of this part of its server: limit 1 a.pt/news/ (" in kept
    assert "0 s, or more if its robots.txt asks for it: delay 0 a.pt (" in kept
    assert "no rule leaves it out" in other
    assert [rule["line"] for rule in json_here("scope", directory)["rules"]] == [1, 4, 5, 6, 7]


def test_rule_that_is_not_there_is_not_removed_and_what_is_near_is_named(directory: Path) -> None:
    printed_here("scope", directory, "drop", "*.a.pt", "b.pt")
    before = (directory / "scope.txt").read_text()
    assert "has no rule for a.pt. It has: drop *.a.pt" in refused_here("scope", directory, "remove", "b.pt", "a.pt")
    assert "is in" in (said := refused_here("scope", directory, "remove", "*.example.net"))
    assert "crawl.toml, [scope]: take it out there" in said
    assert (directory / "scope.txt").read_text() == before
    assert printed_here("scope", directory, "remove", "https://B.pt/").startswith("Removed: drop b.pt\n")


def test_nothing_is_added_beside_a_mistake_that_the_crawl_would_not_obey(directory: Path) -> None:
    (directory / "scope.txt").write_text("dorp a.pt\n")
    assert "scope.txt:1: 'dorp' is no rule" in refused_here("scope", directory, "drop", "b.pt")
    assert (directory / "scope.txt").read_text() == "dorp a.pt\n"


def test_list_with_a_wrong_line_names_the_line_and_imports_nothing(directory: Path, tmp_path: Path) -> None:
    surts = tmp_path / "surts.txt"
    surts.write_text("# agreed\n+http://(pt,a,\n-http://(pt,a,)/private\nb.pt\n")
    assert json_here("scope", directory, "import", surts)["rules"] == [
        "keep http://(pt,a,",
        "drop http://(pt,a,)/private",
        "drop b.pt",
    ]
    surts.write_text("a.pt\n*b*.pt\n")
    assert "surts.txt:2: '*b*.pt' is no host" in refused_here("scope", directory, "import", surts)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["limit", "0", "a.pt"], "To fetch nothing, use drop"),
        (["limit", "inf", "a.pt"], "a whole number"),
        (["limit", "5"], "limit N TARGET"),
        (["delay", "soon", "a.pt"], "a number of seconds"),
        (["drop", "a.pt#x"], "is no host"),
        (["forbid", "a.pt"], "Choose from drop, keep"),
    ],
)
def test_wrong_words_are_refused_in_one_line(directory: Path, words: list[str], said: str) -> None:
    assert said in refused_here("scope", directory, *words)
