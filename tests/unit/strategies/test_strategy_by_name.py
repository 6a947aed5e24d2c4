"""Settings become objects; what is wrong with them is told by key, rule and value."""

import re
from pathlib import Path
from typing import Any

import pytest

from exonym.errors import ConfigError, ExonymError
from exonym.strategies import STRATEGIES
from exonym.strategies.base import Rule
from exonym.strategies.by_name import make_strategy, strategy_from, strategy_options
from exonym.strategies.cjk import NationalDomain
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.filters import ServerFilter
from exonym.strategies.lswc import LanguageSpecific
from exonym.strategies.segment.crawler import SegmentCrawler


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


def test_link_model_is_looked_for_in_the_directory_or_where_the_process_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ExonymError, match=re.escape(str(tmp_path / "my.links"))):
        make_strategy("segment", {"model": "my.links"}, directory=tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ExonymError, match=r"my\.links"):
        strategy_from("segment:S=3,model=my.links")
    plain = strategy_from("segment:S=3,D=1")
    assert isinstance(plain, SegmentCrawler)
    assert (plain.S, plain.D, plain.link_model.name) == (3, 1, "neutral")


def test_options_and_defaults_of_a_strategy_are_known() -> None:
    assert strategy_options("lswc") == {"S": 3, "T": 5, "english": True, "count_failures": True}
    assert strategy_options("limited-distance") == {"T": 3, "prioritized": False}
    assert strategy_options("bfs") == {}


def test_unknown_strategy_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"strategy\.name must be one of adaptive, bfs, .*, hard, .*, got 'best'"):
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
        ("lswc", {"S": 10**30}, r"strategy\.S must be a whole number, got 10{30}"),
        ("server-filter", {"mode": "mild"}, r"strategy\.mode must be aggressive or conservative, got 'mild'"),
        ("server-filter", {"threshold": 2}, r"strategy\.threshold must be from 0 to 1, got 2"),
        ("cjk", {"language": "Klingonese"}, r"strategy\.language: 'Klingonese' is no language"),
        ("cjk", {"domains": "co.jp"}, r"strategy\.domains must be top-level domains"),
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


def test_languages_and_domains_are_those_of_the_target_unless_they_are_given() -> None:
    def made(options: dict[str, Any], target: list[str]) -> tuple[str, str]:
        strategy = make_strategy("cjk", options, target)
        assert isinstance(strategy, NationalDomain)
        return strategy.language, strategy.domains

    assert made({}, ["ja"]) == ("ja", "jp")
    assert made({}, ["th", "lo"]) == ("th lo", "th xn--o3cw4h la xn--q7ce6a")
    assert made({"language": "Korean"}, ["ja"]) == ("ko", "kr xn--3e0b707e")
    assert made({"domains": "cn"}, ["zh"]) == ("zh", "cn")
    assert made({}, []) == ("", "")


def test_strategy_is_made_from_a_text() -> None:
    lswc = strategy_from("lswc:S=1,T=1")
    assert isinstance(lswc, LanguageSpecific)
    assert (lswc.S, lswc.T) == (1, 1)
    distance = strategy_from(" limited-distance : T = 2 , prioritized = True ")
    assert isinstance(distance, LimitedDistance)
    assert (distance.T, distance.prioritized) == (2, True)
    filtering = strategy_from("server-filter:mode=conservative,threshold=1")
    assert isinstance(filtering, ServerFilter)
    assert (filtering.mode, filtering.threshold) == ("conservative", 1.0)
    cjk = strategy_from("cjk:domains=cn tw", "zh")
    assert isinstance(cjk, NationalDomain)
    assert (cjk.language, cjk.domains) == ("zh", "cn tw")
    assert isinstance(strategy_from("cjk:domains=jp"), NationalDomain)


@pytest.mark.parametrize("name", STRATEGIES)
def test_name_of_a_strategy_is_text_enough(name: str) -> None:
    assert type(strategy_from(name, "th")) is STRATEGIES[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lwsc", r"--strategy lwsc: name must be one of adaptive, bfs, .*, got 'lwsc'\. Did you mean lswc\?$"),
        ("", r"name must be one of"),
        ("lswc:S", r"--strategy lswc:S: 'S' is no option\. Write it as in lswc:S=1,T=1\.$"),
        ("lswc:=1", "'=1' is no option"),
        ("lswc:S=1;T=1", r"S must be a whole number, got '1;T=1'\.$"),
        ("lswc:S=1,S=2", "S is given twice"),
        ("lswc:Q=1", r"Q is not an option of lswc, which takes S, T, english, count_failures\.$"),
        ("lswc:S=many", r"S must be a whole number, got 'many'\.$"),
        ("bfs:S=1", r"S is not an option of bfs, which takes no options\.$"),
        ("server-filter:threshold=nan", r"threshold must be from 0 to 1, got nan\.$"),
        ("cjk", "no language is known. Name it, as in cjk:language=ja"),
        ("x" * 10_000, "must be one of"),
    ],
)
def test_text_that_names_no_strategy_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        strategy_from(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
