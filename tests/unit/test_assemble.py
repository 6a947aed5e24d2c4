"""Settings become objects; what is wrong with them is told by key, rule and value."""

from pathlib import Path
from typing import Any

import pytest

from exonym.assemble import judge_settings, make_strategy, seed_urls, strategy_options
from exonym.config import Settings, settings_of
from exonym.errors import ConfigError
from exonym.strategies import STRATEGIES
from exonym.strategies.base import Rule
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.lswc import LanguageSpecific


def settings(**seeds: Any) -> Settings:
    return settings_of({"target": {"languages": ["th"]}, "seeds": seeds})


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_made_by_its_name(name: str) -> None:
    assert type(make_strategy(name, {})) is STRATEGIES[name]


def test_options_reach_the_strategy() -> None:
    strategy = make_strategy("limited-distance", {"T": 7, "prioritized": True})
    assert isinstance(strategy, LimitedDistance)
    assert (strategy.T, strategy.prioritized) == (7, True)
    lswc = make_strategy("lswc", {"S": 1})
    assert isinstance(lswc, LanguageSpecific)
    assert (lswc.S, lswc.T) == (1, 5)


def test_options_and_defaults_of_a_strategy_are_known() -> None:
    assert strategy_options("lswc") == {"S": 3, "T": 5}
    assert strategy_options("limited-distance") == {"T": 3, "prioritized": False}
    assert strategy_options("bfs") == {}


def test_unknown_strategy_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"strategy\.name must be one of bfs, hard, .*, got 'best'"):
        make_strategy("best", {})


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("lswc", {"D": 1}, r"strategy\.D is not an option of lswc, which takes S, T"),
        ("bfs", {"T": 1}, r"strategy\.T is not an option of bfs, which takes no options"),
        ("lswc", {"S": "3"}, r"strategy\.S must be .*, got '3'"),
        ("lswc", {"S": True}, r"strategy\.S must be .*, got True"),
        ("lswc", {"S": 1.5}, r"strategy\.S must be .*, got 1\.5"),
        ("limited-distance", {"prioritized": 1}, r"strategy\.prioritized must be .*, got 1"),
        ("lswc", {"T": -3}, r"strategy\.T must be 1 to 90, got -3"),
    ],
)
def test_wrong_option_is_told_with_key_and_value(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_strategy(name, options)


def test_option_that_is_a_number_may_be_written_without_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Thresholded(Rule):
        def __init__(self, threshold: float = 0.5) -> None:
            self.threshold = threshold

    monkeypatch.setitem(STRATEGIES, "thresholded", Thresholded)
    strategy: Any = make_strategy("thresholded", {"threshold": 1})
    assert isinstance(strategy.threshold, float)
    with pytest.raises(ConfigError, match=r"strategy\.threshold must be .*, got True"):
        make_strategy("thresholded", {"threshold": True})


def test_judge_is_asked_for_the_target_languages() -> None:
    assert judge_settings(settings()) == {
        "kind": "language",
        "languages": ["th"],
        "identifier": "default",
        "hearsay": True,
    }


def test_seeds_are_those_of_the_settings_and_then_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text(
        "\ufeff# Thai directories\n"
        "https://www.example.co.th/a#top\n"
        "\n"
        "   example.org  \n"
        "\t# another\n"
        "http://www.ไทย.ไทย/\r\n",
        encoding="utf-8",
    )
    asked = settings(urls=["http://first.example/?sid=1"], file="seeds.txt")
    assert seed_urls(asked, tmp_path) == [
        "http://first.example/",
        "https://www.example.co.th/a",
        "https://example.org/",
        "http://www.xn--o3cw4h.xn--o3cw4h/",
    ]


def test_without_a_file_the_seeds_are_those_of_the_settings(tmp_path: Path) -> None:
    assert seed_urls(settings(urls=["http://first.example/"]), tmp_path) == ["http://first.example/"]


def test_seeds_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"seeds\.file .*absent\.txt cannot be read"):
        seed_urls(settings(file="absent.txt"), tmp_path)


def test_seeds_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"seeds\.file .* cannot be read"):
        seed_urls(settings(file="seeds.txt"), tmp_path)


@pytest.mark.parametrize("line", ["ftp://example.org/", "http://", "mailto:me@example.org", "no spaces allowed"])
def test_seed_that_is_no_address_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / "seeds.txt").write_text(line)
    with pytest.raises(ConfigError, match="seed "):
        seed_urls(settings(file="seeds.txt"), tmp_path)


@pytest.mark.parametrize("seed", ["example.org/?to=http://other.example/", "example.org:8080/", "[::1]:8080/a"])
def test_seed_without_scheme_is_taken_for_https(tmp_path: Path, seed: str) -> None:
    (tmp_path / "seeds.txt").write_text(seed)
    assert seed_urls(settings(file="seeds.txt"), tmp_path) == [f"https://{seed}"]
